"""What is protected, and how much of it."""

from dpbandits.privacy.guarantee import Guarantee

__all__ = ["Guarantee"]
