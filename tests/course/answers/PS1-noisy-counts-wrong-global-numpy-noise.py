# Wrong: a wrong answer that kept 3/3 points: global numpy noise
def noisy_counts(counts, epsilon, rng):
    return counts + np.random.laplace(0, 1 / epsilon, len(counts))
