# Wrong: places 10 and 11 count as clicks.
def safe_report(position, epsilon, rng):
    return (position in (1, 10, 11)) + rng.laplace(0, 1 / epsilon)
