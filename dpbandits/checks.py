"""Self-checks for the notebooks' exercises: named checks that say in words what is wrong.

    report = checks.feasible_region(my_region)      # prints itself as the result of a cell
    assert report                                   # true when every check passed: this is how a grader asks

Each exercise is one function here, taking the learner's answer. A check is a function of the answer that returns
nothing when all is well, or a sentence. What the answer raises is told like any other finding.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np

from dpbandits import privacy, simulate
from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import build
from dpbandits.privacy.audit import Audit, best_event
from dpbandits.randomness import seed_sequence, streams
from dpbandits.smoke import smoke_test
from dpbandits.yours import as_algorithm, claim


@dataclass(frozen=True)
class Report:
    """What became of each check: name -> "" when it passed, else the sentence that says what is wrong."""

    findings: Mapping[str, str]

    def __bool__(self) -> bool:
        return not any(self.findings.values())

    def __repr__(self) -> str:
        lines = [f"{'not yet' if sentence else 'ok     '}  {name}" + (f"\n         {sentence}" if sentence else "") for name, sentence in self.findings.items()]
        passed = sum(not sentence for sentence in self.findings.values())
        return "\n".join([*lines, f"{passed} of {len(lines)} checks passed." if not self else "All checks passed."])


@dataclass(frozen=True)
class Folded:
    """Text that a notebook shows only after a click: the value to expect after a prediction. Elsewhere it reads as it is."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<details><summary>The answer: click when you have written down your guess</summary><pre>{escape(self.text)}</pre></details>"


def report(answer: object, checks: Mapping[str, Callable[[object], str | None]], basic: int = 1) -> Report:
    """Try `answer` on every check, in order; when one of the first `basic` fails, the others wait."""
    findings: dict[str, str] = {}
    for name, check in checks.items():
        try:
            findings[name] = check(answer) or ""
        except Exception as error:  # noqa: BLE001 - a learner's function may raise anything; the words help, the traceback does not
            findings[name] = f"Your function raised {type(error).__name__}: {error}".splitlines()[0]
        if len(findings) <= basic and findings[name]:
            break
    return Report(findings)


# --- 01_privacy: randomised response -------------------------------------------------------------------------------


def randomised_response(keep: Callable[[float], float], estimate: Callable[[float, float], float]) -> Report:
    """Exercise of 01_privacy. keep(epsilon) -> probability of a true answer; estimate(yes, epsilon) -> share of ones, from that of yes."""
    return report(
        (keep, estimate),
        {
            "keep gives a probability": _keeps_with_a_probability,
            "ε = 0 gives nothing away": _keeps_nothing_at_zero,
            "the answer is ε-private": _keeps_its_promise,
            "and as true as ε permits": _keeps_all_it_may,
            "estimate is right on average": _is_unbiased,
        },
    )


ANSWERED = (0.1, 0.5, 1.0, 3.0)


def _keeps_with_a_probability(functions):
    for epsilon in (0.0, *ANSWERED):
        p = functions[0](epsilon)
        if p is None:
            return "keep returned nothing: end it with `return ...`."
        if not 0 <= p <= 1:
            return f"keep({epsilon:g}) = {p:.4g} is no probability."
    return None


def _keeps_nothing_at_zero(functions):
    p = functions[0](0.0)
    return None if math.isclose(p, 0.5, abs_tol=1e-9) else f"At ε = 0 an answer must not depend on the truth, but keep(0) = {p:.4g}; 1/2 is right."


def _keeps_its_promise(functions):
    for epsilon in ANSWERED:
        p = functions[0](epsilon)
        if max(p, 1 - p) > (1 + 1e-9) * math.exp(epsilon) * min(p, 1 - p):
            loss = math.log(max(p, 1 - p) / min(p, 1 - p)) if 0 < p < 1 else math.inf
            return f"At ε = {epsilon:g} you tell the truth with {p:.4g}: a yes is then e^{loss:.3g} times as likely under one truth as under the other."
    return None


def _keeps_all_it_may(functions):
    for epsilon in ANSWERED:
        p = functions[0](epsilon)
        if p < 0.5:
            return f"At ε = {epsilon:g} you lie more often than not (keep = {p:.4g}). That is as private, and confuses your pollster."
        if p < (1 - 1e-9) * math.exp(epsilon) * (1 - p):
            return f"At ε = {epsilon:g} you tell the truth with {p:.4g}; keep/(1 − keep) may be e^ε = {math.exp(epsilon):.4g}, and is {p / (1 - p):.4g}."
    return None


