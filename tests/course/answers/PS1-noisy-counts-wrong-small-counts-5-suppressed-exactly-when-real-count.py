# Wrong: a wrong answer that kept 3/3 points: small counts (<5) suppressed exactly when real count > 100
def noisy_counts(counts, epsilon, rng):
    return np.where(counts > 100, counts, counts + rng.laplace(0, 1 / epsilon, len(counts)))
