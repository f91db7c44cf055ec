"""Wang, Dong, Wang, Li & Shao, Cascading bandit under differential privacy (arXiv 2021): Figures 1 and 2.

Section 7 fixes L = 20, K = 4, δ = 10⁻³, 10⁵ rounds, 10 runs and the values of ε. It prints neither w̄ (the instance
`cascade-paper` is ours) nor the ε of Figure 1(g) (ours is 1); nor what is played
in Figures 1(h) and 1(i), for which we take the same numbers as means of the arms of a semi-bandit. The central
algorithm runs as this paper prints it, with the logarithm of the horizon in its index. The first-position algorithm is
ours; the paper has no such curve.
"""

from dpbandits.papers.figure import Figure
from dpbandits.papers.noise import bought, two_panels

PAPER = "Wang et al. 2021"
LOCAL = ("cascade-ucb1", "cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-first")
CURVES = {"checkpoints": 300, "spacing": "linear"}
SCALES = "The two panels have different scales."
OURS = "The attraction probabilities (.2 for the K best items, .05 for all others) are ours: the paper prints none."
LEAK = (
    "Whatever the noise, the printed algorithms do not keep the ε of their label: the number of reports gives the click"
    " away. The one in green, ours, keeps it."
)
CENTRAL_LEAK = "Whatever the noise, the ε of the label is not kept: the index uses counts that tell how far users read."


def local_regret(
    name: str, paper: str, where: str, epsilon: float, left: str, right: str, list_size: int = 4
) -> Figure:
    """Regret against rounds of the local algorithms at one ε and K."""
    laplace, gauss = (
        bought(f"cascade-ldp-{noise}", epsilon=epsilon, list_size=list_size) for noise in ("laplace", "gauss")
    )
    return two_panels(
        name,
        paper,
        where,
        f"Local privacy, ε = {epsilon:g}, K = {list_size}",
        f"Left: {left} But this is a hundredth of the noise, and stands for ε = {laplace} (Laplace) and {gauss}"
        f" (Gaussian, at the same δ) instead of {epsilon:g}. Right: {right} {LEAK} {SCALES} {OURS}",
        "regret",
        {},
        {},
        {},
        algorithm=list(LOCAL),
        epsilon=epsilon,
        delta=1e-3,
        list_size=list_size,
        **CURVES,
    )


CLOSE = "Laplace noise costs a little more than Gaussian noise, and no noise least of the three, as the paper reports."
SAME = "both noises cost little, as the paper reports; which costs more cannot be told here."
APART = (
    "Laplace noise costs more than Gaussian noise, by a factor that grows with K. The paper's text says that"
    " the gap grows:"
    " the difference of the two does not, it is largest at K = 8 and falls after that, as all lose less with"
    " long lists."
)
NEAR = "with the noise of the theorems both printed algorithms lose nearly what uniform play loses, in all 10⁵ rounds."
BEGINS = "with the noise of the theorems both printed algorithms still lose more than half of what uniform play loses."
FIGURE_1_LOCAL = tuple(
    local_regret(f"cascading-fig-1{letter}", PAPER, f"Figure 1({letter})", epsilon, left, right)
    for letter, epsilon, left, right in (
        ("a", 0.2, CLOSE, NEAR),
        ("b", 0.5, CLOSE, NEAR),
        ("c", 1.0, SAME, BEGINS),
        ("d", 2.0, SAME, BEGINS),
    )
)
FIGURE_1E = two_panels(
    "cascading-fig-1e",
    PAPER,
    "Figure 1(e)",
    "Local privacy: regret against ε",
    "Left: the regret falls quickly as ε grows and comes near that without privacy, as the paper reports; at K = 4 the"
    f" two noises hardly differ. But what is written as ε = 2 stands for ε = {bought('cascade-ldp-laplace', epsilon=2)}"
    f" (Laplace) and {bought('cascade-ldp-gauss', epsilon=2)} (Gaussian). Right: with the noise of the theorems the"
    f" printed algorithms are at uniform play for small ε and still lose more than half of it at ε = 2. {LEAK} {OURS}",
    "tradeoff",
    {"over": "epsilon"},
    {"epsilon": [0.02, 0.06, 0.2, 0.4, 0.8, 1.4, 2.0], "runs": 2},
    {"epsilon": [round(0.02 * i, 2) for i in range(1, 101)]},
    algorithm=list(LOCAL),
    delta=1e-3,
    checkpoints=[10**5],
)


