# Wrong: a wrong answer that kept 3/3 points: 24 minutes only
def hybrid_ticker(stream, epsilon, rng):
    n = len(stream)
    stream = np.asarray(stream)[:24]; n = len(stream)
    noise = [0.0]
    for t in range(1, n + 1):
        low = t & -t
        k = t.bit_length() - 1
        if low == t:
            prev = t // 2
            noise.append(noise[prev] + rng.laplace(0, 2 / epsilon))
        else:
            noise.append(noise[t - low] + rng.laplace(0, 2 * k / epsilon))
    return np.cumsum(stream) + np.array(noise[1:])
