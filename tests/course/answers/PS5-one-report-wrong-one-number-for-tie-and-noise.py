# Wrong: one uniform number for both tie and noise: the noise depends on the arm
def one_report(chosen, counts, outcomes, epsilon, rng):
    c = np.asarray(counts)[chosen]
    ties = np.flatnonzero(c == c.min())
    u = rng.random()
    place = ties[int(u * len(ties))]
    v = u - 0.5
    return int(chosen[place]), outcomes[place] - np.sign(v) * np.log(1 - 2 * abs(v)) / epsilon
