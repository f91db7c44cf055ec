# Wrong: log₂(n + 1) in floating point: at n = 2^50 one level is missing
def block_scale(n, epsilon):
    return math.ceil(math.log2(n + 1)) / epsilon
