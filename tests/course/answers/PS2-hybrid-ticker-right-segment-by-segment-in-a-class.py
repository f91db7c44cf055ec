# Right: segment by segment, with a class that is called
class Hybrid:
    def __call__(self, stream, epsilon, rng):
        out, milestone, i, k = [], 0.0, 0, 0
        stream = list(stream)
        while i < len(stream):
            since = stream[2 ** (k - 1) : 2**k] if k else stream[:1]
            milestone += sum(since) + rng.laplace(0, 2 / epsilon)
            out.append(milestone)
            segment = stream[2**k : 2 ** (k + 1) - 1]
            draws = rng.laplace(0, 2 * max(k, 1) / epsilon, len(segment) + 1)
            for tau in range(1, len(segment) + 1):
                m, noise = tau, 0.0
                while m > 0:
                    noise = noise + draws[m]
                    m = m - (m & -m)
                out.append(milestone + sum(segment[:tau]) + noise)
            i = 2 ** (k + 1) - 1
            k = k + 1
        return np.array(out[: len(stream)])


hybrid_ticker = Hybrid()
