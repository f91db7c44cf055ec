# Right: works in place, which nothing forbids, and returns what is asked for
def serve(counts, sums, items, phone):
    order = sorted(items, key=lambda e: counts[e])
    x = phone(order)
    counts[order[0]] += 1
    sums[order[0]] += x
    return np.array([counts, sums])
