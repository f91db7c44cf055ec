"""The papers' figures as data: what to run, how to draw it, what it shows. One module per paper; catalogue.py names
them all.
"""

from dpbandits.papers.figure import Figure

__all__ = ["Figure"]