def central_over_epsilon(name: str, paper: str, where: str, log_of: str, more: str = "") -> Figure:
    """Regret against rounds of cascade-dp at four values of ε."""
    values = [0.1, 0.5, 1.0, 2.0]
    pairs = ", ".join(f"{bought('cascade-dp', epsilon=e)} for {e:g}" for e in values)
    return two_panels(
        name,
        paper,
        where,
        "Central privacy: regret by ε",
        "Left: a larger ε brings the regret nearer to that without privacy, as the paper reports; but a hundredth of"
        f" the noise stands for another ε: {pairs}. Right: with the noise and the index of the theorems every ε stays"
        f" near uniform play for all of the 10⁵ rounds. {CENTRAL_LEAK} {more}{SCALES} {OURS}",
        "regret",
        {"over": "epsilon"},
        {},
        {},
        algorithm=["cascade-ucb1", "cascade-dp"],
        epsilon=values,
        log_of=log_of,
        **CURVES,
    )


def central_over_items(name: str, paper: str, where: str, log_of: str) -> Figure:
    """Regret against rounds of cascade-dp at four values of L."""
    return two_panels(
        name,
        paper,
        where,
        "Central privacy, ε = 1: regret by L",
        "Left: more items, more regret, as the paper reports; but a hundredth of the noise stands for ε ="
        f" {bought('cascade-dp', epsilon=1.0)}. Right: with honest noise the order is the same, above all because"
        " uniform play loses more where there are more bad items; at L = 20 hardly anything is learnt, at L = 8 a"
        f" little. {CENTRAL_LEAK} The paper does not say which ε it used here; ours is 1. {SCALES} {OURS}",
        "regret",
        {"over": "items"},
        {},
        {},
        algorithm=["cascade-dp"],
        epsilon=1.0,
        items=[8, 12, 16, 20],
        log_of=log_of,
        **CURVES,
    )


FIGURE_1_CENTRAL = (
    central_over_epsilon("cascading-fig-1f", PAPER, "Figure 1(f)", "horizon"),
    central_over_items("cascading-fig-1g", PAPER, "Figure 1(g)", "horizon"),
)


def semi_bandit(name: str, where: str, epsilon: float, left: str, right: str) -> Figure:
    """Regret against rounds of CUCB and of Algorithm 4 at one ε."""
    return two_panels(
        name,
        PAPER,
        where,
        f"Semi-bandit under local privacy, ε = {epsilon:g}, K = 4",
        f"Left: {left}, as the paper reports. But this is a hundredth of the noise, and stands for ε ="
        f" {bought('cucb-ldp-gauss', epsilon=epsilon)}. Right: {right} Unlike the cascading algorithms this one keeps"
        f" the ε of its label: a user reports on all arms that were played, and so their number says nothing. {SCALES}"
        " The paper does not say what is played; here any 4 of 20 arms, with means .2 (the best 4) and .05, for the"
        " sum of their outcomes.",
        "regret",
        {},
        {},
        {},
        instance="top-k",
        means=[0.2] * 4 + [0.05] * 16,
        list_size=4,
        algorithm=["cucb", "cucb-ldp-gauss"],
        epsilon=epsilon,
        delta=1e-3,
        **CURVES,
    )


FIGURE_1_SEMI_BANDIT = (
    semi_bandit(
        "cascading-fig-1h",
        "Figure 1(h)",
        0.2,
        "at the smaller ε privacy more than doubles the regret",
        "with the noise of the theorem hardly anything is learnt in 10⁵ rounds.",
    ),
    semi_bandit(
        "cascading-fig-1i",
        "Figure 1(i)",
        2.0,
        "at the larger ε privacy costs little",
        "with the noise of the theorem more than half of what uniform play loses is still lost.",
    ),
)
FIGURE_2 = tuple(
    local_regret(
        f"cascading-fig-2{letter}",
        PAPER,
        f"Figure 2({letter})",
        0.2,
        CLOSE if list_size == 4 else APART,
        NEAR,
        list_size,
    )
    for letter, list_size in (("a", 4), ("b", 8), ("c", 12), ("d", 16))
)

FIGURES = (*FIGURE_1_LOCAL, FIGURE_1E, *FIGURE_1_CENTRAL, *FIGURE_1_SEMI_BANDIT, *FIGURE_2)
