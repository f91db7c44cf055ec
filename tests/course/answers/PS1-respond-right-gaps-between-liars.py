# Right: the gaps between liars are geometric
def respond(bits, epsilon, rng):
    answer = [int(b) for b in bits]
    at = int(rng.geometric(1 / (1 + math.exp(epsilon)))) - 1
    while at < len(answer):
        answer[at] = 1 - answer[at]
        at += int(rng.geometric(1 / (1 + math.exp(epsilon))))
    return np.array(answer, dtype=int)
