"""Continual release of running sums in NumPy: for notebooks, and the exact variances of all counters.

A stream is an array whose last axis is time; the axes before it are independent streams. Neighbouring streams differ
in one item, by at most `sensitivity`; then everything released is ε-DP. Sources: see `counters.py`, which does the
same inside compiled loops.
"""

from dataclasses import replace

import numpy as np

from dpbandits.parameters import EPSILON, HORIZON, SENSITIVITY, Parameter

TIME = Parameter("t", "how many items have been counted", kind="integer", low=1)

_bit_count = np.vectorize(int.bit_count, otypes=[np.int64])
_bit_length = np.vectorize(int.bit_length, otypes=[np.int64])


def binary_variance(t, epsilon, horizon, sensitivity=1.0):
    """Noise variance of the binary counter's sum at t (array of integers in 1..horizon): 2 popcount(t) (levels · Δ/ε)².

    levels = horizon.bit_length(). Raises ValueError for a t out of range.
    """
    scale = _scale(epsilon, sensitivity)
    horizon = HORIZON.check(horizon)
    return 2.0 * _bit_count(_times(t, horizon)) * (horizon.bit_length() * scale) ** 2


def nodes_read(t: int) -> list[tuple[int, int]]:
    """The nodes (first, last] of a binary counter's tree that its sum at t >= 1 adds up: one for each bit of t, the
    largest first.
    """
    t, ends = TIME.check(t), [0]
    for level in reversed(range(t.bit_length())):
        if t >> level & 1:
            ends.append(ends[-1] + (1 << level))
    return list(zip(ends, ends[1:], strict=False))


def logarithmic_variance(t, epsilon, sensitivity=1.0):
    """Noise variance of the logarithmic counter's latest release at t: 2 (⌊lg t⌋ + 1) (Δ/ε)²."""
    return 2.0 * _bit_length(_times(t)) * _scale(epsilon, sensitivity) ** 2


def hybrid_variance(t, epsilon, sensitivity=1.0):
    """Noise variance of the hybrid counter's sum at t = 2^k + τ: 2 (k+1) (2Δ/ε)² + 2 popcount(τ) (2kΔ/ε)²."""
    t, scale = _times(t), _scale(epsilon, sensitivity)
    k, inside = _bit_length(t) - 1, _bit_count(t) - 1
    return 2.0 * (k + 1) * (2 * scale) ** 2 + 2.0 * inside * (2 * k * scale) ** 2


def binary_counter(stream, epsilon, horizon, rng=None, sensitivity=1.0):
    """Noisy running sums of `stream`, of the same shape, from a tree over `horizon` >= its length.

    rng: a numpy Generator or a seed. Each dyadic block of items has one draw of Lap(levels · Δ/ε); the sum at t reads
    the popcount(t) blocks that t is written with. Raises ValueError for bad numbers or a stream longer than the
    horizon.
    """
    stream = _stream(stream)
    horizon = replace(HORIZON, low=stream.shape[-1]).check(horizon, "the length of the stream")
    rng, scale = np.random.default_rng(rng), horizon.bit_length() * _scale(epsilon, sensitivity)
    return np.cumsum(stream, axis=-1) + _tree_noise(stream.shape, scale, rng)


def logarithmic_counter(stream, epsilon, rng=None, sensitivity=1.0):
    """The latest release at each time, of the shape of `stream`: noisy sums of its first 1, 2, 4, ... items.

    Each release adds the items since the one before and Lap(Δ/ε), so the noise accumulates. Arguments as
    binary_counter.
    """
    stream = _stream(stream)
    last = _bit_length(np.arange(1, stream.shape[-1] + 1)) - 1  # which release is the latest at each time
    noise = _release_noise(stream.shape, last, _scale(epsilon, sensitivity), np.random.default_rng(rng))
    return np.cumsum(stream, axis=-1)[..., (1 << last) - 1] + noise


def hybrid_counter(stream, epsilon, rng=None, sensitivity=1.0):
    """Noisy running sums of `stream`, of the same shape, without a horizon: half of ε for each of the two parts.

    At t = 2^k the logarithmic part's sum; between 2^k and 2^(k+1) a fresh binary counter is added to it. Arguments as
    binary_counter.
    """
    stream = _stream(stream)
    rng, scale = np.random.default_rng(rng), 2 * _scale(epsilon, sensitivity)
    last = _bit_length(np.arange(1, stream.shape[-1] + 1)) - 1
    noise = _release_noise(stream.shape, last, scale, rng)
    for k in range(1, stream.shape[-1].bit_length()):
        epoch = noise[..., 1 << k : (1 << (k + 1)) - 1]
        epoch += _tree_noise(epoch.shape, k * scale, rng)
    return np.cumsum(stream, axis=-1) + noise


def _tree_noise(shape, scale: float, rng) -> np.ndarray:
    """Noise of a binary counter's sums at times 1..shape[-1]: for every bit of t, the draw of its block."""
    t = np.arange(1, shape[-1] + 1)
    noise = np.zeros(shape)
    for level in range(shape[-1].bit_length()):
        read = (t >> level) & 1 == 1
        blocks = rng.laplace(0.0, scale, (*shape[:-1], shape[-1] >> level))
        noise[..., read] += blocks[..., (t[read] >> level) - 1]
    return noise


def _release_noise(shape, last, scale: float, rng) -> np.ndarray:
    """Noise of a logarithmic counter's release number `last` (one for each time)."""
    draws = rng.laplace(0.0, scale, (*shape[:-1], shape[-1].bit_length()))
    return np.cumsum(draws, axis=-1)[..., last]


def _scale(epsilon, sensitivity) -> float:
    return SENSITIVITY.check(sensitivity) / EPSILON.check(epsilon)


def _stream(stream) -> np.ndarray:
    stream = np.asarray(stream, float)
    if stream.ndim == 0 or stream.shape[-1] == 0 or not np.isfinite(stream).all():
        raise ValueError(
            f"stream of shape {stream.shape} is not allowed: it must hold at least one item, all of them finite"
            " numbers."
        )
    return stream


def _times(t, high: float = np.inf) -> np.ndarray:
    domain = replace(TIME, high=high)
    return np.array([domain.check(x) for x in np.ravel(t)], np.int64).reshape(np.shape(t))
