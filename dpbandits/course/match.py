"""One policy's games, played in its own process: what it promises, whether it peeks, what it loses, what it tells.

The league (league.py) asks one question a time, by a cell that prints `answer(policy, question)`.
"""

import json
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from dpbandits.algorithms.catalogue import as_algorithm
from dpbandits.algorithms.record import Algorithm
from dpbandits.auditing.plays import OTHERS
from dpbandits.auditing.scripted import LARGEST, Scripted
from dpbandits.environments import build
from dpbandits.own.smoke import smoke_test
from dpbandits.privacy.audit import CONFIDENCE
from dpbandits.randomness import Streams, seed_sequence, streams
from dpbandits.statements.tools import final_regret

MARK = "league:"  # what an answer's line begins with
#: Two problems with the best arm elsewhere; all gaps differ, so that what a round lost names its arm.
PEEKS = ((0.5, 0.31, 0.2), (0.2, 0.5, 0.31))
PEEK_ROUNDS = 100


def answer(policy: str | Algorithm | Callable, question: dict[str, Any]) -> str:
    """A line of JSON: {"said": ...}, or {"wrong": sentence} where the policy cannot be played."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # plain Python is slow, and allowed
            said = {"said": _ASKED[question.pop("ask")](policy, **question)}
    except Exception as error:  # noqa: BLE001 - whatever somebody's policy raises
        said = {"wrong": f"{type(error).__name__}: {error}"[:500]}
    return MARK + json.dumps(said)


def describe(policy, settings: dict[str, float]) -> dict:
    """Name, setting, label and the parameters played with: those of `settings` that it takes."""
    record = as_algorithm(policy)
    given = _own(record, settings)
    guarantee = record.guarantee(record.bind(given))
    return {
        "name": record.name,
        "setting": record.setting,
        "guarantee": guarantee.as_dict(),
        "note": guarantee.note,
        "parameters": given,
        "peeks": peeks(record, given) if record.setting == "stochastic" else None,
    }


def peeks(record: Algorithm, given: dict[str, float]) -> str:
    """Why it does not play by the rules: it knows the means, or tells a regret that no arm has. Empty where it does.

    The rewards of every round are told beforehand, the same on two problems. A policy that learns from rewards alone
    then plays the same arms on both, whatever their means are.
    """
    sequences = []
    for means in PEEKS:
        gaps = max(means) - np.array(means)
        rng = np.random.default_rng(1)
        told = Scripted(np.where(rng.random(PEEK_ROUNDS) < 0.5, 0.0, LARGEST))
        own = streams(seed_sequence(0, "peek"))
        values = record.bind(given)
        rounds = np.arange(1, PEEK_ROUNDS + 1)
        regret, _ = record.run(
            (np.array(means),), PEEK_ROUNDS, rounds, Streams(told.generator, own.policy, own.noise), values
        )
        away = np.abs(np.diff(np.asarray(regret, float), prepend=0.0)[:, None] - gaps)
        if away.min(axis=1).max() > 1e-9:
            return "it reports a regret that no arm has"
        sequences.append(away.argmin(axis=1))
    return "" if np.array_equal(*sequences) else "it plays other arms on other means though all rewards are the same"


def play(policy, settings: dict[str, float], instance: str, own: dict, horizon: int, runs: int, seed: int) -> dict:
    """Mean regret at the end, and its standard error (None of one run)."""
    record = as_algorithm(policy)
    given = {"horizon": horizon, "runs": runs, "seed": seed, **_own(record, settings)}
    mean, error = final_regret(record, build(instance, **own), **given)
    return {"mean": mean, "stderr": error if runs > 1 else None}


def test(policy, settings: dict[str, float], horizon: int, trials: int, seed: int) -> dict:
    """What an onlooker of `horizon` rounds finds out: the largest lower bound on ε at the δ of the claim, over several
    pairs of inputs, which share the trials and the chance of a false alarm.
    """
    record = as_algorithm(policy)
    others = [kind for kind in OTHERS.choices if record.setting != "cascade" or kind != "some things"]
    pairs = [{"changed": changed, "others": kind} for changed in (1, 2, 3) for kind in others]
    confidence = 1 - (1 - CONFIDENCE.default) / len(pairs)
    given = {"horizon": horizon, "trials": max(8, trials // len(pairs)), "seed": seed, "confidence": confidence}
    found = [smoke_test(record, **given, **pair, **_own(record, settings)) for pair in pairs]
    most = max(found, key=lambda floor: floor.epsilon)
    return {
        "epsilon": most.epsilon,
        "refuted": any(floor.refuted for floor in found),
        "confidence": CONFIDENCE.default,
        "event": most.witness,
    }


def _own(record: Algorithm, settings: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in settings.items() if name in {p.name for p in record.all_parameters}}


_ASKED = {"describe": describe, "play": play, "test": test}
