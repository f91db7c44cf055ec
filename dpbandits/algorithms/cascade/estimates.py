"""What the cascade kernels share: the free first observation, and which item goes first."""

from dpbandits.algorithms.estimates import least_observed, nothing_observed, observe
from dpbandits.environments.cascade import attracts, number_of_items
from dpbandits.kernels import kernel


@kernel
def first_observation(attraction, rng):
    """w_0: every item observed once, free of charge."""
    estimates = nothing_observed(number_of_items(attraction))
    for item in range(estimates.pulls.size):
        observe(estimates, item, attracts(item, 0, attraction, rng))
    return estimates


@kernel
def least_observed_first(chosen, pulls, rng):
    """Move the item of `chosen` with the fewest pulls to the front (ties uniformly at random); the others keep their
    order.
    """
    lead = least_observed(chosen, pulls, rng)
    item = chosen[lead]
    for k in range(lead, 0, -1):
        chosen[k] = chosen[k - 1]
    chosen[0] = item
