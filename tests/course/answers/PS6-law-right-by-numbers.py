# Right: no formula at all; the integrals and r by numerical methods, slow
def law(y, epsilon, delta):
    from scipy import integrate, optimize

    def weight(u):
        return np.exp(-epsilon * np.abs(u))

    def part(low, high):
        return integrate.quad(weight, low, high, epsabs=1e-12, limit=200)[0]

    r = optimize.bisect(lambda r: part(r - 1, r) - delta * 2 * part(0, r), 1, 1 / delta, xtol=1e-12)
    total = 2 * part(0, r)
    if y <= -r:
        return 0, 0
    if y >= r:
        return 0, 1
    return np.array([weight(y) / total, 0.5 + np.sign(y) * part(0, abs(y)) / total])
