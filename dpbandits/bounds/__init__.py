"""What the theorems say: one function each, upper and lower bounds on the regret; catalogue.py names them all."""

from dpbandits.bounds.catalogue import BOUNDS
from dpbandits.bounds.record import Bound, Evaluation

__all__ = ["BOUNDS", "Bound", "Evaluation"]
