# Wrong: normal approximation of both bounds
def epsilon_floor(hits, trials, other_hits, other_trials, delta, confidence):
    z = stats.norm.isf((1 - confidence) / 2)
    p, q = hits / trials, other_hits / other_trials
    low = p - z * math.sqrt(p * (1 - p) / trials)
    high = q + z * math.sqrt(q * (1 - q) / other_trials)
    return math.log((low - delta) / high) if low - delta > high > 0 else 0.0
