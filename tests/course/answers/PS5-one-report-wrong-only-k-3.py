# Wrong: a wrong answer that kept 3/3 points: only K = 3
def one_report(chosen, counts, outcomes, epsilon, rng):
    c = counts[chosen[:3]]
    ties = np.flatnonzero(c == c.min())
    i = rng.choice(ties)
    return (chosen[i], outcomes[i] + rng.laplace(0, 1 / epsilon))
