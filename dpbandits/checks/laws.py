"""Is this noise what was asked for? Its family, scale, tails, repeats, independence and source, tested as laws.

    noise = grading.repeat(noisy_counts, wards, 1.0, rng, times=25_000, shape=(4,)) - wards
    laws.laplace(noise, 1.0, "The noise at ε = 1")
    laws.from_rng(noisy_counts, wards, 1.0, shape=(4,))

**False alarm.** A right answer fails one call of `laplace`, `cut_laplace`, `flips` or `chance` with probability 1e-7 at
most, whatever it is asked about; a test cell makes ten such calls at most, so 1e-6. The tests inside are exact where
they can be (Gamma, binomial) and share that probability; Kolmogorov-Smirnov's is exact as well.

**Power.** With DRAWS = 100,000 draws `laplace` refuses with probability 0.999 or more: a scale off by 3 % or more; a
normal, logistic, uniform or Cauchy law of any scale; Student's t with up to 3 degrees of freedom; noise clamped, or
drawn again, beyond any number of scales up to 8 (6 where it is drawn again); noise rounded to 3 decimals of its scale
or fewer; one draw used for two entries or two calls, with any sign. `cut_laplace`, `flips` and `chance` say theirs.
tests/checks/test_laws.py plays all of these.
"""

import math
from collections.abc import Callable

import numpy as np
from scipy import stats

from dpbandits.checks.grading import NotYet, repeat

ALARM = 1e-7  # of one law test
DRAWS = 100_000  # for a law of which 3 % in scale are to be told
TAILS = (3, 5, 8)  # in scales: P(|noise| > 8 scales) = 3.4e-4, of 100,000 draws 34
_MAGNITUDE = math.log(2)  # median of |noise|, in scales


def laplace(draws, scale: float, what: str) -> None:
    """Independent Laplace draws of this scale around 0, shape (draws,) or (calls, entries); NotYet says what is wrong.

    scale: a number, or one for each entry. what: begins the sentence, as in "The noise at ε = 1".
    """
    noise = np.asarray(draws, float) / np.asarray(scale, float)
    flat = noise.ravel()
    pairs = list(_pairs(noise)) if noise.ndim == 2 else [("one draw and the next", flat[:-1:2], flat[1::2])]
    share = ALARM / 2 / (3 + len(TAILS) + 2 * len(pairs))  # of each test below but the first two, which take the rest
    _repeats(flat, what)
    if _has_shape(flat / np.abs(flat).mean(), share):  # Laplace noise, if of another scale: that is said first
        _scale(flat, np.mean(scale), what, ALARM / 2)
    _tails(flat, what, share)
    _scale(flat, np.mean(scale), what, ALARM / 2)
    if (found := stats.binomtest(int((flat > 0).sum()), flat.size, 0.5)).pvalue < share:
        raise NotYet(f"{what} is not centred: {found.statistic:.1%} of it is above 0.")
    if stats.kstest(flat, stats.laplace.cdf).pvalue < share:
        raise NotYet(f"{what} has the wrong shape: it is {_shape(flat)}, not Laplace.")
    for name, one, other in pairs:
        _unrelated(name, one, other, what, share)


