"""Playing a policy on two inputs that differ in one user, and what an onlooker sees of it, in all four settings.

Rewards are given: kernels take them by `streams.environment.random() < mean`, so whoever tells the numbers tells what
users like. What was selected is read from the regret, in which choices of different value differ.
"""

from dataclasses import dataclass, replace

import numpy as np

from dpbandits.algorithms.record import Algorithm
from dpbandits.auditing.scripted import LARGEST, MOST, Begun, Scripted
from dpbandits.environments import Instance, build
from dpbandits.parameters import HORIZON, SEED, Parameter
from dpbandits.privacy.audit import Finding
from dpbandits.randomness import Streams, seed_sequence, streams
from dpbandits.simulation import Cell, cells_for

#: Problems whose choices all have values of their own, so that regret tells what was selected.
SMALL = {
    "stochastic": ("two-arms", {}),
    "cascade": ("cascade", {"attraction": (0.5, 0.4, 0.2), "list_size": 2}),
    "semi-bandit": ("top-k", {"means": (0.5, 0.4, 0.2), "list_size": 2}),
    "matroid": ("uniform-matroid", {"means": (0.5, 0.4, 0.2), "list_size": 2}),
}
LOOKS = 12  # rounds at which an onlooker looks
TRIALS = Parameter("trials", "runs on each of the two inputs", 10_000, kind="integer", low=8, high=10**7)
CHANGED = Parameter("changed", "the round whose user is another one", 1, kind="integer", low=1)
OTHERS = Parameter(
    "others", "what all other users like", "nothing", kind="choice", choices=("nothing", "everything", "some things")
)


@dataclass(frozen=True)
class Plan:
    """How a policy is played: rounds, the round whose user changes, and what all others like.

    long: the others like things at random, anew in each run, and there may be any number of rounds; the changed user
    is the first.
    """

    rounds: int
    changed: int = 1
    others: str = "nothing"
    long: bool = False


@dataclass(frozen=True)
class Seen:
    """What was selected: codes, shape (2, trials, rounds), 0 loses least; choices: how many codes there are."""

    codes: np.ndarray
    choices: int

    @property
    def silent(self) -> bool:
        """Whether all runs on both inputs looked the same."""
        return bool((self.codes == self.codes[0, 0]).all())

    def views(self, world: int) -> dict[str, np.ndarray]:
        """What an onlooker may look at: the first choices in order, how often each was made so far, or a single one.

        Up to a dozen rounds, spread evenly on a logarithmic scale: late ones are much alike.
        """
        seen = self.codes[world]
        rounds = np.unique(np.geomspace(1, seen.shape[1], LOOKS).round().astype(int))
        made = np.stack([np.cumsum(seen == choice, axis=1) for choice in range(self.choices)], axis=2)
        first = {f"the first {n} choices": seen[:, :n] for n in rounds if n <= MOST}
        counts = {f"counts of the first {n} choices": made[:, n - 1] for n in rounds if n > 2}
        return first | counts | {f"round {n}": seen[:, n - 1] for n in rounds}


def small(record: Algorithm) -> Instance:
    """A small problem of the record's setting."""
    name, own = SMALL[record.setting]
    return build(name, **own)


def numbers_a_round(instance: Instance) -> int:
    """Numbers that a round takes from the environment at most; refuses instances whose rewards are not one number
    each.
    """
    if instance.setting == "stochastic":
        return 1
    if instance.setting == "cascade" and "attraction" in instance.facts:
        return int(instance.list_size)
    if instance.setting == "matroid" and not instance.problem[2].size:
        return int(instance.rank)
    if instance.setting == "semi-bandit" and instance.parameters.get("outcomes") == "bernoulli":
        return int(instance.list_size)
    raise ValueError(
        f"instance = {instance.name} is not allowed: the smoke test needs independent Bernoulli rewards,"
        " each seen on its own."
    )


