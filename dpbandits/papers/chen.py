"""Chen, Zheng, Zhou, Yang, Chen & Wang, (Locally) differentially private combinatorial semi-bandits (ICML 2020): Table
1, and the experiments that its theorems ask for. The paper has none: the instances, horizons and values of ε are ours.
"""

from dpbandits.papers.chen_table import table_1
from dpbandits.papers.figure import Figure
from dpbandits.papers.semi_bandit_sweeps import over_companions, over_horizons, over_paths
from dpbandits.simulation import sweep

PAPER = "Chen et al. 2020"
MILLION = 10**6
SEED = 2020
OURS = "The paper has no experiments; all settings here are ours."

TABLE_1 = Figure(
    "chen-table-1",
    "What each promise costs",
    PAPER,
    "Table 1",
    "The paper's orders, their value without any constant, and the theorems' bounds with the constants of their proofs,"
    " as printed and corrected: m = 20 arms, K = 4, ε = 1, B = 1, every bad super arm Δ = 0.2 behind, 10⁶ rounds. Lower"
    " bounds are a rate for T → ∞ times ln T. Upper bounds are 128 or 256 times the order under local privacy, and"
    " under central privacy beyond what any policy can lose in 10⁶ rounds (Δ·T = 200,000). 1/(ε Δ) under central"
    " privacy is shorthand for a sum of 1/Δ and 1/ε: more is not proved, and for small Δ and ε would be false for"
    " single arms. For B∞ under central privacy the paper leaves its proofs out; ours are what its other theorems give."
    " Other values: the explorer semibandit_table.",
    table_1,
    "table",
    {"arms": 20, "list_size": 4, "gap": 0.2, "epsilon": 1.0, "smoothness": 1.0, "horizon": MILLION},
)

LIST_SIZE = Figure(
    "chen-list-size",
    "The price of the dimension: K² against none",
    PAPER,
    "Theorems 2 and 4",
    "K − 1 arms are part of every super arm and make no difference; one of 16 others does. Every report of CUCB-LDP1"
    " carries the noise of K outcomes, and what a user has to say about the one arm that matters drowns in it: K²"
    " times as many rounds. CUCB-LDP2 asks for one outcome only, mostly the right one. Where all K arms of a super arm"
    f" matter alike the difference is K, see chen-smoothness. {OURS}",
    over_companions,
    "tradeoff",
    {
        "algorithm": ["cucb", "cucb-ldp1", "cucb-ldp2"],
        "method": "fast",
        "list_size": [1, 2, 3, 4, 6, 8],
        "choices": 16,
        "gap": 0.9,
        "epsilon": 1.0,
        "horizon": MILLION,
        "checkpoints": [MILLION],
        "seed": SEED,
    },
    {"quick": {"runs": 2}, "paper": {"runs": 20}},
    simulated=True,
    look={"over": "list_size", "guides": [("cucb-ldp1", 2, 2, 8), ("cucb-ldp2", 0, 2, 8)]},
)

EPSILON = Figure(
    "chen-epsilon",
    "Regret against ε: 1/ε² and 1/ε",
    PAPER,
    "Theorems 4 and 8",
    "Three paths of two arms. Under local privacy the regret falls as 1/ε², under central privacy as 1/ε, as the"
    " theorems say. But the central algorithm, whose promise is the weaker one, loses more at every ε shown: its bonus"
    " has ln³T, 2637 at 10⁶ rounds, where the local ones have the root of ln T. Only at an ε of a few hundredths would"
    " 1/ε² overtake it, and there hardly anything is learnt in 10⁶ rounds. Above ε = 1 the proofs of the local"
    " algorithms do not hold, as their bonus is for the noise alone; at 10 it is smaller than that of CUCB, which this"
    f" easy instance forgives. {OURS}",
    sweep,
    "tradeoff",
    {
        "algorithm": ["cucb", "cucb-ldp1", "cucb-ldp2", "cucb-dp", "cucb-dp-least"],
        "method": "fast",
        "instance": "k-path",
        "arms": 6,
        "list_size": 2,
        "gap": 1.0,
        "epsilon": [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0],
        "horizon": MILLION,
        "checkpoints": [MILLION],
        "seed": SEED,
    },
    {
        "quick": {"runs": 2},
        "paper": {
            "runs": 20,
            "epsilon": [0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0, 7.0, 10.0],
        },
    },
    simulated=True,
    look={"over": "epsilon", "slopes": (1, 10), "uniform": True},
)

HORIZON = Figure(
    "chen-horizon",
    "From which horizon on is CUCB-DP more than uniform play?",
    PAPER,
    "Algorithm 3",
    "Any 4 of 20 arms. Every point is a run of its own, as the algorithms know T. While the bonus of CUCB-DP exceeds 1"
    " all indices are 1 and every choice is random, however much was observed; the dotted lines say where that ends,"
    f" from the bonus alone. CUCB-LDP2, which promises more, begins to learn some sixty times earlier at ε = 1. {OURS}",
    over_horizons,
    "share",
    {
        "algorithm": ["cucb-dp", "cucb-ldp2"],
        "method": "fast",
        "instance": "top-k",
        "epsilon": [1.0, 3.0, 10.0],
        "seed": SEED,
        "horizon": [1000, 3000, 10_000, 30_000, 60_000, 100_000, 200_000, 400_000, MILLION, 2 * MILLION],
    },
    {"quick": {"runs": 2}, "paper": {"runs": 10, "horizon": [round(10 ** (3 + i / 4)) for i in range(17)]}},
    simulated=True,
    look={"over": "epsilon"},
)

SMOOTHNESS = Figure(
    "chen-smoothness",
    "Largest error or sum of errors: B∞ and B₁",
    PAPER,
    "Fact 1, Theorems 2 and 4",
    "Disjoint paths of K arms alike, 12 arms in bad paths whatever K is, the same gap Δ = 0.5. Left the reward is the"
    " average, as good as its worst estimate: CUCB-LDP2 pays nothing for K, CUCB-LDP1 pays K. Right it is the sum, in"
    " which errors add up, so every mean must be known K times as well. Without privacy that costs K; with one report"
    " a user it costs K², as Theorem 4 with B∞ = K says; with K reports K³ in theory, and less at this horizon. One"
    f" report is still the better choice, but no longer free: K² against K. {OURS}",
    over_paths,
    "tradeoff",
    {
        "algorithm": ["cucb", "cucb-ldp1", "cucb-ldp2"],
        "method": "fast",
        "list_size": [1, 2, 3, 4, 6],
        "bad_arms": 12,
        "gap": 0.5,
        "epsilon": 4.0,
        "horizon": MILLION,
        "checkpoints": [MILLION],
        "seed": SEED,
    },
    {"quick": {"runs": 2}, "paper": {"runs": 20}},
    simulated=True,
    look={"over": "list_size", "slopes": (2, 6)},
)

FIGURES = (TABLE_1, LIST_SIZE, EPSILON, HORIZON, SMOOTHNESS)
