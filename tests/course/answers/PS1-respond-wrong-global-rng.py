# Wrong: a wrong answer that kept 3/3 points: global rng
def respond(bits, epsilon, rng):
    p = 1 / (1 + math.exp(-epsilon))
    return np.where(np.random.random(len(bits)) < p, bits, 1 - bits)
