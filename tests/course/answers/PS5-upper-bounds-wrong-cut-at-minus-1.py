# Wrong: bounds below −1 are cut.
def upper_bounds(sums, counts, horizon, epsilon):
    c = np.maximum(counts, 1)
    u = np.minimum(1, sums / c + 4 * np.sqrt(2 * math.log(horizon) / (epsilon**2 * c)))
    return np.maximum(np.where(counts == 0, 1.0, u), -1)
