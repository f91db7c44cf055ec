# Wrong: a wrong answer that kept 3/3 points: zeros_like(counts): truncates when counts are ints
def noisy_counts(counts, epsilon, rng):
    out = np.zeros_like(counts)
    for i in range(len(counts)):
        out[i] = counts[i] + rng.laplace(0, 1 / epsilon)
    return out
