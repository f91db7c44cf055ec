"""What one reward can move in each stochastic algorithm: the argument for what its transcript costs.

Neighbours differ in the reward of one round. Up to that round's selection both runs have the same law, so it is the
same reward of the same arm; what is released afterwards and depends on it is listed here, given any past.
"""

import math
from collections.abc import Callable, Mapping

from dpbandits.algorithms.stochastic.elimination import dp_se_epoch, gdp_elim_phase
from dpbandits.algorithms.stochastic.gauss_thompson import transcript_mu
from dpbandits.mechanisms.perturbations import pulls_needed_beta, pulls_needed_gauss, two_sided_width
from dpbandits.privacy.ledger import (
    BetaDraws,
    Gaussian,
    Knob,
    Laplace,
    Ledger,
    TwoSided,
    binary_counter,
    hybrid_counter,
)
from dpbandits.privacy.watching import Duel, OneByOne, Unwatchable

NEVER_AGAIN = "worst schedule: the arm is never played again, so that its N does not grow"
DONG = "Gaussian differential privacy (Dong, Roth & Su 2022, Corollary 3.3)"
NUMERIC = "the law's own privacy loss, composed numerically"
EXACT = "the exact curve of the one release"
STEP = 1.03  # losses of DP-UCB-Int that differ by no more are taken together


def deterministic(parameters: Mapping, instance, horizon: int) -> Ledger:
    """Of an index algorithm without noise."""
    return Ledger.none(
        "It adds no noise: one reward can decide a later selection with certainty, so no finite ε holds at any δ < 1."
    )


def _drawn(horizon: int, arms: int, each: int) -> tuple[int, Ledger | None]:
    """Draws of one arm after a start phase of `each` pulls of every arm; a silent ledger if there are none."""
    count = horizon - arms * each
    return count, _silent() if count <= 0 else None


def _silent() -> Ledger:
    return Ledger.silent("The horizon ends before an arm is chosen from data.")


def _gauss(horizon: int, arms: int, each: int) -> Ledger:
    """θ ~ N(m̂, 2/N) in every round after the start phase, N >= each.

    A reward moves m̂ by at most 1/N, which is 1/√(2N) standard deviations: μ² = 1/(2N) a draw, given any past. N is
    adaptive but never below `each`, so every draw is 1/√(2·each)-GDP whatever happened, and plain adaptive composition
    applies: no filter is needed. The bound is attained as a bound on all θ when the arm is not played again.
    """
    count, silent = _drawn(horizon, arms, each)
    return silent or Ledger.of(
        Gaussian(count / (2 * each), count),
        by=f"{DONG}; {NEVER_AGAIN}",
        why=(
            f"Each of {count:,} draws that re-use a reward after N >= {each:,} pulls adds 1/(2N) to μ²: at"
            f" most {count / (2 * each):.4g} in all."
        ),
    )


def thompson_gauss(parameters: Mapping, instance, horizon: int) -> Ledger:
    """One pull of every arm, then θ ~ N(m̂, 2/N)."""
    return _gauss(horizon, instance.facts["arms"], 1)


def dp_ftpl_gauss(parameters: Mapping, instance, horizon: int) -> Ledger:
    """⌈N_G*⌉ pulls of every arm, then θ ~ N(m̂, 2/N). A reward of a later round meets a larger N and fewer draws."""
    needed = pulls_needed_gauss(parameters["epsilon"], parameters["delta"])
    return _gauss(horizon, instance.facts["arms"], max(1, math.ceil(min(needed, horizon))))


def thompson_beta(parameters: Mapping, instance, horizon: int) -> Ledger:
    """θ ~ Beta(R + 1, N − R + 1) from round 1 on: the reward of round 1 is in the draws of all later rounds, N >= 1."""
    if horizon == 1:
        return _silent()
    return Ledger.of(
        BetaDraws(1, 0, horizon - 1),
        by=f"{NUMERIC}; {NEVER_AGAIN}",
        why=(
            "A pair of neighbouring Beta laws tells most when N is least: Beta(1, 2) against Beta(2, 1), in"
            " every later round."
        ),
    )


