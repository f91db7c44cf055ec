"""Hockey-stick divergences between a perturbation law and its neighbour, in closed form.

F belongs to (N, R) and F⁺ to (N, R + 1). Their likelihood ratio is monotone in x, so of all events {f > e^ε f⁺}, a
half-line, has the largest F(event) − e^ε F⁺(event): the δ that Lemma 8 of Wang & Zhu 2024 needs. Its end is where the
ratio is e^ε.
"""

import math

from scipy import special

from dpbandits.mechanisms import perturbations
from dpbandits.mechanisms.gaussian import delta_from_mu


def hockey_sticks(law: str, pulls: float, total: float, epsilon: float, delta: float):
    """((left, x), (right, x)) for F with R = `total` and F⁺ with R + 1 (R + 1 <= N; arguments as `perturbations.law`).

    left = max over x of F(x) − e^ε F⁺(x), right = max over x of (1 − F⁺(x)) − e^ε(1 − F(x)), each with its x.
    """
    epsilon = min(epsilon, 700.0)  # e^ε must not overflow
    if law == "gauss":
        # a shift of 1/N at variance 2/N is 1/√(2N) deviations; the ratio is e^{±ε} at the midpoint ∓ 2ε
        needed, middle = float(delta_from_mu(epsilon, 1 / math.sqrt(2 * pulls))), (total + 0.5) / pulls
        return (needed, middle - 2 * epsilon), (needed, middle + 2 * epsilon)
    if law == "new":
        return _new_half_lines(pulls, total, epsilon, delta)
    extra = perturbations.law(law, pulls, total).extra
    return beta_half_lines(total + 1 + extra, pulls - total + extra, epsilon)


def beta_half_lines(a: float, b: float, epsilon: float):
    """hockey_sticks() for F of Beta(a, b + 1) and F⁺ of Beta(a + 1, b), a, b >= 1; ratio of densities a(1 − x)/(bx)."""
    x_left, x_right = a / (a + b * math.exp(epsilon)), a / (a + b * math.exp(-epsilon))
    left = binomial(a, b, epsilon) - math.expm1(epsilon) * special.betainc(a + 1, b, x_left)
    right = binomial(b, a, epsilon) - math.expm1(epsilon) * special.betainc(b + 1, a, b / (b + a * math.exp(epsilon)))
    return (float(left), x_left), (float(right), x_right)


def binomial(a: float, b: float, epsilon: float) -> float:
    """F(x) − F⁺(x) = Γ(a + b + 1)/(Γ(a + 1)Γ(b + 1)) x^a (1 − x)^b at x = a/(a + b e^ε), accurate for large a and b.

    By Stirling: √(n/(2πab)) exp(s(n) − s(a) − s(b) − n·KL), n = a + b, with KL from a/n to x.
    """
    n = a + b
    divergence = n * math.log1p(a / n * math.expm1(-epsilon)) + a * epsilon
    return math.sqrt(n / (2 * math.pi * a * b)) * math.exp(_stirling(n) - _stirling(a) - _stirling(b) - divergence)


def _stirling(z: float) -> float:
    """ln Γ(z + 1) − ln(√(2πz) (z/e)^z) for z >= 1."""
    if z < 16:
        return math.lgamma(z + 1) - (z + 0.5) * math.log(z) + z - 0.5 * math.log(2 * math.pi)
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * z * z)) / (z * z)) / (z * z)) / z


def _new_half_lines(pulls: float, total: float, epsilon: float, delta: float):
    """Lemma 15's law moves by 1/N: the need is δ exactly while the reach is >= 1 (δ <= 1/2), and less beyond."""
    reach = perturbations.two_sided_reach(epsilon, delta)
    if reach >= 1:  # attained on a whole stretch; one of its ends is the centre
        return (delta, total / pulls), (delta, (total + 1) / pulls)
    x_left, x_right = (total + 1 - reach) / pulls, (total + reach) / pulls
    needed = min(delta, float(perturbations.law("new", pulls, total, epsilon, delta).cdf(x_left)))
    return (needed, x_left), (needed, x_right)


def plain_beta_limit(epsilon: float) -> float:
    """The δ that Beta(R + 1, N − R + 1) needs at R = 0 as N → ∞: 1 − e^ε(1 − exp(−e^−ε)); it needs more at every finite
    N.

    N·θ tends to Gamma(1) for R = 0 and to Gamma(2) for R = 1; their densities are e^ε apart at y = e^−ε.
    """
    y = math.exp(-epsilon)
    return float(y / 2 * special.hyp1f1(1, 3, -y))  # the same without cancellation
