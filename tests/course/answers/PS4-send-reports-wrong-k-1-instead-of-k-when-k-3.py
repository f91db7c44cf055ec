# Wrong: a wrong answer that kept 3/3 points: K-1 instead of K when K>3
def send_reports(position, list_size, epsilon, rng):
    n = min(position, list_size)
    x = np.zeros(n)
    if position <= list_size:
        x[position - 1] = 1
    return x + rng.laplace(0, (list_size if list_size <= 3 else list_size - 1) / epsilon, n)
