"""Bandits under differential privacy: every algorithm, mechanism and bound of five papers, to run and to read.

    from dpbandits import simulate, sweep, catalogue
    simulate(["ucb1", "dp-ftpl-new"], "wang-zhu-1", horizon=10_000, epsilon=1, delta=0.01)

A policy of one's own is a plain function: compare() plays it with all others, claim() says what it promises,
smoke_test() tries that. What a watcher of all rounds learns: account() proves a ceiling, calibrate() finds the
parameters for a promise.

Seeded generators and floating-point noise serve teaching and simulation. They do not protect real people's data.
"""

__version__ = "0.2.0"

__all__ = [
    "__version__",
    "account",
    "audit",
    "calibrate",
    "catalogue",
    "claim",
    "compare",
    "simulate",
    "smoke_test",
    "sweep",
]

#: Where each function is defined.
HOMES = {
    "simulate": "simulation",
    "sweep": "simulation",
    "account": "auditing.accountant",
    "audit": "auditing.floor",
    "calibrate": "auditing.calibration",
    "claim": "own.policy",
    "compare": "own.policy",
    "smoke_test": "own.smoke",
}


def __getattr__(name: str):
    """Loaded on first use, so that `--help` is quick and `dpbandits doctor` starts where a dependency is broken."""
    from importlib import import_module

    if name == "catalogue":
        return import_module("dpbandits.catalogue")
    if name in HOMES:
        return getattr(import_module(f"dpbandits.{HOMES[name]}"), name)
    raise AttributeError(f"module 'dpbandits' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
