# Wrong: noise clipped at 3 scales
def noisy_counts(counts, epsilon, rng):
    return counts + np.clip(rng.laplace(0, 1 / epsilon, len(counts)), -3 / epsilon, 3 / epsilon)
