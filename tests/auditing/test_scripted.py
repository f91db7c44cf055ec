"""A scripted generator says what it is told, also to compiled code, and knows how much was asked."""

import numpy as np
import pytest

from dpbandits.auditing.scripted import LARGEST, MOST, Scripted
from dpbandits.kernels import kernel

EXACT = 2.0**-53
NUMBERS = (
    np.floor(np.concatenate([[0.0, LARGEST, 0.5, EXACT], np.random.default_rng(0).random(MOST - 4)]) / EXACT) * EXACT
)


@kernel
def _draw(rng, count):
    numbers = np.empty(count)
    for i in range(count):
        numbers[i] = rng.random()
    return numbers


@pytest.mark.parametrize("draw", [_draw, lambda rng, count: rng.random(count)])
def test_it_gives_the_numbers_in_turn_and_again_after_a_rewind(draw):
    script = Scripted(NUMBERS)
    for _ in range(2):
        assert script.drawn == 0 and np.array_equal(draw(script.generator, 3), NUMBERS[:3])
        assert script.drawn == 3 and np.array_equal(draw(script.generator, MOST - 3), NUMBERS[3:])
        assert script.drawn == MOST
        script.rewind()


def test_after_the_script_come_zeros_and_then_nobody_knows():
    script = Scripted([0.25])
    assert _draw(script.generator, 3).tolist() == [0.25, 0, 0] and script.drawn == 3
    _draw(script.generator, MOST - 2)
    assert script.drawn is None
    with pytest.raises(ValueError, match="numbers = 313 of them is not allowed"):
        Scripted(np.zeros(MOST + 1))
