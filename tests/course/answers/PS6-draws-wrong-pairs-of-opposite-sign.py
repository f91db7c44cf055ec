# Wrong: every other draw is the one before with the other sign
def draws(size, epsilon, delta, rng):
    top = math.expm1(epsilon) / (2 * delta) + 1
    half = -np.log(1 - rng.random((size + 1) // 2) * (1 - 1 / top)) / epsilon
    return np.stack([half, -half], axis=1).ravel()[:size]
