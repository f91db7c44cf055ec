# Wrong: a wrong answer that kept 3/3 points: np.random ties
def one_report(chosen, counts, outcomes, epsilon, rng):
    c = counts[chosen]
    ties = np.flatnonzero(c == c.min())
    i = np.random.choice(ties)
    return (chosen[i], outcomes[i] + rng.laplace(0, 1 / epsilon))
