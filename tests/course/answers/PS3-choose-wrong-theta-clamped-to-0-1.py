# Wrong: a wrong answer that kept 3/3 points: theta clamped to [0,1]
def choose(pulls, totals, epsilon, delta, rng):
    r = math.log((math.exp(epsilon) - 1) / (2 * delta) + 1) / epsilon
    theta = []
    for N, R in zip(pulls, totals):
        while True:
            y = rng.laplace(0, 1 / epsilon)
            if abs(y) <= r:
                break
        theta.append(min(1, max(0, R / N + y / N)))
    return int(np.argmax(theta))
