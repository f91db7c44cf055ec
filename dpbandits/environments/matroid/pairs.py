"""The permutation π_t that pairs the played elements with the optimal ones, and the regret split by it (Chandak 2023,
Section 4.1.3).
"""

from collections.abc import Iterable, Sequence

import numpy as np

from dpbandits.environments.matroid.questions import is_independent, size_of
from dpbandits.environments.matroid.structure import Matroid


def permutation(matroid: Matroid, played: Sequence[int], optimal: Sequence[int]) -> np.ndarray:
    """π_t of equation (4.5), from 0: the k-th played element is paired with optimal[π[k]]. Shape (K,).

    played: A^t by decreasing index; optimal: A* by decreasing mean; both bases. From the last played element to the
    first: one that is optimal is paired with itself, any other with the first optimal one that completes {a_1, ...,
    a_{k−1}} and the partners found so far to a basis. (The print lets k run down to 2; the last step, k = 1, is needed
    too.) Raises ValueError if an argument is no basis.
    """
    played, optimal = [int(e) for e in played], [int(e) for e in optimal]
    for name, basis in (("played", played), ("optimal", optimal)):
        if len(basis) != matroid.rank or not is_independent(matroid, basis) or len(set(basis)) < len(basis):
            raise ValueError(
                f"{name} = {basis} is not allowed: it must be a basis, {matroid.rank} independent elements."
            )
    pi = np.empty(matroid.rank, np.int64)
    partners: list[int] = []
    for k in reversed(range(matroid.rank)):
        rest = [*played[:k], *partners]
        if played[k] in optimal:
            pi[k] = optimal.index(played[k])
        else:
            pi[k] = next(i for i, e in enumerate(optimal) if e not in rest and is_independent(matroid, [*rest, e]))
        partners.append(optimal[pi[k]])
    return pi


def pair_losses(matroid: Matroid, means, bases: Iterable[Sequence[int]], optimal: Sequence[int]) -> np.ndarray:
    """The regret of the rounds with these `bases`, split by pairs: entry [k, e], shape (K, L), is the sum of

        Δ_{e,k} = w̄(a*_k) − w̄(e)   over the rounds in which e is paired with the k-th optimal element a*_k.

    bases: each A^t by decreasing index. All entries together are the pseudo-regret, exactly; the positive ones alone
    are the K bandit problems of equation (4.7), and bound it from above.
    """
    means = np.asarray(means, float)
    if means.shape != (size_of(matroid),):
        raise ValueError(
            f"means of shape {means.shape} is not allowed: there must be one for each of the {size_of(matroid)}"
            " elements."
        )
    losses = np.zeros((matroid.rank, means.size))
    known: dict[tuple[int, ...], np.ndarray] = {}  # a run plays few bases in few orders
    for played in bases:
        key = tuple(int(e) for e in played)
        if key not in known:
            known[key] = permutation(matroid, key, optimal)
        losses[known[key], list(key)] += means[list(optimal)][known[key]] - means[list(key)]
    return losses
