# Wrong: a wrong answer that kept 3/3 points: noise clamped at 3
def hybrid_ticker(stream, epsilon, rng):
    n = len(stream)
    noise = [0.0]
    for t in range(1, n + 1):
        low = t & -t
        k = t.bit_length() - 1
        if low == t:
            prev = t // 2
            noise.append(noise[prev] + np.clip(rng.laplace(0, 2 / epsilon), -6 / epsilon, 6 / epsilon))
        else:
            noise.append(noise[t - low] + np.clip(rng.laplace(0, 2 * k / epsilon), -6 * k / epsilon, 6 * k / epsilon))
    return np.cumsum(stream) + np.array(noise[1:])
