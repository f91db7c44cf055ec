"""Combinatorial semi-bandits: decision sets and oracles, rewards, outcomes, and the instances of Chen et al. 2020."""

from dpbandits.environments.semibandit.families import FAMILIES, k_path, max_coverage, public_arms, top_k
from dpbandits.environments.semibandit.listing import super_arms
from dpbandits.environments.semibandit.oracles import measure_oracle, oracle_of

__all__ = ["FAMILIES", "k_path", "max_coverage", "measure_oracle", "oracle_of", "public_arms", "super_arms", "top_k"]
