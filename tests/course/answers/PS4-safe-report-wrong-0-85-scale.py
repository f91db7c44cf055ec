# Wrong: a wrong answer that kept 2/2 points: 0.85 scale
def safe_report(position, epsilon, rng):
    return (1 if position == 1 else 0) + rng.laplace(0, 0.85 / epsilon)
