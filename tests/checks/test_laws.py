"""dpbandits.checks.laws: right noise passes, each law named there is refused, and the sentence says what is wrong.

Seeds are fixed. A right answer fails one test with probability 1e-7 at most, a wrong one passes with 1e-3 at most.
"""

import numpy as np
import pytest
from scipy import stats

from dpbandits.checks import laws
from dpbandits.checks.grading import NotYet

CALLS, ENTRIES = laws.DRAWS // 4, 4


def redrawn(rng, far, shape):
    noise = rng.laplace(0, 1, shape)
    while (beyond := np.abs(noise) > far).any():
        noise = np.where(beyond, rng.laplace(0, 1, shape), noise)
    return noise


WRONG = {
    "scale 0.97": (lambda rng, shape: rng.laplace(0, 0.97, shape), "too narrow"),
    "scale 1.03": (lambda rng, shape: rng.laplace(0, 1.03, shape), "too wide"),
    "scale 0.85": (lambda rng, shape: rng.laplace(0, 0.85, shape), "too narrow: its mean size is 0.8"),
    "normal, the same variance": (lambda rng, shape: rng.normal(0, 2**0.5, shape), "tails"),
    "normal, scale 1": (lambda rng, shape: rng.normal(0, 1, shape), "tails that are too thin"),
    "normal, the closest": (lambda rng, shape: rng.normal(0, 1.14, shape), "tails|wrong shape"),
    "logistic, the closest": (lambda rng, shape: rng.logistic(0, 0.67, shape), "tails|wrong shape"),
    "logistic, the same variance": (lambda rng, shape: rng.logistic(0, 6**0.5 / np.pi, shape), "tails|shape|wide"),
    "uniform": (lambda rng, shape: rng.uniform(-2, 2, shape), "tails"),
    "Cauchy": (lambda rng, shape: rng.standard_cauchy(shape) * 0.7, "fat"),
    "t3": (lambda rng, shape: rng.standard_t(3, shape) * 0.92, "fat"),
    "exponential": (lambda rng, shape: rng.exponential(1, shape), "not centred"),
    "shifted": (lambda rng, shape: rng.laplace(0.05, 1, shape), "not centred"),
    "clamped at 3": (lambda rng, shape: np.clip(rng.laplace(0, 1, shape), -3, 3), "the same number.*cut off|tails"),
    "clamped at 8": (lambda rng, shape: np.clip(rng.laplace(0, 1, shape), -8, 8), "tails that are too thin"),
    "drawn again beyond 4": (lambda rng, shape: redrawn(rng, 4, shape), "tails that are too thin"),
    "drawn again beyond 6": (lambda rng, shape: redrawn(rng, 6, shape), "tails that are too thin"),
    "rounded to 2 decimals": (lambda rng, shape: rng.laplace(0, 1, shape).round(2), "different values"),
    "rounded to 3 decimals": (lambda rng, shape: rng.laplace(0, 1, shape).round(3), "different values"),
    "none": (lambda rng, shape: np.zeros(shape), "in all of"),
    "one draw for all entries": (
        lambda rng, shape: np.repeat(rng.laplace(0, 1, (shape[0], 1)), shape[1], 1),
        "different",
    ),
    "opposite signs": (lambda rng, shape: rng.laplace(0, 1, (shape[0], 1)) * [1, -1, 1.0, -1], "different|related"),
    "own signs, one size": (
        lambda rng, shape: np.abs(rng.laplace(0, 1, (shape[0], 1))) * rng.choice([-1, 1], shape),
        "different|related",
    ),
    "one for every two calls": (
        lambda rng, shape: np.repeat(rng.laplace(0, 1, (shape[0] // 2, shape[1])), 2, 0),
        "different",
    ),
    "two entries nearly the same": (
        lambda rng, shape: stats.laplace.ppf(
            stats.norm.cdf(rng.normal(0, 1, (shape[0], 1)) * 0.6 + rng.normal(0, 0.8, shape))
        ),
        "related in entries",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_law_is_refused_and_named(name):
    make, words = WRONG[name]
    for seed in range(3):
        with pytest.raises(NotYet, match=words):
            laws.laplace(make(np.random.default_rng(seed), (CALLS, ENTRIES)), 1.0, "The noise")


@pytest.mark.slow
def test_the_right_law_passes():
    for seed in range(25):
        rng = np.random.default_rng(seed)
        laws.laplace(rng.laplace(0, 3, laws.DRAWS), 3.0, "x")
        laws.laplace(rng.laplace(0, 3, (3000, 30)).astype(np.float32), 3.0, "x")
        laws.laplace(rng.laplace(0, 1, (500, 5)) * [1, 2, 3, 4, 5], [1, 2, 3, 4, 5], "x")
        laws.laplace(rng.laplace(0, 1, 60), 1.0, "x")  # of a slow answer


@pytest.mark.slow
def test_many_right_ones_pass():
    """The false alarm of 2,000 tests with 1e-7 each: 2e-4 for one among them, so a wrong bound of 1e-3 or more
    shows.
    """
    rng = np.random.default_rng(7)
    for _ in range(500):
        laws.laplace(rng.laplace(0, 1, (80, 3)), 1.0, "x")
        laws.flips(rng.random((60, 9)) < 0.3, 0.3, "x")
        laws.chance(rng.random(200) < 0.02, 0.02, "x")
        laws.flips(rng.random((200, 1)) < 0.7, 0.7, "x")


PAIRED = {
    "a rate off by 0.01": lambda rng: rng.random((2500, 40)) < 0.31,
    "one coin for two": lambda rng: np.repeat(rng.random((2500, 20)) < 0.3, 2, 1),
    "one coin for the halves": lambda rng: np.tile(rng.random((2500, 20)) < 0.3, 2),
    "one coin, mirrored": lambda rng: np.hstack([half := rng.random((2500, 20)) < 0.3, half[:, ::-1]]),
    "a fixed number": lambda rng: rng.permuted(np.tile(np.arange(40) < 12, (2500, 1)), axis=1),
    "one coin for two calls": lambda rng: np.repeat(rng.random((1250, 40)) < 0.3, 2, 0),
}


@pytest.mark.parametrize("name", PAIRED)
def test_wrong_flips_are_refused(name):
    for seed in range(3):
        with pytest.raises(NotYet):
            laws.flips(PAIRED[name](np.random.default_rng(seed)), 0.3, "The share of lies")


def test_chance_has_the_power_that_is_said():
    rng = np.random.default_rng(3)
    for _ in range(50):
        with pytest.raises(NotYet, match=r"is 0\.\d+ in 10000 tries; it should be 0.5"):
            laws.chance(rng.random(10_000) < 0.542, 0.5, "x")
    laws.chance(np.zeros(100, bool), 0.0, "x")
    with pytest.raises(NotYet):
        laws.chance(np.arange(100) == 3, 0.0, "x")


def test_chance_comes_from_rng():
    own = np.random.default_rng(5)
    laws.from_rng(lambda n, rng: rng.random(n), 2, shape=(2,))
    laws.from_rng(lambda rng: np.random.default_rng(rng.integers(2**40)).random(), shape=())
    for other in (
        lambda rng: np.random.laplace(),
        lambda rng: own.random(),
        lambda rng: np.random.default_rng(0).random(),
        lambda rng: 3.0,
        lambda rng: rng.random() + (np.random.random() < 0.3),
    ):
        with pytest.raises(NotYet, match="generators|Generators|rng"):
            laws.from_rng(other, shape=())


EDGE = float(np.log(np.expm1(1.0) / 0.02 + 1))  # 4.46 scales


def cut(rng, shape, scale=1.0, edge=EDGE):
    sizes = -scale * np.log1p(rng.random(shape) * np.expm1(-edge / scale))
    return sizes * rng.choice([-1.0, 1.0], shape)


def within(draw, shape, far=EDGE):
    values = draw(shape)
    while (beyond := np.abs(values) > far).any():
        values = np.where(beyond, draw(shape), values)
    return values


CUT = {
    "scale 0.97": (lambda rng, shape: cut(rng, shape, 0.97), "width|far from"),
    "scale 1.03": (lambda rng, shape: cut(rng, shape, 1.03), "width|far from"),
    "cut too early": (lambda rng, shape: cut(rng, shape, edge=EDGE - 0.1), "too few draws far from"),
    "cut too late": (lambda rng, shape: cut(rng, shape, edge=EDGE + 0.1), "leaves the support"),
    "not cut": (lambda rng, shape: rng.laplace(0, 1, shape), "leaves the support"),
    "clamped": (lambda rng, shape: np.clip(rng.laplace(0, 1, shape), -EDGE, EDGE), "same number|far from"),
    "normal, cut": (lambda rng, shape: within(lambda s: rng.normal(0, 1.3, s), shape), "width|shape|far from"),
    "uniform": (lambda rng, shape: rng.uniform(-EDGE, EDGE, shape), "far from"),
    "triangular": (lambda rng, shape: rng.triangular(-EDGE, 0, EDGE, shape), "far from|width|shape"),
    "one sign": (lambda rng, shape: np.abs(cut(rng, shape)), "not centred"),
    "one draw for two": (lambda rng, shape: np.repeat(cut(rng, (shape[0], shape[1] // 2)), 2, axis=1), "different"),
    "antithetic": (
        lambda rng, shape: np.hstack([half := cut(rng, (shape[0], shape[1] // 2)), -half]),
        "different|related",
    ),
    "one size, own signs": (
        lambda rng, shape: np.abs(cut(rng, (shape[0], shape[1] // 2))).repeat(2, 1) * rng.choice([-1, 1], shape),
        "different|related",
    ),
    "sorted": (lambda rng, shape: np.sort(cut(rng, shape), axis=1), "related"),
}


@pytest.mark.parametrize("name", CUT)
def test_a_wrong_cut_law_is_refused_and_named(name):
    make, words = CUT[name]
    for seed in range(3):
        draws = 2.0 * make(np.random.default_rng(seed), (100, 2000))
        with pytest.raises(NotYet, match=words):
            laws.cut_laplace(draws, 2.0, 2 * EDGE, "The noise")


@pytest.mark.parametrize("edge", [3.0, 5.0])
def test_the_power_of_cut_laplace_holds_at_both_ends_of_its_range(edge):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        for draws in (
            cut(rng, (100, 2000), 0.97, edge),
            cut(rng, (100, 2000), 1.03, edge),
            cut(rng, (100, 2000), 1.0, edge - 0.1),
        ):
            with pytest.raises(NotYet):
                laws.cut_laplace(draws, 1.0, edge, "The noise")


@pytest.mark.slow
def test_many_right_cut_laws_pass():
    """The false alarm of 129 tests with 1e-7 each: 1.3e-5 for one among them."""
    rng = np.random.default_rng(8)
    for edge in (0.1, 1.0, 3.0, 12.0):
        for shape in ((20, 5), (7, 11), (60, 1), (1, 300)):
            for _ in range(8):
                laws.cut_laplace(3 * cut(rng, shape, edge=edge), 3.0, 3 * edge, "x")
    laws.cut_laplace(cut(rng, (100, 2000)), 1.0, EDGE, "x")
