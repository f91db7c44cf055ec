"""The Laplace mechanism: its law and its exact privacy curve. `randomness.laplace` draws from it."""

import math
from dataclasses import dataclass

import numpy as np

from dpbandits.parameters import EPSILON, SENSITIVITY, Parameter

SCALE = Parameter("scale", "scale b of Laplace noise", low=0, open_low=True)


@dataclass(frozen=True)
class Laplace:
    """Laplace(0, scale): density exp(−|x|/scale)/(2·scale), standard deviation sqrt(2)·scale. scale > 0, else
    ValueError.
    """

    scale: float

    def __post_init__(self):
        SCALE.check(self.scale)

    @classmethod
    def calibrated(cls, epsilon: float, sensitivity: float = 1.0) -> "Laplace":
        """The least noise that makes a number of this L1 sensitivity ε-private: scale = sensitivity/ε (Dwork et al.
        2006).
        """
        return cls(SENSITIVITY.check(sensitivity) / EPSILON.check(epsilon))

    @property
    def variance(self) -> float:
        """2·scale²."""
        return 2 * self.scale**2

    def pdf(self, x):
        """Density at x (a number or an array)."""
        return np.exp(-np.abs(x) / self.scale) / (2 * self.scale)

    def cdf(self, x):
        """P(noise <= x), with full relative accuracy in the left tail."""
        x = np.asarray(x, float)
        tail = 0.5 * np.exp(-np.abs(x) / self.scale)
        return np.where(x < 0, tail, 1 - tail)[()]

    def quantile(self, p):
        """The x with cdf(x) = p, for p in [0, 1] (±infinity at the ends)."""
        p = np.asarray(p, float)
        with np.errstate(divide="ignore"):
            return (self.scale * np.where(p < 0.5, np.log(2 * p), -np.log(2 - 2 * p)))[()]

    def epsilon(self, sensitivity: float = 1.0) -> float:
        """The pure guarantee, attained: sensitivity/scale."""
        return SENSITIVITY.check(sensitivity) / self.scale

    def delta(self, epsilon: float, sensitivity: float = 1.0) -> float:
        """The exact δ at any ε >= 0: 1 − exp((ε − sensitivity/scale)/2), and 0 from ε = sensitivity/scale on."""
        return -math.expm1(min(0.0, (epsilon - self.epsilon(sensitivity)) / 2))
