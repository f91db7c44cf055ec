"""All figures by name."""

from dpbandits.papers import cascading, chandak, icassp, wang_zhu
from dpbandits.papers.figure import Figure

FIGURES: dict[str, Figure] = {figure.name: figure for figure in (*wang_zhu.FIGURES, *cascading.FIGURES, *icassp.FIGURES, *chandak.FIGURES)}
