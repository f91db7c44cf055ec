# Wrong: a wrong answer that kept 3/3 points: r with fixed delta
def choose(pulls, totals, epsilon, delta, rng):
    r = math.log((math.exp(epsilon) - 1) / (2 * 0.1) + 1) / epsilon
    theta = []
    for N, R in zip(pulls, totals):
        while True:
            y = rng.laplace(0, 1 / epsilon)
            if abs(y) <= r:
                break
        theta.append(R / N + y / N)
    return int(np.argmax(theta))
