"""The stochastic algorithms: names, titles, looks, parameters, guarantees with their arguments, notes on unlucky
runs.
"""

import math
from dataclasses import replace

from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.stochastic import (
    counting,
    doubling,
    elimination,
    gauss_thompson,
    interval,
    lazy_thompson,
    ledgers,
    one_by_one,
    optimism,
    perturbed_leader,
    phases,
    thompson,
)
from dpbandits.algorithms.stochastic.fast import beta, leading_gauss, leading_new
from dpbandits.algorithms.stochastic.interval_looks import selections_need
from dpbandits.algorithms.stochastic.interval_loss import EXPONENT, certainly_exceeds, composed
from dpbandits.mechanisms.composition import Loss
from dpbandits.mechanisms.gaussian import epsilon_from_mu
from dpbandits.mechanisms.perturbations import SMALLEST, pulls_needed_beta, pulls_needed_gauss
from dpbandits.parameters import DELTA, DELTA_OR_ZERO, EPSILON, EPSILON_OR_ZERO, Parameter
from dpbandits.privacy import Guarantee
from dpbandits.privacy.start_phase import beta_start

AZIZE = "Azize & Basu 2022"
AZIZE_2025 = "Azize et al. 2025"
OU = "Ou, Avella Medina & Cummings 2024"
MISHRA = "Mishra & Thakurta 2015"
TOSSOU = "Tossou & Dimitrakakis 2016"
WANG_ZHU = "Wang & Zhu 2024"
TREE_EPSILON = Parameter(
    "tree_epsilon",
    "ε of each arm's tree: ε/K as printed, or all of ε (one reward enters one tree)",
    "divided",
    kind="choice",
    choices=("divided", "full"),
)
START = Parameter(
    "start",
    "how the start phase is played: arm after arm, or in turns",
    "in-order",
    kind="choice",
    choices=("in-order", "round-robin"),
)
FEED = Parameter(
    "feed",
    "what the counters take: each its own arm's rewards only, or all an item every round, 0 for an arm that is"
    " not played",
    "own",
    kind="choice",
    choices=("own", "every-round"),
    late=True,
)
REFRESH = Parameter(
    "refresh",
    "when an index gets new noise: once, as its arm's count reaches a multiple of ⌈1/ε⌉, or every round while"
    " it is one",
    "once",
    kind="choice",
    choices=("once", "every-round"),
    late=True,
)
ALPHA = Parameter("alpha", "weight α of ln t in the index; the theory asks for more than 3", 3.1, low=0, open_low=True)
GROWTH = Parameter("growth", "factor by which an arm's count grows in each of its phases", 2.0, low=1, high=1e6)
PRE_PULLS = Parameter("pre_pulls", "pulls b of every arm before the first draw", 1, kind="integer", low=0, high=10**12)
VARIANCE = Parameter("variance", "factor c on the variance of the draws", 1.0, low=1e-12, high=1e12)
STATED_DELTA = 1e-6  # where dp-ucb-int's guarantee speaks of an approximate one, and where Gaussian draws' is put
SOME_ARMS = 9  # of an instance on which dp-ucb-int's claim is tried where none is named: it is about all of them


# One reward moves the centre of one θ in every later draw, and nothing else: a Gaussian mechanism, used again and
# again. Each use keeps its bound on μ whatever was selected before, so the squares of these bounds add up.
def _gaussian_draws(one: float, mu: float | None, theorem: str) -> Guarantee:
    """one: μ of a single selection at most; mu: of the transcript at most, None where the horizon is not known."""
    unit = "one reward"
    if mu is None:
        return Guarantee(
            epsilon_from_mu(STATED_DELTA, one),
            STATED_DELTA,
            "per-selection",
            unit,
            "the same history with one observed reward changed",
            "proved",
            theorem,
            f"One selection is {one:.3g}-Gaussian DP at most, and T rounds together sqrt(T) times that.",
        )
    transcript = ("transcript", unit, "the same rewards with one of them changed", "proved", theorem)
    if mu == 0:
        return Guarantee(0.0, 0.0, *transcript, "The horizon ends before a selection depends on a reward.")
    return Guarantee(
        epsilon_from_mu(STATED_DELTA, mu),
        STATED_DELTA,
        *transcript,
        f"The transcript is {mu:.3g}-Gaussian DP at most: a reward is used again in all later rounds.",
    )


def _thompson_gauss(parameters, instance=None, horizon=None) -> Guarantee:
    arms = instance.facts["arms"] if instance else 1
    mu = None if horizon is None else gauss_thompson.thompson_mu(horizon, arms)
    return _gaussian_draws(math.sqrt(0.5), mu, "composition of Gaussian draws")


