# Wrong: a wrong answer that kept 3/3 points: global rng
def send_reports(position, list_size, epsilon, rng):
    n = min(position, list_size)
    x = np.zeros(n)
    if position <= list_size:
        x[position - 1] = 1
    return x + np.random.laplace(0, list_size / epsilon, n)
