"""Live panels for JupyterLab, one for each idea. Each call returns a widget: end a cell with it.

    regret(algorithms=None, instance=None, *, setting="stochastic", offered=None, horizon=10_000, runs=20, seed=0,
           width=None, height=430, **parameters)                                regret curves, bands, pulls, bounds
    region(law="beta", *, pulls=6, total=0, epsilon=1.0, delta=0.01, beside="none", changed=1, view="over θ",
    events="half-lines", interval=2.0, edges=False, second=None, width=None, height=560)
                                                           F and F' in the region that Lemma 8 (or 9) leaves
    counter_radius(*, items=20, epsilon=1.0, gap=0.15, xi=0.5, digits=12.0, exponents=False, width=None, height=430)
                                                           how often a wrong item is read before its gap shows
    lemma_15_edge(first_cell="exponential", *, epsilon=1.0, delta=0.01, cells=2, shift=1.0, in_proportion=False,
    width=None, height=520)
                                                           Lemma 15's law built cell by cell along the edge, and others
    rivals(algorithm="dp-se", *, epsilon=1.0, gap=0.3, horizon=4000, seed=0, width=None, height=520)
                                                           six private rivals from inside: beliefs, indices, plays
    shape(law="new", *, pulls=20, total=10, epsilon=0.5, delta=0.01, width=None, height=430)
                                                           a perturbation's density beside Laplace and Gaussian
    sweep_over(setting=None, over="epsilon", *, preset=None, algorithms=None, instance=None, low=None, high=None,
               points=None, horizon=None, runs=None, seed=None, inverse=None, theory=None, width=None, height=430,
               **parameters)                           regret against ε, δ, K, L, gap, noise or T, in every setting
    bounds(algorithm="dp-ftpl-new", instance="wang-zhu-1", *, setting="stochastic", horizon=100_000, runs=10, seed=0,
           reach=None, width=None, height=430, **parameters)  lower bound, measured regret, upper bound, uniform play
    cascade_regret(algorithms=None, instance=None, **as regret)
    cascade_bounds(algorithm="cascade-ldp-laplace", instance="cascade-paper", **as bounds)
    semibandit_regret(algorithms=None, instance=None, *, horizon=30_000, runs=4, **as regret)
    semibandit_bounds(algorithm="cucb-ldp2", instance="k-path", *, runs=3, **as bounds)
    one_message(*, epsilon=1.0, arms=12, list_size=3, gap=0.4, users=1, seed=0, width=None, height=560)
                                                           what one user sends under cucb-ldp1 and cucb-ldp2, user by
                                                           user
    vector_tree(*, t=23, epsilon=1.0, arms=12, list_size=3, exact=False, seed=0, width=None, height=560)
                                                           the tree of cucb-dp: nodes read, their noise, what is left in
                                                           the means
    blame(reward="average", *, about="least reported", epsilon=4.0, gap=0.5, list_size=4, horizon=100_000,
          bonus_multiplier=1.0, seed=0, width=None, height=430)
                                                           the proof of Theorem 4 of Chen et al. on a run, step by step
    boost(*, epsilon=1.0, rank=3, size=64, noise=-3.0, good=0.8, gap=0.3, t=100, boosted=True, width=None, height=430)
                                                           what the boost of dpts-mat is for
    change_of_measure(policy="optimistic", *, gap=0.1, horizon=50, epsilon=1.0, local=False, runs=4000, seed=0,
                      width=None, height=430)
                                                           two instances, one learner: the steps of every lower bound
    hard_instance(instance="k-path", *, arms=20, list_size=4, gap=0.5, epsilon=0.2, second=True, width=None, height=430)
                                                           the instances of the lower bounds: what tells them apart
    matroid_regret(algorithms=None, instance=None, **as regret)
    matroid_bounds(algorithm="dpucb-mat", instance="matroid-table-6.1", **as bounds)
    see_a_matroid(matroid="vectors", *, indices="weights", epsilon=1.0, round=100, seed=0, width=None, height=640)
                                                           vectors, a graph, blocks: the greedy basis, the best one,
                                                           π_t's pairs
    laziness(arm=1, instance="matroid-table-6.1", *, epsilon=1.0, horizon=2000, seed=0, width=None, height=600,
    **parameters)
                                                           when dpucb-mat renews an estimate, from what, beside a tree
                                                           counter
    list_size(view="noise", *, epsilon=0.2, delta=0.001, longest=40, horizon=10_000, runs=5, seed=0, width=None,
    height=430, **parameters)
                                                           noise, bonus or regret of the local cascade algorithms
                                                           against K
    guess_the_click(algorithm="cascade-ldp-laplace", *, epsilon=0.2, delta=0.001, list_size=4, seed=0, width=None,
    height=500)
                                                           a game: which item did the user click?
    which_term_rules(bound="wang-zhu-theorem-16", against="epsilon", *, epsilon=1.0, delta=0.0001, horizon=1_000_000,
    items=8, list_size=2,
                     top_mean=0.5, other_mean=0.2, constants="corrected", width=None, height=430, **assumed)
                                                           a map of a bound: where it says nothing, where which term
                                                           rules
    all_settings(*, stochastic="gdp-elim-new", cascade="cascade-ldp-laplace", semi_bandit="cucb-ldp2",
    matroid="dpucb-mat",
                 epsilon=1.0, delta=0.01, horizon=20_000, runs=3, seed=0, reach=10**9, constants="corrected",
                 width=None, height=640, **problem)
                                                           bounds and measured regret of four settings on one page
    privacy_over_time(algorithms=None, *, setting=None, epsilon=0.1, delta=1e-11, delta_total=1e-5, arms=None,
                      list_size=2, horizon=100_000, trials=400, seed=0, width=None, height=430)
                                                           ceiling and floor on the ε of all that is seen, against T
    fair_race(setting="stochastic", *, instance=None, algorithms=None, promise="everything", against="rounds",
              epsilon=1.0, delta=1e-5, horizon=20_000, runs=3, seed=0, width=None, height=540, **problem)
                                                           all algorithms of a setting at one promise, by the accountant
    counters(*, epsilon=1.0, length=256, streams=100, seed=0, width=None, height=430)
                                                           errors of three continual counters, measured and exact
    adversary(*, epsilon=1.0, trials=10_000, seed=0, width=None, height=430)
                                                           how often somebody after one bit must fail
    mechanism(calibration="classical", *, epsilon=1.0, delta=0.01, sensitivity=1.0, width=None, height=500)
                                                           Laplace and Gaussian noise on two neighbouring values
    semibandit_table(*, arms=20, list_size=4, gap=0.2, epsilon=1.0, smoothness=1.0, horizon=1_000_000, width=None,
    height=430)
                                                           Table 1 of Chen et al. with numbers: orders and both bounds
                                                           of every cell

From a paper's figure to its explorer, at the figure's settings:

    live(name)                                             the explorer of a figure: live("wang-zhu-fig-4a")
    gallery_live(paper)                                    a menu of a paper's figures, and a button that opens one live

What every panel has besides its controls: `values` (name -> value), `set(name=value, ...)` (move controls), `code()`
(the call that gives the same numbers), `frame()` (a DataFrame of them), `save_csv()`, `save_html()`, `reset()`,
`summary_text`; those that simulate also `finish()` (wait for the runs in flight) and `stop()`.
"""

