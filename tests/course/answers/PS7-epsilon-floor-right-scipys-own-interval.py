# Right: the interval that scipy makes
def epsilon_floor(hits, trials, other_hits, other_trials, delta, confidence):
    low = stats.binomtest(hits, trials).proportion_ci(confidence, "exact").low
    high = stats.binomtest(other_hits, other_trials).proportion_ci(confidence, "exact").high
    return np.log(np.maximum((low - delta) / high, 1.0))
