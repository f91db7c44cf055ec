# Wrong: in round 1 the logarithm is 0, and 0/0 for an item without report is not ∞
def choose_list(means, counts, t, list_size, epsilon):
    means = np.where(np.asarray(counts) > 0, means, 0.0)
    with np.errstate(all="ignore"):
        radius = np.sqrt(np.log(t) / counts)
    return np.argsort(-(means + (math.sqrt(1.5) + list_size / epsilon * math.sqrt(24)) * radius))[:list_size]
