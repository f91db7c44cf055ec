# Wrong: a wrong answer that kept 3/3 points: only shape 4
def noisy_counts(counts, epsilon, rng):
    return counts + rng.laplace(0, 1 / epsilon, 4)
