"""Matroid bandits: an index for each element, and each round the basis with the greatest total index."""
