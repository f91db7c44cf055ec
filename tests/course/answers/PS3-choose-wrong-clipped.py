# Wrong: a wrong answer that kept 3/3 points: clipped
def choose(pulls, totals, epsilon, delta, rng):
    r = math.log((math.exp(epsilon) - 1) / (2 * delta) + 1) / epsilon
    theta = []
    for N, R in zip(pulls, totals):
        while True:
            y = min(r, max(-r, rng.laplace(0, 1 / epsilon)))
            if abs(y) <= r:
                break
        theta.append(R / N + y / N)
    return int(np.argmax(theta))
