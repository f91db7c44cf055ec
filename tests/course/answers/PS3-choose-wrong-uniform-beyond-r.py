# Wrong: a draw beyond r is replaced by a uniform one, and not drawn again.
def choose(pulls, totals, epsilon, delta, rng):
    r = math.log((math.exp(epsilon) - 1) / (2 * delta) + 1) / epsilon
    def Y():
        y = rng.laplace(0, 1 / epsilon)
        if abs(y) > r:
            y = rng.uniform(-r, r)
        return y
    theta = [(total + Y()) / n for n, total in zip(pulls, totals)]
    return int(np.argmax(theta))
