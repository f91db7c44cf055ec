"""Matroid bandits: each round a basis of K elements, the weight of every one of them observed."""

from dpbandits.environments.matroid import instances, movielens

FAMILIES = (*instances.FAMILIES, *movielens.FAMILIES)
