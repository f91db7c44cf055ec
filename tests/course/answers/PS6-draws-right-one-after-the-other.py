# Right: slow, draw by draw, as a difference of exponentials, into an array with the name `list`
def draws(size, epsilon, delta, rng):
    r = math.log((math.exp(epsilon) - 1) / (2 * delta) + 1) / epsilon
    list = np.empty(size)
    for i in range(size):
        y = math.inf
        while not -r <= y <= r:
            y = (rng.standard_exponential() - rng.standard_exponential()) / epsilon
        list[i] = y
    return list
