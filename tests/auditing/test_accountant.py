"""account(): every algorithm has a finite or an explained answer, with the argument's numbers checked by hand."""

import math

import pytest
from dp_accounting import get_epsilon_gaussian
from dp_accounting.pld import privacy_loss_distribution as pld

from dpbandits import account
from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.environments import build
from dpbandits.mechanisms.perturbations import pulls_needed_beta, pulls_needed_gauss
from dpbandits.privacy.ledger import BetaDraws, Gaussian, Laplace, TwoSided

WITHOUT_NOISE = {"ucb1", "cascade-ucb1", "cascade-klucb", "cucb", "omm", "kl-osm"}
COUNTED_READERS = {"cascade-dp", "cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-composed"}


def own(name):
    """Its parameters' names."""
    return {parameter.name for parameter in ALGORITHMS[name].parameters}


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("horizon", [1, 12, 5000])
def test_every_algorithm_has_a_finite_or_an_explained_answer(name, horizon):
    found = account(name, horizon=horizon)
    assert found.note.endswith((".", "release", "N."))
    if name in WITHOUT_NOISE | COUNTED_READERS:
        assert found.epsilon == math.inf and not found.proved
        assert found.as_dict()["transcript"]["epsilon"] is None and len(found.note) > 40
        return
    assert 0 <= found.epsilon_at_least <= found.epsilon
    if math.isinf(found.epsilon):
        assert found.impossible > found.delta and "never gives" in found.note
        assert math.isfinite(found.epsilon_at(min(0.999999, 1.5 * found.impossible))) or found.impossible > 0.9
    else:
        assert found.proved and found.by and found.as_dict()["transcript"]["proved"] is True


@pytest.mark.parametrize("epsilon", [1e-300, 1e-12, 700.0, 1e8, 1e300])
@pytest.mark.parametrize("name", [name for name in ALGORITHMS if "epsilon" in own(name)])
@pytest.mark.filterwarnings("error")
def test_no_epsilon_is_too_small_or_too_large(name, epsilon):
    for delta in (1e-90, 0.3) if "delta" in own(name) else (None,):
        found = account(name, horizon=1000, epsilon=epsilon, **({} if delta is None else {"delta": delta}))
        assert 0 <= found.epsilon_at_least <= found.epsilon and found.note


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_proved_label_of_everything_that_is_seen_is_never_exceeded(name):
    for given in ({}, {"epsilon": 0.3}):
        given = {n: v for n, v in given.items() if n in {p.name for p in ALGORITHMS[name].parameters}}
        found = account(name, horizon=3000, **given)
        label = found.guarantee
        if label.scope in ("transcript", "local") and label.status in ("proved", "repaired"):
            assert found.epsilon_at(label.delta) <= label.epsilon * (1 + 1e-6)


def test_gauss_draws_by_hand():
    horizon, arms = 50_000, 9
    each = math.ceil(pulls_needed_gauss(0.1, 0.001))
    found = account("dp-ftpl-gauss", horizon=horizon, epsilon=0.1, delta=0.001)
    mu = math.sqrt((horizon - arms * each) / (2 * each))
    assert found.epsilon == pytest.approx(get_epsilon_gaussian(1 / mu, 1e-5), rel=1e-6)
    found = account("thompson-gauss", "two-arms", horizon=402)
    assert found.epsilon == pytest.approx(get_epsilon_gaussian(1 / math.sqrt(200), 1e-5), rel=1e-6)


def test_the_schedule_that_never_plays_again_is_the_worst():
    """Σ 1/(2N) over any schedule of an arm's counts is at most what the ledger says."""
    (releases,) = account("thompson-gauss", "two-arms", horizon=1000).ledger.alternatives
    for every in (1, 2, 7, 10_000):  # played again in every so many rounds
        pulls, squares = 1, 0.0
        for t in range(3, 1001):
            squares += 1 / (2 * pulls)
            pulls += t % every == 0
        assert squares <= releases[0].squares + 1e-9
    assert squares == pytest.approx(releases[0].squares)


