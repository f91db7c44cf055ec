# Wrong: the scale is 3 % too small
def draws(size, epsilon, delta, rng):
    r = math.log(math.expm1(epsilon) / (2 * delta) + 1) / epsilon
    y = rng.laplace(0, 0.97 / epsilon, size)
    while (beyond := np.abs(y) > r).any():
        y[beyond] = rng.laplace(0, 0.97 / epsilon, beyond.sum())
    return y
