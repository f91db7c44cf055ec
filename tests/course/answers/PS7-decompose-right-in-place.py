# Right: overwrites what it is given, and uses scipy
def decompose(arms, rewards, chances, first, other):
    from scipy.special import rel_entr

    first[:] = rel_entr(first, other) + rel_entr(1 - first, 1 - other)
    for a in range(len(other)):
        other[a] = np.sum(chances[:, None] * (arms == a))
    other *= first
    return other
