"""Linear independence over the reals, decided exactly by integers.

Each number is read as the decimal that it prints as (0.1 is one tenth), so a vector, scaled, has integer entries;
scaling does not change which sets are independent. A set of integer vectors is independent iff some minor of full size
m is not 0, and |m| <= the product of the lengths of its vectors (Hadamard), hence at most the product H of the K
greatest lengths of all. Take
distinct primes whose product exceeds H: no non-zero minor is divisible by all of them, so the set is independent over
the reals iff it is independent modulo at least one of them. With small integers one prime suffices.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

GREATEST = 2**26  # primes lie below, so that products of residues are exact in floating point


def integers(vector: Sequence[float]) -> list[int]:
    """The shortest integer vector with the direction of `vector`, whose numbers are read as the decimals they
    print as.
    """
    exact = [Fraction(repr(float(number))) for number in vector]
    scale = math.lcm(*(number.denominator for number in exact))
    whole = [int(number * scale) for number in exact]
    divisor = math.gcd(*whole)
    return [number // divisor for number in whole] if divisor else whole


def certifying_primes(vectors: Sequence[Sequence[int]]) -> list[int]:
    """Distinct primes whose product exceeds every minor of these integer vectors, greatest first; at least one."""
    squares = sorted((sum(number * number for number in vector) for vector in vectors), reverse=True)
    bound = math.prod(square for square in squares[: len(vectors[0])] if square)  # of the squared minors
    primes: list[int] = []
    product = 1
    candidate = GREATEST - 1
    while not primes or product * product <= bound:
        if all(candidate % d for d in range(3, math.isqrt(candidate) + 1, 2)):
            primes.append(candidate)
            product *= candidate
        candidate -= 2
    return primes


def residues(vectors: Sequence[Sequence[int]], primes: Sequence[int]) -> np.ndarray:
    """The vectors modulo each prime, in −p/2..p/2, shape (primes, vectors, dimension)."""
    return np.array(
        [[[(number + p // 2) % p - p // 2 for number in vector] for vector in vectors] for p in primes], float
    )
