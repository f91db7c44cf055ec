"""The self-checks accept right answers, and name what is wrong with each usual mistake."""

import math

import numpy as np
import pytest

from dpbandits import checks, privacy
from dpbandits.checks import lower_bounds
from tests.checks.naming import named
from tests.own.policies import blind, forgetful, fresh_noise, randomised_response


def right(F, epsilon, delta):
    up, down = math.exp(epsilon), math.exp(-epsilon)
    low = max(0, down * (F - delta), 1 - up * (1 - F) - delta)
    high = min(1, up * F + delta, 1 - down * (1 - F - delta))
    return low, high


def printed_only(F, epsilon, delta):
    return max(0, math.exp(-epsilon) * (F - delta)), min(1, 1 - math.exp(-epsilon) * (1 - F - delta))


def the_other_two(F, epsilon, delta):
    return max(0, 1 - math.exp(epsilon) * (1 - F) - delta), min(1, math.exp(epsilon) * F + delta)


def uncut(F, epsilon, delta):
    low, high = right(F, epsilon, delta)
    return low - 0.1 * (low == 0), high


def swapped(F, epsilon, delta):
    return right(F, epsilon, delta)[::-1]


def epsilon_for_its_power(F, epsilon, delta):
    return max(0, F / (1 + epsilon) - delta), min(1, (2 + epsilon) * F + delta)


def too_strict(F, epsilon, delta):
    low, high = right(F, epsilon, delta)
    return low + 0.001, high


def nothing(F, epsilon, delta):
    pass


def one_number(F, epsilon, delta):
    return 0.5


def raises(F, epsilon, delta):
    return 1 / 0, 1


@pytest.mark.parametrize("answer", [right, privacy.feasible_region, lambda F, e, d: np.array(right(F, e, d))])
def test_a_right_answer_passes(answer):
    report = checks.feasible_region(answer)
    assert report and len(report.findings) == 7 and repr(report).endswith("All checks passed.")


@pytest.mark.parametrize(
    "answer, name, words",
    [
        (printed_only, "asks the same", "exchange F and F′"),
        (the_other_two, "asks the same", "exchange F and F′"),
        (uncut, "stays among", "Cut it."),
        (swapped, "gives two", "the lower end comes first"),
        (epsilon_for_its_power, "ε = δ = 0", "Is it e^ε, not ε?"),
        (too_strict, "a history that did not change", "F′ = F ="),
        (too_strict, "is the region", "too narrow: its lower end"),
        (nothing, "gives two", "returned nothing"),
        (one_number, "gives two", "returned 0.5"),
        (raises, "gives two", "Your function raised ZeroDivisionError: division by zero"),
        (lambda F, e, d: (0, 1), "is the region", "too wide"),
        (lambda F, e, d: (F, F), "δ = 1", "nothing is promised"),
    ],
)
def test_a_usual_mistake_is_named(answer, name, words):
    named(checks.feasible_region(answer), name, words)


def test_when_the_first_check_fails_the_others_wait():
    report = checks.feasible_region(nothing)
    assert len(report.findings) == 1
    assert (
        repr(report) == "not yet  gives two numbers, the lower first\n"
        "         Your function returned nothing: end it with `return low, high`.\n"
        "0 of 1 checks passed."
    )


def test_a_report_is_read_as_a_truth_value():
    assert checks.Report({"a": ""}) and not checks.Report({"a": "", "b": "wrong"})


def test_a_folded_answer_opens_on_a_click_and_is_plain_text_elsewhere():
    folded = checks.Folded("1 < 2")
    assert repr(folded) == "1 < 2"
    assert folded._repr_html_().startswith("<details>") and "<pre>1 &lt; 2</pre>" in folded._repr_html_()


# --- randomised response


def keep(epsilon):
    return 1 / (1 + math.exp(-epsilon))


def estimate(yes, epsilon):
    return (yes - 1 + keep(epsilon)) / (2 * keep(epsilon) - 1)


