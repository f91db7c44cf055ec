# Right: A normal draw times the root of twice an exponential one is a Laplace draw
def noisy_counts(counts, epsilon, rng):
    n = np.shape(counts)
    print("noise of scale", 1 / epsilon)
    return np.add(counts, rng.normal(size=n) * np.sqrt(2 * rng.exponential(size=n)) / epsilon)
