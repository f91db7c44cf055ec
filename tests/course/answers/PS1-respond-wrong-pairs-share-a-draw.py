# Wrong: neighbours share a draw
def respond(bits, epsilon, rng):
    p = 1 / (1 + math.exp(-epsilon))
    n = len(bits)
    u = rng.random(n)
    u[1::2] = u[::2][:len(u[1::2])]
    return np.where(u < p, bits, 1 - bits)
