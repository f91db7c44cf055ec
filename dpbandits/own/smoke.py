"""A smoke test for privacy: `audit` as a learner calls it, on two inputs that differ in one user, by one plan of play.

If the policy is (ε, δ)-private, no event in what it selects can be more than e^ε times (and δ) likelier on one input
than on the other. Counts give a lower bound on ε, by exact intervals for both probabilities (Clopper & Pearson 1934).
They can refute a claim. They cannot prove one: other inputs, longer runs or rarer events may tell more.
"""

from typing import Any

from dpbandits.algorithms.catalogue import as_algorithm
from dpbandits.algorithms.record import Algorithm
from dpbandits.auditing.floor import Floor, audit
from dpbandits.auditing.plays import Plan
from dpbandits.environments import Instance
from dpbandits.parameters import HORIZON
from dpbandits.privacy.audit import CONFIDENCE


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
    long: bool = False,
    **parameters: Any,
) -> Floor:
    """Lower bound on the ε of what `policy` selects in `horizon` rounds: on one input the user of round `changed` likes
    everything, on its neighbour nothing; all other users are the same.

    policy: a function with a kernel's signature, a claim() or a name; it must take its rewards by
    `streams.environment.random() < means[arm]`, one number a reward, and nothing else from there. instance: a name or
    an Instance, by default a small one; of choices with equal regret the onlooker sees no difference. others: the other
    users like "nothing", "everything", or "some things" (drawn once). long: any number of rounds; the changed user is
    the first, and all others like things at random, anew in each run. trials: runs on each input. parameters: of policy
    and instance. A per-selection claim is compared with what is seen up to the selection after the change alone. Raises
    ValueError for bad input.
    """
    record = as_algorithm(policy)
    horizon = HORIZON.check(horizon)
    plan = Plan(horizon, changed, others, long)
    return audit(
        record, instance, horizon=horizon, trials=trials, seed=seed, confidence=confidence, plan=plan, **parameters
    )
