"""Combinatorial semi-bandits: a super arm a round, its feedback the outcome of each of its base arms."""
