# Right: searches for n by halving; returns an array
def plays_needed(failure, p, q, epsilon):
    kl = sum(x * np.log(x / y) for x, y in ((p, q), (1 - p, 1 - q)) if x > 0)
    tv = abs(p - q)
    price = min(4, np.exp(2 * epsilon)) * (np.exp(epsilon) - 1) ** 2 * tv**2

    def least(fine):
        if fine(0.0):
            return 0.0
        high = 1.0
        while not fine(high):
            high = 2 * high
        low = high / 2 if high > 1 else 0.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (low, middle) if fine(middle) else (middle, high)
        return high

    def told(d):
        return lambda n: 2 * failure >= np.exp(-n * d) / 2

    none, local = least(told(kl)), least(told(min(kl, price)))
    step = np.log1p(tv * np.expm1(epsilon))
    return np.array([none, local, least(lambda n: told(kl)(n) and np.log(1 / failure - 1) <= n * step)])
