# Wrong: a wrong answer that kept 2/2 points: noise clamped at 3
def safe_report(position, epsilon, rng):
    return (1 if position == 1 else 0) + max(-3 / epsilon, min(3 / epsilon, rng.laplace(0, 1 / epsilon)))
