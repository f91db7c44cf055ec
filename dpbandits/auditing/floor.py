"""audit(): an ε that is refuted by counting, for everything that a watcher sees.

Two neighbouring inputs, many runs of each, one event: if it is likelier on one of them than e^ε times on the other, and
more than δ so, then ε is refuted. Exact intervals (Clopper & Pearson 1934) make the bound hold with the stated
confidence: a claim that is true is refuted with probability at most 1 − confidence. Nothing is ever proved by it.

How an algorithm is watched: it is played against given rewards (plays.py), where its own kernel takes many at once by
another of the same law; or one user's messages are drawn; or, for a perturbed leader, the likelihood of each transcript
is computed, and the event is that its logarithm exceeds some c.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpbandits.algorithms.catalogue import as_algorithm
from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.stochastic.duel import many_duels
from dpbandits.auditing import plays
from dpbandits.auditing.accountant import DELTA_TOTAL
from dpbandits.auditing.plays import TRIALS, Plan, Seen
from dpbandits.environments import Instance
from dpbandits.parameters import HORIZON, SEED
from dpbandits.privacy import Guarantee
from dpbandits.privacy.audit import CONFIDENCE, Audit, Finding, best_view, clopper_pearson
from dpbandits.privacy.transcript import transcript_loss
from dpbandits.privacy.watching import Duel, Messages, OneByOne, Unwatchable
from dpbandits.randomness import seed_sequence
from dpbandits.simulation import cells_for

ROUNDS = (10, 20, 60)  # how long a policy is played, as far as its horizon and the numbers that can be told allow
DUEL_ROUNDS = 10**6  # rounds of a duel at most, and of a slower one
SLOW_DUEL_ROUNDS = 1500
BINS = 60  # of a message
SEARCHED = (
    0.9  # confidence at which plans are compared on few runs; what is counted then has runs and a level of its own
)
NUMBERS = 2 * 10**8  # rounds of all duels together


@dataclass(frozen=True)
class Likely:
    """A transcript whose loss exceeds `threshold` c, in `hits` of `trials` runs: under the neighbour that is e^c
    times rarer.

    Q(loss > c) = E_P[e^−loss; loss > c] <= e^−c P(loss > c), so P − e^ε Q > δ for every ε < c + ln(1 − δ/P).
    """

    threshold: float
    hits: int
    trials: int
    confidence: float

    def epsilon(self, delta: float = 0.0) -> float:
        """No smaller ε is possible at this δ, with `confidence`."""
        if not self.hits:
            return 0.0
        low = clopper_pearson(self.hits, self.trials, 1 - 2 * (1 - self.confidence))[0]
        return max(0.0, self.threshold + math.log1p(-delta / low)) if low > delta else 0.0


@dataclass(frozen=True)
class Floor:
    """What counting found about `name`, whose label is `guarantee`.

    delta: δ of the bound. audit: the counts. witness: the event, as the beginning of a sentence. neighbours: the two
    inputs in words. rounds: how many were watched. single: whether only what a per-selection claim is about.
    finding: the event itself, where one was searched for. silent: whether both inputs led to one and the same
    transcript in all runs. note: what a reader must know besides.
    """

    name: str
    guarantee: Guarantee
    delta: float
    trials: int
    confidence: float
    audit: Audit | Likely | None
    witness: str
    neighbours: str
    rounds: int
    finding: Finding | None = None
    silent: bool = False
    note: str = ""
    changed: int = 1
    single: bool = False

    def epsilon_at(self, delta: float) -> float:
        """No smaller ε is possible at this δ, with the audit's confidence; 0 where nothing is known."""
        return self.audit.epsilon(delta) if self.audit else 0.0

    @property
    def epsilon_at_least(self) -> float:
        """The bound at `delta`."""
        return self.epsilon_at(self.delta)

    @property
    def epsilon(self) -> float:
        """The bound at the δ of the claim (0 where none is claimed)."""
        return self.epsilon_at(claimed_delta(self.guarantee))

    @property
    def refuted(self) -> bool:
        """Whether the bound exceeds the label. Where nothing is claimed, nothing can be refuted."""
        comparable = self.single or self.guarantee.scope != "per-selection"
        return comparable and self.epsilon > self.guarantee.epsilon

    def __bool__(self) -> bool:
        return not self.refuted

    @property
    def selections(self) -> str:
        """The event, as the beginning of a sentence."""
        return self.witness

    @property
    def needed(self) -> str:
        """How many trials could refute the label, where these could not: a sentence, empty where the question is
        settled.
        """
        claimed, delta = self.guarantee.epsilon, claimed_delta(self.guarantee)
        if self.refuted or not isinstance(self.audit, Audit) or not math.isfinite(claimed):
            return ""
        p, q = self.audit.hits / self.audit.trials, self.audit.other_hits / self.audit.other_trials
        if self.silent or p - delta <= math.exp(min(claimed, 700.0)) * q:
            return "In these runs the event is not too frequent, so more of them would not refute the label by it."
        n = self.audit.trials
        while Audit(round(n * p), n, round(n * q), n, self.confidence).epsilon(delta) <= claimed and n < 10**12:
            n *= 2
        return f"It cannot decide: if these frequencies are right, about {2 * n:,} trials would refute the label."

    def as_dict(self) -> dict:
        """The contract of `dpbandits privacy --audit`."""
        return {
            "epsilon_at_least": self.epsilon_at_least,
            "delta": self.delta,
            "confidence": self.confidence,
            "trials": self.trials,
            "witness": self.witness or None,
            "neighbours": self.neighbours,
            "rounds": self.rounds,
            "refutes_label": self.refuted,
            "note": " ".join(part for part in (self.note, self.needed) if part),
        }

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.guarantee.label}"]
        if self.audit is None:
            return "\n".join([*lines, f"Not audited: {self.note}"])
        if self.silent:
            more = ", or change a later round" if self.guarantee.scope == "per-selection" else ""
            silence = (
                "It selected the same in all runs, on both inputs: so early nothing can be seen."
                f" Raise horizon, shorten its start{more}."
            )
            return "\n".join([*lines, silence])
        at = f" at δ = {self.delta:g}" if self.delta else ""
        lines += [f"{self.witness}: {self._counted(self.audit)}."]
        lines += [f"So ε >= {self.epsilon_at_least:.3g}{at}, with confidence 1 - {1 - self.confidence:.0e}."]
        if self.refuted:
            lines.append(f"REFUTED: it claims ε = {self.guarantee.epsilon:.3g}.")
        elif self.guarantee.scope in ("none", "unknown"):
            lines.append("It claims nothing, so nothing is refuted.")
        elif self.guarantee.scope == "per-selection" and not self.single:
            lines.append("The label speaks of a single selection, this bound of all of them: it refutes nothing.")
        else:
            lines.append(
                f"Not refuted: it claims ε = {self.guarantee.epsilon:.3g}."
                " That is no proof: other inputs or longer runs may tell more."
            )
        return "\n".join([*lines, self.note] if self.note else lines)

    def _counted(self, audit: Audit | Likely) -> str:
        if isinstance(audit, Likely):
            return f"in {audit.hits:,} of {audit.trials:,} runs"
        p, q = audit.hits / audit.trials, audit.other_hits / audit.other_trials
        if self.finding and not self.neighbours.startswith("user"):
            return f"in {p:.4f} of the runs, against {q:.4f} on the neighbour ({self.neighbours})"
        likes = ("everything", "nothing")[:: -1 if self.finding and self.finding.swapped else 1]
        return f"in {p:.4f} of the runs if user {self.changed} likes {likes[0]}, {q:.4f} if {likes[1]}"


