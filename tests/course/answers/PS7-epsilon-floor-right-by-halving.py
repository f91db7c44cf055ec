# Right: no beta law; halves intervals with the binomial law; `max` and `sum` as names
def epsilon_floor(hits, trials, other_hits, other_trials, delta, confidence):
    max = (1 - confidence) / 2
    low, sum = 0.0, 1.0
    if hits == 0:
        return 0
    for _ in range(70):
        middle = (low + sum) / 2
        if stats.binom.sf(hits - 1, trials, middle) < max:
            low = middle
        else:
            sum = middle
    down, high = 0.0, 1.0
    for _ in range(70 if other_hits < other_trials else 0):
        middle = (down + high) / 2
        if stats.binom.cdf(other_hits, other_trials, middle) < max:
            high = middle
        else:
            down = middle
    if low <= delta or low - delta <= high:
        return 0
    return np.log(low - delta) - np.log(high)
