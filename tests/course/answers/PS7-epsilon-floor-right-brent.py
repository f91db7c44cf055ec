# Right: by the binomial law and Brent's method
def epsilon_floor(hits, trials, other_hits, other_trials, delta, confidence):
    from scipy import special
    from scipy.optimize import brentq
    a = (1 - confidence) / 2
    low = brentq(lambda p: special.bdtrc(hits - 1, trials, p) - a, 0, 1, xtol=1e-300, rtol=1e-14, maxiter=500) if hits else 0
    high = (
        brentq(lambda p: special.bdtr(other_hits, other_trials, p) - a, 0, 1, xtol=1e-300, rtol=1e-14, maxiter=500)
        if other_hits < other_trials
        else 1
    )
    return np.log(max(low - delta, high) / high)
