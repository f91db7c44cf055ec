import itertools
import math

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

from dpbandits.mechanisms.composition import (
    Loss,
    advanced,
    basic,
    closed_form,
    corollary_pays_from,
    corollary_share,
    gaussian_mu,
    group,
    optimal_delta,
    optimal_epsilon,
    optimal_share,
    renyi,
)
from dpbandits.mechanisms.gaussian import delta_from_mu, epsilon_from_mu


def enumerated_delta(epsilon, losses):
    """Hockey-stick divergence of unequal randomised responses, by listing all answers."""
    delta = 0.0
    for signs in itertools.product((1, -1), repeat=len(losses)):
        p = math.prod(
            math.exp(e) / (1 + math.exp(e)) if s == 1 else 1 / (1 + math.exp(e))
            for s, e in zip(signs, losses, strict=True)
        )
        q = math.prod(
            math.exp(e) / (1 + math.exp(e)) if s == -1 else 1 / (1 + math.exp(e))
            for s, e in zip(signs, losses, strict=True)
        )
        delta += max(0.0, p - math.exp(epsilon) * q)
    return delta


def test_basic_sums():
    assert basic([0.1, 0.2, 0.4], [0.01, 0.02, 0.03]) == pytest.approx((0.7, 0.06))
    assert basic([0.5] * 4, 1e-3) == pytest.approx((2.0, 4e-3))


def test_group_of_two_by_hand():
    # P(A) <= e^ε P'(A) + δ <= e^ε (e^ε P''(A) + δ) + δ
    assert group(0.5, 1e-3, 2) == pytest.approx((1.0, 1e-3 * (1 + math.exp(0.5))))
    assert group(0.5, 0.0, 3) == Loss(1.5, 0.0)
    assert group(0.5, 1e-3, 1) == pytest.approx((0.5, 1e-3))
    assert group(400.0, 1e-3, 5) == Loss(2000.0, 1.0)


def test_advanced_by_hand():
    epsilon, delta = advanced(0.1, 100, 1e-5, 1e-8)
    assert epsilon == pytest.approx(0.1 * math.sqrt(200 * math.log(1e5)) + 10 * (math.exp(0.1) - 1))
    assert delta == pytest.approx(1e-5 + 1e-6)


@pytest.mark.parametrize("each, count", [(0.3, 1), (0.7, 4), (1.5, 5)])
def test_optimal_delta_is_the_enumerated_one(each, count):
    for epsilon in np.linspace(0, each * count, 9):
        assert optimal_delta(epsilon, each, count) == pytest.approx(
            enumerated_delta(epsilon, [each] * count), abs=1e-14
        )


