# Wrong: a wrong answer that kept 3/3 points: noise redrawn beyond 4 scales (truncated)
def noisy_counts(counts, epsilon, rng):
    z = rng.laplace(0, 1 / epsilon, len(counts))
    while (abs(z) > 4 / epsilon).any():
        z = np.where(abs(z) > 4 / epsilon, rng.laplace(0, 1 / epsilon, len(counts)), z)
    return counts + z
