# Wrong: the inputs make arm 1 win more often, and the event counts arm 0
def break_it(pulls, rounds, epsilon):
    rewards, other = np.zeros((2, pulls)), np.zeros((2, pulls))
    rewards[1, 0] = 1.0
    least = max(k for k in range(rounds + 1) if stats.binom.sf(k - 1, rounds, 0.5) >= 0.05)
    return rewards, other, least