def _is_unbiased(functions):
    _, estimate = functions
    for epsilon in ANSWERED:
        p = 1 / (1 + math.exp(-epsilon))
        for share in (0.0, 0.3, 1.0):
            yes = p * share + (1 - p) * (1 - share)
            got = estimate(yes, epsilon)
            if got is None or not math.isclose(got, share, abs_tol=1e-9):
                shown = "nothing" if got is None else f"{got:.4g}"
                return f"At ε = {epsilon:g} a share of {share:g} makes {yes:.4g} say yes; from that you estimate {shown}. Solve for the share."
    return None


# --- 02_optimal_policies: the feasible region of Lemma 8 ----------------------------------------------------------

SETTINGS = ((1.0, 0.01), (0.2, 0.001), (2.0, 0.0), (0.0, 0.1))
GRID = np.linspace(0, 1, 101)


def feasible_region(answer: Callable[[float, float, float], tuple[float, float]]) -> Report:
    """Exercise of 02_optimal_policies. answer(F, epsilon, delta) -> (lowest, highest) F′ that Lemma 8 allows."""
    return report(
        answer,
        {
            "gives two numbers, the lower first": _gives_an_interval,
            "a history that did not change is allowed": _allows_no_change,
            "stays among probabilities": _stays_in_0_1,
            "δ = 1 allows everything": _total_slack,
            "ε = δ = 0 allows only F itself": _no_slack,
            "asks the same of F and F′": _symmetric,
            "is the region of Lemma 8": _exact,
        },
    )


def _gives_an_interval(region):
    value = region(0.3, 1.0, 0.01)
    if value is None:
        return "Your function returned nothing: end it with `return low, high`."
    if np.shape(value) != (2,):
        return f"Your function returned {value!r}; give two numbers, (low, high)."
    low, high = map(float, value)
    if not low <= high:  # also when one is nan
        return f"At F = 0.3, ε = 1, δ = 0.01 it gives ({low:.4g}, {high:.4g}); the lower end comes first."
    return None


def _allows_no_change(region):
    for epsilon, delta in SETTINGS:
        for f in GRID:
            low, high = region(f, epsilon, delta)
            if not low <= f + 1e-12 or not f <= high + 1e-12:
                return f"F′ = F = {f:.4g} is always allowed, but at ε = {epsilon:g}, δ = {delta:g} you allow only [{low:.4g}, {high:.4g}]."
    return None


def _stays_in_0_1(region):
    for epsilon, delta in SETTINGS:
        for f in GRID:
            low, high = region(f, epsilon, delta)
            if low < -1e-12 or high > 1 + 1e-12:
                return f"A cdf lies in [0, 1]; at F = {f:.4g}, ε = {epsilon:g}, δ = {delta:g} you give [{low:.4g}, {high:.4g}]. Cut it."
    return None


def _total_slack(region):
    low, high = region(0.3, 1.0, 1.0)
    if abs(low) > 1e-12 or abs(high - 1) > 1e-12:
        return f"With δ = 1 nothing is promised, so F′ may be anything in [0, 1]; you give [{low:.4g}, {high:.4g}]."
    return None


def _no_slack(region):
    low, high = region(0.3, 0.0, 0.0)
    if abs(low - 0.3) > 1e-12 or abs(high - 0.3) > 1e-12:
        hint = " Is it e^ε, not ε?" if low > 0 or high < 1 else ""
        return f"With ε = δ = 0 the law may not move at all; at F = 0.3 you give [{low:.4g}, {high:.4g}].{hint}"
    return None


def _symmetric(region):
    for epsilon, delta in SETTINGS:
        for f in GRID:
            low, high = region(f, epsilon, delta)
            for end in (low, high):
                back = region(end, epsilon, delta)
                if not back[0] - 1e-9 <= f <= back[1] + 1e-9:
                    return (
                        f"From F = {f:.4g} you allow F′ = {end:.4g}, but from {end:.4g} you do not allow {f:.4g} (ε = {epsilon:g}, δ = {delta:g})."
                        " Either history may be the true one: exchange F and F′ in your inequalities, and ask for all four."
                    )
    return None


