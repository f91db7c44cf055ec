# Right: divides the interval in thirds, two hundred times
def private_divergence(p, q, epsilon):
    def cost(r):
        kl = (r * np.log(r / q) if r > 0 else 0) + ((1 - r) * np.log((1 - r) / (1 - q)) if r < 1 else 0)
        return epsilon * abs(p - r) + kl

    min, max = (p, q) if p < q else (q, p)
    for _ in range(200):
        one, other = (2 * min + max) / 3, (min + 2 * max) / 3
        if cost(one) <= cost(other):
            max = other
        else:
            min = one
    return np.array(cost((min + max) / 2))
