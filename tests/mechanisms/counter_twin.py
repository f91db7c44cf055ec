"""The counters as the papers draw them: lists of blocks of items, each with one noise, summed afresh every time."""

import numpy as np


def tree_blocks(t: int, start: int = 0) -> list[tuple[int, int]]:
    """Blocks (first, last] that add up to the t items after `start`, the largest first."""
    blocks = []
    for level in reversed(range(t.bit_length())):
        if t >> level & 1:
            blocks.append((start, start + 2**level))
            start += 2**level
    return blocks


def binary(t: int, horizon: int, epsilon: float) -> dict:
    """Blocks read at t -> scale of their noise."""
    return dict.fromkeys(tree_blocks(t), len(f"{horizon:b}") / epsilon)


def logarithmic(t: int, horizon: int, epsilon: float) -> dict:
    ends = [1]
    while 2 * ends[-1] <= t:
        ends.append(2 * ends[-1])
    return {(first, last): 1 / epsilon for first, last in zip([0, *ends], ends, strict=False)}


def hybrid(t: int, horizon: int, epsilon: float) -> dict:
    parts = logarithmic(t, horizon, epsilon / 2)
    k = len(parts) - 1  # 2^k is the last release
    # Keyed apart: an epoch's tree and the next release of the logarithmic part may cover the same items.
    tree = {("tree", *block): 2 * k / epsilon for block in tree_blocks(t - 2**k, 2**k)}
    return parts | tree


def covariance(counter, horizon: int, epsilon: float) -> np.ndarray:
    """Exact covariance of the noises at times 1..horizon: 2 scale² for each block that two times share."""
    reads = [counter(t, horizon, epsilon) for t in range(1, horizon + 1)]
    return np.array([[sum(2 * a[block] ** 2 for block in a.keys() & b.keys()) for b in reads] for a in reads])


def releases(counter, stream, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    """Noisy sums of one stream, every block summed afresh; block noises are drawn once and kept."""
    noise, out = {}, []
    for t in range(1, len(stream) + 1):
        total = 0.0
        for block, scale in counter(t, len(stream), epsilon).items():
            noise.setdefault(block, rng.laplace(0, scale))
            total += sum(stream[block[-2] : block[-1]]) + noise[block]
        out.append(total)
    return np.array(out)
