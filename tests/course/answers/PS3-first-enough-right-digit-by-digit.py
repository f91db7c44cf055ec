# Right: builds the largest N that is not enough, digit by digit, by recursion
def first_enough(needed, limit):
    def top(i):
        return i if needed(1 << i) <= limit else top(i + 1)

    def build(value, i):
        if i < 0:
            return value + 1
        bigger = value | (1 << i)
        return build(bigger if needed(bigger) > limit else value, i - 1)

    return build(0, top(0) - 1)
