"""Algorithms since the papers: with the same rewards, ties and noise a plain twin plays the same in every round.

Nothing is left to chance: one other constant, one other tie, one other start of a phase, and some run of a hundred
rounds differs, as the last test shows.
"""

import types
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats

from dpbandits.environments.cascade import cascade
from dpbandits.environments.semibandit import k_path, max_coverage, super_arms, top_k
from tests.algorithms.since import twins
from tests.algorithms.since.luck import SameLuck
from tests.algorithms.since.product import play

ARMS = (
    [0.6, 0.4],
    [1.0, 0.0],
    [0.5, 0.5],
    [0.61, 0.5, 0.37],
    [0.9, 0.9, 0.2],
    [0.0, 0.55, 1.0, 0.3, 0.7],
    [0.0, 0.0, 0.0],
    [1.0, 1.0, 1.0, 0.5, 0.5],
)
EPSILONS = (0.05, 0.5, 1.0, 10.0, 1000.0)
STOCHASTIC = {
    "lazy-dp-ts": twins.lazy_dp_ts,
    "adap-ucb": twins.adap_ucb,
    "adap-klucb": twins.adap_klucb,
    "dp-klucb": twins.dp_klucb,
    "dp-imed": twins.dp_imed,
}
LONG = {name: (400 if name == "lazy-dp-ts" else 3000, 5) for name in STOCHASTIC}  # a horizon and a seed


def stochastic_differs(name, twin, means, horizon, seed, **parameters) -> bool:
    """Whether any round differs."""
    regret, pulls = play(name, (np.array(means),), horizon, seed, **parameters)
    mine = twin(means, horizon, SameLuck(seed), **parameters)
    assert len(mine) == horizon
    curve = np.cumsum([max(means) - means[arm] for arm in mine])
    return not (np.array_equal(np.bincount(mine, minlength=len(means)), pulls) and np.allclose(regret, curve))


@pytest.mark.parametrize("name", STOCHASTIC)
def test_stochastic_policies_play_the_same(name):
    for means in ARMS:
        for epsilon in EPSILONS:
            for horizon, seed in ((1, 0), (len(means), 1), (len(means) + 1, 2), (100, 3), (100, 4), LONG[name]):
                assert not stochastic_differs(name, STOCHASTIC[name], means, horizon, seed, epsilon=epsilon), (
                    means,
                    epsilon,
                    horizon,
                    seed,
                )


@pytest.mark.parametrize(("pre_pulls", "variance"), [(0, 1.0), (1, 1.0), (7, 0.3), (2, 30.0)])
def test_dp_ts_plays_the_same(pre_pulls, variance):
    for means in ARMS:
        for horizon, seed in ((1, 0), (len(means) + 2, 1), (150, 2), (150, 3)):
            assert not stochastic_differs(
                "dp-ts", twins.dp_ts, means, horizon, seed, pre_pulls=pre_pulls, variance=variance
            ), (means, horizon)


@pytest.mark.parametrize("name", ["adap-ucb", "adap-klucb"])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 4.0])
def test_adap_with_another_weight_plays_the_same(name, alpha):
    for means in ARMS:
        assert not stochastic_differs(name, STOCHASTIC[name], means, 300, 6, epsilon=0.7, alpha=alpha), means


@pytest.mark.parametrize("name", ["dp-klucb", "dp-imed"])
@pytest.mark.parametrize("growth", [1.0, 1.1, 1.5, 2.5, 40.0])
def test_phases_of_another_growth_play_the_same(name, growth):
    for means in ARMS[3:6]:
        assert not stochastic_differs(name, STOCHASTIC[name], means, 150, 7, epsilon=0.7, growth=growth), means


SEMI_BANDITS = (
    top_k([0.6, 0.3, 0.5], 1),
    top_k([0.61, 0.5, 0.37, 0.23, 0.83], 2),
    top_k([1.0, 0.0, 0.5, 0.37], 3),
    top_k([0.5, 0.5, 0.5], 2),
    top_k([0.4, 0.4, 0.3, 0.8], 2, outcomes="beta"),
    top_k([0.4, 0.2, 0.3, 0.8], 2, reward="disjunctive"),
    k_path(6, 2, 0.5),
    super_arms([0.61, 0.5, 0.37, 0.83], [(1, 2), (2, 3), (4,), (1, 3, 4)], unequal=True),
    max_coverage([(1, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 3), (3, 4)], [0.6, 0.3, 0.5, 0.8, 0.2, 0.4, 0.1], 2),
)


