"""The cascade click model: a user reads a list from the top and clicks the first item that attracts them.

Item e attracts user t with probability w̄(e), independently: w_t(e) ~ Bernoulli(w̄(e)). Shown the list A of K items,
the user clicks at position C = min{k : w_t(a_k) = 1}, or nowhere (C = ∞, here K + 1). The positions 1..min(C, K) are
observed, and f(A, w) = 1 − Π_k (1 − w(a_k)) says whether there is a click. Source: Kveton et al. 2015; Wang et al.
2021, Section 3.

`attraction`, the first argument of every cascade kernel, is
- w̄, of shape (items,): users are drawn, and a round's regret is f(A*, w̄) − f(A_t, w̄);
- or users themselves, of shape (users, items), entries 0 or 1: row 0 is w_0, row t is w_t (beyond the last row they
  start again). Then a round's "regret" is 1 − f(A_t, w_t): it counts the users who leave without a click. The evidence
  for privacy labels plays against such users.
"""

import numpy as np

from dpbandits.environments.instance import Family, Instance
from dpbandits.kernels import kernel
from dpbandits.parameters import Parameter, check_all

WANG = "Wang et al. 2021"
ATTRACTION = Parameter(
    "attraction", "probability w̄(e) that item e attracts a user", kind="vector", low=0, high=1, required=True
)
LIST_SIZE = Parameter("list_size", "number K of items in a list", 4, kind="integer", low=1, high=100_000)
ITEMS = Parameter("items", "number L of items", 20, kind="integer", low=1, high=10**5)
TOP_MEAN = Parameter("top_mean", "attraction of the first K items", 0.2, low=0, high=1)
OTHER_MEAN = Parameter("other_mean", "attraction of all others", 0.05, low=0, high=1)


@kernel
def number_of_items(attraction):
    """L."""
    return attraction.shape[attraction.ndim - 1]


@kernel
def attracts(item, t, attraction, rng):
    """w_t(item): drawn from w̄(item), or read from the given users."""
    if attraction.ndim == 1:
        return rng.random() < attraction[item]
    else:
        return attraction[t % attraction.shape[0], item] > 0.5


@kernel
def click(chosen, t, attraction, rng):
    """Click position C of user t on the list `chosen` (items, top first): 1..K, or K + 1 for no click."""
    for k in range(chosen.size):
        if attracts(chosen[k], t, attraction, rng):
            return k + 1
    return chosen.size + 1


@kernel
def expected_reward(chosen, means):
    """f(A, w̄) = 1 − Π (1 − w̄(a)) over the items of `chosen`, whatever their order."""
    missed = 1.0
    for item in chosen:
        missed *= 1.0 - means[item]
    return 1.0 - missed


@kernel
def best_reward(attraction, list_size):
    """f(A*, w̄); of given users 1, the reward of a list that attracts everybody."""
    if attraction.ndim == 1:
        return expected_reward(np.argsort(-attraction)[:list_size], attraction)
    else:
        return 1.0


@kernel
def round_regret(best, chosen, position, attraction):
    """What the list `chosen` loses against `best` in one round: expected for drawn users, 1{no click} for given
    ones.
    """
    if attraction.ndim == 1:
        return max(0.0, best - expected_reward(chosen, attraction))  # max: the product's rounding depends on the order
    else:
        return best - (position <= chosen.size)


def cascade(attraction, list_size=4, name: str = "cascade", parameters=None) -> Instance:
    """A cascade instance. attraction: w̄, numbers in [0, 1]; list_size: K, in 1..items.

    Facts: attraction, items (L), list_size (K), optimal_list (A*: K positions in `attraction`, most attractive first),
    optimal_value f(A*, w̄); worst_regret: what the worst list loses in a round; p, gap: where the items of A* share one
    attraction p and all others p − gap, else None; gap_table, shape (L − K, K): Δ_{e,k} = w̄(a*_k) − w̄(e) for the
    items e outside A*, in order; gaps, shape (L − K,): its last column Δ_{e,K}; gap_min, gap_max (0 where K = L);
    unique_best: whether A* is the only best set, i.e. all gaps are positive. A tie at the K-th place is allowed: A*
    then prefers the lower number.
    uniform_regret: what a list drawn uniformly at random loses in a round.
    """
    attraction = np.array(check_all([ATTRACTION], {"attraction": attraction}, name)["attraction"])
    list_size = check_list_size(list_size, attraction.size, name)
    order = np.argsort(-attraction, kind="stable")
    best, others = order[:list_size], np.sort(order[list_size:])
    table = attraction[best][None, :] - attraction[others][:, None]
    facts = {
        "attraction": attraction,
        "items": attraction.size,
        "list_size": list_size,
        "optimal_list": best,
        "optimal_value": float(1 - np.prod(1 - attraction[best])),
        "worst_regret": float(np.prod(1 - attraction[order[-list_size:]]) - np.prod(1 - attraction[best])),
        **_two_levels(attraction[best], attraction[others]),
        "gap_table": table,
        "gaps": table[:, -1],
        "gap_min": float(table.min(initial=np.inf)) if table.size else 0.0,
        "gap_max": float(table.max(initial=0.0)),
        "unique_best": bool((table[:, -1] > 0).all()),
    }
    facts["uniform_regret"] = max(0.0, facts["optimal_value"] - uniform_value(attraction, list_size))
    if parameters is None:
        parameters = {"attraction": tuple(attraction.tolist()), "list_size": list_size}
    return Instance(name, "cascade", parameters, (attraction, list_size), facts)