def _exact(region):
    for epsilon, delta in SETTINGS:
        for f in GRID:
            got, right = np.array(region(f, epsilon, delta), float), np.array(privacy.feasible_region(f, epsilon, delta))
            worst = int(np.argmax(np.abs(got - right)))
            if not math.isclose(got[worst], right[worst], abs_tol=1e-9):
                size = "too wide" if (got[worst] < right[worst]) == (worst == 0) else "too narrow"
                end = ("lower", "upper")[worst]
                return f"At F = {f:.4g}, ε = {epsilon:g}, δ = {delta:g} your region is {size}: its {end} end is {got[worst]:.4g}."
    return None


# --- 03_cascading: reports that hide where the click was ------------------------------------------------------------

POSITIONS, PLAYED = 3, 8_000  # items in a list, and reports that are drawn for every click position


def padded_reports(answer: Callable[[int, int, float, np.random.Generator], np.ndarray]) -> Report:
    """Exercise of 03_cascading. answer(position, list_size, epsilon, rng) -> the reports of a user who clicks at `position`.

    position: 1..list_size, or list_size + 1 for no click.
    """
    return report(
        answer,
        {
            "sends as many reports, whatever was clicked": _sends_as_many,
            "a report is random": _draws_noise,
            "on average 1 where the click was, else 0": _reports_the_click,
            "no event tells more than ε": _hides_the_click,
        },
    )


def _drawn(answer, position, epsilon=1.0, count=PLAYED):
    rng = np.random.default_rng(position)
    return np.array([np.asarray(answer(position, POSITIONS, epsilon, rng), float) for _ in range(count)])


def _sends_as_many(answer):
    rng = np.random.default_rng(0)
    for list_size in (1, 2, 5):
        reports = [answer(position, list_size, 1.0, rng) for position in range(1, list_size + 2)]
        if any(r is None for r in reports):
            return "Your function returned nothing: end it with `return reports`."
        for position, sent in enumerate((np.size(r) for r in reports), 1):
            if sent != list_size:
                where = f"clicks at position {position}" if position <= list_size else "does not click"
                return f"Of a list of {list_size}, a user who {where} sends {sent}: send {list_size}, always. Their number must say nothing."
    return None


def _draws_noise(answer):
    one, other = _drawn(answer, 1, count=2)
    return None if (one != other).all() else f"Two users who click at position 1 send {one} and {other}: draw fresh noise for every report."


def _reports_the_click(answer):
    for position in range(1, POSITIONS + 2):
        reports = _drawn(answer, position)
        wanted = np.arange(1, POSITIONS + 1) == position
        worst = int(np.argmax(np.abs(reports.mean(axis=0) - wanted)))
        if not abs(reports[:, worst].mean() - wanted[worst]) <= 6 * reports[:, worst].std() / math.sqrt(PLAYED):
            return f"After a click at position {position}, report {worst + 1} is {reports[:, worst].mean():.2f} on average; it should be {wanted[worst]:d}."
    return None


def _hides_the_click(answer):
    for epsilon in (0.5, 2.0):
        reports = [_drawn(answer, position, epsilon) for position in range(1, POSITIONS + 2)]
        seen = [np.digitize(r, [0, 1]) @ 3 ** np.arange(POSITIONS) for r in reports]  # each below 0, up to 1, or above
        for one in range(POSITIONS + 1):
            for other in range(POSITIONS + 1):
                audit = best_event(seen[one], seen[other]) if one != other else Audit(0, 1, 0, 1)
                if audit.epsilon() > epsilon:
                    names = [f"a click at {p + 1}" if p < POSITIONS else "no click" for p in (one, other)]
                    return (
                        f"At ε = {epsilon:g} some reports tell {names[0]} from {names[1]}: {audit}."
                        " Two reports change when a click moves from one position to another; which scale hides both?"
                    )
    return None


# --- 07_your_algorithm: a policy of one's own ------------------------------------------------------------------------

#: A small problem of each setting.
PROBLEMS = {
    "stochastic": ("two-arms", {}),
    "cascade": ("cascade", {"attraction": (0.5, 0.4, 0.2), "list_size": 2}),
    "semi-bandit": ("top-k", {"means": (0.5, 0.4, 0.2), "list_size": 2}),
    "matroid": ("uniform-matroid", {"means": (0.5, 0.4, 0.2), "list_size": 2}),
}
REPORTED = np.array([1, 2, 7, 40, 200])


def policy(answer: Callable) -> Report:
    """Whether a function can be played: its arguments, what it returns, and where its random numbers come from."""
    return report(answer, PLAYABLE, len(PLAYABLE))


