# Right: a right answer that got 0/3 points: in place
def respond(bits, epsilon, rng):
    lie = rng.random(len(bits)) >= 1 / (1 + math.exp(-epsilon))
    bits[lie] = 1 - bits[lie]
    return bits
