"""All figures by name."""

from dpbandits.papers import cascading, chandak, chen, icassp, wang_zhu
from dpbandits.papers.figure import Figure

PAPERS = (wang_zhu, cascading, icassp, chen, chandak)
FIGURES: dict[str, Figure] = {figure.name: figure for paper in PAPERS for figure in paper.FIGURES}
