# Right: a list of numpy scalars, names of built-in functions as variables
def law(y, epsilon, delta):
    abs = np.abs(np.float64(y))
    max = 1 / (2 * delta) if epsilon == 0 else np.log1p(np.expm1(epsilon) / (2 * delta)) / epsilon
    sum = max if epsilon == 0 else -np.expm1(-epsilon * max) / epsilon
    min = np.minimum(abs, max)
    part = (min if epsilon == 0 else -np.expm1(-epsilon * min) / epsilon) / sum / 2
    return [np.exp(-epsilon * abs) / (2 * sum) * (abs < max), 0.5 + np.sign(y) * part]
