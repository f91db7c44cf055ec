"""Every algorithm: one readable function each, compiled; catalogue.py names them all."""

from dpbandits.algorithms.catalogue import ALGORITHMS, find
from dpbandits.algorithms.record import Algorithm

__all__ = ["ALGORITHMS", "Algorithm", "find"]