def test_optimal_agrees_with_the_papers_corners():
    """Theorem 3.3 states δ_i at ε_i = (k − 2i)ε only."""
    each, count, own = 0.4, 9, 1e-3
    for i in range(count // 2 + 1):
        corner = (
            sum(
                math.comb(count, j) * (math.exp((count - j) * each) - math.exp((count - 2 * i + j) * each))
                for j in range(i)
            )
            / (1 + math.exp(each)) ** count
        )
        assert optimal_delta((count - 2 * i) * each, each, count, own) == pytest.approx(
            1 - (1 - own) ** count * (1 - corner), abs=1e-13
        )


@pytest.mark.parametrize("each, count", [(0.1, 50), (0.01, 1000), (1.0, 20)])
@pytest.mark.slow
def test_optimal_agrees_with_dp_accounting(each, count):
    """Its grid rounds the losses up or down, which brackets the exact value."""
    uniform, grid = 2 / (1 + math.exp(each)), each / 2000
    low, high = (
        pld.from_randomized_response(
            uniform, 2, pessimistic_estimate=up, value_discretization_interval=grid
        ).self_compose(count)
        for up in (False, True)
    )
    for epsilon in np.linspace(0, 3 * each * math.sqrt(count), 5):
        exact = optimal_delta(epsilon, each, count)
        assert (
            low.get_delta_for_epsilon(epsilon) * (1 - 1e-9) <= exact <= high.get_delta_for_epsilon(epsilon) * (1 + 1e-9)
        )
        assert exact == pytest.approx(high.get_delta_for_epsilon(epsilon), rel=0.1)
    for delta in (1e-2, 1e-5):
        exact = optimal_epsilon(delta, each, count)
        assert low.get_epsilon_for_delta(delta) * (1 - 1e-9) <= exact <= high.get_epsilon_for_delta(delta) * (1 + 1e-9)


@pytest.mark.parametrize(
    "each, count, own", [(0.1, 10, 0.0), (0.02, 5000, 0.0), (2.0, 30, 1e-9), (1e-6, 10**5, 0.0), (30.0, 40, 0.0)]
)
@pytest.mark.parametrize("delta", [1e-2, 1e-6, 1e-200])
def test_optimal_epsilon_inverts_optimal_delta(each, count, own, delta):
    epsilon = optimal_epsilon(delta, each, count, own)
    if own and delta < own:
        assert epsilon == math.inf
    elif 0 < epsilon < each * count * (1 - 1e-12):
        assert math.log(optimal_delta(epsilon, each, count, own)) == pytest.approx(math.log(delta), abs=1e-6)
    else:
        assert optimal_delta(epsilon * (1 + 1e-12), each, count, own) <= delta


def test_optimal_limits():
    assert optimal_epsilon(0.0, 0.3, 7) == pytest.approx(2.1)
    assert optimal_delta(2.1, 0.3, 7) == pytest.approx(0, abs=1e-15)
    assert optimal_share(0.5, 0.0, 8) == 0.5 / 8
    assert optimal_share(0.5, 1e-300, 8) == pytest.approx(0.5 / 8)
    # many small losses are nearly one Gaussian release of the same total variance
    assert optimal_delta(1.0, 1e-3, 10**6) == pytest.approx(delta_from_mu(1.0, 1.0), rel=1e-3)


@pytest.mark.parametrize("count", [1, 4, 30, 1000])
def test_rules_are_ordered(count):
    """No rule undercuts the exact composition; the closed form never exceeds basic composition."""
    for each, slack in itertools.product((0.01, 0.1, 1.0), (1e-3, 1e-8)):
        exact = optimal_epsilon(slack, each, count)
        closed = closed_form([each] * count, slack)
        assert exact <= closed.epsilon <= count * each * (1 + 1e-12)
        assert closed.delta == pytest.approx(slack)
        assert exact <= advanced(each, count, slack).epsilon
        assert exact <= renyi([each] * count, slack).epsilon


def test_closed_form_covers_unequal_losses():
    losses = [1.0, 0.68, 0.55, 0.47, 0.4, 0.37, 0.34, 0.32, 0.3, 0.28, 0.27, 0.25]
    for slack in (0.2, 1e-2, 1e-4):
        epsilon, delta = closed_form(losses, slack)
        assert delta == pytest.approx(slack)
        assert enumerated_delta(epsilon, losses) <= slack
    assert closed_form(losses, 0.0).epsilon == pytest.approx(sum(losses))
    assert closed_form(losses, 0.01, 0.02).delta == pytest.approx(1 - 0.99 * 0.98**12)
    # by hand for two losses of 0.1 and δ̃ = 0.5, where the third form is the least
    by_hand = 0.2 * math.tanh(0.05) + math.sqrt(2 * 0.02 * math.log(2))
    assert closed_form([0.1, 0.1], 0.5).epsilon == pytest.approx(min(0.2, by_hand))


def test_renyi_rule_covers_unequal_losses_and_is_close():
    losses = [1.0, 0.68, 0.55, 0.47, 0.4, 0.37, 0.34, 0.32, 0.3, 0.28, 0.27, 0.25]
    for delta in (0.05, 1e-3):
        epsilon = renyi(losses, delta).epsilon
        assert enumerated_delta(epsilon, losses) <= delta
        assert enumerated_delta(0.85 * epsilon, losses) > delta
        assert epsilon < closed_form(losses, delta).epsilon
    # ten thousand small losses: charging them by their squares changes nothing, and a Gaussian release is the limit
    many = renyi([0.01] * 10**4, 1e-6).epsilon
    assert renyi([0.01] * 10, 1e-6, rest=1 - 1e-3).epsilon == pytest.approx(many, rel=1e-3)
    assert 1 < many / epsilon_from_mu(1e-6, 1.0) < 1.08
    assert renyi([0.0, 0.0], 1e-6) == Loss(0.0, 1e-6)


@pytest.mark.parametrize("epsilon, delta", [(0.2, 1e-3), (0.5, 1e-3), (0.9, 1e-3), (0.9, 1e-6)])
def test_corollary_holds_and_pays_late(epsilon, delta):
    first = corollary_pays_from(epsilon, delta)
    for count in (1, 2, 4, 16, first - 1, first, 200):
        share = corollary_share(epsilon, delta, count)
        assert optimal_delta(epsilon, share.epsilon, count, share.delta) <= delta
        assert optimal_share(epsilon, delta, count) >= max(share.epsilon, epsilon / count)
        assert (share.epsilon > epsilon / count) == (count >= first)


def test_corollary_pays_from_22_at_the_papers_values():
    # 4 ln(e + 0.2/0.001) = 4 ln(202.718...) = 21.247...
    assert corollary_pays_from(0.2, 1e-3) == 22
    assert corollary_share(0.2, 1e-3, 4) == pytest.approx((0.2 / math.sqrt(16 * math.log(math.e + 200)), 1.25e-4))
    with pytest.warns(UserWarning, match="stated for 0 < epsilon <= 0.9 only"):
        corollary_share(2.0, 1e-3, 4)


def test_gaussian_composition():
    mu = gaussian_mu([0.3, 0.4, 1.2])
    assert mu == pytest.approx(1.3)
    two = pld.from_gaussian_mechanism(1 / 0.5).compose(pld.from_gaussian_mechanism(1 / 1.2))
    assert delta_from_mu(1.0, mu) == pytest.approx(two.get_delta_for_epsilon(1.0), rel=1e-3)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: basic([0.1, -0.2]), "epsilons = .* must be at least one finite number, each >= 0"),
        (lambda: basic([0.1] * 3, [0.1] * 2), "deltas has 2 entries"),
        (lambda: advanced(0.1, 10, 0.0), "slack = 0 .* > 0 and < 1"),
        (lambda: optimal_delta(1.0, 0.1, 2.5), "count = 2.5 .* an integer >= 1"),
        (lambda: group(1.0, 0.0, 0), "size = 0"),
        (lambda: corollary_share(0.5, 0.0, 3), "delta = 0 .* > 0"),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
