# Wrong: a wrong answer that kept 2/2 points: only up to 5
def safe_report(position, epsilon, rng):
    return [1, 0, 0, 0, 0, 0][position - 1] + rng.laplace(0, 1 / epsilon)
