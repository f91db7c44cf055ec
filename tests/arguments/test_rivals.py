"""A trace makes the kernel's draws: the same seed plays every arm as often as the kernel does."""

import numpy as np
import pytest

from dpbandits.algorithms.stochastic import counting, doubling, elimination, interval
from dpbandits.arguments import rivals
from dpbandits.randomness import seed_sequence, streams

KERNELS = {
    "private-ucb": (counting.private_ucb, (0,)),
    "dp-ucb": (counting.dp_ucb, (0,)),
    "dp-ucb-bound": (counting.dp_ucb_bound, ()),
    "dp-ucb-int": (interval.dp_ucb_int, (1.1, 0)),
    "dp-se": (elimination.dp_se, ()),
    "adap-ucb": (doubling.adap_ucb, (3.1,)),
}


@pytest.mark.parametrize("name", rivals.HOW)
def test_it_plays_as_the_kernel_does(name):
    kernel, more = KERNELS[name]
    for means, epsilon, horizon in (([0.7, 0.3], 0.7, 400), ([0.2, 0.9, 0.4], 3.0, 9000 if name == "dp-se" else 500)):
        means = np.array(means)
        run, same = (streams(seed_sequence(5, name)) for _ in range(2))
        found = rivals.trace(name, means, horizon, epsilon=epsilon, run=run)
        _, pulls = kernel(means, horizon, np.array([horizon]), same, epsilon, *more)
        assert (found.pulls == pulls).all() and found.pulls.sum() == horizon
        assert found.length.sum() == horizon and found.start[0] == 1 and found.arm.max() < means.size
        assert (np.diff(found.start) == found.length[:-1]).all() and (np.diff(found.released) >= 0).all()
        assert found.belief.shape == found.index.shape == (found.start.size, means.size)


def test_who_uses_a_reward_again():
    reuse = {name: rivals.trace(name, [0.7, 0.4], 600, epsilon=0.5).reuse for name in rivals.HOW}
    assert reuse["dp-se"] == reuse["adap-ucb"] == 1 and min(reuse["dp-ucb-int"], reuse["dp-ucb"]) > 50


def test_an_unknown_rival():
    with pytest.raises(ValueError, match="Unknown algorithm 'dp-see'"):
        rivals.trace("dp-see", [0.5, 0.4], 10)
