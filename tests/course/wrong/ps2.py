"""Wrong answers to PS2, continual counting."""

from tests.course.wrong import Wrong

WRONG = [
    Wrong("off by one at a power of two", "blocks", "t.bit_length() - 1,", "(t - 1).bit_length() - 1,"),
    Wrong("counted from 0", "blocks", "(last + 1, last + 2**digit)", "(last, last + 2**digit - 1)"),
    Wrong("the short block first", "blocks", "range(t.bit_length() - 1, -1, -1)", "range(t.bit_length())"),
    Wrong(
        "lg rounded up, one level short at powers of two",
        "block-scale",
        "n.bit_length()",
        "max(1, math.ceil(math.log2(n)))",
    ),
    Wrong("no levels", "block-scale", "n.bit_length() / epsilon", "1 / epsilon"),
    Wrong(
        "lg of floats, wrong just below a large power of two",
        "block-scale",
        "n.bit_length()",
        "(math.floor(math.log2(n)) + 1)",
    ),
    Wrong(
        "fresh noise in every release",
        "ticker",
        "noise[before] +",
        "sum(rng.laplace(0.0, n.bit_length() / epsilon, before.bit_count())) +",
    ),
    Wrong("noise on every minute, added up", "ticker", "t - (t & -t)", "t - 1"),
    Wrong("no levels", "ticker", "n.bit_length() / epsilon", "1 / epsilon"),
    Wrong(
        "one draw for all blocks",
        "ticker",
        "rng.laplace(0.0, n",
        "np.random.default_rng(int(stream.sum())).laplace(0.0, n",
    ),
    Wrong("all digits for the ones", "ticker-error", "t.bit_count()", "t.bit_length()"),
    Wrong(
        "the variance",
        "ticker-error",
        "math.sqrt(2 * t.bit_count()) * n.bit_length() / epsilon",
        "2 * t.bit_count() * (n.bit_length() / epsilon) ** 2",
    ),
    Wrong("lg rounded up", "ticker-error", "n.bit_length()", "max(1, math.ceil(math.log2(n)))"),
    Wrong("all of ε for both parts", "hybrid-ticker", "2 / epsilon", "1 / epsilon"),
    Wrong("one level too many in between", "hybrid-ticker", "2 * k / epsilon", "2 * (k + 1) / epsilon"),
    Wrong("milestones from scratch", "hybrid-ticker", "before, scale = t // 2,", "before, scale = 0,"),
    Wrong("a milestone is a block", "hybrid-ticker", "if t == 2**k", "if t == 1"),
    Wrong("the milestone counted among the blocks", "good-minutes", "t.bit_count() - 1", "t.bit_count()"),
    Wrong("a milestone short", "good-minutes", "k + 1, ", "k, "),
    Wrong("the variance", "good-minutes", "math.sqrt(variance)", "variance"),
    Wrong("the last minute left out", "good-minutes", "range(1, n + 1)", "range(1, n)"),
]