def claimed_delta(guarantee: Guarantee) -> float:
    """The claimed δ; 0 where nothing is claimed."""
    return 0.0 if guarantee.scope in ("none", "unknown") else guarantee.delta


def audit(
    algorithm: str | Algorithm | Callable,
    instance: str | Instance | None = None,
    *,
    horizon: int = ROUNDS[-1],
    delta_total: float | None = None,
    trials: int = 10_000,
    seed: int = 0,
    confidence: float = CONFIDENCE.default,
    plan: Plan | None = None,
    **parameters: object,
) -> Floor:
    """A lower bound on the ε of everything that a watcher of `horizon` rounds sees, by counting: the floor.

    algorithm: a name, a record, a claim or a function, of any setting. instance: a name or an Instance, by default
    a small one. delta_total: the δ of the bound, by default that of the label (0 where nothing is claimed).
    trials: runs on each of two neighbouring inputs that count; a third as many more search for inputs and an
    event. plan: how to play, where one plan is wanted. An algorithm is watched for at most `horizon` rounds;
    `rounds` says for how many. parameters: whatever algorithm or instance take. Raises ValueError for bad input.
    """
    record = as_algorithm(algorithm)
    horizon, trials, seed = HORIZON.check(horizon), TRIALS.check(trials), SEED.check(seed)
    confidence = CONFIDENCE.check(confidence)
    if delta_total is not None:
        delta_total = DELTA_TOTAL.check(delta_total)
    instance = plays.small(record) if instance is None else instance
    (cell,) = cells_for([record], instance, parameters, horizon=horizon, checkpoints=np.array([horizon]), seed=seed)
    watch = record.watch(cell.parameters, cell.instance, horizon) if record.watch else None
    guarantee = record.guarantee(cell.parameters, cell.instance, horizon)
    delta = claimed_delta(guarantee) if delta_total is None else delta_total
    about: dict[str, Any] = {
        "name": record.name,
        "guarantee": guarantee,
        "delta": delta,
        "trials": trials,
        "confidence": confidence,
    }
    if isinstance(watch, Unwatchable):
        return Floor(**about, audit=None, witness="", neighbours="", rounds=0, note=watch.reason)
    if isinstance(watch, Messages):
        return _of_messages(watch, about, seed)
    if isinstance(watch, Duel):
        return _of_duels(watch, about, horizon, cell.parameters, cell.instance.facts["arms"], seed)
    if isinstance(watch, OneByOne):
        record = replace(record, function=watch.kernel, methods={})
    single = guarantee.scope == "per-selection" and delta_total is None
    return _of_plays(record, instance, parameters, about, horizon, seed, plan, single)