def dp_ftpl_beta(parameters: Mapping, instance, horizon: int) -> Ledger:
    """⌈N_B*⌉ pulls of every arm, then Beta(R + 1 + k, N − R + 1 + k) with k = ⌊N/8⌋ + 1, which grows with N."""
    needed = pulls_needed_beta(parameters["epsilon"], parameters["delta"])
    each = max(1, math.ceil(min(needed, horizon)))
    count, silent = _drawn(horizon, instance.facts["arms"], each)
    return silent or Ledger.of(
        BetaDraws(each, each // 8 + 1, count),
        by=f"{NUMERIC}; {NEVER_AGAIN}",
        why=(
            f"{count:,} draws re-use a reward; each is at most as telling as at N = {each:,} with no rewards,"
            f" the worst total there is."
        ),
    )


def dp_ftpl_new(parameters: Mapping, instance, horizon: int) -> Ledger:
    """One pull of every arm, then N·θ follows Lemma 15's law about R + a public amount: a reward moves it by at
    most 1, for any N.
    """
    count, silent = _drawn(horizon, instance.facts["arms"], 1)
    return silent or Ledger.of(
        TwoSided(parameters["epsilon"], parameters["delta"], count),
        by=NUMERIC,
        why=(
            f"{count:,} draws re-use a reward, each with the whole (ε, δ) of one selection, however often the"
            f" arm was played."
        ),
    )


def gdp_elim_new(parameters: Mapping, instance, horizon: int) -> Ledger:
    """A reward enters the mean of one phase, which is released in one draw of Lemma 15's law for (ε, δ/2)."""
    epsilon, delta, arms = parameters["epsilon"], parameters["delta"], instance.facts["arms"]
    if gdp_elim_phase.py_func(0.5, horizon, epsilon, delta) * arms >= horizon:
        return _silent()
    return Ledger.of(
        TwoSided(epsilon, delta / 2),
        by=EXACT,
        why="A reward enters one draw of one phase, made at (ε, δ/2); the phases are disjoint.",
    )


def dp_se(parameters: Mapping, instance, horizon: int) -> Ledger:
    """A reward enters the mean of one epoch, released once with Lap(1/(εR_e)): parallel composition over epochs and
    arms.
    """
    arms = instance.facts["arms"]
    if dp_se_epoch.py_func(1, arms, horizon, parameters["epsilon"])[0] * arms >= horizon:
        return _silent()
    return Ledger.of(
        Laplace(parameters["epsilon"]),
        by=EXACT,
        why="A reward enters the noisy mean of one epoch only; epochs and arms are disjoint.",
    )


def doubling(parameters: Mapping, instance, horizon: int) -> Ledger:
    """A reward enters the mean of one episode, released once with Lap(1/(εM)) (adap-ucb, adap-klucb)."""
    count, silent = _drawn(horizon, instance.facts["arms"], 1)
    return silent or Ledger.of(
        Laplace(parameters["epsilon"]),
        by=EXACT,
        why="A reward enters the noisy mean of one episode only; episodes are disjoint.",
    )


def phases(parameters: Mapping, instance, horizon: int) -> Ledger:
    """A reward enters the sum of one phase, released once with Lap(1/ε) (dp-klucb, dp-imed)."""
    return _one_sum(parameters, instance, horizon, "phase")


def batches(parameters: Mapping, instance, horizon: int) -> Ledger:
    """A reward enters the sum of one batch, released once with Lap(1/ε) (lazy-dp-ts)."""
    return _one_sum(parameters, instance, horizon, "batch")


def _one_sum(parameters: Mapping, instance, horizon: int, what: str) -> Ledger:
    _, silent = _drawn(horizon, instance.facts["arms"], 1)
    return silent or Ledger.of(
        Laplace(parameters["epsilon"]),
        by=EXACT,
        why=f"A reward enters the noisy sum of one {what} only, and what is computed from it later costs nothing more.",
    )


def dp_ts(parameters: Mapping, instance, horizon: int) -> Ledger:
    """b pulls of every arm, then θ ~ N(sum/(n + 1), c/(n + 1)): μ² = 1/(c(n + 1)) a draw, n >= max(b, 1)."""
    b, c = parameters["pre_pulls"], parameters["variance"]
    mu = transcript_mu(b, c, horizon, instance.facts["arms"])
    if mu == 0:
        return _silent()
    count = horizon - max(b * instance.facts["arms"], 1)
    return Ledger.of(
        Gaussian(mu**2, count),
        by=f"{DONG}; {NEVER_AGAIN}",
        why=f"Each of {count:,} draws that re-use a reward adds at most 1/(c(b + 1)) to μ²: {mu**2:.4g} in all.",
    )


def hybrid(parameters: Mapping, instance, horizon: int) -> Ledger:
    """A reward is one item of one arm's hybrid counter at full ε (dp-ucb, dp-ucb-bound).

    At the last selection an arm has at most T − K items, since every arm is played once first.
    """
    items, silent = _drawn(horizon, instance.facts["arms"], 1)
    return silent or Ledger(
        hybrid_counter(parameters["epsilon"], items),
        NUMERIC + "; exact levels of the counter, worst place in the stream",
        "A reward is one item of one counter: it enters one release of the logarithmic part (ε/2) and at"
        " most k nodes of its epoch, ε/(2k) each.",
    )


def tree(parameters: Mapping, instance, horizon: int) -> Ledger:
    """A reward is one item of one arm's binary counter for T items (private-ucb), which is read up to item T − K."""
    arms, levels = instance.facts["arms"], horizon.bit_length()
    items, silent = _drawn(horizon, arms, 1)
    if silent:
        return silent
    own = parameters["epsilon"] / (1 if parameters["tree_epsilon"] == "full" else arms)
    return Ledger(
        (binary_counter(own / levels, items),),
        NUMERIC + "; exact levels of the tree",
        f"A reward enters at most {items.bit_length()} nodes of one tree, which has noise for {levels} levels"
        f" at ε₀ = {own:.4g}.",
    )


def interval(parameters: Mapping, instance, horizon: int) -> Ledger:
    """Of dp-ucb-int: the release at count n = f, 2f, … uses all rewards of the arm with Lap(n^−(1−v/2)), a loss of
    n^−v/2.

    A reward among the first f enters all of them; at the last selection an arm has at most T − 1 − (K − 1)f pulls.
    """
    from dpbandits.algorithms.stochastic.interval import interval as refresh

    f, v = refresh.py_func(parameters["epsilon"], 2**62), parameters["v"]
    if parameters["refresh"] == "every-round":
        rounds, each = horizon - instance.facts["arms"] * f, f ** (-v / 2)
        if rounds < 1:
            return _silent()
        return Ledger(
            ((Laplace(each, rounds, each),),),
            NUMERIC,
            f"An index has new noise in each of {rounds:,} rounds; while its arm rests, each costs {each:.3g} again.",
        )
    releases = (horizon - 1 - (instance.facts["arms"] - 1) * f) // f
    if releases < 1:
        return _silent()
    found, first = [], 1
    while first <= releases:
        last = min(releases, max(first, int(first * STEP ** (2 / v))))
        found.append(Laplace((f * first) ** (-v / 2), last - first + 1, (f * last) ** (-v / 2)))
        first = last + 1
    return Ledger(
        (tuple(found),),
        NUMERIC,
        f"A reward enters all {releases:,} later releases of its arm; the one at count n loses n^(−{v / 2:g}).",
    )


#: A longer start phase: with ε = 0 it is 1/(4πδ²) pulls (Gauss) or 40e/(9πδ²) (Beta) of every arm, so δ alone sets it.
LONGER_START = (Knob("delta", lambda epsilon, delta, instance, horizon: {"epsilon": 0.0}, low=1e-9, high=1.0),)
SHARES = (0.0, 0.02, 0.1, 0.3, 0.6, 0.9)  # of the transcript's δ that goes to the law's own


def _new_shares(share: float) -> Knob:
    """dp-ftpl-new with δ₀ = share·δ/(T − K) for each draw: the width of its law, in θ's centre, is what Theorem
    16's regret grows with.
    """
    return Knob(
        "epsilon",
        lambda epsilon, delta, instance, horizon: {"delta": share * delta / max(1, horizon - instance.facts["arms"])},
        lambda p, instance, horizon: two_sided_width.py_func(p["epsilon"], p["delta"], float(horizon)),
    )


def _elimination_shares(share: float) -> Knob:
    """gdp-elim-new, whose one draw is made at δ₀/2 = share·δ: the width of its law sets the length of a phase."""
    return Knob(
        "epsilon",
        lambda epsilon, delta, instance, horizon: {"delta": 2 * share * delta},
        lambda p, instance, horizon: two_sided_width.py_func(p["epsilon"], p["delta"] / 2, float(horizon) ** 2),
    )


LAW_OR_ITS_TAIL = tuple(map(_new_shares, SHARES))
DRAW_OR_ITS_TAIL = tuple(map(_elimination_shares, (*SHARES, 1.0)))
#: Draws that spread more widely: dp-ts loses 1/(c(b + 1)) of μ² a draw.
WIDER_DRAWS = (Knob("variance", inverse=True),)


BLOCKS = "it takes the rewards of many rounds in one draw, so one of them cannot be told"


def watch_thompson_gauss(parameters: Mapping, instance, horizon: int) -> Duel:
    """Both arms once, then Gaussian draws."""
    return Duel("gauss", 1)


def watch_ftpl_gauss(parameters: Mapping, instance, horizon: int) -> Duel:
    """Gaussian draws after the start phase."""
    return Duel(
        "gauss", max(1, math.ceil(min(pulls_needed_gauss(parameters["epsilon"], parameters["delta"]), horizon)))
    )


def watch_ftpl_beta(parameters: Mapping, instance, horizon: int) -> Duel:
    """Beta draws after the start phase."""
    return Duel("beta", max(1, math.ceil(min(pulls_needed_beta(parameters["epsilon"], parameters["delta"]), horizon))))


def watch_ftpl_new(parameters: Mapping, instance, horizon: int) -> Duel | None:
    """At δ = 0 the law is Laplace's and selections have a closed form; else it is played against given rewards."""
    return Duel("new", 1) if parameters["delta"] == 0 and horizon > 2 else None


def watch_phases(parameters: Mapping, instance, horizon: int) -> Unwatchable:
    """Phases of hundreds of rounds, whose rewards are one Binomial (dp-se, gdp-elim-new)."""
    return Unwatchable(f"{BLOCKS} (a phase is one Binomial).")


def watch_as(kernel: Callable) -> Callable[..., OneByOne]:
    """Where a phase or a batch is one Binomial: by `kernel`, of the same law, which takes its rewards one by one."""

    def watch(parameters: Mapping, instance, horizon: int) -> OneByOne:
        return OneByOne(kernel)

    return watch


def watch_pre_pulls(parameters: Mapping, instance, horizon: int) -> Unwatchable | None:
    """dp-ts: the b first pulls of an arm are one Binomial."""
    b = parameters["pre_pulls"]
    return Unwatchable(f"{BLOCKS} (the {b} first pulls of an arm; with pre_pulls <= 1 it is one).") if b > 1 else None


def watch_interval(parameters: Mapping, instance, horizon: int) -> Unwatchable | None:
    """dp-ucb-int: with ε >= 1 an index is refreshed after every pull, and rewards are taken one by one."""
    from dpbandits.algorithms.stochastic.interval import interval as refresh

    f = refresh.py_func(parameters["epsilon"], 2**62)
    return Unwatchable(f"{BLOCKS} (it draws {f} pulls at once; with epsilon >= 1 it is one).") if f > 1 else None