def test_a_right_survey_passes():
    assert checks.randomised_response(keep, estimate)


@pytest.mark.parametrize(
    "keep, estimate, name, words",
    [
        (lambda e: None, estimate, "keep gives", "keep returned nothing"),
        (lambda e: 1 + e, estimate, "keep gives", "no probability"),
        (lambda e: 0.75, estimate, "ε = 0", "keep(0) = 0.75"),
        (lambda e: 1 - math.exp(-e) / 2, estimate, "the answer is", "times as likely"),
        (lambda e: 1.0 if e else 0.5, estimate, "the answer is", "e^inf times as likely"),
        (lambda e: 1 - keep(e), estimate, "and as true", "lie more often"),
        (lambda e: 0.5, estimate, "and as true", "keep/(1 − keep) may be e^ε"),
        (keep, lambda yes, e: yes, "estimate is", "Solve for the share"),
        (keep, lambda yes, e: None, "estimate is", "you estimate nothing"),
        (keep, lambda yes, e: min(1, max(0, estimate(yes, e))), "estimate is", "no longer right on average"),
    ],
)
def test_a_usual_mistake_in_a_survey_is_named(keep, estimate, name, words):
    named(checks.randomised_response(keep, estimate), name, words)


# --- reports that hide the click


def padded(scale, length=lambda position, size: size, hit=1.0):
    def reports(position, list_size, epsilon, rng):
        n = length(position, list_size)
        return hit * (np.arange(1, n + 1) == position) + rng.laplace(0, scale(list_size, epsilon), n)

    return reports


def flipped(position, list_size, epsilon, rng):
    p = 1 / (1 + math.exp(-epsilon / 2))
    clicked = np.arange(1, list_size + 1) == position
    return (np.where(rng.random(list_size) < p, clicked, ~clicked) - (1 - p)) / (2 * p - 1)


def another_click(position, list_size, epsilon, rng):
    q = 1 / (list_size + math.exp(epsilon))
    said = position if rng.random() < (math.exp(epsilon) - 1) * q else rng.integers(1, list_size + 2)
    return ((np.arange(1, list_size + 1) == said) - q) / ((math.exp(epsilon) - 1) * q)


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer", [padded(lambda k, e: 2 / e), padded(lambda k, e: max(k, 2) / e), flipped, another_click]
)
def test_reports_that_hide_the_click_pass(answer):
    report = checks.padded_reports(answer)
    assert report, repr(report)


def narrow_gauss(position, list_size, epsilon, rng):
    return (np.arange(1, list_size + 1) == position) + rng.normal(0, 2 / epsilon, list_size)


def seeded_by_itself(position, list_size, epsilon, rng):
    return padded(lambda k, e: 2 / e)(position, list_size, epsilon, np.random.default_rng(0))


def silent_where_unread(position, list_size, epsilon, rng):
    return padded(lambda k, e: 2 / e)(position, list_size, epsilon, rng) * (np.arange(1, list_size + 1) <= position)


def one_noise_for_all(position, list_size, epsilon, rng):
    return (np.arange(1, list_size + 1) == position) + rng.laplace(0, 2 / epsilon)


@pytest.mark.parametrize(
    "answer, name, words",
    [
        (
            padded(lambda k, e: k / e, lambda position, size: min(position, size)),
            "sends as many",
            "clicks at position 1 sends 1: send 2",
        ),
        (lambda position, list_size, epsilon, rng: None, "sends as many", "returned nothing"),
        (lambda position, list_size, epsilon, rng: np.ones(list_size), "a report is", "draw fresh noise"),
        (padded(lambda k, e: 2 / e, hit=0.0), "on average", "report 1 is"),
        (seeded_by_itself, "a report is", "draw fresh noise"),
        (silent_where_unread, "a report is", "all send 0 as report 2"),
        (padded(lambda k, e: 1 / e), "no event", "changes two reports"),
        (padded(lambda k, e: k**0.5 / e), "no event", "K = 2, some reports tell"),
        (narrow_gauss, "no event", "some reports tell"),
        (one_noise_for_all, "no event", "some reports tell"),
    ],
)
@pytest.mark.slow
def test_a_usual_mistake_in_reports_is_named(answer, name, words):
    named(checks.padded_reports(answer), name, words)