def _two_levels(best, others) -> dict[str, float | None]:
    """p and gap of Theorems 11 and 12, or None."""
    if others.size and np.ptp(best) == 0 and np.ptp(others) == 0 and best[0] > others[0]:
        return {"p": float(best[0]), "gap": float(best[0] - others[0])}
    return {"p": None, "gap": None}


def given_users(users, list_size: int, name: str = "given-users") -> Instance:
    """An instance whose users are given: row 0 of `users` is w_0, row t user t; entries 0 or 1, shape (users,
    items).
    """
    users = np.asarray(users)
    if users.ndim != 2 or not users.size or not np.isin(users, (0, 1)).all():
        raise ValueError(
            f"users of shape {users.shape} is not allowed ({name}): it must be a table of 0 and 1, one row a user, one"
            " column an item."
        )
    list_size, facts = check_list_size(list_size, users.shape[1], name), {"items": users.shape[1]}
    parameters = {"users": users.astype(int).tolist(), "list_size": list_size}
    return Instance(
        name, "cascade", parameters, (np.ascontiguousarray(users, float), list_size), facts | {"list_size": list_size}
    )


def list_reward(chosen, weights) -> np.ndarray:
    """f(A, w) = 1 − Π_k (1 − w(a_k)) for `weights` of shape (..., items): w̄ gives the expected reward, users their
    clicks.
    """
    return 1 - np.prod(1 - np.asarray(weights, float)[..., np.asarray(chosen)], axis=-1)


def uniform_value(attraction, list_size: int) -> float:
    """E f(A, w̄) of a list A of K items drawn uniformly at random: 1 − the mean of Π (1 − w̄) over all sets of K items.

    That mean M(i, j) over the j-sets of the first i items follows from M(i−1, ·), as item i is in a share j/i of them.
    """
    missed, size = np.eye(1, list_size + 1)[0], np.arange(1, list_size + 1)
    for number, stays in enumerate(1 - np.asarray(attraction, float), 1):
        missed[1:] = ((number - size) * missed[1:] + size * stays * missed[:-1]) / number
    return float(1 - missed[-1])


def check_list_size(list_size: object, items: int, owner: str = "") -> int:
    """K in its normal form. Raises ValueError unless 1 <= K <= L."""
    size = LIST_SIZE.check(list_size, owner)
    if size > items:
        where = f" ({owner})" if owner else ""
        raise ValueError(
            f"list_size = {size} is not allowed{where}: a list cannot hold more than the {items} items that there are."
        )
    return size


def _paper(items: int, list_size: int, top_mean: float, other_mean: float) -> Instance:
    check_list_size(list_size, items, "cascade-paper")
    attraction = np.where(np.arange(items) < list_size, top_mean, other_mean)
    parameters = {"items": items, "list_size": list_size, "top_mean": top_mean, "other_mean": other_mean}
    return cascade(attraction, list_size, "cascade-paper", parameters)


FAMILIES = (
    Family(
        "cascade-paper",
        "The first K of L items at .2, the rest at .05",
        "cascade",
        WANG,
        "Section 7 (which does not print w̄: these values are ours)",
        (ITEMS, LIST_SIZE, TOP_MEAN, OTHER_MEAN),
        _paper,
    ),
    Family("cascade", "Items with the attraction that you give", "cascade", "", "", (ATTRACTION, LIST_SIZE), cascade),
)