def _dp_ts(parameters, instance=None, horizon=None) -> Guarantee:
    b, c = parameters["pre_pulls"], parameters["variance"]
    arms = instance.facts["arms"] if instance else 1
    mu = None if horizon is None else gauss_thompson.transcript_mu(b, c, horizon, arms)
    return _gaussian_draws(1 / math.sqrt(c * (max(b, 1) + 1)), mu, f"{OU}; composition of Gaussian draws")


# Why these hold although the counters' streams are chosen as one goes. Change the reward of round s. Up to its
# selection
# both runs are the same, so the reward is the same item p of the same arm's counter, and it lies in the same blocks.
# Shift
# the noise of each of these blocks, none drawn yet, by what the change does to the block's sum (at most 1). Then every
# later release, hence every index and selection (the counts are functions of earlier selections), is the same in both
# runs. The shift costs a factor of exp(1/scale) a block, in all at most ε for the hybrid counter (ε/2 for the one
# release of its logarithmic part that gains the item, k · ε/(2k) in its epoch), and levels · ε₀/levels = ε₀ for the
# tree.
def _transcript(epsilon: float, paper: str, note: str) -> Guarantee:
    return Guarantee(
        epsilon, 0.0, "transcript", "one reward", "the same rewards with one of them changed", "proved", paper, note
    )


def _hybrid(parameters, instance=None, horizon=None) -> Guarantee:
    return _transcript(
        parameters["epsilon"],
        TOSSOU,
        "One reward enters the counter of one arm, at full ε; selections are computed from the counters' releases and"
        " earlier selections.",
    )


def _tree(parameters, instance=None, horizon=None) -> Guarantee:
    divided = (
        "One reward enters one tree, whose ε is ε/K for K arms: as printed the transcript spends ε/K, where the paper"
        " states ε."
    )
    if parameters["tree_epsilon"] == "full":
        return _transcript(
            parameters["epsilon"], MISHRA, "One reward enters one tree, at full ε (the paper gives each tree ε/K)."
        )
    if instance is None:
        return _transcript(parameters["epsilon"], MISHRA, divided)
    return _transcript(parameters["epsilon"] / instance.facts["arms"], MISHRA, divided)


def _per_selection(theorem: str):
    def guarantee(parameters, instance=None, horizon=None) -> Guarantee:
        return Guarantee(
            parameters["epsilon"],
            parameters["delta"],
            "per-selection",
            "one reward",
            "the same history with one observed reward changed",
            "proved",
            f"{WANG_ZHU}, {theorem}",
            "One selection given the past. A reward is used again in every later round: over T rounds only composition"
            " follows.",
        )

    return guarantee


def _beta(parameters, instance=None, horizon=None) -> Guarantee:
    held = _per_selection("Theorem 13")(parameters, instance, horizon)
    verdict = beta_start(parameters["epsilon"], parameters["delta"])
    if verdict == "proved":
        return held
    return replace(
        held,
        status=f"as claimed, {verdict}",
        note=(
            "The theorem's proof puts a + b where a + b + bε belongs. Mended, it holds for every δ up to ε ="
            " 23 and, beyond,"
            " down to a δ that it names; this δ is smaller"
            + (", and ⌈N*⌉ pulls do not suffice. " if verdict == "fails" else ". ")
            + held.note
        ),
    )


def _elimination_new(parameters, instance=None, horizon=None) -> Guarantee:
    # Changing one reward moves the centre of one θ by at most 1/N(k); that θ's law is (ε, δ/2) under such a shift, for
    # every
    # set of outcomes, and all that is played later is computed from the θ's and other rewards.
    return Guarantee(
        parameters["epsilon"],
        parameters["delta"] / 2,
        "transcript",
        "one reward",
        "the same rewards with one of them changed",
        "proved",
        f"{WANG_ZHU}, Theorem 18",
        "One reward enters one draw, which is made at δ/2: as printed the transcript spends δ/2, where the theorem"
        " states δ.",
    )


def _successive_elimination(parameters, instance=None, horizon=None) -> Guarantee:
    return Guarantee(
        parameters["epsilon"],
        0.0,
        "transcript",
        "one reward",
        "the same rewards with one of them changed",
        "proved",
        "Sajed & Sheffet 2019",
        "One reward enters the noisy mean of one epoch only.",
    )


