"""A random generator that says what it is told: for playing a policy against rewards that are given.

NumPy's MT19937 hands out its 624 words of state one after the other, each through a fixed and invertible mixing. With
the right words in place its first 312 numbers are known beforehand, and everything that takes a `Generator`, compiled
code too, takes this one.
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

MOST = 312  # numbers of 53 bits in a state of 624 words of 32
LARGEST = 1 - 2.0**-53  # the largest number that random() gives


class Scripted:
    """`generator.random()` gives `numbers` in turn (in [0, 1), at most 312), then 0, up to 312. rewind() restarts."""

    def __init__(self, numbers: Sequence[float]):
        if len(numbers) > MOST:
            raise ValueError(f"numbers = {len(numbers)} of them is not allowed: it must be at most {MOST}.")
        key = np.zeros(2 * MOST, np.uint32)
        for place, number in enumerate(numbers):
            bits = int(number * 2**53)
            key[2 * place], key[2 * place + 1] = _unmixed(bits >> 26 << 5), _unmixed((bits & (1 << 26) - 1) << 6)
        self._state: Any = {"bit_generator": "MT19937", "state": {"key": key, "pos": 0}}
        self._bits = np.random.MT19937()
        self._set()
        self.generator = np.random.Generator(self._bits)
        words = ctypes.cast(self._bits.ctypes.state_address, ctypes.POINTER(ctypes.c_uint32))
        self._memory = np.ctypeslib.as_array(words, (2 * MOST + 1,))  # NumPy's own: the words, then the position
        self._first = self._memory.copy()
        self._known = np.array_equal(self._first, [*key, 0])

    def rewind(self, run: int = 0) -> None:
        """Back to the first number; every run has the same ones."""
        if self._known:  # a hundred times as fast as setting the state
            self._memory[:] = self._first
        else:
            self._set()

    def _set(self) -> None:
        self._bits.state = self._state

    @property
    def drawn(self) -> int | None:
        """How many numbers were taken since rewind(); None if more than 312: they were not the given ones."""
        now = self._bits.state["state"]
        return now["pos"] // 2 if np.array_equal(now["key"], self._state["state"]["key"]) else None


def _unmixed(word: int) -> int:
    """The state word that MT19937 hands out as `word`: its four mixing steps undone, last one first."""
    word ^= word >> 18
    word ^= word << 15 & 0xEFC60000
    mixed = word
    for _ in range(4):  # each pass restores 7 more bits
        word = mixed ^ (word << 7 & 0x9D2C5680)
    mixed = word
    for _ in range(2):  # each pass restores 11 more bits
        word = mixed ^ word >> 11
    return word


class Begun:
    """`generator.random()` gives at most 4 `numbers` in turn, then numbers of its own without end. rewind(n)
    starts run n.

    Philox hands out a buffer of four words before it looks at its counter: so the first numbers can be told, and what
    follows is as random as ever, the same for the same `seed` and run whatever was told.
    """

    def __init__(self, numbers: Sequence[float], seed: int):
        if len(numbers) > 4:
            raise ValueError(f"numbers = {len(numbers)} of them is not allowed: it must be at most 4.")
        self._bits = np.random.Philox(seed)
        self._state = self._bits.state
        self._state["buffer_pos"] = 4 - len(numbers)
        self._state["buffer"][4 - len(numbers) :] = [int(number * 2**53) << 11 for number in numbers]
        self._told = len(numbers)
        self.generator = np.random.Generator(self._bits)
        self.rewind(0)

    def rewind(self, run: int = 0) -> None:
        """Back to the first number of run number `run`."""
        self._state["state"]["counter"][:] = 0, 0, run + 1, 0
        self._bits.state = self._state

    @property
    def drawn(self) -> int:
        """How many numbers were taken since rewind()."""
        now = self._bits.state
        blocks = int(now["state"]["counter"][0])  # of four numbers each
        return 4 * blocks + int(now["buffer_pos"]) - (4 - self._told)
