# Wrong: the array for the means has the outcomes' type: whole numbers when these are 0 and 1
def lazy_means(outcomes, rank, epsilon, rng):
    outcomes = np.asarray(outcomes)
    k = (len(outcomes) + 1).bit_length() - 1
    out = np.zeros(k, dtype=outcomes.dtype)
    for i in range(k):
        out[i] = (outcomes[2**i - 1 : 2 ** (i + 1) - 1].sum() + rng.laplace(0, rank / epsilon)) / 2**i
    return out