@pytest.mark.parametrize(
    "name, instance, given, wanted",
    [
        ("dp-ftpl-new", "two-arms", {"epsilon": 0.1, "delta": 1e-9}, ((TwoSided(0.1, 1e-9, 998),),)),
        ("gdp-elim-new", "two-arms", {"epsilon": 0.7, "delta": 0.1}, ((TwoSided(0.7, 0.05),),)),
        ("dp-se", "two-arms", {"epsilon": 0.7}, ((Laplace(0.7),),)),
        ("adap-ucb", "two-arms", {"epsilon": 0.7}, ((Laplace(0.7),),)),
        ("thompson-beta", "two-arms", {}, ((BetaDraws(1, 0, 999),),)),
        ("private-ucb", "two-arms", {"epsilon": 2}, ((Laplace(0.1, 10),),)),  # 10 levels, items up to 998
        ("private-ucb", "two-arms", {"epsilon": 2, "tree_epsilon": "full"}, ((Laplace(0.2, 10),),)),
        ("cucb-ldp1", "k-path", {"epsilon": 2}, ((Laplace(0.5, 4),),)),
        ("cucb-ldp2", "k-path", {"epsilon": 2}, ((Laplace(2),),)),
        ("cucb-dp", "k-path", {"epsilon": 2, "exact": True}, ((Laplace(2 / (4 * 10), 40),),)),
        ("dpucb-mat", "matroid-table-6.1", {"epsilon": 2}, ((Laplace(2 / 3, 3),),)),
        ("cts-gauss", "matroid-table-6.1", {}, ((Gaussian(2997.0, 2997),),)),
        ("cts-beta", "matroid-table-6.1", {}, ((BetaDraws(1, 0, 2997),),)),
        ("cascade-ldp-first", "cascade-paper", {"epsilon": 2, "noise_multiplier": 4}, ((Laplace(0.5),),)),
    ],
)
def test_ledgers_by_hand(name, instance, given, wanted):
    horizon = 5000 if name in ("dp-se", "gdp-elim-new") else 1000
    assert account(name, instance, horizon=horizon, **given).ledger.alternatives == wanted


