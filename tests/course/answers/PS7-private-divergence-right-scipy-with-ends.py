# Right: scipy's bounded search, and the two ends besides
def private_divergence(p, q, epsilon):
    from scipy import optimize
    from scipy.special import rel_entr

    def cost(r):
        return epsilon * np.abs(p - r) + rel_entr(r, q) + rel_entr(1 - r, 1 - q)

    if p == q:
        return 0
    found = optimize.minimize_scalar(cost, bounds=sorted((p, q)), method="bounded", options={"xatol": 1e-12})
    return min(found.fun, cost(p), cost(q))