def outcomes_of(problem, luck):
    """The outcomes of a super arm's arms: Bernoulli, Beta, or Bernoulli alike within a group."""
    law, means = problem.outcomes, problem.means

    def alone(chosen):
        return [luck.reward(means[arm]) for arm in chosen]

    def beta(chosen):
        nu = law.concentration
        return [luck.environment.beta(nu * means[arm], nu * (1 - means[arm])) for arm in chosen]

    def alike(chosen):
        shared = {}
        for arm in chosen:
            if law.group[arm] not in shared:
                shared[law.group[arm]] = luck.environment.random()
        return [float(shared[law.group[arm]] < means[arm]) for arm in chosen]

    return (alone, alike, beta)[law.kind]


def semi_bandit_differs(instance, horizon, seed, epsilon) -> bool:
    """Whether the number of plays of any arm differs, after any number of rounds that is a multiple of a tenth."""
    problem, luck = instance.problem[0], SameLuck(seed)
    mine = twins.cucb_dp_lazy(
        problem.means.size,
        horizon,
        luck,
        epsilon,
        instance.facts["list_size"],
        luck.super_arm(problem),
        outcomes_of(problem, luck),
    )
    for rounds in np.unique(np.linspace(1, horizon, 10).astype(int)):
        _, pulls = play("cucb-dp-lazy", instance.problem, int(rounds), seed, epsilon=epsilon)
        counts = np.bincount([arm for chosen in mine[:rounds] for arm in chosen], minlength=problem.means.size)
        if not np.array_equal(counts, pulls):
            return True
    return False


@pytest.mark.parametrize("number", range(len(SEMI_BANDITS)))
def test_lazy_semi_bandits_play_the_same(number):
    for epsilon in EPSILONS:
        for seed in range(3):
            assert not semi_bandit_differs(SEMI_BANDITS[number], 120, seed, epsilon), (epsilon, seed)


CASCADES = (
    ([0.5, 0.3], 1),
    ([0.5, 0.3, 0.2, 0.7], 2),
    ([0.5, 0.5, 0.5], 2),
    ([1.0, 0.0, 0.5], 2),
    ([0.4, 0.2], 2),
    ([0.1, 0.3, 0.2, 0.15, 0.25], 1),
)


def cascade_differs(attraction, list_size, horizon, seed, epsilon) -> bool:
    """Whether any round's loss differs, or how often any item stood in front. Lists of at most two items: what the
    order behind the front is, nobody says, and it decides how many draws a user takes.
    """
    instance = cascade(attraction, list_size)
    regret, fronts = play("cascade-dp-lazy", instance.problem, horizon, seed, epsilon=epsilon)
    mine = twins.cascade_dp_lazy(attraction, horizon, SameLuck(seed), epsilon, list_size)
    best = instance.facts["optimal_value"]
    curve = np.cumsum([best - 1 + np.prod([1 - attraction[item] for item in shown]) for shown in mine])
    counts = np.bincount([shown[0] for shown in mine], minlength=len(attraction))
    return not (np.array_equal(counts, fronts) and np.allclose(curve, regret))


@pytest.mark.parametrize(("attraction", "list_size"), CASCADES)
def test_lazy_cascades_show_the_same(attraction, list_size):
    for epsilon in EPSILONS:
        for seed in range(3):
            assert not cascade_differs(attraction, list_size, 150, seed, epsilon), (epsilon, seed)


