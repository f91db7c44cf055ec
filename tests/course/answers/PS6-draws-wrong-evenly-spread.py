# Wrong: one draw from each of `size` equal shares of the law, in random order: not independent
def draws(size, epsilon, delta, rng):
    top = math.expm1(epsilon) / (2 * delta) + 1
    u = rng.permutation((np.arange(size) + rng.random(size)) / size)
    v = 2 * u - 1
    return -np.sign(v) * np.log(1 - np.abs(v) * (1 - 1 / top)) / epsilon
