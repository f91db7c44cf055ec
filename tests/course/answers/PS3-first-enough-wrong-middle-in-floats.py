# Wrong: the middle is a floating-point number: off for large N
def first_enough(needed, limit):
    if needed(1) <= limit:
        return 1
    high = 2
    while needed(high) > limit:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = int((low + high) / 2)
        if middle in (low, high):
            break
        if needed(middle) <= limit:
            high = middle
        else:
            low = middle
    return high