def play(record: Algorithm, instance, parameters: dict, plan: Plan, trials: int, seed: int) -> Seen:
    """`trials` runs on each of two inputs: the changed user likes everything, or nothing. Raises ValueError."""
    horizon, trials, seed = HORIZON.check(plan.rounds), TRIALS.check(trials), SEED.check(seed)
    changed, others = replace(CHANGED, high=horizon).check(plan.changed), OTHERS.check(plan.others)
    cell = _cell(record, instance, parameters, horizon, seed)
    each = numbers_a_round(cell.instance)
    free = 0 if plan.long else free_numbers(_cell(record, instance, parameters, 1, seed), each)
    if not plan.long and free + horizon * each > MOST:
        raise ValueError(
            f"horizon = {horizon} is not allowed: with {each} reward{'s' * (each > 1)} a round"
            f" it must be <= {(MOST - free) // each}."
        )
    worlds: list[Begun | Scripted]
    if plan.long:
        worlds = [Begun([number] * each, seed) for number in (0.0, LARGEST)]
    else:
        scripts = _scripts(cell.instance, horizon, changed, others, each, free, seed)
        worlds = [Scripted(script) for script in scripts]
    most = free + horizon * each
    lost = np.stack([_losses(cell, world, trials, seed, number, most) for number, world in enumerate(worlds)])
    values, codes = np.unique(np.round(lost, 9), return_inverse=True)
    return Seen(codes.reshape(lost.shape), values.size)


def _cell(record: Algorithm, instance, parameters: dict, horizon: int, seed: int) -> Cell:
    rounds = np.arange(1, horizon + 1)
    (cell,) = cells_for([record], instance, parameters, horizon=horizon, checkpoints=rounds, seed=seed)
    return cell


def free_numbers(cell: Cell, each: int) -> int:
    """Numbers that are taken before the first round: the free first observation (w_0, u_0) of some algorithms."""
    if cell.algorithm.code:  # a learner's function has no such observation: each number is a reward
        return 0
    environment = Scripted([LARGEST] * MOST)
    own = streams(seed_sequence(cell.seed, "free"))
    cell.play(Streams(environment.generator, own.policy, own.noise))
    return max(0, (environment.drawn or 0) - each)


def _scripts(instance: Instance, horizon: int, changed: int, others: str, each: int, free: int, seed: int) -> list:
    """The numbers of both inputs. A cascade's user takes one number for each item they look at, up to their click."""
    likes = {"nothing": [LARGEST] * each, "everything": [0.0] * each}
    first = [0.0 if i < each else LARGEST for i in range(free)]  # w_0 likes the first K items
    if instance.setting == "cascade":
        if others == "some things":
            raise ValueError(
                "others = 'some things' is not allowed in the cascade setting: it must be nothing or everything."
            )
        before = {"nothing": likes["nothing"], "everything": [0.0]}[others]
        tail = [likes[others][0]] * MOST
        users = ([0.0], likes["nothing"])
        return [(first + before * (changed - 1) + user + tail)[:MOST] for user in users]
    rest = np.random.default_rng(seed).random(horizon * each)
    told = rest if others == "some things" else np.full(horizon * each, likes[others][0])
    worlds = np.stack([told] * 2)
    worlds[:, (changed - 1) * each : changed * each] = [[0.0], [LARGEST]]
    return [[*first, *world] for world in worlds]


def _losses(cell: Cell, environment: Scripted | Begun, trials: int, seed: int, number: int, most: int) -> np.ndarray:
    """What each round lost: shape (trials, horizon)."""
    own = streams(seed_sequence(seed, "smoke", cell.algorithm.name, number))
    given = Streams(environment.generator, own.policy, own.noise)
    regret = np.empty((trials, cell.horizon))
    play = cell.ready(given)
    for trial in range(trials):
        environment.rewind(trial)
        regret[trial] = play()[0]
        if trial < 100 and ((drawn := environment.drawn) is None or drawn > most):
            raise ValueError(
                f"{cell.algorithm.name} took {'many' if drawn is None else drawn} numbers from streams.environment"
                f" in {cell.horizon} rounds: it must take one for each reward, {most} here,"
                " and draw all else from streams.policy and streams.noise."
            )
    return np.diff(regret, axis=1, prepend=0.0)


def in_words(finding: Finding) -> str:
    """The event, as the beginning of a sentence. Selections are ranked, 1 being the best one."""
    outcomes, several = finding.outcomes.tolist(), len(finding.outcomes) > 3
    if finding.view.startswith("round"):
        return f"In {finding.view} the choice is number {' or '.join(str(o[0] + 1) for o in outcomes)} (1 is the best)"
    if finding.view.startswith("counts"):
        times = " or ".join(", ".join(map(str, o)) for o in outcomes)
        ways = f"in one of {len(outcomes)} ways" if several else f"{times} (the best one's count first)"
        return f"Among {finding.view.removeprefix('counts of ')} each one is made {ways}"
    names = " or ".join(", ".join(str(number + 1) for number in o) for o in outcomes)
    which = f"one of {len(outcomes)} sequences" if several else f"{names} (1 is the best)"
    return f"The sequence of {finding.view} is {which}"
