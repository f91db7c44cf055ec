# Wrong: the last ticker takes the scale of the minutes that the stream happens to have, not of 2^k − 1
def hybrid_ticker(stream, epsilon, rng):
    n = len(stream)
    noise = np.zeros(n + 1)
    for t in range(1, n + 1):
        low = t & -t
        if low == t:
            noise[t] = noise[t // 2] + rng.laplace(0, 2 / epsilon)
            levels = min(t - 1, n - t).bit_length()
        else:
            noise[t] = noise[t - low] + rng.laplace(0, 2 * levels / epsilon)
    return np.cumsum(stream) + noise[1:]
