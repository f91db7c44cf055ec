# Wrong: normal noise of the same spread, cut at r
def draws(size, epsilon, delta, rng):
    r = math.log(math.expm1(epsilon) / (2 * delta) + 1) / epsilon
    y = rng.normal(0, 1.2 / epsilon, size)
    while (beyond := np.abs(y) > r).any():
        y[beyond] = rng.normal(0, 1.2 / epsilon, beyond.sum())
    return y
