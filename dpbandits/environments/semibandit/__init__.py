"""Combinatorial semi-bandits: decision sets and oracles, rewards, outcomes, and the instances of Chen et al. 2020.

For an algorithm of one's own: new_round, choose (or choose_or_any) and play_super_arm, as in algorithms/semibandit/.
"""

from dpbandits.environments.semibandit.families import (
    FAMILIES,
    good_arms,
    k_path,
    max_coverage,
    public_arms,
    single_arms,
    top_k,
)
from dpbandits.environments.semibandit.listing import super_arms
from dpbandits.environments.semibandit.oracles import measure_oracle, oracle_of
from dpbandits.environments.semibandit.problem import choose, choose_or_any, new_round, play_super_arm

__all__ = [
    "FAMILIES",
    "choose",
    "choose_or_any",
    "good_arms",
    "k_path",
    "max_coverage",
    "measure_oracle",
    "new_round",
    "oracle_of",
    "play_super_arm",
    "public_arms",
    "single_arms",
    "super_arms",
    "top_k",
]
