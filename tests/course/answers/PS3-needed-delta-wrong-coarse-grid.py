# Wrong: A grid from −10 to 10 in steps of 0.01: too coarse when N is large
def needed_delta(pulls, epsilon):
    x, sd = np.linspace(-10, 10, 2001), math.sqrt(2 / pulls)
    gain = stats.norm.cdf(x / sd) - math.exp(epsilon) * stats.norm.cdf((x - 1 / pulls) / sd)
    return max(gain.max(), 0)
