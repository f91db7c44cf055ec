"""Which part of a bound rules where: what learning costs without privacy, what privacy adds, what δ saves of it.

Every bound is taken apart in the same way, by its own values: at the given ε and δ, without privacy (ε so large that
its terms vanish), with next to no slack (δ = 10⁻¹²), and with half the ε.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpbandits.bounds.record import Bound

NO_PRIVACY, NO_SLACK = 1e9, 1e-12
SAYS_NOTHING, LEARNING, PRIVACY, CUT, SLACK_ALONE = range(5)
REGIMES = ("says nothing", "learning rules", "privacy rules", "privacy rules, cut by δ", "privacy rules, by δ alone")


@dataclass(frozen=True)
class Parts:
    """A bound along `rounds`, shape (rounds,) each.

    value: the bound. learning: its value without privacy. without_slack: its value at δ = 10⁻¹² (where it takes a δ).
    regime: positions in REGIMES.
    - "says nothing": an upper bound of at least what the worst policy loses; a lower bound of 0 or less;
    - "learning rules": the term of privacy is at most as large as what learning costs anyway;
    - else "privacy rules": "cut by δ" where its term is less than half of what it would be at δ = 10⁻¹²; "by δ alone"
      where half the ε would make it larger by less than a tenth.

    The term of privacy is what the bound exceeds learning by; where the bound is a maximum, it is the whole.
    """

    rounds: np.ndarray
    value: np.ndarray
    learning: np.ndarray
    without_slack: np.ndarray
    regime: np.ndarray

    @property
    def privacy(self) -> np.ndarray:
        """What privacy adds."""
        return self.value - self.learning


def parts(bound: Bound, rounds, worst: float, **given: Any) -> Parts:
    """Take `bound` apart at the horizons `rounds`. worst: what the worst policy loses in a round. given: as for
    bound.curve().

    Raises ValueError for bad input.
    """
    rounds = np.asarray(rounds)
    value = bound.curve(rounds, **given)
    learning = np.minimum(value, bound.curve(rounds, **given | {"epsilon": NO_PRIVACY}))
    halved = bound.curve(rounds, **given | {"epsilon": given["epsilon"] / 2})
    slack = given.get("delta", 0) > NO_SLACK
    without_slack = np.maximum(value, bound.curve(rounds, **given | {"delta": NO_SLACK})) if slack else value
    other = np.zeros_like(value) if bound.maximum else learning
    term = value - other
    regime = np.where(term > learning * (1 + 1e-12), PRIVACY, LEARNING)
    regime[(regime == PRIVACY) & (term < 0.5 * (without_slack - other))] = CUT
    regime[(regime >= PRIVACY) & (halved - other < 1.1 * term)] = SLACK_ALONE
    regime[value >= worst * rounds if bound.kind == "upper" else ~(value > 0)] = SAYS_NOTHING
    return Parts(rounds, value, learning, without_slack, regime)


def stretches(regime: np.ndarray) -> list[tuple[int, int]]:
    """(first position, regime) of each stretch of equal entries."""
    starts = np.flatnonzero(np.append(True, np.diff(regime) != 0))
    return [(int(start), int(regime[start])) for start in starts]


def begins(bound: Bound, slope: float, *, longest: int = 10**12, **given: object) -> int | None:
    """The least T from which on, up to `longest`, the bound stays below slope·T; None where it does not at the end.

    slope: what some policy loses in a round, the worst one or one that chooses blindly. given: as for bound.curve().
    The last T at which the bound is too large is looked for on a grid of 200 a decade, then between its points.
    Raises ValueError for bad input.
    """
    grid = np.unique(np.geomspace(1, longest, 2400).astype(np.int64))
    above = np.flatnonzero(~(bound.curve(grid, **given) < slope * grid))
    if above.size == 0:
        return 1
    if above[-1] == grid.size - 1:
        return None
    low, high = int(grid[above[-1]]), int(grid[above[-1] + 1])
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound.curve([middle], **given)[0] < slope * middle else (middle, high)
    return high