def cut_laplace(draws, scale: float, reach: float, what: str) -> None:
    """Independent draws of the Laplace law of this scale around 0, given that they lie within `reach`: shape (calls,
    entries). NotYet says what is wrong.

    A size |y| becomes U = (1 − e^(−|y|/scale))/(1 − e^(−reach/scale)), which is uniform, so −ln(1 − U) and −ln U are
    standard exponentials, and their sums Gamma: exact.

    Power at 200,000 draws and a reach of 3 to 5 scales: a scale off by 3 %, a reach off by a tenth of the scale, a
    law without the cut, clamped there, normal (cut or not), uniform or triangular, one draw for two entries or two
    calls with any sign, and sorted draws are refused with probability 0.999 or more.
    """
    noise = np.asarray(draws, float) / scale
    edge, flat = reach / scale, noise.ravel()
    pairs = list(_pairs(noise))
    share = ALARM / (8 + 2 * len(pairs))
    if (beyond := np.abs(flat) > edge * (1 + 1e-9)).any():
        raise NotYet(
            f"{what} leaves the support: {beyond.sum()} of {flat.size} draws lie beyond {reach:.4g}, the farthest at"
            f" {np.abs(flat).max() * scale:.4g}."
        )
    _repeats(flat, what)
    uniform = np.clip(np.expm1(-np.abs(flat)) / math.expm1(-edge), 1e-300, 1 - 1e-16)
    for last in (0.1, 0.01, 0.001):
        outer, expected = int((uniform > 1 - last).sum()), last * flat.size
        if stats.binomtest(outer, flat.size, last).pvalue < share:
            place = -math.log1p(math.expm1(-edge) * (1 - last)) * scale
            few = "few" if outer < expected else "many"
            raise NotYet(
                f"{what} has too {few} draws far from the centre: {outer} of {flat.size} lie beyond {place:.4g}; about"
                f" {expected:.0f} should."
            )
    for sizes in (-np.log1p(-uniform), -np.log(uniform)):
        law = stats.gamma(flat.size)
        if 2 * min(law.cdf(sizes.sum()), law.sf(sizes.sum())) < share:
            wanted = scale * (1 - edge / math.expm1(edge))
            raise NotYet(
                f"{what} has the wrong width: its mean size is {np.abs(flat).mean() * scale:.4g}; it should be"
                f" {wanted:.4g}."
            )
    if (found := stats.binomtest(int((flat > 0).sum()), flat.size, 0.5)).pvalue < share:
        raise NotYet(f"{what} is not centred: {found.statistic:.1%} of it is above 0.")
    if stats.kstest(np.sign(flat) * uniform, stats.uniform(-1, 2).cdf).pvalue < share:
        raise NotYet(f"{what} has the wrong shape: from the centre to the ends it does not fall as e^(−|y|/scale).")
    for name, one, other in pairs:
        _unrelated(name, one, other, what, share, -math.log1p(math.expm1(-edge) / 2))


def flips(flipped, probability: float, what: str) -> None:
    """Independent yes-or-no events, each of this probability: shape (calls, entries). Exact binomial tests.

    Power at 100,000 events: a probability off by 0.01, one coin for two entries or two calls, and a fixed number of
    events a call are refused with probability 0.999 or more.
    """
    flipped = np.asarray(flipped, bool)
    calls, entries = flipped.shape
    pairs = list(_pairs(flipped)) if entries > 1 else []
    share = ALARM / (2 + len(pairs))
    _binomial(flipped, probability, what, share)
    for name, one, other in pairs:
        both = one & other
        if stats.binomtest(int(both.sum()), both.size, probability**2).pvalue < share:
            raise NotYet(
                f"{what}: {name} go together. Both happen in {both.mean():.4g} of the cases; with a coin for each it is"
                f" {probability**2:.4g}."
            )
    usual = round(entries * probability)
    expected = stats.binom.pmf(usual, entries, probability)
    same = flipped.sum(axis=1) == usual
    if stats.binomtest(int(same.sum()), calls, expected).pvalue < share:
        raise NotYet(
            f"{what}: exactly {usual} of {entries} in {same.mean():.0%} of the calls. With independent coins the number"
            f" varies: it is {usual} in {expected:.0%}."
        )


def chance(happened, probability: float, what: str) -> None:
    """Independent events of this probability, exact binomial test.

    Power at n events: a probability off by 8.4·√(p(1 − p)/n) is refused with probability 0.999, so 0.042 of p = ½ at
    n = 10,000. Where it should be 0 or 1, one event to the contrary is enough.
    """
    _binomial(np.ravel(np.asarray(happened, bool)), probability, what, ALARM)


def from_rng(function: Callable, *arguments, shape: tuple[int, ...] | None = (), times: int = 40) -> None:
    """The randomness of function(*arguments, rng) is that of rng: the same for the same seed, another for another.

    Whatever comes from np.random, from `random` or from a generator of one's own differs between the first two, or does
    not between the last two. It never fails an answer that draws from rng alone.
    """
    one, same, other = (
        repeat(function, *arguments, np.random.default_rng(seed), times=times, shape=shape) for seed in (11, 11, 12)
    )
    name = getattr(function, "__name__", "your function")
    if not np.array_equal(one, same):
        raise NotYet(
            f"Two generators with the same seed give different results in {name}: draw from rng, and from nothing else."
        )
    if np.array_equal(one, other):
        raise NotYet(
            f"Generators with different seeds give the same results in {name}: is there chance in it, and from rng?"
        )


def _binomial(happened: np.ndarray, probability: float, what: str, share: float) -> None:
    count = int(happened.sum())
    if stats.binomtest(count, happened.size, min(max(probability, 0.0), 1.0)).pvalue < share:
        raise NotYet(f"{what} is {count / happened.size:.4g} in {happened.size} tries; it should be {probability:.4g}.")


