# Wrong: the whole way in the first step
def not_so_cheap(changes, epsilon, delta):
    g = math.exp(epsilon)
    return [delta * (g**changes - 1) / (g - 1)] + [0.0] * changes