# --- from which T on a bound says something


def halving(bound, worst):
    low, high = 3, 10**12
    if not bound(high) < worst * high:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle) < worst * middle else (middle, high)
    while high > 1 and bound(high - 1) < worst * (high - 1):
        high -= 1
    return high


def test_the_right_crossing_passes():
    assert checks.first_horizon(halving), repr(checks.first_horizon(halving))


def test_the_right_crossings_are_right():
    for _, bound, worst in lower_bounds.CROSSINGS[:3] + lower_bounds.CROSSINGS[4:]:
        holds = [bound(t) < worst * t for t in range(1, 20_000)]
        assert (
            lower_bounds._crossing(bound, worst) == len(holds) - holds[::-1].index(False) + 1 if False in holds else 1
        )
    _, bound, worst = lower_bounds.CROSSINGS[3]
    right = lower_bounds._crossing(bound, worst)
    assert bound(right) < worst * right and not bound(right - 1) < worst * (right - 1)


def first_of_all(bound, worst):
    return next((t for t in range(1, 10**12) if bound(t) < worst * t), None)


@pytest.mark.parametrize(
    "answer, name, words",
    [
        (lambda bound, worst: None, "gives a round", "returned nothing, where a T is to be found"),
        (lambda bound, worst: 40.5, "gives a round", "returned 40.5; give an integer T >= 1"),
        (lambda bound, worst: 50, "finds where a constant", "but it holds from a smaller T on"),
        (lambda bound, worst: 40, "finds where a constant", "the bound is 20, and worst·T only 20"),
        (first_of_all, "is not deceived", "from which T *on*?"),
        (first_of_all, "is quick", "asked for the bound more than 20,000 times"),
        (lambda bound, worst: max(3, halving(bound, worst) or 0), "sees when", "but it holds from a smaller T on"),
        (lambda bound, worst: halving(bound, worst) or 10**12, "gives None", "return None"),
        (
            lambda bound, worst: next((t for t in [halving(bound, worst)] if t and t < 10**11), None),
            "gives None",
            "10¹¹",
        ),
    ],
)
def test_a_wrong_crossing_is_named(answer, name, words):
    named(checks.first_horizon(answer), name, words)


# --- a policy of one's own


@pytest.mark.slow
def test_policies_that_can_be_played_pass():
    for answer in (forgetful, fresh_noise, randomised_response, blind):
        assert checks.policy(answer), repr(checks.policy(answer))


@pytest.mark.slow
def test_a_private_policy_that_learns_passes():
    assert checks.private_policy(forgetful)


