# Wrong: a wrong answer that kept 3/3 points: up to 512 minutes only
def good_minutes(n, epsilon, limit):
    good = []
    for t in range(1, min(n, 511) + 1):
        k = t.bit_length() - 1
        tau = t - 2**k
        var = (k + 1) * 2 * (2 / epsilon) ** 2 + tau.bit_count() * 2 * (2 * k / epsilon) ** 2
        if math.sqrt(var) <= limit:
            good.append(t)
    return good
