# Wrong: a wrong answer that kept 3/3 points: exact number of lies
def respond(bits, epsilon, rng):
    p = 1 / (1 + math.exp(-epsilon))
    n = len(bits)
    lies = rng.permutation(n) < round(n * (1 - p))
    return np.where(lies, 1 - bits, bits)
