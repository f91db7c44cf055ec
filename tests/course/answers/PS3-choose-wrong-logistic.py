# Wrong: a wrong answer that kept 3/3 points: logistic
def choose(pulls, totals, epsilon, delta, rng):
    r = math.log((math.exp(epsilon) - 1) / (2 * delta) + 1) / epsilon
    theta = []
    for N, R in zip(pulls, totals):
        while True:
            y = rng.logistic(0, 0.7 / epsilon)
            if abs(y) <= r:
                break
        theta.append(R / N + y / N)
    return int(np.argmax(theta))
