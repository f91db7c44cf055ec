"""Bernoulli arms: the stochastic multi-armed bandit."""

from dataclasses import replace

import numpy as np

from dpbandits.environments.instance import Family, Instance
from dpbandits.parameters import MEANS, Parameter, check_all

WANG_ZHU = "Wang & Zhu 2024"
ARMS = Parameter("arms", "number of arms N", 9, kind="integer", low=2, high=100_000)
GAP = Parameter("gap", "distance Δ between neighbouring means", 0.05, low=0, high=1)


def bernoulli(means, name: str = "bernoulli", parameters=None) -> Instance:
    """Arms with Bernoulli rewards. means: at least two numbers in [0, 1]; equal best arms are allowed."""
    means = np.array(check_all([MEANS], {"means": means}, name)["means"])
    gaps = means.max() - means
    facts = {
        "means": means,
        "gaps": gaps,
        "arms": means.size,
        "gaps_positive": gaps[gaps > 0],
        "gap_min": float(gaps[gaps > 0].min()) if (gaps > 0).any() else 0.0,
        "gap_max": float(gaps.max()),
        "worst_regret": float(gaps.max()),  # of a round, as in every setting
        "uniform_regret": float(gaps.mean()),
        "unique_best": int((gaps == 0).sum()) == 1,
    }
    return Instance(
        name, "stochastic", {"means": tuple(means.tolist())} if parameters is None else parameters, (means,), facts
    )


def _evenly_spaced(name: str):
    def construct(arms: int, gap: float) -> Instance:
        # Written as the paper writes it, lowest arm first, centred on 1/2: .3, .35, ..., .7 for 9 arms and Δ = .05.
        if gap * (arms - 1) > 1 + 1e-12:
            raise ValueError(
                f"gap = {gap:g} is not allowed ({name}): {arms} means this far apart leave [0, 1]; gap must be <="
                f" {1 / (arms - 1):.6g}."
            )
        means = np.clip(np.round(0.5 + gap * (np.arange(arms) - (arms - 1) / 2), 12), 0, 1)
        return bernoulli(means, name, {"arms": arms, "gap": gap})

    return construct


def _two_arms(gap: float) -> Instance:
    return bernoulli([0.5, 0.5 - gap], "two-arms", {"gap": gap})


FAMILIES = (
    Family(
        "wang-zhu-1",
        "Nine arms .3, .35, ..., .7",
        "stochastic",
        WANG_ZHU,
        "Section 8, Instance 1",
        (ARMS, GAP),
        _evenly_spaced("wang-zhu-1"),
    ),
    Family(
        "wang-zhu-2",
        "101 arms .3, .304, ..., .7",
        "stochastic",
        WANG_ZHU,
        "Section 8, Instance 2",
        (ARMS.default_to(101), GAP.default_to(0.004)),
        _evenly_spaced("wang-zhu-2"),
    ),
    Family(
        "two-arms",
        "Two arms, 1/2 and 1/2 − Δ",
        "stochastic",
        WANG_ZHU,
        "Theorem 4, Instance 1",
        (replace(GAP, default=0.25, high=0.5),),
        _two_arms,
    ),
    Family("bernoulli", "Arms with the means that you give", "stochastic", "", "", (MEANS,), bernoulli),
)