# One place of the twins made wrong, and whether a comparison then sees it: (what stood there, what stands there now,
# the comparison). "ln 2t" is what one copy of Azize & Basu's paper prints in the root.
ONCE = {
    "ln 2t in the root": ("sqrt(alpha * math.log(t) / (2", "sqrt(alpha * math.log(2 * t) / (2", "adap-ucb"),
    "root": ("math.log(t) / (2 * length)", "math.log(t) / (1.9 * length)", "adap-ucb"),
    "privacy term": ("+ alpha * math.log(t) / (epsilon * length)\n\n    return", "\n\n    return", "adap-ucb"),
    "adap's noise": ("luck.laplace(1 / (epsilon * length))", "luck.laplace(1.05 / (epsilon * length))", "adap-klucb"),
    "raised mean": ("cut(mean + alpha", "cut(mean + 0.95 * alpha", "adap-klucb"),
    "kl bound": ("alpha * math.log(t) / length)", "0.97 * alpha * math.log(t) / length)", "adap-klucb"),
    "all episodes": ("length) / length + luck", "length) / count[arm] + luck", "adap-klucb"),
    "phase's noise": ("length) + luck.laplace(1 / epsilon)", "length) + luck.laplace(1.05 / epsilon)", "dp-klucb"),
    "round": ("math.log(t) / n) for", "math.log(t + 1) / n) for", "dp-klucb"),
    "rounding": ("math.floor(growth", "math.ceil(growth", "dp-klucb"),
    "forgetting": ("total[arm] += luck.rewards(", "total[arm] = luck.rewards(", "dp-imed"),
    "ln n": ("math.log(n))", "0.95 * math.log(n))", "dp-imed"),
    "m* not cut": ("away(max(mean))", "away(0.99 * max(mean))", "dp-imed"),
    "odds": ("+ u - epsilon)", "+ u - 0.97 * epsilon)", "dp-imed"),
    "shift": ("3 * math.log(t)", "2.95 * math.log(t)", "lazy-dp-ts"),
    "posterior": ("n * (1 - p) + 1)", "n * (1 - p) + 1.02)", "lazy-dp-ts"),
    "batch's noise": ("luck.laplace(1 / epsilon)) / size", "luck.laplace(1.05 / epsilon)) / size", "lazy-dp-ts"),
    "batch's size": ("waiting[arm] == max(1, 2 * size[arm])", "waiting[arm] == 2 * size[arm] + 1", "lazy-dp-ts"),
    "unplayed super arms": ("index.append(1.0)", "index.append(2.0)", "semi-bandit"),
    "semi-bandit's root": ("sqrt(math.log(t) / b.size) + 2 * list", "sqrt(1.05 * math.log(t) / b.size) + 2 * list", ""),
    "semi-bandit's term": ("2 * list_size *", "1.95 * list_size *", "semi-bandit"),
    "semi-bandit's noise": ("luck.laplace(list_size / epsilon)", "luck.laplace(1.05 * list_size / epsilon)", ""),
    "batches": ("max(1, 2 * self.size)", "2 * self.size + 1", "semi-bandit"),
    "cascade's root": (
        "sqrt(math.log(t) / b.size) + 2 * math",
        "sqrt(1.05 * math.log(t) / b.size) + 2 * math",
        "cascade",
    ),
    "cascade's term": ("2 * math.log(t) / (epsilon * b.size))", "1.95 * math.log(t) / (epsilon * b.size))", "cascade"),
    "cascade's noise": ("take(clicks, lambda: luck.laplace(1 /", "take(clicks, lambda: luck.laplace(1.05 /", "cascade"),
    "front": ("min(in_front", "max(in_front", "cascade"),
    "any click": ("clicks = float(place == 0)", "clicks = 1.0", "cascade"),
}


@pytest.mark.slow
@pytest.mark.parametrize("place", ONCE)
def test_another_constant_would_be_seen(place, monkeypatch):
    right, wrong, where = ONCE[place]
    source = Path(twins.__file__).read_text(encoding="utf-8")
    assert source.count(right) == 1
    module = types.ModuleType("wrong_twins")
    exec(source.replace(right, wrong), module.__dict__)
    if where in STOCHASTIC:
        twin, means = getattr(module, where.replace("-", "_")), [0.61, 0.5, 0.37]
        more = {"growth": 1.5} if where in ("dp-klucb", "dp-imed") else {}
        found = (
            stochastic_differs(where, twin, means, LONG[where][0], seed, epsilon=epsilon, **more)
            for seed in range(100)
            for epsilon in (0.3, 1.0, 5.0)
        )
    else:
        monkeypatch.setattr(twins, "cucb_dp_lazy", module.cucb_dp_lazy)
        monkeypatch.setattr(twins, "cascade_dp_lazy", module.cascade_dp_lazy)
        one = SEMI_BANDITS[1]
        found = (
            cascade_differs([0.5, 0.3, 0.2, 0.7], 2, 400, seed, epsilon)
            if where == "cascade"
            else semi_bandit_differs(one, 400, seed, epsilon)
            for seed in range(20)
            for epsilon in (1.0, 10.0)
        )
    assert any(found)


def test_the_twins_divergences_are_those_of_their_definitions():
    for p in (0.0, 1e-6, 0.2, 0.5, 0.97, 1.0):
        for q in (p, 0.5 * (1 + p), 1 - 1e-9 * (1 - p), 1.0):
            u = twins.away(q)
            expected = stats.entropy([p, 1 - p], [q, 1 - q])
            assert twins.kl(p, u) == pytest.approx(expected, rel=1e-6, abs=1e-12)
            for epsilon in (0.01, 0.5, 3.0, 50.0):
                if q == 1:
                    expected = epsilon * (1 - p)
                else:
                    expected = optimize.minimize_scalar(
                        lambda r, p=p, q=q, epsilon=epsilon: epsilon * (r - p) + stats.entropy([r, 1 - r], [q, 1 - q]),
                        bounds=(p, q),
                        method="bounded",
                        options={"xatol": 1e-12},
                    ).fun
                    expected = min(expected, twins.kl(p, u), epsilon * (q - p))  # the ends, which the search leaves out
                assert twins.private_kl(p, u, epsilon) == pytest.approx(expected, rel=1e-6, abs=1e-11)
