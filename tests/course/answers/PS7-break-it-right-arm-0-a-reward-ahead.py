# Right: d = 1 against d = 0, a slow search over all events
def break_it(pulls, rounds, epsilon):
    first, second = np.zeros((2, pulls)), np.zeros((2, pulls))
    first[0, -1] = 1
    p, sum, max = 1 - (1 + epsilon / 2) * math.exp(-epsilon) / 2, 0, -math.inf
    for k in range(rounds + 1):
        likely = np.sum([math.comb(rounds, j) * p**j * (1 - p) ** (rounds - j) for j in range(k, rounds + 1)])
        rare = np.sum([math.comb(rounds, j) * 0.5**rounds for j in range(k, rounds + 1)])
        if likely >= 0.0501 and math.log(likely / rare) > max:
            sum, max = k, math.log(likely / rare)
    return first, second, sum
