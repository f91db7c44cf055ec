"""Which arm a perturbed leader plays next: the exact probability of every arm, given pulls and rewards so far."""

import math
from dataclasses import replace

import numpy as np
from scipy import special

from dpbandits.mechanisms.perturbations import (
    LAWS,
    Beta,
    Gauss,
    TwoSidedExponential,
    check_pair,
    two_sided_reach,
    two_sided_width,
)
from dpbandits.parameters import HORIZON, unknown

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
STEPS = np.array(
    [-8.5, -4.0, -1.5, 1.5, 4.0, 8.5]
)  # in deviations: between two of them a bell is close to a polynomial
SCALES = np.array([8.0, 16.0, 27.0, 40.0])  # the same for an exponential, in scales; beyond 40 (2e-18) it is left out


def selection_probabilities(law: str, pulls, totals, epsilon: float, delta: float, horizon: int) -> np.ndarray:
    """P(argmax θ = i | pulls N_i >= 1, totals R_i) of "follow the perturbed leader" (Wang & Zhu 2024, Algorithms 1 to
    3).

    law: "gauss", "beta", "beta-plain" or "new". pulls, totals: shape (..., arms), at least two arms. horizon: T >= 3 in
    the optimistic centre of "new". Two Gaussian arms in closed form; all else is ∫ f_i Π_{j≠i} F_j by Gauss–Legendre
    quadrature between the points where a law bends, to about 1e-11 (1e-9 for many arms without δ).
    """
    if law not in LAWS:
        raise ValueError(unknown("law", law, LAWS))
    epsilon, delta = check_pair(epsilon, delta)
    pulls, totals = np.asarray(pulls, float), np.asarray(totals, float)
    if pulls.ndim == 0 or totals.ndim == 0 or pulls.shape[-1] != totals.shape[-1] or pulls.shape[-1] < 2:
        raise ValueError(
            f"pulls and totals of shapes {pulls.shape} and {totals.shape} are not allowed: both need one number for"
            " each of two or more arms."
        )
    if not (np.all(pulls >= 1) and np.all(totals >= 0) and np.all(totals <= pulls)):
        raise ValueError(
            "pulls and totals are not allowed: every arm needs at least one pull, and a total from 0 to its pulls."
        )
    if law == "new":
        horizon = replace(HORIZON, low=3).check(horizon)
    if law == "gauss" and pulls.shape[-1] == 2:
        lead = (totals[..., 0] / pulls[..., 0] - totals[..., 1] / pulls[..., 1]) / np.sqrt(
            2 / pulls[..., 0] + 2 / pulls[..., 1]
        )
        return special.ndtr(np.stack((lead, -lead), -1))
    laws, bends = _laws(law, pulls[..., None, :], totals[..., None, :], epsilon, delta, horizon)
    bends = np.sort(bends.reshape(*bends.shape[:-2], -1), -1)
    start, half = bends[..., :-1, None], np.diff(bends)[..., None] / 2
    x = (start + half * (1 + NODES)).reshape(*bends.shape[:-1], -1, 1)
    weights = (half * WEIGHTS).reshape(x.shape)
    return np.sum(weights * laws.pdf(x) * _product_of_the_others(laws.cdf(x)), axis=-2)


def _laws(law: str, pulls, totals, epsilon: float, delta: float, horizon: int):
    """The arms' laws (fields of shape (..., 1, arms)) and where they bend, shape (..., bends, arms)."""
    steps = STEPS[:, None]
    laws: Gauss | Beta | TwoSidedExponential
    if law == "gauss":
        laws = Gauss(pulls, totals)
        return laws, laws.centre + laws.deviation * steps
    if law in ("beta", "beta-plain"):
        laws = Beta(pulls, totals, pulls // 8 + 1 if law == "beta" else 0)
        return laws, np.clip(laws.centre + laws.deviation * 2 * steps, 0, 1)  # Beta tails are heavier on one side
    bonus = math.sqrt(math.log(horizon)) * np.sqrt(pulls) + two_sided_width(epsilon, delta, float(horizon))
    laws = TwoSidedExponential(pulls, totals + bonus, epsilon, delta)
    reach = two_sided_reach(epsilon, delta)
    ends = np.append(
        SCALES[SCALES < epsilon * reach] / epsilon if epsilon else [], reach if epsilon * reach < SCALES[-1] else []
    )
    return laws, laws.centre + np.concatenate((-ends, [0], ends))[:, None] / pulls


def _product_of_the_others(cdf: np.ndarray) -> np.ndarray:
    """Π_{j≠i} cdf_j along the last axis, without dividing."""
    ones = np.ones_like(cdf[..., :1])
    before = np.cumprod(np.concatenate((ones, cdf[..., :-1]), -1), -1)
    after = np.cumprod(np.concatenate((ones, cdf[..., :0:-1]), -1), -1)[..., ::-1]
    return before * after


class BetaDuel:
    """P(θ_0 > θ_1) for two Beta arms, kept up to date as they learn: O(1) a round instead of a quadrature.

    For X ~ Beta(a, b) and Y ~ Beta(c, d), with g = B(a + c, b + d)/(B(a, b) B(c, d)): P(X > Y) grows by g/a or g/d when
    a or d grows by one, and falls by g/b or g/c when b or c does.
    """

    def __init__(self, law: str, pulls, totals):
        """law: "beta" or "beta-plain". pulls, totals: shape (..., 2), kept as copies."""
        self.pulls, self.grows = np.array(pulls, float), law == "beta"
        laws = Beta(self.pulls, np.asarray(totals, float), self.pulls // 8 + 1 if self.grows else 0)
        self.shapes = np.stack(laws.shape, -1).reshape(*self.pulls.shape[:-1], 4)  # a, b, c, d
        self.win = selection_probabilities(law, pulls, totals, 1.0, 0.0, 1)[..., 0]

    @property
    def probabilities(self) -> np.ndarray:
        """Selection probabilities, shape (..., 2)."""
        return np.clip(np.stack((self.win, 1 - self.win), -1), 0, 1)

    def observe(self, arm, reward) -> None:
        """Arms chosen and their rewards (0 or 1), integers of shape (...) or broadcasting to it."""
        arm, reward = np.broadcast_to(arm, self.win.shape), np.broadcast_to(reward, self.win.shape)
        self._raise(2 * arm + 1 - reward, np.ones_like(self.win))
        now = np.take_along_axis(self.pulls, arm[..., None], -1) + 1
        np.put_along_axis(self.pulls, arm[..., None], now, -1)
        step = (now[..., 0] % 8 == 0) & self.grows  # k = ⌊N/8⌋ + 1 grows
        if step.any():
            self._raise(2 * arm, step)
            self._raise(2 * arm + 1, step)

    def _raise(self, position, amount) -> None:
        """Add `amount` (0 or 1) to the parameter at `position` (0 to 3 for a, b, c, d)."""
        a, b, c, d = np.moveaxis(self.shapes, -1, 0)
        g = np.exp(special.betaln(a + c, b + d) - special.betaln(a, b) - special.betaln(c, d))
        value = np.take_along_axis(self.shapes, position[..., None], -1)
        self.win = self.win + amount * np.array([1, -1, -1, 1])[position] * g / value[..., 0]
        np.put_along_axis(self.shapes, position[..., None], value + amount[..., None], -1)
