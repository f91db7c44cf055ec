# Wrong: a wrong answer that kept 3/3 points: no truncation but resample all arms together
def choose(pulls, totals, epsilon, delta, rng):
    r = math.log((math.exp(epsilon) - 1) / (2 * delta) + 1) / epsilon
    while True:
        y = rng.laplace(0, 1 / epsilon, len(pulls))
        if (abs(y) <= 1.5 * r).all():
            return int(np.argmax((totals + y) / pulls))
