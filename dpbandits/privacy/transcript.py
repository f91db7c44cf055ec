"""Per selection or for the whole transcript: what re-using one reward in every later round adds up to.

Wang & Zhu's Definition 1 compares one selection under two histories that differ in one reward. But a perturbed leader
draws θ from that reward in every later round, and an observer sees all selections. Two views of that:
- `composed_totals`: what composition rules promise for all θ of the arm together;
- `transcript_loss`: what the selections themselves tell, ln P(selections | rewards) − ln P(selections | one reward
  flipped),
  in simulated runs, and from it the δ that the transcript really needs at a given ε.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpbandits.mechanisms import composition
from dpbandits.mechanisms.gaussian import delta_from_mu, epsilon_from_mu
from dpbandits.mechanisms.perturbations import LAWS, PULLS, check_pair, pulls_needed_beta, pulls_needed_gauss
from dpbandits.parameters import HORIZON, MEANS, RUNS, SEED, Parameter, check_all, unknown
from dpbandits.privacy.selection import BetaDuel, selection_probabilities
from dpbandits.randomness import run_seed, seed_sequence

START = Parameter("start", "pulls of every arm before the first draw", kind="integer", low=1)


def start_pulls(law: str, epsilon: float, delta: float) -> int | float:
    """Pulls of every arm before the first draw: ⌈N_G*⌉, ⌈N_B*⌉, at least 1; 1 for "new" and "beta-plain". Infinite if δ
    = 0 forbids the law.
    """
    if law not in LAWS:
        raise ValueError(unknown("law", law, LAWS))
    needed = {"gauss": pulls_needed_gauss, "beta": pulls_needed_beta}.get(law, lambda *_: 1.0)(epsilon, delta)
    return math.inf if needed == math.inf else max(1, math.ceil(needed))


def composed_totals(law: str, pulls, epsilon: float, delta: float, slack: float = 1e-6) -> dict[str, composition.Loss]:
    """(ε, δ) of all θ that re-use one reward, by rule, when each draw is (epsilon, delta).

    pulls: N_i of its arm at each of those draws, shape (rounds,): every round after the start phase is one, played or
    not.
    Rules: "basic"; for ε > 0 "advanced" and "optimal" (the best possible from (ε, δ) alone), which spend `slack` > 0
    more; for "gauss" "gaussian": a draw of N(m̂, 2/N) is μ = 1/√(2N) and all are sqrt(Σ μ²) together, given as the δ at
    `epsilon`, and "gaussian-epsilon", the same as the ε at `delta`. A δ of 1 promises nothing (ε may be infinite
    there).
    """
    if law not in LAWS:
        raise ValueError(unknown("law", law, LAWS))
    epsilon, delta = check_pair(epsilon, delta)
    pulls = np.atleast_1d(np.asarray(pulls, float))
    PULLS.check(float(pulls.min()))
    count = pulls.size
    totals = {"basic": composition.Loss(count * epsilon, min(1.0, count * delta))}
    if epsilon > 0 and delta < 1:
        totals["advanced"] = composition.advanced(epsilon, count, slack, delta)
        total = -math.expm1(count * math.log1p(-delta) + math.log1p(-slack))
        best = composition.optimal_epsilon(total, epsilon, count, delta) if total < 1 - 1e-15 else math.inf
        totals["optimal"] = composition.Loss(best, total)
    if law == "gauss":
        mu = math.sqrt(float(np.sum(1 / (2 * pulls))))
        totals["gaussian"] = composition.Loss(epsilon, float(delta_from_mu(epsilon, mu)))
        if 0 < delta < 1:
            totals["gaussian-epsilon"] = composition.Loss(epsilon_from_mu(delta, mu), delta)
    return totals


@dataclass(frozen=True)
class TranscriptLoss:
    """Realised privacy loss of simulated transcripts about one flipped reward.

    rounds: checkpoints, shape (points,). loss: ln P(selections up to there | rewards) − ln P(... | one reward flipped),
    shape (runs, points); infinite once a selection was impossible under the flipped reward. largest: the largest
    |loss| of a single selection so far, shape (runs, points). mu: for "gauss", sqrt(Σ 1/(2N)) of all θ drawn so far
    from the flipped arm, shape (runs, points), else None. start: pulls of every arm in the start phase.
    """

    law: str
    epsilon: float
    delta: float
    start: float
    rounds: np.ndarray
    loss: np.ndarray
    largest: np.ndarray
    mu: np.ndarray | None

    def divergence(
        self, epsilon: float | None = None, confidence: float = 0.95
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(estimate, low, high) of the transcript's δ at `epsilon` (default: the nominal one), at each checkpoint.

        The hockey-stick divergence is E[max(0, 1 − e^{ε − loss})]. The interval at each checkpoint is the empirical
        Bernstein bound (Maurer & Pontil 2009, Theorem 4, both sides), valid for any law of the loss and any number of
        runs. Rewards are drawn afresh in each run, so this is the average over data sets: the worst one needs at least
        as much.
        """
        excess = np.clip(-np.expm1((self.epsilon if epsilon is None else epsilon) - self.loss), 0, 1)
        runs, log = excess.shape[0], math.log(4 / (1 - confidence))
        estimate = excess.mean(axis=0)
        if runs == 1:
            return estimate, np.zeros_like(estimate), np.ones_like(estimate)
        width = np.sqrt(2 * excess.var(axis=0, ddof=1) * log / runs) + 7 * log / (3 * (runs - 1))
        return estimate, np.clip(estimate - width, 0, 1), np.clip(estimate + width, 0, 1)


