# Wrong: a wrong answer that kept 3/3 points: round(n*(1-p)) liars exactly
def respond(bits, epsilon, rng):
    p = 1 / (1 + math.exp(-epsilon))
    answers = np.array(bits)
    liars = rng.choice(len(bits), size=int(round(len(bits) * (1 - p))), replace=False)
    answers[liars] = 1 - answers[liars]
    return answers
