# Wrong: 0 ln 0 is NaN at p = 1 and a large ε, where r rounds to 1
def private_divergence(p, q, epsilon):
    def kl(r):
        with np.errstate(all="ignore"):
            return r * np.log(r / np.float64(q)) + (1 - r) * np.log((1 - r) / np.float64(1 - q))

    p = np.float64(p)
    odds = (1 - q) / q * (math.exp(epsilon) if p < q else math.exp(-epsilon))
    r = min(max(1 / (1 + odds), min(p, q)), max(p, q))
    return epsilon * abs(p - r) + kl(r)
