"""Stochastic bandits: one arm a round, its reward in {0, 1}."""
