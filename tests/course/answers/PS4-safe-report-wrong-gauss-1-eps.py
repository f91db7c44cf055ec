# Wrong: a wrong answer that kept 2/2 points: gauss 1/eps
def safe_report(position, epsilon, rng):
    return (1 if position == 1 else 0) + rng.normal(0, 1 / epsilon)