def _not_both_zero(parameters) -> None:
    if parameters["epsilon"] < SMALLEST and parameters["delta"] < SMALLEST:
        raise ValueError(
            f"epsilon = {parameters['epsilon']:g} with delta = {parameters['delta']:g} is not allowed: one of them must"
            f" be > 0 (at least {SMALLEST:g})."
        )


def _start_notes(pulls_needed):
    def notes(parameters, instance, horizon: int) -> tuple[str, ...]:
        arms = instance.facts["arms"]
        each = max(1, math.ceil(min(pulls_needed(parameters), 1e18)))
        if each * arms < horizon:
            return ()
        return (
            (
                f"the start phase needs {each} pulls of each of {arms} arms, {each * arms} rounds; the horizon"
                f" {horizon} ends inside it, so no arm is chosen from data."
            ),
        )

    return notes


def _new_notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    small = ("the horizon is below 3, where the centre of the law means nothing.",) if horizon < 3 else ()
    return small + _start_notes(lambda _: 1)(parameters, instance, horizon)


def _phase_notes(first_phase):
    def notes(parameters, instance, horizon: int) -> tuple[str, ...]:
        arms = instance.facts["arms"]
        if first_phase(parameters, arms, horizon) * arms <= horizon:
            return ()
        return (
            (
                f"the horizon {horizon} cuts the first phase of {arms} arms short: nothing is released and no arm is"
                " chosen from data."
            ),
        )

    return notes


def _adaptive_episodes(parameters, instance=None, horizon=None) -> Guarantee:
    # Change the reward of round s. Up to its selection both runs agree, so it is the same place of the same episode;
    # shift
    # that episode's noise by what the change does to its mean (at most 1/M), and all later selections agree too. The
    # shift
    # costs a factor of exp(ε). If the episode is cut short, nothing depends on the reward at all.
    return Guarantee(
        parameters["epsilon"],
        0.0,
        "transcript",
        "one reward",
        "the same rewards with one of them changed",
        "proved",
        AZIZE,
        "One reward enters the noisy mean of one episode only.",
    )


def _one_release(paper: str, what: str):
    # Change the reward of round s. Up to its selection both runs agree, so it is in the same phase or batch; shift the
    # noise of this one release by what the change does to its sum (at most 1, against a scale of 1/ε), and all later
    # selections agree too. The shift costs a factor of exp(ε). What the horizon cuts short is not released.
    def guarantee(parameters, instance=None, horizon=None) -> Guarantee:
        return _transcript(parameters["epsilon"], paper, f"One reward enters the noisy sum of one {what} only.")

    return guarantee


def _few_rounds(parameters, instance, horizon: int) -> tuple[str, ...]:
    arms = instance.facts["arms"]
    return (f"the horizon {horizon} ends before each of the {arms} arms was played once.",) if horizon < arms else ()


def _pre_pull_notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    return _start_notes(lambda p: p["pre_pulls"])(parameters, instance, horizon) if parameters["pre_pulls"] else ()


def _interval(parameters, instance=None, horizon=None) -> Guarantee:
    epsilon, v = parameters["epsilon"], parameters["v"]
    unit = ("transcript", "one reward", "the same rewards with one of them changed")
    if instance is not None and horizon is not None and horizon <= _start_rounds(epsilon, instance):
        return Guarantee(
            0.0,
            0.0,
            *unit,
            "proved",
            "",
            "The horizon ends before any index is used, so no selection depends on a reward.",
        )
    every_round = parameters["refresh"] == "every-round"
    arms = instance.arms if instance is not None else SOME_ARMS
    fewest = instance.arms if instance is not None else 2
    pure, approximate = (composed(epsilon, horizon, v, slack, every_round, fewest) for slack in (0.0, STATED_DELTA))
    over, plain = (
        (f"{horizon} rounds", f"ε′ = {pure.epsilon:.3g}") if horizon else ("an unlimited horizon", "no finite ε′")
    )
    finite = f" or (ε′, δ′) = ({approximate.epsilon:.3g}, {STATED_DELTA:g})" if approximate.epsilon < math.inf else ""
    note = f"A reward enters all later releases of its arm: over {over} they compose to {plain}{finite}."
    if approximate.epsilon <= epsilon:
        loss, status = pure if pure.epsilon <= epsilon else approximate, "proved"
    else:
        loss = Loss(epsilon, STATED_DELTA)
        shown = selections_need(epsilon, interval.interval(epsilon, 2**62), arms, horizon, v, every_round)
        status = "as claimed, " + ("fails" if shown > STATED_DELTA else "unchecked")
        if shown > STATED_DELTA:
            note += (
                f" Of the selections alone it is shown, for {arms} arms, that ε = {epsilon:.3g} needs δ >= {shown:.2g}."
            )
        elif certainly_exceeds(epsilon, STATED_DELTA, horizon, v):
            note += (
                f" The released indices exceed ({epsilon:.3g}, {STATED_DELTA:g}) for sure; of the selections,"
                f" which show"
                f" less, that is not shown here for {arms} arms."
            )
    theorem = "composition of the releases" if status == "proved" else TOSSOU
    return Guarantee(*loss, *unit, status, theorem, note)


