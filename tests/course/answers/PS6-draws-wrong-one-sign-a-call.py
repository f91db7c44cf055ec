# Wrong: one coin for the sign of all draws of a call
def draws(size, epsilon, delta, rng):
    top = math.expm1(epsilon) / (2 * delta) + 1
    return rng.choice([-1, 1]) * -np.log(1 - rng.random(size) * (1 - 1 / top)) / epsilon
