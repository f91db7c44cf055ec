"""What a panel on Lemma 8 shows: the law of θ, the same after one changed observation, and where that may lie."""

import json
import math

import numpy as np
import xarray as xr

from dpbandits import __version__
from dpbandits.mechanisms.perturbations import law as law_of
from dpbandits.mechanisms.perturbations import pulls_needed_beta, pulls_needed_gauss
from dpbandits.privacy.regions import feasible_region, needed_delta, smallest_pulls, worst_violation

NEEDED = {"gauss": pulls_needed_gauss, "beta": pulls_needed_beta}


def changed_observation(
    law: str, pulls: int, total: float, epsilon: float, delta: float, points: int = 480, tail: float = 1e-3
) -> xr.Dataset:
    """The cdf F of θ for an arm with `pulls` N and `total` reward R, and F′ for R + 1 and R − 1 where they exist.

    Returns a Dataset over `x` (between the quantiles `tail` and 1 − `tail` of the laws) with `cdf`, `after` (change, x)
    and the edges `low` and `high` of Lemma 8's region; attributes: the settings, the worst violation, N* and the
    smallest sufficient N.
    """
    before = law_of(law, pulls, total, epsilon, delta)
    changes = [c for c in (1, -1) if 0 <= total + c <= pulls]
    after = [law_of(law, pulls, total + c, epsilon, delta) for c in changes]
    laws = [before, *after]
    ends = min(f.quantile(tail) for f in laws), max(f.quantile(1 - tail) for f in laws)
    kinks = [k for f in laws for k in (*f.support, f.centre) if ends[0] < k < ends[1]]
    x = np.unique(np.concatenate((np.linspace(*ends, points), kinks)))
    cdf = before.cdf(x)
    low, high = feasible_region(cdf, epsilon, delta)
    worst = worst_violation(law, pulls, total, epsilon, delta)
    smallest = smallest_pulls(law, epsilon, delta)
    facts = {
        "excess": worst.excess,
        "x": worst.x,
        "change": worst.direction,
        "needed_delta": needed_delta(law, pulls, total, epsilon, delta),
    }
    attrs = {
        "law": law,
        "pulls": pulls,
        "total": total,
        "epsilon": epsilon,
        "delta": delta,
        "worst": json.dumps(facts | {"violated": worst.violated}),
        "smallest_pulls": "none" if math.isinf(smallest) else int(smallest),
        "printed_pulls": NEEDED[law](epsilon, delta) if law in NEEDED else "none",
        "notes": json.dumps([]),
        "version": __version__,
    }
    data = {
        "cdf": ("x", cdf),
        "after": (("change", "x"), np.array([f.cdf(x) for f in after])),
        "low": ("x", low),
        "high": ("x", high),
    }
    return xr.Dataset(data, {"x": x, "change": changes}, attrs)
