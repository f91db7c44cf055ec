"""What an algorithm plays against: instances by name, or built from data."""

from dpbandits.environments.catalogue import INSTANCES, build
from dpbandits.environments.instance import Family, Instance
from dpbandits.environments.stochastic import bernoulli

__all__ = ["INSTANCES", "Family", "Instance", "bernoulli", "build"]
