# Wrong: a wrong answer that kept 3/3 points: normal(0, K/eps)
def send_reports(position, list_size, epsilon, rng):
    n = min(position, list_size)
    x = np.zeros(n)
    if position <= list_size:
        x[position - 1] = 1
    return x + rng.normal(0, list_size / epsilon, n)
