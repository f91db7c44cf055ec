"""Records of the algorithms that stand on continual counters, with the argument for their guarantees."""

from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.stochastic import counting
from dpbandits.parameters import EPSILON, Parameter
from dpbandits.privacy import Guarantee

TOSSOU = "Tossou & Dimitrakakis 2016"
MISHRA = "Mishra & Thakurta 2015"
TREE_EPSILON = Parameter(
    "tree_epsilon", "ε of each arm's tree: ε/K as printed, or all of ε (one reward enters one tree)", "divided", kind="choice",
    choices=("divided", "full"),
)


# Why these hold although the counters' streams are chosen as one goes. Change the reward of round s. Up to its selection
# both runs are the same, so the reward is the same item p of the same arm's counter, and it lies in the same blocks. Shift
# the noise of each of these blocks, none drawn yet, by what the change does to the block's sum (at most 1). Then every
# later release, hence every index and selection (the counts are functions of earlier selections), is the same in both
# runs. The shift costs a factor of exp(1/scale) a block, in all at most ε for the hybrid counter (ε/2 for the one
# release of its logarithmic part that gains the item, k · ε/(2k) in its epoch), and levels · ε₀/levels = ε₀ for the tree.
def _transcript(epsilon: float, paper: str, note: str) -> Guarantee:
    return Guarantee(epsilon, 0.0, "transcript", "one reward", "the same rewards with one of them changed", "proved", paper, note)


def _hybrid(parameters, instance=None, horizon=None) -> Guarantee:
    return _transcript(
        parameters["epsilon"], TOSSOU,
        "One reward enters the counter of one arm, at full ε; selections are computed from the counters' releases and earlier selections.",
    )


def _tree(parameters, instance=None, horizon=None) -> Guarantee:
    divided = "One reward enters one tree, whose ε is ε/K for K arms: as printed the transcript spends ε/K, where the paper states ε."
    if parameters["tree_epsilon"] == "full":
        return _transcript(parameters["epsilon"], MISHRA, "One reward enters one tree, at full ε (the paper gives each tree ε/K).")
    if instance is None:
        return _transcript(parameters["epsilon"], MISHRA, divided)
    return _transcript(parameters["epsilon"] / instance.facts["arms"], MISHRA, divided)


RECORDS = (
    Algorithm(
        "private-ucb", "Private-UCB", "stochastic", MISHRA, "", counting.private_ucb, "#D55E00", "dash",
        (EPSILON, TREE_EPSILON), _tree,
    ),
    Algorithm("dp-ucb", "DP-UCB", "stochastic", TOSSOU, "", counting.dp_ucb, "#56B4E9", "dash", (EPSILON,), _hybrid),
    Algorithm(
        "dp-ucb-bound", "DP-UCB-Bound", "stochastic", TOSSOU, "", counting.dp_ucb_bound, "#CC79A7", "longdashdot", (EPSILON,), _hybrid,
    ),
)
