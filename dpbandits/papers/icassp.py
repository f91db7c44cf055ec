"""Wang, Dong, Wang & Li, Cascading bandit under differential privacy (ICASSP 2022): Figures 1 to 4.

The settings are those of the long paper (`cascading.py`). The central algorithm's index takes the logarithm of an
item's own count here; as printed it is 0 at the first observation, and every observed item is credited with the click.
We guard the logarithm and credit the clicked position (`log_of`, `credit` of `cascade-dp` have the print): credited
like that, good and bad items of a list look the same, and the algorithm loses several times as much as the paper's text
allows.
"""

from dpbandits.papers.cascading import CLOSE, NEAR, central_over_epsilon, central_over_items, local_regret

PAPER = "Wang et al. 2022"
READ = "The click is credited to its position; the paper's print credits every item that was read. "

FIGURES = (
    central_over_epsilon("icassp-fig-1", PAPER, "Figure 1", "guarded-count", READ),
    central_over_items("icassp-fig-2", PAPER, "Figure 2", "guarded-count"),
    local_regret("icassp-fig-3", PAPER, "Figure 3", 0.2, CLOSE, NEAR),
    local_regret("icassp-fig-4", PAPER, "Figure 4", 0.5, CLOSE, NEAR),
)
