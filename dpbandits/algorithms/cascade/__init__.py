"""Cascading bandits: a list of K items a round, its feedback the position of the first click."""
