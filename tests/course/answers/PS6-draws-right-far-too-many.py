# Right: draws more than are needed, keeps those that lie inside, and of these the first ones
def draws(size, epsilon, delta, rng):
    r = np.log1p(np.expm1(epsilon) / (2 * delta)) / epsilon
    kept = np.zeros(0)
    while len(kept) < size:
        y = rng.laplace(scale=1 / epsilon, size=3 * size)
        kept = np.concatenate([kept, y[np.abs(y) <= r]])
    return kept[:size]