def transcript_loss(
    law: str,
    means,
    *,
    horizon: int,
    epsilon: float,
    delta: float,
    start: int | None = None,
    runs: int = 200,
    seed: int = 0,
    points: int = 60,
) -> TranscriptLoss:
    """Play "follow the perturbed leader" and track what its selections tell about the very first reward of arm 0.

    law: "gauss", "beta", "new" (Wang & Zhu 2024, Algorithms 1 to 3) or "beta-plain". means: Bernoulli means, at least
    two.
    start: pulls of every arm before the first draw, default that of the paper. That phase does not depend on rewards,
    so arm 0 surely has a first reward, and selections tell nothing before its end. Each selection is drawn from its
    exact probabilities, computed under both histories. Two Gaussian or Beta arms are fast; "new" and more arms take a
    quadrature a round. A horizon that ends inside the start phase gives loss 0.
    """
    epsilon, delta = check_pair(epsilon, delta)
    given = {"means": means, "horizon": horizon, "runs": runs, "seed": seed}
    given = check_all((MEANS, replace(HORIZON, low=3), RUNS, SEED), given, "transcript_loss")
    means, horizon, runs = np.array(given["means"]), given["horizon"], given["runs"]
    pulled = start_pulls(law, epsilon, delta) if start is None else START.check(start)
    each, arms = int(min(pulled, horizon)), means.size
    cell = seed_sequence(given["seed"], "transcript", law, epsilon, delta, pulled)
    rng = np.random.Generator(np.random.SFC64(run_seed(cell, 0)))

    first = rng.random(runs) < means[0]
    totals = rng.binomial(each - np.eye(1, arms, dtype=int), means, (runs, arms)).astype(float)
    totals[:, 0] += first
    totals = np.stack((totals, totals))  # the history as it is, and with the first reward of arm 0 flipped
    totals[1, :, 0] += 1 - 2 * first
    pulls = np.full((runs, arms), float(each))
    duel = BetaDuel(law, np.broadcast_to(pulls, totals.shape), totals) if arms == 2 and law.startswith("beta") else None

    rounds = np.unique(np.geomspace(min(each * arms + 1, horizon), horizon, points).astype(int))
    loss, largest, squares = (np.zeros((runs, rounds.size)) for _ in range(3))
    lost, most, square, everyone = np.zeros(runs), np.zeros(runs), np.zeros(runs), np.arange(runs)
    for t in range(each * arms + 1, horizon + 1):
        p = duel.probabilities if duel else selection_probabilities(law, pulls, totals, epsilon, delta, horizon)
        arm = np.minimum((p[0].cumsum(-1) <= rng.random(runs)[:, None] * p[0].sum(-1, keepdims=True)).sum(-1), arms - 1)
        with np.errstate(divide="ignore"):
            step = np.log(p[0, everyone, arm]) - np.log(p[1, everyone, arm])
        lost, most, square = lost + step, np.maximum(most, np.abs(step)), square + 1 / (2 * pulls[:, 0])
        reward = (rng.random(runs) < means[arm]).astype(int)
        if duel:
            duel.observe(arm, reward)
        pulls[everyone, arm] += 1
        totals[:, everyone, arm] += reward
        at = np.searchsorted(rounds, t)
        if rounds[at] == t:
            loss[:, at], largest[:, at], squares[:, at] = lost, most, square
    return TranscriptLoss(
        law, epsilon, delta, pulled, rounds, loss, largest, np.sqrt(squares) if law == "gauss" else None
    )