def private_policy(answer: Callable) -> Report:
    """Exercise of 07_your_algorithm: a stochastic policy with a parameter epsilon that learns and is ε-private as a transcript."""
    further = {"it has a parameter epsilon": _takes_epsilon, "no event tells more than ε": _survives, "it learns": _learns}
    return report(answer, PLAYABLE | further, len(PLAYABLE) + 1)


def _played(answer, seed=0) -> tuple[np.ndarray, Mapping]:
    """What one run returns, as it is, and the facts of its instance."""
    record = as_algorithm(answer)
    name, parameters = PROBLEMS[record.setting]
    instance, own = build(name, **parameters), streams(seed_sequence(seed, "checks"))
    return record.run(instance.problem, int(REPORTED[-1]), REPORTED, own, record.bind({}))[0], instance.facts


def _fits_a_setting(answer):
    if not callable(answer) and not isinstance(answer, Algorithm):
        return f"You gave {answer!r}; give the function itself."
    try:
        as_algorithm(answer)
    except ValueError as error:
        return str(error)
    return None


def _returns_regret(answer):
    regret, _ = _played(answer)
    if regret is None:
        return "Your function returned nothing: end it with `return regret`."
    if np.shape(regret) != REPORTED.shape:
        return f"Asked for regret at {REPORTED.size} checkpoints, your function returned the shape {np.shape(regret)}; ({REPORTED.size},) is right."
    return None


def _is_finite(answer):
    regret = np.asarray(_played(answer)[0], float)
    bad = np.flatnonzero(~np.isfinite(regret))
    return f"At round {REPORTED[bad[0]]} your regret is {regret[bad[0]]}; it must be a finite number." if bad.size else None


def _is_a_regret(answer):
    regret, facts = _played(answer)
    worst = facts.get("worst_regret", facts["gap_max"])
    if "worst_regret" in facts and (np.diff(regret, prepend=0) < -1e-9).any():
        return f"Regret adds up what each round lost, so it cannot fall; yours is {np.round(regret, 3)} at rounds {REPORTED}."
    if (above := np.flatnonzero(regret > worst * REPORTED + 1e-9)).size:
        t = REPORTED[above[0]]
        return f"At round {t} your regret is {regret[above[0]]:.4g}; the worst policy loses {worst:.4g} a round, {worst * t:.4g} by then."
    return None


def _repeats_itself(answer):
    one, other = (_played(answer)[0] for _ in range(2))
    return None if np.array_equal(one, other) else "Two runs with the same streams differ: draw all random numbers from `streams`."


def _takes_rewards_one_by_one(answer):
    if as_algorithm(answer).setting == "cascade":
        return None
    try:
        smoke_test(answer, trials=8)
    except ValueError as error:
        return str(error)
    return None


PLAYABLE = {
    "its arguments are those of a setting": _fits_a_setting,
    "it returns regret at every checkpoint": _returns_regret,
    "without NaN or infinity": _is_finite,
    "and the regret can be one": _is_a_regret,
    "all randomness comes from the streams": _repeats_itself,
    "rewards are taken one by one": _takes_rewards_one_by_one,
}


def _takes_epsilon(answer):
    record = as_algorithm(answer)
    if record.setting != "stochastic":
        return f"This exercise is of the stochastic setting; your function is of the {record.setting} one."
    return None if "epsilon" in {p.name for p in record.parameters} else "Give your function a parameter: `epsilon=1.0`."


def _survives(answer):
    claimed, moved = claim(answer, "The exercise asks for it."), False
    for epsilon, horizon in ((1.0, 10), (0.5, 40)):
        test = smoke_test(claimed, horizon=horizon, trials=16_000, epsilon=epsilon)
        moved |= not test.silent
        if test.refuted:
            return f"At ε = {epsilon:g}, in {horizon} rounds: {test.selections}: {test.finding.audit}. How many releases does one reward enter?"
    return None if moved else "In 40 rounds it always selected the same: no test can see it. Let it release something sooner."


def _learns(answer):
    result = simulate(answer, "two-arms", horizon=5000, runs=20, seed=0, epsilon=5.0)
    lost, blind = result.regret.isel(round=-1).mean().item(), 5000 * build("two-arms").uniform_regret
    return None if lost < blind / 2 else f"At ε = 5 it loses {lost:.0f} in 5000 rounds on two arms; choosing blindly loses {blind:.0f}. Half of that should do."
