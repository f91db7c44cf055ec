# Wrong: a grid of fifty points
def private_divergence(p, q, epsilon):
    r = np.linspace(0.001, 0.999, 50)
    return np.min(epsilon * np.abs(p - r) + r * np.log(r / q) + (1 - r) * np.log((1 - r) / (1 - q)))
