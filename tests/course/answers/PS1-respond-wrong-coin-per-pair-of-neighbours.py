# Wrong: a wrong answer that kept 3/3 points: coin per pair of neighbours
def respond(bits, epsilon, rng):
    p = 1 / (1 + math.exp(-epsilon))
    coin = np.repeat(rng.random((len(bits) + 1) // 2) < p, 2)[:len(bits)]
    return np.where(coin, bits, 1 - bits)
