# Right: draws kept by the last minute of a block, which says which block it is
def ticker(stream, epsilon, rng):
    from functools import lru_cache

    @lru_cache(maxsize=None)
    def draw(last):
        return rng.laplace(0, len(bin(len(stream))[2:]) / epsilon)

    def release(t):
        m = t
        while m:
            yield draw(m)
            m &= m - 1

    print("a ticker of", len(stream), "minutes")
    calls = np.cumsum(stream)
    return np.array([calls[t - 1] + sum(release(t)) for t in range(1, len(stream) + 1)])
