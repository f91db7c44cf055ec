"""DP-UCB-Int (Tossou & Dimitrakakis 2016): a noisy index that is refreshed after every ⌈1/ε⌉ pulls of its arm, and what it really costs.

Every release is computed from all rewards of the arm, so one reward enters all later releases and their losses add up.
"""

import math

import numpy as np

from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.stochastic.perturbed_leader import ROUND_ROBIN, start_phase
from dpbandits.algorithms.stochastic.record_run import record_block, regret_of, zeros
from dpbandits.kernels import kernel
from dpbandits.mechanisms.composition import SLACK, Loss, closed_form_of_sums, renyi
from dpbandits.parameters import EPSILON, HORIZON, Parameter
from dpbandits.privacy import Guarantee
from dpbandits.randomness import argmax, laplace

TOSSOU = "Tossou & Dimitrakakis 2016"
EXPONENT = Parameter("v", "exponent of the noise: a mean of n rewards gets Lap(n^−(1−v/2))", 1.1, low=1, high=1.5, open_low=True)
STATED_DELTA = 1e-6  # where the guarantee speaks of an approximate one
LISTED = 10**4  # losses that are added one by one; the sums of the rest are bounded by integrals


@kernel
def interval(epsilon, horizon):
    """f = ⌈1/ε⌉ pulls, or horizon + 1 where that is less (1/ε is forgiven its rounding: 1/(1/49) is 49, not 50)."""
    return max(1, math.ceil(min(horizon + 1.0, (1.0 - 1e-12) / epsilon)))


@kernel
def noisy_index(rng, total, n, t, v):
    """s/n + Lap(n^−(1−v/2)) + sqrt(2 ln t/n)."""
    return total / n + laplace(rng, n ** (v / 2.0 - 1.0)) + math.sqrt(2.0 * math.log(t) / n)


@kernel
def dp_ucb_int(means, horizon, checkpoints, streams, epsilon, v):
    """DP-UCB-Int (Tossou & Dimitrakakis 2016): K·f rounds in turns, f = ⌈1/ε⌉, then argmax of the stored indices.

    When the count n of an arm reaches a multiple of f, its index is set anew, once, from the sum s of all its rewards:
    s/n + Lap(n^−(1−v/2)) + sqrt(2 ln t/n), t the next round. Until then no index moves, so the chosen arm keeps the lead
    and is played f times, its rewards one Binomial draw. An arm with an unlucky draw may never be looked at again.
    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon.
    Returns (regret at the checkpoints, pulls).
    """
    arms = means.size
    f, gaps = interval(epsilon, horizon), means.max() - means
    pulls, total = zeros(arms)
    regret, index = np.empty(checkpoints.size), np.empty(arms)
    played, c = start_phase(means, horizon, checkpoints, streams, f, ROUND_ROBIN, regret, pulls, total)
    lost = regret_of(pulls, means)
    if played < horizon:
        for i in range(arms):
            index[i] = noisy_index(streams.noise, total[i], pulls[i], played + 1, v)
    while played < horizon:
        arm = argmax(index, streams.policy)
        length = min(f, horizon - played)
        c = record_block(regret, checkpoints, c, played, length, lost, gaps[arm])
        total[arm] += streams.environment.binomial(length, means[arm]) if length > 1 else streams.environment.random() < means[arm]
        pulls[arm] += length
        played, lost = played + length, lost + length * gaps[arm]
        index[arm] = noisy_index(streams.noise, total[arm], pulls[arm], played + 1, v)
    return regret, pulls


