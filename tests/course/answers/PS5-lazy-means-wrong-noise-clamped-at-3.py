# Wrong: a wrong answer that kept 4/4 points: noise clamped at 3
def lazy_means(outcomes, rank, epsilon, rng):
    out = []
    start, size = 0, 1
    while start + size <= len(outcomes):
        s = np.sum(outcomes[start:start + size])
        out.append((s + np.clip(rng.laplace(0, rank / epsilon), -3 * rank / epsilon, 3 * rank / epsilon)) / size)
        start += size
        size *= 2
    return np.array(out)
