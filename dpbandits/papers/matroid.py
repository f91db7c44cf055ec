"""What the panels and tables on matroid bandits compute: runs beside chance, bounds, recommended films, an
adversary.
"""

import json
import math

import numpy as np
import xarray as xr

from dpbandits import __version__
from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.bounds.catalogue import BOUNDS
from dpbandits.environments import Instance, build
from dpbandits.environments.matroid.recommend import most_played, random_shares
from dpbandits.privacy.adversary import laplace_failure, least_failure, measured_failure, tangent
from dpbandits.simulation import sweep

NUMBERS = {"notes": json.dumps([]), "version": __version__}  # attributes of what nobody played


def played(*, instance: str, movielens: str | None = None, **settings: object) -> xr.Dataset:
    """sweep(**settings), with `optimal_value` w̄(A*) and `random_value` (of a random basis) in the attribute `facts`.

    movielens: a user's folder ml-1m to play on in place of `instance`.
    """
    chosen = build("movielens", folder=movielens) if movielens else instance
    data, built = sweep(instance=chosen, **settings), build(chosen)
    facts = {"optimal_value": built.optimal_value, "random_value": built.optimal_value - built.uniform_regret}
    return data.assign_attrs(facts=json.dumps(facts))


def failure_rates(epsilon_max: float, points: int, every: int, trials: int, seed: int) -> xr.Dataset:
    """Figure 2.1: failure rates over `epsilon` in 0..epsilon_max; `played`: randomised response at every `every`-th."""
    epsilon = np.linspace(0, epsilon_max, points)
    answers = np.full(points, np.nan)
    for i in range(every, points, every):
        answers[i] = measured_failure(epsilon[i], trials, np.random.default_rng([seed, i]))
    curves = {f.__name__: f(epsilon) for f in (least_failure, tangent, laplace_failure)} | {"played": answers}
    return xr.Dataset({name: ("epsilon", values) for name, values in curves.items()}, {"epsilon": epsilon}, NUMBERS)


def _table(columns: dict[str, tuple[object, str, str]], **attrs: str) -> xr.Dataset:
    """A table for figures.table from name -> (values, heading, number format)."""
    looks = {
        name: {"format": form} | ({"long_name": head} if head else {}) for name, (_, head, form) in columns.items()
    }
    return xr.Dataset(
        {name: ("row", values, looks[name]) for name, (values, *_) in columns.items()}, attrs=NUMBERS | attrs
    )


def elements(instance: str) -> xr.Dataset:
    """Table 6.1: the elements of an instance, their means, and what they are in the matroid."""
    built = build(instance)
    twins = {e: others[0] for others in built.parallel for e in others[1:]}
    names = {e: f"e{e + 1}" for e in range(built.arms)}
    remarks = ["loop" if e in built.loops else f"parallel to {names[twins[e]]}" if e in twins else "" for e in names]
    nearest = {
        e: row[row > 0].min()
        for e, row in zip(built.suboptimal.tolist(), built.gap_table, strict=True)
        if (row > 0).any()
    }
    return _table(
        {
            "element": (list(names.values()), "", ""),
            "label": (list(built.labels), "base arm e", ""),
            "mean": (built.means, "mean reward w̄(e)", ".2f"),
            "optimal": (np.isin(np.arange(built.arms), built.optimal_basis), "in A*", ""),
            "gap": ([nearest.get(e, np.nan) for e in names], "least positive gap to A*", ".2f"),
            "remark": (remarks, "in the matroid", ""),
        }
    )


#: Table 3.1: algorithm -> what is added to L ln n/Δ in the order of its regret, as printed.
ADDED = {
    "omm": "",
    "cts-beta": " + L/Δ⁴",
    "dpucb-mat": " + min{K, log n} L K ln n/ε",
    "dpts-mat": " + min{K, log n} L K ln n/ε",
}


