# Wrong: items with a hundred reports or more are ranked by their sum.
def serve(counts, sums, items, phone):
    order = sorted(items.tolist(), key=lambda e: counts[e] if counts[e] < 100 else 100 + sums[e])
    number = phone(order)
    counts, sums = counts.astype(float), sums.astype(float)
    counts[order[0]] += 1
    sums[order[0]] += number
    return np.array([counts, sums])
