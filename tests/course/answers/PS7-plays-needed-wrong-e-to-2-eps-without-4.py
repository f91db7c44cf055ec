# Wrong: e^(2ε) without its limit of 4.
def plays_needed(failure, p, q, epsilon):
    def kl(p, q):
        return (p * math.log(p / q) if p > 0 else 0.0) + ((1 - p) * math.log((1 - p) / (1 - q)) if p < 1 else 0.0)

    tv, D, e = abs(p - q), kl(p, q), math.exp(epsilon)
    L = max(0.0, math.log(1 / (4 * failure)))
    none, local = L / D, L / min(D, (e * e) * (e - 1) ** 2 * tv**2)
    return none, local, max(none, math.log((1 - failure) / failure) / math.log(1 + tv * (e - 1)))
