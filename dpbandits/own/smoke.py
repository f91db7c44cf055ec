"""A smoke test for privacy: play a policy on two inputs that differ in one user, many times, and count.

If the policy is (ε, δ)-private, no event in what it selects can be more than e^ε times (and δ) likelier on one input
than on the other. Counts give a lower bound on ε, by exact intervals for both probabilities (Clopper & Pearson 1934).
They can refute a claim. They cannot prove one: other inputs, longer runs or rarer events may tell more.
"""

from dataclasses import dataclass, replace

import numpy as np

from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import Instance, build
from dpbandits.own.policy import as_algorithm
from dpbandits.own.scripted import LARGEST, MOST, Scripted
from dpbandits.parameters import HORIZON, SEED, Parameter
from dpbandits.privacy import Guarantee
from dpbandits.privacy.audit import CONFIDENCE, Finding, best_view
from dpbandits.randomness import Streams, seed_sequence, streams
from dpbandits.simulation import cells_for

#: Problems whose choices all have values of their own, so that regret tells what was selected.
DEFAULTS = {
    "stochastic": ("two-arms", {}),
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
class SmokeTest:
    """What counting found about `name`, whose author says `guarantee`.

    changed: the round whose user likes everything on the first input and nothing on the second. finding: the event
    that tells most. selections: its outcomes in words. silent: whether both inputs led to one and the same transcript
    in all runs, so that nothing could be found.
    """

    name: str
    guarantee: Guarantee
    changed: int
    finding: Finding
    selections: str
    silent: bool

    @property
    def epsilon(self) -> float:
        """No smaller ε is possible at the claimed δ (0 where none is claimed), with the audit's confidence."""
        return self.finding.audit.epsilon(_delta(self.guarantee))

    @property
    def refuted(self) -> bool:
        """Whether the bound exceeds the claim. Where nothing is claimed, nothing can be refuted."""
        return self.epsilon > self.guarantee.epsilon

    def __bool__(self) -> bool:
        return not self.refuted

    def __repr__(self) -> str:
        audit, at = self.finding.audit, f" at δ = {_delta(self.guarantee):g}" if _delta(self.guarantee) else ""
        lines = [f"{self.name}: {self.guarantee.label}"]
        if self.silent:
            more = ", or change a later round" if self.guarantee.scope == "per-selection" else ""
            return "\n".join(
                [
                    *lines,
                    (
                        "It selected the same in all runs, on both inputs: so early nothing can be seen."
                        f" Raise horizon, shorten its start{more}."
                    ),
                ]
            )
        likes = ("everything", "nothing")[:: -1 if self.finding.swapped else 1]
        p, q = audit.hits / audit.trials, audit.other_hits / audit.other_trials
        shares = f"{p:.4f} of the runs if user {self.changed} likes {likes[0]}, {q:.4f} if {likes[1]}"
        lines += [
            f"{self.selections}: in {shares}.",
            f"So ε >= {self.epsilon:.3g}{at}, with confidence 1 - {1 - audit.confidence:.0e}.",
        ]
        if self.refuted:
            lines.append(f"REFUTED: it claims ε = {self.guarantee.epsilon:.3g}.")
        elif self.guarantee.scope in ("none", "unknown"):
            lines.append("It claims nothing, so nothing is refuted.")
        else:
            lines.append(
                f"Not refuted: it claims ε = {self.guarantee.epsilon:.3g}."
                " That is no proof: other inputs or longer runs may tell more."
            )
        return "\n".join(lines)


def smoke_test(
    policy: str | Algorithm,
    instance: str | Instance | None = None,
    *,
    horizon: int = 10,
    changed: int = 1,
    others: str = "nothing",
    trials: int = 10_000,
    seed: int = 0,
    confidence: float = CONFIDENCE.default,
    **parameters: object,
) -> SmokeTest:
    """Lower bound on the ε of what `policy` selects in `horizon` rounds: on one input the user of round `changed` likes
    everything, on its neighbour nothing; all other users are the same.

    policy: a function with a kernel's signature, a claim() or a name, of the stochastic, semi-bandit or matroid
    setting; it must take its rewards by `streams.environment.random() < means[arm]`, one number a reward, and nothing
    else from there. instance: a name or an Instance, by default a small one; of choices with equal regret the
    onlooker sees no difference. others: the other users like "nothing", "everything", or "some things" (drawn once).
    trials: runs on each input. parameters: of policy and instance. A per-selection claim is compared with what is
    seen up to the selection after the change alone. Raises ValueError for bad input.
    """
    record = as_algorithm(policy)
    if instance is None:
        if record.setting not in DEFAULTS:
            raise ValueError(
                f"policy = {record.name} is not allowed: of the {record.setting} setting there is no smoke test,"
                f" only of {', '.join(DEFAULTS)}."
            )
        name, own = DEFAULTS[record.setting]
        instance = build(name, **own)
    horizon, trials, seed = HORIZON.check(horizon), TRIALS.check(trials), SEED.check(seed)
    confidence = CONFIDENCE.check(confidence)
    changed = replace(CHANGED, high=horizon).check(changed)
    (cell,) = cells_for(
        [record], instance, parameters, horizon=horizon, checkpoints=np.arange(1, horizon + 1), seed=seed
    )
    each = _rewards_a_round(cell.instance)
    if horizon * each > MOST:
        raise ValueError(
            f"horizon = {horizon} is not allowed: with {each} reward{'s' * (each > 1)} a round"
            f" it must be <= {MOST // each}."
        )
    rng = np.random.default_rng(seed)
    liked = {
        "nothing": np.full(horizon * each, LARGEST),
        "everything": np.zeros(horizon * each),
        "some things": rng.random(horizon * each),
    }
    worlds = np.stack([liked[OTHERS.check(others)]] * 2)
    worlds[:, (changed - 1) * each : changed * each] = [[0.0], [LARGEST]]
    seen = [_play(cell, Scripted(world), trials, seed, number, horizon * each) for number, world in enumerate(worlds)]
    choices, seen = _named(seen)
    guarantee = record.guarantee(cell.parameters, cell.instance, horizon)
    if guarantee.scope == "per-selection":
        seen = seen[:, :, : changed + 1]
    finding = best_view(_views(seen[0], choices), _views(seen[1], choices), _delta(guarantee), confidence)
    silent = bool((seen == seen[0, 0]).all())
    return SmokeTest(record.name, guarantee, changed, finding, _in_words(finding), silent)


def _delta(guarantee: Guarantee) -> float:
    """The claimed δ; 0 where nothing is claimed."""
    return 0.0 if guarantee.scope in ("none", "unknown") else guarantee.delta


def _rewards_a_round(instance: Instance) -> int:
    if instance.setting == "stochastic":
        return 1
    if instance.setting == "matroid" and not instance.problem[2].size:
        return int(instance.rank)
    if instance.setting == "semi-bandit" and instance.parameters.get("outcomes") == "bernoulli":
        return int(instance.list_size)
    raise ValueError(
        f"instance = {instance.name} is not allowed: the smoke test needs independent Bernoulli rewards,"
        " each seen on its own."
    )


def _play(cell, environment: Scripted, trials: int, seed: int, number: int, most: int) -> np.ndarray:
    """What each round lost: shape (trials, horizon)."""
    own = streams(seed_sequence(seed, "smoke", cell.algorithm.name, number))
    given = Streams(environment.generator, own.policy, own.noise)
    regret = np.empty((trials, cell.horizon))
    for trial in range(trials):
        environment.rewind()
        regret[trial] = cell.play(given)[0]
        if trial < 100 and ((drawn := environment.drawn) is None or drawn > most):
            raise ValueError(
                f"{cell.algorithm.name} took {'many' if drawn is None else drawn} numbers from streams.environment"
                f" in {cell.horizon} rounds: it must take one for each reward, {most} here,"
                " and draw all else from streams.policy and streams.noise."
            )
    return np.diff(regret, axis=1, prepend=0.0)


def _named(losses) -> tuple[int, np.ndarray]:
    """How many selections differ, and their numbers in place of what they lose, (2, trials, horizon); 0 loses least."""
    values, codes = np.unique(np.round(losses, 9), return_inverse=True)
    return values.size, codes.reshape(np.shape(losses))


def _views(seen: np.ndarray, choices: int) -> dict[str, np.ndarray]:
    """What an onlooker may look at: the first choices in order, how often each choice was made so far, or a single one.

    Up to a dozen rounds, spread evenly on a logarithmic scale: late ones are much alike.
    """
    rounds = np.unique(np.geomspace(1, seen.shape[1], LOOKS).round().astype(int))
    made = np.stack([np.cumsum(seen == choice, axis=1) for choice in range(choices)], axis=2)
    first = {f"the first {n} choices": seen[:, :n] for n in rounds}
    counts = {f"counts of the first {n} choices": made[:, n - 1] for n in rounds if n > 2}
    return first | counts | {f"round {n}": seen[:, n - 1] for n in rounds}


def _in_words(finding: Finding) -> str:
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