from dpbandits.explorers.adversary import adversary
from dpbandits.explorers.all_settings import all_settings
from dpbandits.explorers.blame import blame_panel as blame
from dpbandits.explorers.boost import boost
from dpbandits.explorers.bounds import bounds, cascade_bounds, matroid_bounds, semibandit_bounds
from dpbandits.explorers.change_of_measure import change_of_measure
from dpbandits.explorers.counter_radius import counter_radius
from dpbandits.explorers.counters import counters
from dpbandits.explorers.fair_race import fair_race
from dpbandits.explorers.guess_the_click import guess_the_click
from dpbandits.explorers.hard_instance import hard_instance
from dpbandits.explorers.laziness import laziness
from dpbandits.explorers.lemma_15_edge import lemma_15_edge
from dpbandits.explorers.list_size import list_size
from dpbandits.explorers.live import gallery_live, live
from dpbandits.explorers.mechanism import mechanism
from dpbandits.explorers.one_message import one_message
from dpbandits.explorers.privacy_over_time import privacy_over_time
from dpbandits.explorers.region import region
from dpbandits.explorers.regret import cascade_regret, matroid_regret, regret, semibandit_regret
from dpbandits.explorers.rivals import rivals
from dpbandits.explorers.see_a_matroid import see_a_matroid
from dpbandits.explorers.semibandit_table import semibandit_table
from dpbandits.explorers.shape import shape
from dpbandits.explorers.sweep_over import sweep_over
from dpbandits.explorers.vector_tree import vector_tree
from dpbandits.explorers.which_term import which_term_rules

__all__ = [
    "adversary",
    "all_settings",
    "blame",
    "boost",
    "bounds",
    "cascade_bounds",
    "cascade_regret",
    "change_of_measure",
    "counter_radius",
    "counters",
    "fair_race",
    "gallery_live",
    "guess_the_click",
    "hard_instance",
    "laziness",
    "lemma_15_edge",
    "list_size",
    "live",
    "matroid_bounds",
    "matroid_regret",
    "mechanism",
    "one_message",
    "privacy_over_time",
    "region",
    "regret",
    "rivals",
    "see_a_matroid",
    "semibandit_bounds",
    "semibandit_regret",
    "semibandit_table",
    "shape",
    "sweep_over",
    "vector_tree",
    "which_term_rules",
]
#: Those that can be called without an argument.
PANELS = tuple(name for name in __all__ if name not in ("gallery_live", "live"))
