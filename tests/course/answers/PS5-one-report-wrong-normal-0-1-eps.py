# Wrong: a wrong answer that kept 3/3 points: normal(0, 1/eps)
def one_report(chosen, counts, outcomes, epsilon, rng):
    c = counts[chosen]
    ties = np.flatnonzero(c == c.min())
    i = rng.choice(ties)
    return (chosen[i], outcomes[i] + rng.normal(0, 1 / epsilon))
