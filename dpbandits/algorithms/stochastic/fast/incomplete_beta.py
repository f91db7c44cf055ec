"""The incomplete beta function for kernels, and how it moves when a parameter grows by one."""

import math

from dpbandits.kernels import kernel


@kernel
def _stirling_error(n):
    """ln Γ(n+1) − (n + ½) ln n + n − ½ ln 2π, for n >= 8 (to 1e−14)."""
    square = 1.0 / (n * n)
    return (
        1 / 12
        - (1 / 360 - (1 / 1260 - (1 / 1680 - (1 / 1188 - square * 691 / 360360) * square) * square) * square) * square
    ) / n


@kernel
def _deviance(x, mean):
    """x ln(x/mean) + mean − x, without cancellation where x is near the mean."""
    v = (x - mean) / (x + mean)
    if abs(v) > 0.1:
        return x * math.log(x / mean) + mean - x
    total, term, j = (x - mean) * v, 2.0 * x * v, 1
    while True:
        term *= v * v
        j += 2
        following = total + term / j
        if following == total:
            return total
        total = following


@kernel
def beta_kernel(c, a, b):
    """c^a (1−c)^b / B(a, b) for 0 < c < 1 and a, b >= 8, to rounding however large a and b are (Loader 2000)."""
    n = a + b
    log = (
        _stirling_error(n) - _stirling_error(a) - _stirling_error(b) - _deviance(a, n * c) - _deviance(b, n * (1.0 - c))
    )
    return math.sqrt(a * b / (2.0 * math.pi * n)) * math.exp(log)


@kernel
def _continued_fraction(x, a, b):
    """I_x(a, b)·a B(a, b)/(x^a (1−x)^b) for x below about (a+1)/(a+b+2), by Lentz's method (DLMF 8.17.22)."""
    tiny = 1e-300
    d = 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    c, value = 1.0, d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for coefficient in (even, odd):
            d = 1.0 + coefficient * d
            c = 1.0 + coefficient / c
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


@kernel
def upper_tail(c, a, b, height):
    """P(Beta(a, b) > c), where height = beta_kernel(c, a, b)."""
    if c > (a + 1.0) / (a + b + 2.0):
        return height / b * _continued_fraction(1.0 - c, b, a)
    return 1.0 - height / a * _continued_fraction(c, a, b)