def _of_plays(
    record, instance, parameters, about: dict[str, Any], horizon: int, seed: int, plan: Plan | None, single: bool
) -> Floor:
    """Try several plans on few runs, count the best one on fresh ones."""
    delta, confidence, trials = about["delta"], about["confidence"], about["trials"]
    plans = [plan] if plan else _plans(record, instance, parameters, horizon, seed)
    if len(plans) > 1:
        few = max(8, trials // (3 * len(plans)))
        found = []
        for number, one in enumerate(plans):
            seen = plays.play(record, instance, parameters, one, few, seed + 10_007 * (number + 1))
            found.append(best_view(seen.views(0), seen.views(1), delta, SEARCHED).audit.epsilon(delta))
        plan = plans[int(np.argmax(found))]
    else:
        (plan,) = plans
    seen = plays.play(record, instance, parameters, plan, trials, seed)
    if single:
        seen = claim_view(seen, plan)
    finding = best_view(seen.views(0), seen.views(1), delta, confidence)
    return _floor(about, finding, seen.silent, plan, single)


def claim_view(seen: Seen, plan: Plan) -> Seen:
    """What a per-selection claim is about: the selection after the change, and those before it."""
    return replace(seen, codes=seen.codes[:, :, : plan.changed + 1])


def _floor(about: dict[str, Any], finding: Finding, silent: bool, plan: Plan, single: bool) -> Floor:
    others = {"nothing": "all others like nothing", "everything": "all others like everything"}
    rest = "all others like things at random" if plan.long or plan.others == "some things" else others[plan.others]
    words = f"user {plan.changed} likes everything, or nothing; {rest}"
    return Floor(
        **about,
        audit=finding.audit,
        witness=plays.in_words(finding),
        neighbours=words,
        rounds=plan.rounds,
        finding=finding,
        silent=silent,
        changed=plan.changed,
        single=single,
    )


def _plans(record, instance, parameters, horizon: int, seed: int) -> list[Plan]:
    """All plans that fit, without repetition."""
    cell = plays._cell(record, instance, parameters, 1, seed)
    each = plays.numbers_a_round(cell.instance)
    most = max(1, (plays.MOST - plays.free_numbers(cell, each)) // each)
    lengths = sorted({min(horizon, most, rounds) for rounds in ROUNDS})
    return [Plan(rounds, 1, others) for rounds in lengths for others in ("nothing", "everything")]


def _of_messages(watch: Messages, about: dict[str, Any], seed: int) -> Floor:
    """One user's reports under two feedbacks: how many there are, and where the first, or the sum, lies."""
    rng = np.random.default_rng(seed_sequence(seed, "messages", about["name"]))
    drawn = [watch.draw(rng, about["trials"], which) for which in (0, 1)]
    sent = [(~np.isnan(d)).sum(axis=1) for d in drawn]
    numbers = {
        "the first report": [d[:, 0] for d in drawn],
        "the sum of the reports": [np.nansum(d, axis=1) for d in drawn],
    }
    views: list[dict[str, np.ndarray]] = [{"the number of reports": count} for count in sent]
    above = [np.nansum(d > 0.5, axis=1) for d in drawn]
    for world in (0, 1):
        views[world]["how many reports are above 1/2"] = above[world]
    for name, (first, second) in numbers.items():
        edges = np.quantile(np.concatenate((first[::4], second[::4])), np.linspace(0, 1, BINS + 1)[1:-1])
        for world, values in enumerate((first, second)):
            views[world][name] = np.searchsorted(edges, values)
    finding = best_view(views[0], views[1], about["delta"], about["confidence"])
    likes = watch.words[:: -1 if finding.swapped else 1]
    if finding.view.startswith(("the number", "how many")):
        witness = f"{finding.view[0].upper()}{finding.view[1:]}: {' or '.join(str(o[0]) for o in finding.outcomes)}"
    else:
        witness = f"{finding.view[0].upper()}{finding.view[1:]} lies in one of {len(finding.outcomes)} of {BINS} ranges"
    return Floor(
        **about,
        audit=finding.audit,
        witness=witness,
        neighbours=f"the user's feedback is {likes[0]}, or {likes[1]}",
        rounds=1,
        finding=finding,
    )


def _of_duels(watch: Duel, about: dict[str, Any], horizon: int, parameters, arms: int, seed: int) -> Floor:
    """Loss of simulated transcripts, all likelihoods exact. Half of the runs choose the threshold, the other half
    counts.
    """
    trials, begin = about["trials"], 2 * watch.start
    words = "the first reward of arm 0 is 1, or 0; both arms have mean 1/2"
    fast = watch.law in ("gauss", "new")
    allowed = DUEL_ROUNDS if fast else SLOW_DUEL_ROUNDS
    rounds = min(horizon, begin + max(1, min(allowed, NUMBERS // trials)))
    if rounds <= begin:
        note = "The horizon ends before an arm is chosen from data."
        return Floor(**about, audit=None, witness="", neighbours=words, rounds=horizon, silent=True, note=note)
    loss, rounds = duel_loss(watch, horizon, rounds, parameters, trials, seed)
    threshold = _threshold(loss[::2], about["delta"], about["confidence"])
    counted = loss[1::2]
    audit = Likely(threshold, int((counted > threshold).sum()), counted.size, about["confidence"])
    witness = (
        f"The selections of {rounds:,} rounds are more than e^{threshold:.3g} times likelier than on the neighbour"
    )
    notes = ["Two arms are played, whatever the instance."] if arms != 2 else []
    notes += [f"Watched for the first {rounds:,} of {horizon:,} rounds."] if rounds < horizon else []
    return Floor(**about, audit=audit, witness=witness, neighbours=words, rounds=rounds, note=" ".join(notes))


def duel_loss(watch: Duel, horizon: int, rounds: int, parameters, trials: int, seed: int) -> tuple[np.ndarray, int]:
    """Losses of `trials` transcripts of the first `rounds` rounds, shape (trials,), and how many rounds they have."""
    if watch.law == "beta":
        found = transcript_loss(
            "beta", (0.5, 0.5), horizon=rounds, epsilon=parameters["epsilon"], delta=parameters["delta"],
            start=watch.start, runs=trials, seed=seed, points=2,
        )  # fmt: skip
        return found.loss[:, -1], rounds
    rng = np.random.Generator(np.random.SFC64(seed_sequence(seed, "duel", watch.law, watch.start)))
    epsilon = parameters["epsilon"] if watch.law == "new" else 0.0
    losses = many_duels(watch.start, horizon, epsilon, np.array([rounds]), rng, trials)
    return losses[:, 0], rounds


def _threshold(loss: np.ndarray, delta: float, confidence: float) -> float:
    """The c whose event gives the largest bound, with fewer hits than in these very runs, by a deviation: other runs
    may be less lucky.
    """
    ordered = np.sort(loss)[::-1]
    hits = np.unique(np.geomspace(1, loss.size, 200).astype(int))
    hits = hits[hits < loss.size]
    sure = np.floor(np.maximum(0, hits - np.sqrt(hits))).astype(int)
    found = [
        Likely(float(ordered[n]), int(few), loss.size, confidence).epsilon(delta)
        for n, few in zip(hits, sure, strict=True)
    ]
    return float(ordered[hits[int(np.argmax(found))]])
