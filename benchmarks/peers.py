"""UCB1 of other libraries, each in a virtual environment of its own (SMPyBandits needs an old numpy).

SMPyBandits is asked twice: for its policy alone, and for a whole figure by its own Evaluator, which also keeps curves.
"""

import json
import subprocess
import sys
import venv
from pathlib import Path

import platformdirs

FOLDER = Path(platformdirs.user_cache_dir("dpbandits")) / "peers"
PEERS = {
    "SMPyBandits": ["SMPyBandits==0.9.7", "numpy<1.24", "scipy<1.11", "matplotlib<3.8", "setuptools<80"],
    "MABWiser": ["mabwiser"],
}
LOOPS = {
    "SMPyBandits": (
        """
from SMPyBandits.Policies import UCB
policy = UCB(len(means))
policy.startGame()
def play(rounds):
    for t in range(rounds):
        arm = policy.choice()
        policy.getReward(arm, 1.0 if rng.random() < means[arm] else 0.0)
"""
    ),
    "MABWiser": (
        """
from mabwiser.mab import MAB, LearningPolicy
arms = list(range(len(means)))
policy = MAB(arms, LearningPolicy.UCB1(alpha=1.0))
policy.fit(decisions=arms, rewards=[1.0 if rng.random() < m else 0.0 for m in means])
def play(rounds):
    for t in range(rounds):
        arm = policy.predict()
        policy.partial_fit(decisions=[arm], rewards=[1.0 if rng.random() < means[arm] else 0.0])
"""
    ),
}
TIMER = """
import json, random, sys, time
means, rounds = json.loads(sys.argv[1]), int(sys.argv[2])
rng = random.Random(1)
{loop}
play(50)
start = time.thread_time()
play(rounds)
print("seconds", time.thread_time() - start)
"""

EVALUATOR = """
import contextlib, io, json, sys, time
means, rounds, repetitions = json.loads(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
with contextlib.redirect_stdout(io.StringIO()):
    from SMPyBandits.Arms import Bernoulli
    from SMPyBandits.Environment import Evaluator
    from SMPyBandits.Policies import UCB
    plan = {"horizon": rounds, "repetitions": repetitions, "n_jobs": 1, "verbosity": 0, "finalRanksOnAverage": True}
    plan |= {"environment": [{"arm_type": Bernoulli, "params": means}], "policies": [{"archtype": UCB, "params": {}}]}
    started = time.process_time()
    evaluator = Evaluator(plan)
    evaluator.startAllEnv()
    evaluator.getCumulatedRegret(0, 0)
    seconds = time.process_time() - started
print("seconds", seconds)
"""


def environment(name: str) -> Path:
    """The interpreter of the peer's environment, made on first use."""
    folder = FOLDER / name
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PEERS[name]], check=True)
        (folder / "complete").touch()
    return python


def time_peers(means: list[float], rounds: int = 3000) -> dict[str, float]:
    """Nanoseconds a round of each peer; one that cannot be installed is left out, with a sentence."""
    found = {}
    for name in PEERS:
        try:
            script = TIMER.format(loop=LOOPS[name])
            command = [environment(name), "-c", script, json.dumps(means), str(rounds)]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            found[name] = 1e9 * float(output.split("seconds")[-1]) / rounds
        except subprocess.CalledProcessError as error:
            print(f"{name} is left out: {(error.stderr or str(error)).strip().splitlines()[-1]}")
    return found


def time_evaluator(means: list[float], rounds: int = 3000, repetitions: int = 4) -> float | None:
    """Nanoseconds a round and run of SMPyBandits' Evaluator with UCB1; None, with a sentence, where it does not run."""
    try:
        command = [environment("SMPyBandits"), "-c", EVALUATOR, json.dumps(means), str(rounds), str(repetitions)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return 1e9 * float(output.split("seconds")[-1]) / rounds / repetitions
    except subprocess.CalledProcessError as error:
        print(f"SMPyBandits' Evaluator is left out: {(error.stderr or str(error)).strip().splitlines()[-1]}")
        return None
