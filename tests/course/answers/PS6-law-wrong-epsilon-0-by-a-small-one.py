# Wrong: at epsilon = 0 takes an epsilon of a hundredth
def law(y, epsilon, delta):
    epsilon = epsilon or 0.01
    r = math.log((math.exp(epsilon) - 1) / (2 * delta) + 1) / epsilon
    if abs(y) >= r:
        return 0.0, float(y > 0)
    total = 2 * (1 - math.exp(-epsilon * r)) / epsilon
    outer = (math.exp(-epsilon * abs(y)) - math.exp(-epsilon * r)) / epsilon / total
    return math.exp(-epsilon * abs(y)) / total, outer if y < 0 else 1 - outer