def _start_rounds(epsilon: float, instance) -> int:
    return interval.interval(epsilon, 2**62) * instance.arms


def _interval_notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    start = _start_rounds(parameters["epsilon"], instance)
    if start < horizon:
        return ()
    return (
        (
            f"the start phase of {start} rounds (⌈1/ε⌉ for each arm) does not end before the horizon {horizon}, so no"
            " index is ever used"
        ),
    )


ALGORITHMS = (
    Algorithm(
        "ucb1",
        "UCB1",
        "stochastic",
        "Auer, Cesa-Bianchi & Fischer 2002",
        "Figure 1",
        optimism.ucb1,
        "#000000",
        ledger=ledgers.deterministic,
    ),
    Algorithm(
        "thompson-beta",
        "Thompson (Beta)",
        "stochastic",
        "Agrawal & Goyal 2012",
        "Algorithm 1",
        thompson.thompson_beta,
        "#000000",
        "dash",
        ledger=ledgers.thompson_beta,
    ),
    Algorithm(
        "thompson-gauss",
        "Thompson (Gauss)",
        "stochastic",
        "Agrawal & Goyal 2013",
        "",
        thompson.thompson_gauss,
        "#000000",
        "dot",
        guarantee=_thompson_gauss,
        ledger=ledgers.thompson_gauss,
        watch=ledgers.watch_thompson_gauss,
    ),
    Algorithm(
        "private-ucb",
        "Private-UCB",
        "stochastic",
        MISHRA,
        "",
        counting.private_ucb,
        "#D55E00",
        "dash",
        (EPSILON, TREE_EPSILON),
        _tree,
        ledger=ledgers.tree,
    ),
    Algorithm(
        "dp-ucb",
        "DP-UCB",
        "stochastic",
        TOSSOU,
        "",
        counting.dp_ucb,
        "#56B4E9",
        "dash",
        (EPSILON, FEED),
        _hybrid,
        ledger=ledgers.hybrid,
    ),
    Algorithm(
        "dp-ucb-bound",
        "DP-UCB-Bound",
        "stochastic",
        TOSSOU,
        "",
        counting.dp_ucb_bound,
        "#CC79A7",
        "longdashdot",
        (EPSILON,),
        _hybrid,
        ledger=ledgers.hybrid,
    ),
    Algorithm(
        "dp-se",
        "DP-SE",
        "stochastic",
        "Sajed & Sheffet 2019",
        "Algorithm 2",
        elimination.dp_se,
        "#D55E00",
        "dot",
        (EPSILON,),
        _successive_elimination,
        _phase_notes(lambda p, arms, horizon: elimination.dp_se_epoch(1, arms, horizon, p["epsilon"])[0]),
        ledger=ledgers.dp_se,
        watch=ledgers.watch_phases,
    ),
    Algorithm(
        "dp-ftpl-gauss",
        "DP-FTPL-Gauss",
        "stochastic",
        WANG_ZHU,
        "Algorithm 1",
        perturbed_leader.dp_ftpl_gauss,
        "#E69F00",
        "dash",
        (EPSILON_OR_ZERO, DELTA, START),
        _per_selection("Theorem 11"),
        _start_notes(lambda p: pulls_needed_gauss(p["epsilon"], p["delta"])),
        methods={"fast": leading_gauss.dp_ftpl_gauss},
        ledger=ledgers.dp_ftpl_gauss,
        knobs=ledgers.LONGER_START,
        watch=ledgers.watch_ftpl_gauss,
    ),
    Algorithm(
        "dp-ftpl-beta",
        "DP-FTPL-Beta",
        "stochastic",
        WANG_ZHU,
        "Algorithm 2",
        perturbed_leader.dp_ftpl_beta,
        "#009E73",
        "dashdot",
        (EPSILON_OR_ZERO, DELTA),
        _beta,
        _start_notes(lambda p: pulls_needed_beta(p["epsilon"], p["delta"])),
        methods={"fast": beta.dp_ftpl_beta},
        ledger=ledgers.dp_ftpl_beta,
        knobs=ledgers.LONGER_START,
        watch=ledgers.watch_ftpl_beta,
    ),
    Algorithm(
        "dp-ftpl-new",
        "DP-FTPL-New",
        "stochastic",
        WANG_ZHU,
        "Algorithm 3",
        perturbed_leader.dp_ftpl_new,
        "#0072B2",
        "solid",
        (EPSILON_OR_ZERO, DELTA_OR_ZERO),
        _per_selection("Theorem 16"),
        _new_notes,
        _not_both_zero,
        {"fast": leading_new.dp_ftpl_new},
        ledger=ledgers.dp_ftpl_new,
        knobs=ledgers.LAW_OR_ITS_TAIL,
        watch=ledgers.watch_ftpl_new,
    ),
    Algorithm(
        "gdp-elim-new",
        "GDP-Elim-New",
        "stochastic",
        WANG_ZHU,
        "Algorithm 4",
        elimination.gdp_elim_new,
        "#56B4E9",
        "longdash",
        (EPSILON_OR_ZERO, DELTA_OR_ZERO),
        _elimination_new,
        _phase_notes(lambda p, arms, horizon: elimination.gdp_elim_phase(0.5, horizon, p["epsilon"], p["delta"])),
        _not_both_zero,
        ledger=ledgers.gdp_elim_new,
        knobs=ledgers.DRAW_OR_ITS_TAIL,
        watch=ledgers.watch_phases,
    ),
    Algorithm(
        "adap-ucb",
        "AdaP-UCB",
        "stochastic",
        AZIZE,
        "",
        doubling.adap_ucb,
        "#009E73",
        "dash",
        (EPSILON, ALPHA),
        _adaptive_episodes,
        ledger=ledgers.doubling,
        watch=ledgers.watch_as(one_by_one.adap_ucb),
    ),
    Algorithm(
        "adap-klucb",
        "AdaP-KLUCB",
        "stochastic",
        AZIZE,
        "",
        doubling.adap_klucb,
        "#009E73",
        "dot",
        (EPSILON, ALPHA),
        _adaptive_episodes,
        ledger=ledgers.doubling,
        watch=ledgers.watch_as(one_by_one.adap_klucb),
    ),
    Algorithm(
        "dp-ucb-int",
        "DP-UCB-Int",
        "stochastic",
        TOSSOU,
        "",
        interval.dp_ucb_int,
        "#CC79A7",
        "dashdot",
        (EPSILON, EXPONENT, REFRESH),
        _interval,
        _interval_notes,
        ledger=ledgers.interval,
        watch=ledgers.watch_interval,
    ),
    Algorithm(
        "dp-klucb",
        "DP-KLUCB",
        "stochastic",
        AZIZE_2025,
        "",
        phases.dp_klucb,
        "#0072B2",
        "dash",
        (EPSILON, GROWTH),
        _one_release(AZIZE_2025, "phase"),
        _few_rounds,
        ledger=ledgers.phases,
        watch=ledgers.watch_as(one_by_one.dp_klucb),
    ),
    Algorithm(
        "dp-imed",
        "DP-IMED",
        "stochastic",
        AZIZE_2025,
        "",
        phases.dp_imed,
        "#0072B2",
        "dot",
        (EPSILON, GROWTH),
        _one_release(AZIZE_2025, "phase"),
        _few_rounds,
        ledger=ledgers.phases,
        watch=ledgers.watch_as(one_by_one.dp_imed),
    ),
    Algorithm(
        "lazy-dp-ts",
        "Lazy-DP-TS",
        "stochastic",
        "Hu & Hegde 2022",
        "Algorithm 2",
        lazy_thompson.lazy_dp_ts,
        "#D55E00",
        "solid",
        (EPSILON,),
        _one_release("Hu & Hegde 2022", "batch"),
        _few_rounds,
        ledger=ledgers.batches,
        watch=ledgers.watch_as(one_by_one.lazy_dp_ts),
    ),
    Algorithm(
        "dp-ts",
        "DP-TS",
        "stochastic",
        OU,
        "",
        gauss_thompson.dp_ts,
        "#E69F00",
        "solid",
        (PRE_PULLS, VARIANCE),
        _dp_ts,
        _pre_pull_notes,
        ledger=ledgers.dp_ts,
        knobs=ledgers.WIDER_DRAWS,
        watch=ledgers.watch_pre_pulls,
    ),
)
