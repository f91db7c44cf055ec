# Wrong: whole plays
def plays_needed(failure, p, q, epsilon):
    kl = sum(x * math.log(x / y) for x, y in ((p, q), (1 - p, 1 - q)) if x > 0)
    tv, g = abs(p - q), math.exp(epsilon) - 1
    n = max(0, math.log(1 / (4 * failure)))
    local = min(kl, min(4, math.exp(2 * epsilon)) * g**2 * tv**2)
    return math.ceil(n / kl), math.ceil(n / local), math.ceil(max(n / kl, math.log((1 - failure) / failure) / math.log(1 + tv * g)))
