# Wrong: the search ends at 10^18; nobody can say how large N is
def first_enough(needed, limit):
    low, high = 0, 10**18
    while high - low > 1:
        middle = (low + high) // 2
        if needed(middle) <= limit:
            high = middle
        else:
            low = middle
    return high
