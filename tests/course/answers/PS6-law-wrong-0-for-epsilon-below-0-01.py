# Wrong: ε below 0.01 is treated as 0
def law(y, epsilon, delta):
    if epsilon < 0.01:
        r = 1 / (2 * delta)
        return (0.5 / r, 0.5 + y / (2 * r)) if abs(y) < r else (0.0, float(y > 0))
    r = math.log(math.expm1(epsilon) / (2 * delta) + 1) / epsilon
    mass = 2 * -math.expm1(-epsilon * r) / epsilon
    if abs(y) > r:
        return 0.0, float(y > 0)
    low = (math.exp(-epsilon * abs(y)) - math.exp(-epsilon * r)) / epsilon / mass
    return math.exp(-epsilon * abs(y)) / mass, low if y <= 0 else 1 - low
