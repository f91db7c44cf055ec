# Wrong: ε of the season is searched up to 10 only, and is larger where failure is tiny.
def weekly_epsilon(failure, weeks):
    low, high = 0.0, 10.0
    for _ in range(100):
        m = (low + high) / 2
        low, high = (m, high) if 1 / (1 + math.exp(m)) > failure else (low, m)
    return low / weeks
