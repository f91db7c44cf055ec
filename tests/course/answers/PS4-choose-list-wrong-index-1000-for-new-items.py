# Wrong: items without a report get the index 1000; others may have more
def choose_list(means, counts, t, list_size, epsilon):
    index = []
    for m, T in zip(means, counts):
        if T == 0:
            index.append(1000.0)
        else:
            index.append(m + math.sqrt(1.5 * math.log(t) / T) + list_size / epsilon * math.sqrt(24 * math.log(t) / T))
    return np.argsort(index)[::-1][:list_size]
