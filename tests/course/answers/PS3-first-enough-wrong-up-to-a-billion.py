# Wrong: searches up to a billion; the text names no such bound
def first_enough(needed, limit):
    lo, hi = 0, 10**9
    while hi - lo > 1:
        m = (lo + hi) // 2
        if needed(m) <= limit: hi = m
        else: lo = m
    return hi
