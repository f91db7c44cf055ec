# Right: one after the other: the best of what is left
def choose_list(means, counts, t, list_size, epsilon):
    left, shown = [i for i in range(len(means))], []
    width = math.sqrt(math.log(t)) * (math.sqrt(1.5) + math.sqrt(24) * list_size / epsilon)
    while len(shown) < list_size:
        new = [i for i in left if counts[i] < 1]
        best = new[-1] if new else max(left, key=lambda i: means[i] + width / counts[i] ** 0.5)
        left.remove(best)
        shown.append(best)
    return shown