def composed(epsilon: float, horizon: int | None = None, v: float = 1.1, slack: float = 0.0) -> Loss:
    """(ε′, slack) of all releases that one reward can enter: the first reward of an arm that is played in every round.

    The release at count n = f, 2f, ... <= horizon has sensitivity 1/n and noise Lap(n^−(1−v/2)), so its loss is n^(−v/2).
    slack = 0 adds the losses up; slack > 0 takes the least that `closed_form` and `renyi` of mechanisms.composition prove.
    Without a horizon the plain sum is infinite (v <= 1.5 < 2), but Σ n^−v is not, and with slack > 0 nor is ε′.
    Sums of more than 10⁴ terms are bounded from above, to 8 digits.
    """
    f = interval(EPSILON.check(epsilon), 2**62)
    v, slack = EXPONENT.check(v), SLACK.check(slack)
    releases = math.inf if horizon is None else HORIZON.check(horizon) // f
    losses = (f * np.arange(1.0, min(releases, LISTED) + 1)) ** (-v / 2)
    if losses.size == 0:
        return Loss(0.0, slack)
    total, squares, drift, rest = losses.sum(), (losses**2).sum(), (losses * np.tanh(losses / 2)).sum(), 0.0
    if releases > LISTED:
        rest = f**-v * _power_sum(v, releases)
        total, squares, drift = total + f ** (-v / 2) * _power_sum(v / 2, releases), squares + rest, drift + rest / 2  # tanh(x) <= x
    epsilon = closed_form_of_sums(float(total), float(squares), float(drift), slack)
    return Loss(min(epsilon, renyi(losses, slack, rest).epsilon) if slack else epsilon, slack)


def _power_sum(s: float, releases: float) -> float:
    """Σ j^−s over LISTED < j <= releases, from above: j^−s is convex, so it lies below its mean over (j − ½, j + ½)."""
    low, high = LISTED + 0.5, releases + 0.5
    return (high ** (1 - s) - low ** (1 - s)) / (1 - s)


def certainly_exceeds(epsilon: float, delta: float, horizon: int | None = None, v: float = 1.1) -> bool:
    """Whether the releases are surely not (epsilon, delta)-private together.

    With probability 2^−k each of the first k noises falls on the side where its loss n_j^−v/2 is whole, so the exact δ at
    `epsilon` is at least 2^−k (1 − exp(ε − Σ_{j<=k} n_j^−v/2)), for every k.
    This is about the released indices; the selections that follow from them show less, but at ε = 0.1 and 1 too much as well.
    """
    f = interval(epsilon, 2**62)
    k = np.arange(1.0, min(math.inf if horizon is None else horizon // f, math.log2(1 / delta)) + 1)
    excess = np.cumsum((f * k) ** (-v / 2)) - epsilon
    return bool((2.0**-k * -np.expm1(-np.maximum(excess, 0.0)) > delta).any())


def _guarantee(parameters, instance=None, horizon=None) -> Guarantee:
    epsilon, v = parameters["epsilon"], parameters["v"]
    unit = ("transcript", "one reward", "the same rewards with one of them changed")
    if instance is not None and horizon is not None and horizon <= _start_rounds(epsilon, instance):
        return Guarantee(0.0, 0.0, *unit, "proved", "", "The horizon ends before any index is used, so no selection depends on a reward.")
    pure, approximate = composed(epsilon, horizon, v), composed(epsilon, horizon, v, STATED_DELTA)
    over, plain = (f"{horizon} rounds", f"ε′ = {pure.epsilon:.3g}") if horizon else ("an unlimited horizon", "no finite ε′")
    note = (
        f"A reward enters all later releases of its arm: over {over} they compose to {plain}"
        f" or (ε′, δ′) = ({approximate.epsilon:.3g}, {STATED_DELTA:g})."
    )
    if approximate.epsilon <= epsilon:
        loss, status = pure if pure.epsilon <= epsilon else approximate, "proved"
    else:
        loss = Loss(epsilon, STATED_DELTA)
        status = "as claimed, " + ("fails" if certainly_exceeds(epsilon, STATED_DELTA, horizon, v) else "unchecked")
    theorem = "composition of the releases" if status == "proved" else TOSSOU
    return Guarantee(*loss, *unit, status, theorem, note)


def _start_rounds(epsilon: float, instance) -> int:
    return interval(epsilon, 2**62) * instance.arms


def _notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    start = _start_rounds(parameters["epsilon"], instance)
    if start < horizon:
        return ()
    return (f"the start phase of {start} rounds (⌈1/ε⌉ for each arm) does not end before the horizon {horizon}, so no index is ever used",)


RECORDS = (
    Algorithm(
        "dp-ucb-int", "DP-UCB-Int", "stochastic", TOSSOU, "", dp_ucb_int, "#CC79A7", "dashdot", (EPSILON, EXPONENT), _guarantee, _notes
    ),
)
