# Wrong: the number of arms is taken from the table; an arm that is never played is missing
def decompose(arms, rewards, chances, first, other):
    out = []
    for a in range(int(arms.max()) + 1):
        p, q = first[a], other[a]
        d = (p * math.log(p / q) if p else 0) + ((1 - p) * math.log((1 - p) / (1 - q)) if p < 1 else 0)
        out.append(chances @ (arms == a).sum(axis=1) * d)
    return np.array(out)
