"""The greedy walk told element by element: who is kept, who is skipped and why, and with whom π_t pairs the kept
ones.
"""

import numpy as np

from dpbandits.environments.instance import Instance
from dpbandits.environments.matroid.pairs import permutation
from dpbandits.environments.matroid.questions import circuit


def account(instance: Instance, index, basis) -> list[dict]:
    """One row for each element in the order of the walk, loops last.

    index: shape (L,); basis: the greedy basis for it by decreasing index, shape (K,). Elements are numbered from 1
    here. Keys: element, label, mean, index; kept; why ("kept", "loop", "parallel to e1", "depends on e1, e2", the rest
    of the circuit that it would close); and for kept ones partner, the element of A* under π_t, and loss = w̄(partner)
    − w̄(element), else NaN.
    """
    basis = [int(e) for e in basis]
    partners = instance.optimal_basis[permutation(instance.matroid, basis, instance.optimal_basis)].tolist()
    partner = dict(zip(basis, partners, strict=True))
    rows: list[dict] = []
    before: list[int] = []
    for e in sorted(range(instance.arms), key=lambda e: (e in instance.loops, -index[e], e not in partner, e)):
        kept = e in partner
        loss = float(instance.means[partner[e]] - instance.means[e]) if kept else np.nan
        rows.append(
            {
                "element": e + 1,
                "label": instance.labels[e],
                "mean": float(instance.means[e]),
                "index": float(index[e]),
                "kept": kept,
                "why": "kept" if kept else _reason(instance, before, e),
                "partner": partner[e] + 1 if kept else np.nan,
                "loss": loss,
            }
        )
        before += [e] if kept else []
    return rows


def _reason(instance: Instance, before: list[int], e: int) -> str:
    if e in instance.loops:
        return "loop"
    others = circuit(instance.matroid, before, e)
    return f"{'depends on' if len(others) > 1 else 'parallel to'} {', '.join(f'e{a + 1}' for a in others)}"
