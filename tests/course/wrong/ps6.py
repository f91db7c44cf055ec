"""Wrong answers to PS6, arguments."""

from tests.course.wrong import Wrong

WRONG = [
    Wrong("refutes a constant of 1 and 2 alone", "no-constant", "min(0.5, 1 / (2 * constant))", "0.5"),
    Wrong("a little too far", "no-constant", "1 / (2 * constant)", "1.1 / constant"),
    Wrong(
        "means away from 0, where the square is right",
        "no-constant",
        "0.0, min(0.5, 1 / (2 * constant))",
        "0.5 - 0.25 / constant, 0.5",
    ),
    Wrong("the larger mean first", "no-constant", "0.0, min(0.5, 1 / (2 * constant))", "min(0.5, 1 / constant), 0.0"),
    Wrong("the last world first", "not-so-cheap", "chain[::-1]", "chain"),
    Wrong("steps that only add δ", "not-so-cheap", "math.exp(epsilon) * chain[-1] + delta", "chain[-1] + delta"),
    Wrong(
        "steps that only multiply", "not-so-cheap", "math.exp(epsilon) * chain[-1] + delta", "math.exp(epsilon) * delta"
    ),
    Wrong("from the middle, where 1 − P breaks the promise", "not-so-cheap", "[0.0]", "[0.4]"),
    Wrong("one step short", "not-so-cheap", "range(changes)", "range(changes - 1)"),
    Wrong("the divergence of world 2 from world 1", "links", "one * np.log(one / two)", "two * np.log(two / one)"),
    Wrong("chi-square over the wrong law", "links", "np.sum((one - two) ** 2 / two)", "np.sum((one - two) ** 2 / one)"),
    Wrong("total variation without its half", "links", ".sum() / 2", ".sum()"),
    Wrong("the largest entry in place of the spread", "links", "variation * (most - least)", "variation * most"),
    Wrong("ε over the whole table", "links", "(most / least).max() - 1", "most.max() / least.min() - 1"),
    Wrong("ε in place of e^ε − 1", "links", "((most / least).max() - 1) ** 2", "np.log((most / least).max()) ** 2"),
    Wrong(
        "rows for columns",
        "links",
        "channel.max(axis=0), channel.min(axis=0)",
        "channel.max(axis=1).max() + 0 * one, channel.min(axis=1).min() + 0 * one",
    ),
    Wrong(
        "δ at each end taken together",
        "law",
        "math.expm1(epsilon) / (2 * delta) + 1",
        "math.expm1(epsilon) / delta + 1",
    ),
    Wrong(
        "δ below the place where the law begins",
        "law",
        "math.log(math.expm1(epsilon) / (2 * delta) + 1) / epsilon",
        "-math.log(2 * delta) / epsilon",
    ),
    Wrong(
        "cut off, but the rest not raised to 1",
        "law",
        "total = 2 * (1 - math.exp(-epsilon * r)) / epsilon",
        "total = 2 / epsilon",
    ),
    Wrong("the upper half not mirrored", "law", "outer if y <= 0 else 1 - outer", "outer"),
    Wrong("a density beyond the ends", "law", "/ total if abs(y) < r else 0.0", "/ total"),
    Wrong("nothing for ε = 0", "law", "if epsilon == 0:", "if epsilon < 0:"),
    Wrong(
        "clamped, not drawn again",
        "draws",
        "y = rng.laplace(0, 1 / epsilon, size)",
        "y = np.clip(rng.laplace(0, 1 / epsilon, size), -r, r)",
    ),
    Wrong("not cut", "draws", "np.abs(y) > r", "np.abs(y) > 1e9"),
    Wrong("r for twice the δ", "draws", "(2 * delta)", "(4 * delta)"),
    Wrong(
        "one new draw for all that lie beyond",
        "draws",
        "rng.laplace(0, 1 / epsilon, beyond.sum())",
        "rng.laplace(0, 1 / epsilon)",
    ),
    Wrong("in order", "draws", "return y", "return np.sort(y)"),
    Wrong("numpy's own generator", "draws", "y = rng.laplace", "y = np.random.laplace"),
    Wrong("ε for the scale", "draws", "y = rng.laplace(0, 1 / epsilon, size)", "y = rng.laplace(0, epsilon, size)"),
]