def test_beta_starts_at_its_start():
    each = math.ceil(pulls_needed_beta(1.0, 0.01))
    (releases,) = account("dp-ftpl-beta", "two-arms", horizon=10_000).ledger.alternatives
    assert releases == (BetaDraws(each, each // 8 + 1, 10_000 - 2 * each),)


def test_lists_of_one_item_keep_the_papers_promises():
    for name in COUNTED_READERS:
        found = account(name, "cascade-paper", horizon=500, list_size=1, epsilon=0.5)
        assert found.proved and found.epsilon <= 0.5
    wanted = account("cascade-dp", "cascade-paper", horizon=500, list_size=1, epsilon=0.5, items=20)
    assert wanted.epsilon_at(0.0) == pytest.approx(0.5 / 20)  # a user touches one counter of 20


@pytest.mark.parametrize(
    "name, horizon, given",
    [
        ("dp-ftpl-gauss", 60, {"epsilon": 1, "delta": 0.01}),
        ("dp-ftpl-beta", 100, {}),
        ("dp-se", 500, {}),
        ("gdp-elim-new", 500, {}),
        ("adap-ucb", 9, {}),
        ("dp-ucb", 9, {}),
        ("dp-ucb-int", 90, {"epsilon": 0.1}),
        ("cucb-dp", 1, {}),
        ("dpucb-mat", 1, {}),
    ],
)
def test_what_depends_on_no_data_tells_nothing(name, horizon, given):
    found = account(name, horizon=horizon, **given)
    assert found.epsilon == found.epsilon_at_least == found.delta_at(0.0) == 0 and found.proved


def test_interval_releases_by_hand():
    found = account(
        "dp-ucb-int", "two-arms", horizon=50, epsilon=0.5
    )  # f = 2: at most 47 pulls, releases at 2, 4, ..., 46
    (releases,) = found.ledger.alternatives
    assert sum(r.count for r in releases) == 23
    assert found.epsilon_at(0.0) >= sum((2 * j) ** -0.55 for j in range(1, 24)) >= found.epsilon_at(0.0) * 0.99


@pytest.mark.parametrize(
    "name, instance, given, loss, count",
    [
        ("dp-ftpl-new", "two-arms", {"epsilon": 0.02, "delta": 0}, 0.02, 2998),
        ("cucb-ldp1", "k-path", {"epsilon": 2}, 0.5, 4),
        ("dpucb-mat", "matroid-table-6.1", {"epsilon": 3}, 1.0, 3),
        ("private-ucb", "two-arms", {"epsilon": 4, "tree_epsilon": "full"}, 4 / 12, 12),
    ],
)
def test_laplace_draws_are_dp_accountings(name, instance, given, loss, count):
    theirs = pld.from_laplace_mechanism(1 / loss, value_discretization_interval=loss / 200).self_compose(count)
    found = account(name, instance, horizon=3000, **given)
    assert found.epsilon == pytest.approx(theirs.get_epsilon_for_delta(1e-5), rel=1e-3)


@pytest.mark.parametrize("horizon", [10**9, 10**12])
@pytest.mark.parametrize("name", ["thompson-beta", "dp-ftpl-new", "cts-beta", "dp-ucb", "private-ucb", "cucb-dp"])
@pytest.mark.slow
def test_beyond_the_grid_there_is_an_upper_and_a_lower_estimate(name, horizon):
    given = {"epsilon": 1e-7, "delta": 0} if name == "dp-ftpl-new" else {}
    found = account(name, horizon=horizon, **given)
    assert 0 <= found.epsilon_at_least <= found.epsilon < math.inf
    if found.epsilon - found.epsilon_at_least > 0.005 * found.epsilon:
        assert "Computed from above; from below" in repr(found)


def test_delta_zero_says_what_there_is():
    assert account("dp-se", horizon=10**5, delta_total=0, epsilon=0.4).epsilon == 0.4
    found = account("dp-ftpl-new", horizon=100, delta_total=0, epsilon=0.4, delta=0.01)
    assert not found.proved and found.note.startswith("At δ = 0 only (ε, δ) is proved")
    assert account(
        "dp-ftpl-new", "two-arms", horizon=100, delta_total=0, epsilon=0.4, delta=0
    ).epsilon == pytest.approx(98 * 0.4)


def test_rules_compare():
    rules = account("private-ucb", horizon=10**5).rules()
    assert rules["law"] <= min(rules[name] for name in ("basic", "optimal", "zCDP", "Rényi"))
    assert set(account("thompson-gauss", horizon=100).rules()) == {"zCDP", "law"}
    assert account("ucb1", horizon=100).rules() == {"law": math.inf}


def test_a_policy_of_ones_own_is_not_believed():
    def mine(means, horizon, checkpoints, streams, epsilon=1.0):
        return 0.0 * checkpoints

    found = account(mine, "two-arms", horizon=100)
    assert not found.proved and "Nobody has worked out" in found.note


@pytest.mark.parametrize(
    "given, words",
    [
        (dict(algorithm="dp-see"), "Unknown algorithm 'dp-see'. Did you mean dp-se?"),
        (dict(delta_total=1), "delta_total = 1 is not allowed: it must be a finite number >= 0 and < 1."),
        (dict(delta_total=-0.1), "delta_total = -0.1 is not allowed"),
        (dict(horizon=0), "horizon = 0 is not allowed"),
        (dict(horizon=2.5), "horizon = 2.5 is not allowed"),
        (dict(epsilon=-1), "epsilon = -1 is not allowed (dp-se)"),
        (dict(delta=0.1), "Unknown parameter 'delta' of dp-se"),
        (dict(instance="cascade-paper"), "dp-se plays in the stochastic setting"),
    ],
)
def test_bad_input(given, words):
    with pytest.raises(ValueError) as caught:
        account(**{"algorithm": "dp-se", "horizon": 1000} | given)
    assert words in str(caught.value)


def test_every_default_instance_fits_its_setting():
    from dpbandits.auditing.accountant import DEFAULTS

    for setting, name in DEFAULTS.items():
        assert build(name).setting == setting


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("delta", [1e-9, 1e-5, 1.1e-5, 0.003])
def test_at_the_very_delta_of_one_draw(epsilon, delta):
    """The law is (ε, δ), so at δ its ε is known; a last bit more of what the neighbour never gives made it infinite."""
    at = {"horizon": 20_000, "epsilon": epsilon, "delta": 2 * delta}
    assert account("gdp-elim-new", "wang-zhu-1", delta_total=delta, **at).epsilon == pytest.approx(epsilon, rel=1e-9)
    assert account("gdp-elim-new", "wang-zhu-1", delta_total=delta * (1 - 1e-9), **at).epsilon == math.inf
