# Wrong: all rewards of an arm differ
def break_it(pulls, rounds, epsilon):
    least = max(k for k in range(rounds + 1) if stats.binom.sf(k - 1, rounds, 0.5) >= 0.05)
    other = np.zeros((2, pulls))
    other[1] = 1.0
    return np.zeros((2, pulls)), other, least
