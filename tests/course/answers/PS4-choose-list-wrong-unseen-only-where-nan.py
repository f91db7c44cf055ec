# Wrong: an unseen item comes first only where its mean is NaN, but its mean may be anything.
def choose_list(means, counts, t, list_size, epsilon):
    c = np.maximum(counts, 1)
    u = means + np.sqrt(1.5 * math.log(t) / c) + list_size / epsilon * np.sqrt(24 * math.log(t) / c)
    u = np.where((counts == 0) & ~(means == means), np.inf, u)
    return np.argsort(-u)[:list_size]
