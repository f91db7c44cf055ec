# Right: fills an array from behind, and uses `sum`, `range` and `list` as names
def not_so_cheap(changes, epsilon, delta):
    list = np.zeros(changes + 1)
    sum, range = 0.0, changes
    while range > 0:
        sum = sum * np.exp(epsilon) + delta
        range -= 1
        list[range] = sum
    return list
