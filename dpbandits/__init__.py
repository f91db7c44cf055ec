"""Bandits under differential privacy: every algorithm, mechanism and bound of five papers, to run and to read.

    from dpbandits import simulate, sweep, catalogue
    simulate(["ucb1", "dp-ftpl-new"], "wang-zhu-1", horizon=10_000, epsilon=1, delta=0.01)

Seeded generators and floating-point noise serve teaching and simulation. They do not protect real people's data.
"""

__version__ = "0.1.0"

from dpbandits import catalogue
from dpbandits.simulation import simulate, sweep

__all__ = ["__version__", "catalogue", "simulate", "sweep"]
