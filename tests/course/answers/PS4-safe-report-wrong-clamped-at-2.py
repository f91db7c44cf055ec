# Wrong: a wrong answer that kept 2/2 points: clamped at 2
def safe_report(position, epsilon, rng):
    return (1 if position == 1 else 0) + max(-2.1 / epsilon, min(2.1 / epsilon, rng.laplace(0, 1 / epsilon)))
