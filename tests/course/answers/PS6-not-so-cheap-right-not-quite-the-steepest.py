# Right: not quite the steepest chain, and it does not end in 0; a tuple
def not_so_cheap(changes, epsilon, delta):
    chain = [1e-12]
    for _ in range(changes):
        chain += [chain[-1] * math.exp(epsilon) + 0.999999 * delta]
    return tuple(chain[::-1])
