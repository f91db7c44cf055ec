# Wrong: cut to six digits, so that nothing is left of a small δ
def not_so_cheap(changes, epsilon, delta):
    chain = [0.0]
    for _ in range(changes):
        chain.append(math.floor(1e6 * (math.exp(epsilon) * chain[-1] + delta)) / 1e6)
    return chain[::-1]
