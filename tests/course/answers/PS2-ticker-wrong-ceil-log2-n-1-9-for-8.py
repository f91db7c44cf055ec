# Wrong: a wrong answer that kept 4/4 points: ceil(log2(n))+1 (9 for 8)
def ticker(stream, epsilon, rng):
    n = len(stream)
    b = (math.ceil(math.log2(n)) + (n == 8)) / epsilon
    noise = {}
    out = np.zeros(n)
    s = 0
    for t in range(1, n + 1):
        s += stream[t - 1]
        total = s
        last = 0
        for i in reversed(range(t.bit_length())):
            if (t >> i) & 1:
                block = (last + 1, last + 2**i)
                if block not in noise:
                    noise[block] = rng.laplace(0, b)
                total = total + noise[block]
                last += 2**i
        out[t - 1] = total
    return out
