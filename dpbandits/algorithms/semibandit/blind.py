"""The first users, seen from outside: what they send, and what the tree reads. In NumPy, for notebooks and explorers.

Chen et al.'s algorithms play a uniformly random super arm while every index is still cut at 1, which is long
(blindness.py). So it is for all users here; any K of the m base arms are a super arm. A user's draws depend on the seed
and the user's
number alone: more users continue the same story, and another ε scales the same noise.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.algorithms.estimates import least_observed
from dpbandits.algorithms.semibandit.central import node_scale
from dpbandits.environments.semibandit.families import ARMS, LIST_SIZE
from dpbandits.kernels import kernel
from dpbandits.mechanisms.continual import nodes_read
from dpbandits.parameters import EPSILON, HORIZON, MEANS, Parameter
from dpbandits.randomness import seed_sequence

USERS = Parameter("users", "how many users have come", 1, kind="integer", low=1, high=10**5)
TIME = Parameter("t", "round t after which the tree is read", 1, kind="integer", low=1)


class Messages(NamedTuple):
    """What users 1, 2, ... send. The first axis of every array is the user.

    super_arms: (users, K), base arms from 0, increasing. outcomes: (users, K), 0 or 1. all_reports: (users, K), the
    messages of cucb-ldp1, outcome + Lap(K/ε) each. place: (users,), which of the K arms cucb-ldp2 asks about, the least
    reported so far, ties at random. one_report: (users,), its message, outcome + Lap(1/ε).
    """

    super_arms: np.ndarray
    outcomes: np.ndarray
    all_reports: np.ndarray
    place: np.ndarray
    one_report: np.ndarray

    @property
    def reported(self) -> np.ndarray:
        """(users,): the base arm that cucb-ldp2 asks about."""
        return np.take_along_axis(self.super_arms, self.place[:, None], axis=1)[:, 0]


def blind_messages(means, list_size: int, epsilon: float, users: int, seed: int = 0) -> Messages:
    """The messages of the first `users` users under cucb-ldp1 and cucb-ldp2, about the same outcomes of the same super
    arms.

    means: of the base arms, (arms,), each in [0, 1]. Raises ValueError for bad input.
    """
    means, epsilon = np.array(MEANS.check(means)), EPSILON.check(epsilon)
    users, size = USERS.check(users), _size(list_size, means.size)
    chosen, outcome, noise, ties = _generators(seed)
    super_arms = _random_sets(means.size, size, users, chosen)
    outcomes = (outcome.random((users, size)) < means[super_arms]).astype(float)
    unit = _unit_laplace(noise, (users, size + 1))
    place = _least_reported(super_arms, means.size, ties)
    one = np.take_along_axis(outcomes, place[:, None], axis=1)[:, 0] + unit[:, size] / epsilon
    return Messages(super_arms, outcomes, outcomes + unit[:, :size] * size / epsilon, place, one)


class TreeReading(NamedTuple):
    """The tree of cucb-dp after round t. `scale`: of the Laplace noise on every coordinate of every node.

    nodes: (first, last] rounds of the nodes that a read at t adds up. chosen: (K,), base arms from 0 played at t. For
    every base arm, (arms,): pulls T_i; read_at, the last round that played it, when its sum was read (0: never); noise,
    what is in that sum; deviation, the standard deviation of it, sqrt(2 popcount(read_at)) scale.
    """

    scale: float
    nodes: list[tuple[int, int]]
    chosen: np.ndarray
    pulls: np.ndarray
    read_at: np.ndarray
    noise: np.ndarray
    deviation: np.ndarray


def blind_tree(
    arms: int, list_size: int, epsilon: float, t: int, horizon: int = 64, seed: int = 0, exact: bool = False
) -> TreeReading:
    """What a tree over `horizon` rounds with leaves of `arms` numbers tells after round t. Raises ValueError for bad
    input.

    exact: noise K·levels/ε in place of the printed 2K ln T/ε, as of cucb_dp.
    """
    arms, epsilon, horizon = ARMS.check(arms), EPSILON.check(epsilon), HORIZON.check(horizon)
    size, t = _size(list_size, arms), TIME.check(t)
    if t > horizon:
        raise ValueError(f"t = {t} is not allowed: it must be <= {horizon}, the horizon.")
    chosen, _, noise, _ = _generators(seed)
    super_arms = _random_sets(arms, size, t, chosen)
    unit = [_unit_laplace(noise, (horizon >> level, arms)) for level in range(horizon.bit_length())]
    scale = float(node_scale(horizon, float(size), epsilon, bool(exact)))
    read_at, pulls = np.zeros(arms, np.int64), np.bincount(super_arms.ravel(), minlength=arms)
    for round_, played in enumerate(super_arms, 1):
        read_at[played] = round_
    nodes = [nodes_read(int(read)) if read else [] for read in read_at]
    drawn = [
        sum(unit[(last - first).bit_length() - 1][first // (last - first), i] for first, last in of)
        for i, of in enumerate(nodes)
    ]
    deviation = scale * np.sqrt([2.0 * len(of) for of in nodes])
    return TreeReading(scale, nodes_read(t), super_arms[-1], pulls, read_at, scale * np.array(drawn, float), deviation)


def _size(list_size: int, arms: int) -> int:
    size = LIST_SIZE.check(list_size)
    if size > arms:
        raise ValueError(f"list_size = {size} is not allowed: it must be <= {arms}, the number of arms.")
    return size


def _generators(seed: int) -> list[np.random.Generator]:
    """For super arms, outcomes, noise and ties."""
    return [np.random.default_rng(child) for child in seed_sequence(seed, "blind").spawn(4)]


def _random_sets(arms: int, size: int, users: int, rng: np.random.Generator) -> np.ndarray:
    """(users, size): uniformly random sets, increasing: the places of the largest of as many uniform numbers."""
    return np.sort(np.argsort(rng.random((users, arms)), axis=1)[:, :size], axis=1)


def _unit_laplace(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    two = rng.standard_exponential((*shape, 2))
    return two[..., 0] - two[..., 1]


@kernel
def _least_reported(super_arms, arms, rng):
    """(users,): of each super arm, the place of the arm that the users before reported least."""
    reports, place = np.zeros(arms, np.int64), np.empty(super_arms.shape[0], np.int64)
    for user in range(place.size):
        place[user] = least_observed(super_arms[user], reports, rng)
        reports[super_arms[user, place[user]]] += 1
    return place
