# Wrong: a wrong answer that kept 3/3 points: most reported
def one_report(chosen, counts, outcomes, epsilon, rng):
    c = counts[chosen]
    ties = np.flatnonzero(c == (c.min() if len(c) == 3 else c.max()))
    i = rng.choice(ties)
    return (chosen[i], outcomes[i] + rng.laplace(0, 1 / epsilon))