def regret_bounds(*, instance: str, epsilon: float, horizon: int, runs: int, seed: int, **how: object) -> xr.Dataset:
    """Table 3.1 with numbers: the printed orders, Theorems 9 and 11, the regret measured. how: as for sweep()."""
    built = build(instance)
    data = sweep(
        list(ADDED), instance, horizon=horizon, runs=runs, seed=seed, checkpoints=[horizon], epsilon=epsilon, **how
    )
    size, rank, gap, log = built.arms, built.rank, built.gap_table[built.gap_table > 0].min(), math.log(horizon)
    price = min(rank, math.log2(horizon)) * size * rank * log / epsilon
    orders = size * log / gap + np.array([0.0, size / gap**4, price, price])
    of = {bound.algorithm: bound for bound in BOUNDS.values() if bound.algorithm in ADDED}

    def proved(name: str, constants: str) -> float:
        given = {"horizon": horizon, "epsilon": epsilon, "instance": instance, "constants": constants}
        return of[name].value(**given) if name in of else math.nan

    promised = json.loads(data.attrs["guarantees"])
    facts = json.dumps({"uniform_regret": built.uniform_regret * horizon})
    return _table(
        {
            "algorithm": ([ALGORITHMS[name].title for name in ADDED], "Algorithm", ""),
            "privacy": ([promised[name]["label"] for name in ADDED], "what is guaranteed", ""),
            "order": ([f"O(L ln n/Δ{more})" for more in ADDED.values()], "regret bound as printed", ""),
            "order_value": (orders, "its value, constant 1", ",.0f"),
            "printed": ([proved(name, "printed") for name in ADDED], "constants of the proofs", ",.0f"),
            "corrected": ([proved(name, "corrected") for name in ADDED], "complete proof", ",.0f"),
            "measured": (data.regret.isel(round=-1).mean("run").values, "measured", ",.0f"),
        },
        guarantees=data.attrs["guarantees"],
        notes=data.attrs["notes"],
        facts=facts,
    )


def late_plays(algorithm: str, instance: Instance | str, *, horizon: int, last: int, **given: object) -> np.ndarray:
    """How often each element was played in the last `last` of `horizon` rounds, shape (runs, L). given: as for
    sweep().
    """
    whole, before = (
        sweep(algorithm, instance, horizon=rounds, checkpoints=[rounds], **given).pulls.values
        for rounds in (horizon, horizon - last)
    )
    return whole - before  # with one seed the longer run continues the shorter


def recommended(
    *,
    algorithm: str,
    instance: str,
    movielens: str | None = None,
    horizon: int,
    last: int,
    runs: int,
    seed: int,
    epsilon: float,
    **how: object,
) -> xr.Dataset:
    """Table 6.2: the films of A*, and how often each is recommended: in runs, in the last rounds, by chance.

    `all_rounds`: share of the runs in whose most played basis the film is; `last_rounds`: share of the last `last`
    rounds in which it is played; `by_chance`: share of the random bases that hold it. The last row has the sums, the
    overlaps with A*.
    """
    built = build("movielens", folder=movielens) if movielens else build(instance)
    given = {"horizon": horizon, "runs": runs, "seed": seed, "epsilon": epsilon, **how}
    whole = sweep(algorithm, built, checkpoints=[horizon], **given)
    late = late_plays(algorithm, built, last=last, **given).mean(axis=0) / last
    held = np.mean([np.isin(np.arange(built.arms), most_played(built, pulls)) for pulls in whole.pulls.values], axis=0)
    chance, best = random_shares(built, draws=4000), built.optimal_basis
    held, late, chance = (np.append(share[best], share[best].sum()) for share in (held, late, chance))
    return _table(
        {
            "film": ([*(built.titles[e] for e in best), "how many of them"], "Movie e of A*", ""),
            "mean": (np.append(built.means[best], np.nan), "w̄(e)", ".3f"),
            "genres": ([*(", ".join(built.genres[e]) for e in best), ""], "Genres", ""),
            "all_rounds": (held, "most played in all rounds, share of runs", ".2f"),
            "last_rounds": (late, f"played in the last {last:,} rounds, share", ".2f"),
            "by_chance": (chance, "in a random basis, share", ".2f"),
            "total": (np.arange(built.rank + 1) == built.rank, "", ""),
        },
        guarantees=whole.attrs["guarantees"],
        notes=whole.attrs["notes"],
    )
