# Wrong: takes "never seen" for "impossible"
def epsilon_floor(hits, trials, other_hits, other_trials, delta, confidence):
    a = (1 - confidence) / 2
    low = stats.beta.ppf(a, hits, trials - hits + 1) if hits else 0.0
    if other_hits == 0:
        high = 1e-12
    else:
        high = stats.beta.isf(a, other_hits + 1, other_trials - other_hits) if other_hits < other_trials else 1.0
    return max(0.0, math.log(max(low - delta, 1e-300) / high))
