"""A league: every submitted policy plays the same hidden instances, and its claim is tried.

Each submission runs in a process of its own, as graded work does (player.py): it cannot write outside its folder, nor
read the others. It does compute its own regret, as every kernel of this package does; a test with told rewards finds
who looks at the means, and flags name code that a policy has no use for.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits.auditing.plays import TRIALS
from dpbandits.course.collect import LITTER
from dpbandits.course.flags import in_source
from dpbandits.course.match import MARK, answer
from dpbandits.environments import build
from dpbandits.parameters import HORIZON, RUNS, SEED, Parameter, check_all

POLICY = "policy"  # what a submission defines
_ASK = "print(dpbandits.course.match.answer({}, {!r}))"
ALLOWED = "a part of the workbook"  # no reason for a flag here: claim() is one
EPSILON = Parameter("epsilon", "what policies with this parameter get", 1.0, low=1e-6, high=1e6)
DELTA = Parameter("delta", "what policies with this parameter get", 1e-6, low=0, high=1, open_high=True)

#: What each setting is played on: family, and how its parameters come from a generator.
GROUNDS: dict[str, tuple[tuple[str, Callable[[np.random.Generator], dict]], ...]] = {
    "stochastic": tuple(("bernoulli", lambda rng, arms=arms: {"means": _means(rng, arms)}) for arms in (2, 5, 9)),
    "cascade": tuple(
        ("cascade", lambda rng, items=items: {"attraction": _means(rng, items), "list_size": 2}) for items in (5, 8)
    ),
    "semi-bandit": tuple(
        ("top-k", lambda rng, items=items: {"means": _means(rng, items), "list_size": 2}) for items in (5, 8)
    ),
    "matroid": tuple(
        ("uniform-matroid", lambda rng, items=items: {"means": _means(rng, items), "list_size": 2}) for items in (5, 8)
    ),
}
#: Ours, for comparison: one that promises nothing, and some that do.
OURS = {
    "stochastic": ("ucb1", "dp-se", "adap-ucb", "dp-ftpl-gauss"),
    "cascade": ("cascade-ucb1", "cascade-dp-lazy"),
    "semi-bandit": ("cucb", "cucb-dp-lazy"),
    "matroid": ("omm", "dpucb-mat"),
}


@dataclass
class Team:
    """One submission, or one of ours. shares: of what uniform play loses, one a hidden instance; wrong: why it is out;
    flags: what a teacher may want to look at.
    """

    who: str
    name: str = ""
    setting: str = ""
    ours: bool = False
    guarantee: dict[str, Any] = field(default_factory=dict)
    games: list[dict] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    tried: dict[str, Any] = field(default_factory=dict)
    wrong: str = ""
    flags: list[str] = field(default_factory=list)

    @property
    def refuted(self) -> bool:
        """Whether the audit found more than the claim allows."""
        return bool(self.tried.get("refuted"))

    @property
    def share(self) -> float:
        """Mean share of what uniform play loses; infinite where it did not play to the end."""
        return float(np.mean(self.shares)) if self.shares and not self.wrong else math.inf


@dataclass(frozen=True)
class League:
    """All teams, best first in each setting: who stands, then whose claim is refuted, then who could not play."""

    teams: tuple[Team, ...]
    grounds: dict[str, tuple[str, ...]]
    settings: dict[str, Any]
    left_out: tuple[str, ...]


def submissions(folder: Path) -> tuple[list[tuple[str, Path]], list[str]]:
    """(name, file) of each submission below `folder`: a notebook or Python file; and what was passed over, with why."""
    found: dict[str, Path] = {}
    left_out = []
    for path in sorted(folder.rglob("*")):
        trail = path.relative_to(folder)
        if LITTER.search(trail.as_posix()) or path.is_dir():
            continue
        if path.is_symlink() or path.suffix not in (".py", ".ipynb"):
            left_out.append(f"{trail}: it is no notebook or Python file")
            continue
        found[trail.with_suffix("").as_posix()] = path
    alone = {name.split("/")[0] for name in found}
    if len(alone) == len(found):  # one file a folder: the folder is the name
        found = {name.split("/")[0]: path for name, path in found.items()}
    return list(found.items()), left_out


def cells(path: Path) -> list[str]:
    """The code of a submission, cell by cell. Raises ValueError where it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            return [text]
        source = [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        return ["".join(lines) for lines in source]
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ValueError(f"it cannot be read as a notebook or Python file ({type(error).__name__})") from None


def play(
    folder: Path,
    *,
    horizon: int = 10_000,
    runs: int = 20,
    seed: int = 0,
    trials: int = 10_000,
    epsilon: float = 1.0,
    delta: float = 1e-6,
    tell: Callable[[str], None] = lambda _: None,
) -> League:
    """Play all submissions of `folder` on instances drawn by `seed`, beside some of ours.

    A submission defines `policy`: a function with a kernel's arguments, or a claim() of one. Those of its parameters
    that are called epsilon or delta get these values. tell: is told each step. Raises ValueError for bad input.
    """
    settings = check_all((EPSILON, DELTA), {"epsilon": epsilon, "delta": delta}, "league")
    given = {"horizon": horizon, "runs": runs, "seed": seed, "trials": trials}
    games = check_all((HORIZON, RUNS, SEED, TRIALS), given, "league")
    trials = games.pop("trials")
    found, left_out = submissions(folder)
    if not found:
        raise ValueError(f"DIR = {str(folder)!r} is not allowed: it holds no notebook or Python file.")
    teams = []
    for who, path in found:
        tell(f"{who} plays")
        teams.append(_submitted(who, path, folder, settings, games, trials))
    for setting in dict.fromkeys(team.setting for team in teams if team.setting):
        for own in OURS[setting]:
            tell(f"{own} plays")
            teams.append(_ours(own, setting, settings, games))
    order = list(GROUNDS)
    teams.sort(
        key=lambda t: (order.index(t.setting) if t.setting else len(order), bool(t.wrong), t.refuted, t.share, t.who)
    )
    grounds = {s: tuple(build(n, **own).label for n, own in hidden(s, games["seed"])) for s in order}
    return League(tuple(teams), grounds, {**games, "trials": trials, **settings}, tuple(left_out))


def hidden(setting: str, seed: int) -> list[tuple[str, dict]]:
    """The instances that `seed` draws for a setting: (family, parameters)."""
    rng = np.random.default_rng([seed, list(GROUNDS).index(setting)])
    return [(family, draw(rng)) for family, draw in GROUNDS[setting]]


def _means(rng: np.random.Generator, arms: int) -> tuple[float, ...]:
    """Means in [0.1, 0.9], to three digits, of which the best is at least 0.05 ahead."""
    means = rng.uniform(0.1, 0.8, arms)
    means[rng.integers(arms)] = means.max() + rng.uniform(0.05, 0.1)
    return tuple(float(m) for m in means.round(3))


def _submitted(who: str, path: Path, folder: Path, settings: dict, games: dict, trials: int) -> Team:
    """A submission's games, each asked for in its own process; what fails is told in `wrong`."""
    from dpbandits.course.player import Student

    team = Team(who)
    try:
        sources = cells(path)
    except ValueError as error:
        team.wrong = str(error)
        return team
    team.flags = [f"line {line}: {why}" for source in sources for line, why in in_source(source) if ALLOWED not in why]
    with Student(hidden=[folder]) as student:
        errors = [done["error"] for source in sources if (done := student.run(source))["error"]]

        def ask(question: dict) -> dict:
            done = student.run(f"import dpbandits.course.match\n{_ASK.format(POLICY, question)}", again=False)
            lines = [line for line in done["stdout"].splitlines() if line.startswith(MARK)]
            if lines:
                return json.loads(lines[-1].removeprefix(MARK))
            error = done["error"] or {"name": "Stopped", "value": "it ended before its time"}
            if error["name"] == "NameError" and POLICY in error["value"] and errors:
                error = errors[0]  # why there is none
            return {"wrong": f"{error['name']}: {error['value']}"[:500]}

        _games(team, ask, settings, games, trials)
    return team


def _ours(name: str, setting: str, settings: dict, games: dict) -> Team:
    team = Team(name, ours=True)
    _games(team, lambda question: json.loads(answer(name, question).removeprefix(MARK)), settings, games, 0)
    return team


def _games(team: Team, ask: Callable[[dict], dict], settings: dict, games: dict, trials: int) -> None:
    """Ask for label, games and test; whatever cannot be played ends it."""
    about = ask({"ask": "describe", "settings": settings})
    if "wrong" in about:
        team.wrong = about["wrong"]
        return
    said = about["said"]
    team.name, team.setting, team.guarantee = said["name"], said["setting"], said["guarantee"]
    if said["peeks"] and not team.ours:
        team.wrong = said["peeks"]
        return
    for family, own in hidden(team.setting, games["seed"]):
        done = ask({"ask": "play", "settings": settings, "instance": family, "own": own, **games})
        if "wrong" in done:
            team.wrong = f"on {build(family, **own).label}: {done['wrong']}"
            return
        team.games.append(done["said"])
        team.shares.append(done["said"]["mean"] / (build(family, **own).uniform_regret * games["horizon"]))
    if trials:
        done = ask({"ask": "test", "settings": settings, "horizon": 10, "trials": trials, "seed": games["seed"]})
        team.tried = done.get("said", {"failed": done.get("wrong", "")})
