"""Evidence for the privacy labels of the cascade algorithms: what an onlooker can tell, counted.

Local algorithms: the server knows how many reports a user sent. As printed that is min(C, K), so it names the click
position C (`guess_click`, `guessing_rates`). Central ones: the lists are public, and the printed cascade-dp computes
them from T(e), which depends on clicks. `transcripts` draws many sequences of lists for users that are given, and
`neighbours` gives two tables of users that differ in one user; `dpbandits.privacy.audit` turns counts into a bound on
ε.
"""

import math
from dataclasses import replace

import numpy as np

from dpbandits.algorithms.cascade import records
from dpbandits.environments.cascade import LIST_SIZE
from dpbandits.mechanisms.continual import hybrid_counter
from dpbandits.parameters import NOISE_MULTIPLIER, Parameter, unknown

BY_NAME = {a.name: a for a in records.ALGORITHMS}
LOCAL = {name: a for name, a in BY_NAME.items() if a.reports}
NOISY = {name: a for name, a in BY_NAME.items() if a.noise_buys}
TRIALS = Parameter("trials", "independent repetitions", 10_000, kind="integer", low=1)


def noise_buys(name: str, list_size: int = 4, **parameters: object) -> tuple[float, float]:
    """(ε, δ) that the noise of this algorithm gives if nothing but its values were seen: exact, for any
    `noise_multiplier` > 0.

    Laplace: ε/noise_multiplier. Gaussian: the exact ε at δ. Composed: by optimal composition of list_size reports.
    """
    if name not in NOISY:
        raise ValueError(unknown("algorithm with noise", name, NOISY))
    values = NOISY[name].bind(parameters)
    replace(NOISE_MULTIPLIER, open_low=True).check(values["noise_multiplier"], name)
    return NOISY[name].noise_buys(values, LIST_SIZE.check(list_size, name))


def user_reports(
    name: str, position: int, list_size: int, rng: np.random.Generator, **parameters: object
) -> np.ndarray:
    """What a user who clicks at `position` (1..list_size, or list_size + 1 for no click) sends under a local
    algorithm.
    """
    if name not in LOCAL:
        raise ValueError(unknown("local algorithm", name, LOCAL))
    values = LOCAL[name].bind(parameters)
    list_size = LIST_SIZE.check(list_size, name)
    position = Parameter("position", "click position", kind="integer", low=1, high=list_size + 1).check(position, name)
    reports, multiplier = LOCAL[name].reports, values["noise_multiplier"]
    clicked = np.arange(1, list_size + 1)[: 1 if reports.first_only else min(position, list_size)] == position
    scale = multiplier * reports.scale(list_size, values["epsilon"], values.get("delta"))
    return clicked + reports.draw(rng, clicked.size, scale)


def guess_click(reports: np.ndarray, list_size: int, rng: np.random.Generator, first_only: bool = False) -> int:
    """The server's best guess of the click position, all positions (and no click) being equally likely beforehand.

    As printed, fewer than K reports name it; after K of them, a last one above 1/2 means a click there, else none. Of a
    repaired algorithm's single report (`first_only`): above 1/2 position 1, else any other at random.
    """
    if first_only:
        return 1 if reports[0] > 0.5 else int(rng.integers(2, list_size + 2))
    return len(reports) + (len(reports) == list_size and not reports[-1] > 0.5)


def guessing_rates(
    name: str, list_size: int = 4, trials: int = 10_000, seed: int = 0, **parameters: object
) -> np.ndarray:
    """How often guess_click is right, for clicks at 1..K and for no click: shape (list_size + 1,).

    Under ε-local privacy the mean of these rates is at most `guessing_limit`, whoever guesses.
    """
    rng, trials = np.random.default_rng(seed), TRIALS.check(trials)
    first_only = LOCAL[name].reports.first_only

    def guesses(position):
        return [
            guess_click(user_reports(name, position, list_size, rng, **parameters), list_size, rng, first_only)
            for _ in range(trials)
        ]

    return np.array([np.mean(np.equal(guesses(position), position)) for position in range(1, list_size + 2)])


def guessing_limit(epsilon: float, list_size: int) -> float:
    """e^ε/(K + e^ε): the best mean rate of guessing one of K + 1 equally likely secrets from an ε-private report."""
    return 1 / (1 + list_size * math.exp(-epsilon))


def neighbours(items: int, list_size: int, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Two tables of users, shape (rounds + 1, items), that differ in user 1: nothing attracts them; or everything does.

    w_0 likes the first list_size items: with private_init=False they are cascade-dp's first list, in random order.
    Users 2, 3, ... like nothing.
    """
    quiet = np.zeros((rounds + 1, items))
    quiet[0, :list_size] = 1
    clicking = quiet.copy()
    clicking[1] = 1
    return quiet, clicking


def transcripts(
    users,
    list_size: int,
    *,
    epsilon: float,
    trials: int = 10_000,
    seed: int = 0,
    private_init: bool = True,
    first_only: bool = False,
) -> np.ndarray:
    """Lists that cascade-dp (or, with `first_only`, cascade-dp-first) shows to the given users: (trials, rounds,
    list_size).

    users: table of 0 and 1, row 0 is w_0, row t user t. The same algorithm as the kernels', with all trials side by
    side.
    """
    rng, users = np.random.default_rng(seed), np.asarray(users, float)
    rounds, items = users.shape[0] - 1, users.shape[1]
    share, scale = (epsilon, 1) if first_only else (epsilon / items, items)
    noise = hybrid_counter(np.zeros((trials, items, rounds + 1)), share, rng)
    counts = np.full((trials, items), 0 if first_only else 1)
    totals = np.zeros((trials, items)) if first_only else np.tile(users[0], (trials, 1))
    lists, place, each = np.empty((trials, rounds, list_size), int), np.arange(list_size), np.arange(trials)[:, None]
    for t in range(1, rounds + 1):
        n = np.maximum(counts, 1)
        added = np.take_along_axis(noise, n[..., None] - 1, axis=-1)[..., 0]
        if not private_init and not first_only:
            added = np.where(n == 1, 0.0, added)  # until it is observed, an item's estimate is the public w_0
        growth = np.maximum(1, np.log(n)) ** 1.5
        index = (totals + added) / n + np.sqrt(1.5 * np.log(t) / n) + 3 * scale * growth * np.log(t) / (epsilon * n)
        index[counts == 0] = np.inf
        shown = np.lexsort((rng.random(index.shape), -index), axis=-1)[:, :list_size]
        if first_only:
            seen = np.take_along_axis(counts, shown, axis=-1)
            lead = np.lexsort((rng.random(seen.shape), seen), axis=-1)[:, :1]
            shown = np.take_along_axis(shown, np.argsort(place != lead, axis=-1, kind="stable"), axis=-1)
        liked = users[t][shown] > 0
        position = np.where(liked.any(axis=-1), liked.argmax(axis=-1), list_size)[:, None]
        observed = place == 0 if first_only else place <= position
        counts[each, shown] += observed
        totals[each, shown] += observed & (place == position)
        lists[:, t - 1] = shown
    return lists


def second_item_dropped(lists: np.ndarray) -> np.ndarray:
    """Whether the item in second place of the first list is missing from all later lists: shape (trials,)."""
    return ~(lists[:, 1:] == lists[:, :1, 1:2]).any(axis=(1, 2))
