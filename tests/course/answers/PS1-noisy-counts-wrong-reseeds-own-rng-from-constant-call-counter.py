# Wrong: a wrong answer that kept 3/3 points: reseeds own rng from constant + call counter
CALLS = 0
def noisy_counts(counts, epsilon, rng):
    global CALLS
    CALLS += 1
    return counts + np.random.default_rng(CALLS).laplace(0, 1 / epsilon, len(counts))