def _repeats(noise: np.ndarray, what: str) -> None:
    """Draws of a continuous law do not repeat; 1 in 50 is allowed, for those who compute in short floats."""
    values, counts = np.unique(noise.round(12), return_counts=True)
    if values.size > 0.98 * noise.size:
        return
    if values.size == 1:
        raise NotYet(f"{what} is {values[0]:.4g} in all of {noise.size} draws: is there any?")
    most = counts.argmax()
    if values.size > 0.3 * noise.size and counts[most] > 0.001 * noise.size:
        cut = "cut off" if abs(values[most]) == np.abs(noise).max().round(12) else "replaced by it"
        raise NotYet(
            f"{what} is the same number, {values[most]:.4g} scales, in {counts[most]} of {noise.size} draws: is"
            f" it {cut}?"
        )
    raise NotYet(
        f"{what} takes only {values.size} different values in {noise.size} draws: is it rounded, or one draw used"
        f" again?"
    )


def _has_shape(noise: np.ndarray, share: float) -> bool:
    """Whether noise of mean size 1 looks like Laplace noise, in its body and in its tails."""
    beyond = int((np.abs(noise) > TAILS[1]).sum())
    fits = stats.binomtest(beyond, noise.size, math.exp(-TAILS[1])).pvalue > share
    return fits and stats.kstest(noise, stats.laplace.cdf).pvalue > share


def _tails(noise: np.ndarray, what: str, share: float) -> None:
    for far in TAILS:
        beyond, expected = int((np.abs(noise) > far).sum()), math.exp(-far)
        if stats.binomtest(beyond, noise.size, expected).pvalue < share:
            thin = "thin" if beyond < expected * noise.size else "fat"
            raise NotYet(
                f"{what} has tails that are too {thin}: {beyond} of {noise.size} draws lie beyond {far} scales;"
                f" of Laplace noise it is about {expected * noise.size:.0f}."
            )


def _scale(noise: np.ndarray, scale: float, what: str, share: float) -> None:
    """The sum of n sizes |noise| in scales is Gamma(n): exact."""
    total = np.abs(noise).sum()
    law = stats.gamma(noise.size)
    if 2 * min(law.cdf(total), law.sf(total)) < share:
        size = total / noise.size
        narrow = "narrow" if size < 1 else "wide"
        raise NotYet(
            f"{what} is too {narrow}: its mean size is {size * scale:.4g}; of Laplace noise of the right scale it is"
            f" {scale:.4g}."
        )


def _unrelated(
    name: str, one: np.ndarray, other: np.ndarray, what: str, share: float, median: float = _MAGNITUDE
) -> None:
    """Signs agree in half of the pairs, and so do sizes above their median: exactly binomial for independent draws."""
    for one_of, other_of in (
        (one > 0, other > 0),
        (np.abs(one) > median, np.abs(other) > median),
    ):
        agree = one_of == other_of
        if stats.binomtest(int(agree.sum()), agree.size, 0.5).pvalue < share:
            raise NotYet(f"{what} is related in {name}: each needs a draw of its own.")


def _pairs(table: np.ndarray):
    """Disjoint pairs of entries in a table (calls, entries): ("which", first of each, second of each)."""
    calls, entries = table.shape
    if calls > 1:
        yield "one call and the next", table[:-1:2].ravel(), table[1::2].ravel()
    if 1 < entries <= 8:
        for k in range(entries):
            for j in range(k):
                yield f"entries {j + 1} and {k + 1} of a call", table[:, j], table[:, k]
    elif entries > 8:
        half = entries // 2
        yield "an entry and the next", table[:, 0 : entries - 1 : 2].ravel(), table[:, 1::2].ravel()
        yield "an entry and the one before", table[:, 1 : entries - 1 : 2].ravel(), table[:, 2::2].ravel()
        yield "the two halves of a call", table[:, :half].ravel(), table[:, half : 2 * half].ravel()
        yield "entries at the same distance from both ends", table[:, :half].ravel(), table[:, : -half - 1 : -1].ravel()
        yield "the first entry and the last", table[:, 0], table[:, -1]


def _shape(noise: np.ndarray) -> str:
    """In words, how the draws differ from Laplace ones of their own mean size."""
    middle = float((np.abs(noise) < 0.5 * np.abs(noise).mean()).mean())  # of Laplace noise 0.393
    if middle < 0.38:
        return "flatter in the middle, as normal noise is"
    if middle > 0.41:
        return "more peaked in the middle"
    return "skewed or uneven"