def policy(returned, *, arguments="means, horizon, checkpoints, streams"):
    scope = {"np": np}
    exec(f"def mine({arguments}):\n    return {returned}", scope)
    return scope["mine"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
@pytest.mark.parametrize(
    "answer, name, words",
    [
        (3, "its arguments", "You gave 3; give the function itself."),
        (policy("0", arguments="means, horizon"), "its arguments", "mine(means, horizon) does not fit"),
        (
            policy("0", arguments="means, horizon, checkpoints, streams, epsilon"),
            "its arguments",
            "the parameter epsilon needs a default value",
        ),
        (policy("None"), "it returns", "returned nothing: end it with `return regret`"),
        (policy("np.zeros(3)"), "it returns", "returned the shape (3,); (5,) is right"),
        (policy("0.0"), "it returns", "returned the shape ()"),
        (policy("checkpoints / np.where(checkpoints > 7, 0, 99)"), "without NaN", "At round 40 your regret is inf"),
        (policy("np.nan * checkpoints"), "without NaN", "At round 1 your regret is nan"),
        (
            policy("7.0 * checkpoints"),
            "and the regret",
            "At round 1 your regret is 7; the worst policy loses 0.25 a round, 0.25 by then.",
        ),
        (policy("0.1 / checkpoints"), "and the regret", "it cannot fall"),
        (policy("np.random.random() * checkpoints / 10"), "all randomness", "draw all random numbers from `streams`"),
        (
            policy("streams.environment.random(40)[0] * checkpoints / 10"),
            "rewards are",
            "took 40 numbers from streams.environment in 10 rounds",
        ),
        (policy("1 / 0 + checkpoints"), "it returns", "Your function raised ZeroDivisionError"),
    ],
)
def test_a_usual_mistake_in_a_policy_is_named(answer, name, words):
    report = checks.policy(answer)
    sentence = named(report, name, words)
    assert list(report.findings.values())[-1] == sentence, repr(report)  # what comes later waits


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer, name, words",
    [
        (policy("0.1 * checkpoints"), "it has a parameter", "Give your function a parameter"),
        (
            policy("np.zeros(checkpoints.size)", arguments="problem, horizon, checkpoints, streams, epsilon=1.0"),
            "it has a parameter",
            "semi-bandit",
        ),
        (fresh_noise, "no event", "How many releases does one reward enter?"),
        (blind, "no event", "In 4000 rounds it always selected the same"),
        (randomised_response, "it learns", "choosing blindly loses 625"),
    ],
)
def test_what_a_private_policy_lacks_is_named(answer, name, words):
    named(checks.private_policy(answer), name, words)


# --- sums released lazily


def batches(scale, first=1, pick=lambda weights, start, size: weights[start : start + size].sum()):
    def releases(weights, rank, epsilon, rng):
        sums, start, size = [], 0, first
        while start + size <= len(weights):
            sums.append(pick(weights, start, size) + rng.laplace(0, scale(rank, epsilon)))
            start, size = start + size, 2 * size
        return sums

    return releases


def one_noise_for_all(weights, rank, epsilon, rng):
    noise = rng.laplace(0, rank / epsilon)
    return [weights[2**k - 1 : 2 ** (k + 1) - 1].sum() + noise for k in range((len(weights) + 1).bit_length() - 1)]


@pytest.mark.slow
def test_lazy_releases_pass():
    assert checks.lazy_releases(batches(lambda k, e: k / e)), repr(checks.lazy_releases(batches(lambda k, e: k / e)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer, name, words",
    [
        (lambda weights, rank, epsilon, rng: None, "one release", "returned nothing"),
        (batches(lambda k, e: k / e, first=2), "one release", "After play 1, 1 of the batches"),
        (
            lambda weights, rank, epsilon, rng: weights + rng.laplace(0, rank / epsilon, len(weights)),
            "one release",
            "After play 2, 1 of the batches",
        ),
        (batches(lambda k, e: 0), "a release is random", "draw fresh noise"),
        (batches(lambda k, e: 0), "K releases", "how far do all K move together"),
        (one_noise_for_all, "a release is random", "The noises of releases"),
        (
            batches(lambda k, e: k / e, pick=lambda w, start, size: w[: start + size].sum()),
            "on average",
            "Use a weight once; release 2 is for 2",
        ),
        (
            batches(lambda k, e: k / e, pick=lambda w, start, size: w[start : start + size].mean()),
            "on average",
            "A sum, not a mean",
        ),
        (batches(lambda k, e: 1 / e), "K releases", "how far do all K move together"),
        (batches(lambda k, e: k**0.5 / e), "K releases", "how far do all K move together"),
        (batches(lambda k, e: k / e, pick=lambda w, start, size: w[:size].sum()), "on average", "sum to 1."),
        (batches(lambda k, e: 2 * k / e), "and no noisier", "is enough"),
    ],
)
def test_a_usual_mistake_in_releases_is_named(answer, name, words):
    named(checks.lazy_releases(answer), name, words)
