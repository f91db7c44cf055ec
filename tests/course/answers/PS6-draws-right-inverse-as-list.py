# Right: the distribution function turned round; one uniform number for distance and sign; a list
def draws(size, epsilon, delta, rng):
    top = math.expm1(epsilon) / (2 * delta) + 1
    out = []
    for u in rng.random(size):
        sign, v = (1, 2 * u - 1) if u > 0.5 else (-1, 1 - 2 * u)
        out.append(-sign * math.log(1 - v * (1 - 1 / top)) / epsilon)
    return out
