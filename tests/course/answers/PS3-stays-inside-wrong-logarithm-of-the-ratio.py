# Wrong: the logarithm of a ratio, which is NaN where both probabilities are 0, though all inequalities hold there
def stays_inside(before, after, epsilon, delta):
    def loss(p, q):
        with np.errstate(all="ignore"):
            return np.log(np.maximum(p - delta, 0) / q) <= epsilon

    both = loss(before, after) & loss(after, before)
    return both & loss(1 - before, 1 - after) & loss(1 - after, 1 - before)
