"""Wrong answers to PS5, matroids and semi-bandits."""

from tests.course.wrong import Wrong

WRONG = [
    Wrong(
        "stops at the first arm that does not fit",
        "greedy-basis",
        "            basis.append(arm)\n",
        "            basis.append(arm)\n        else:\n            break\n",
    ),
    Wrong(
        "negative weights left out",
        "greedy-basis",
        "if independent([*basis, arm]):",
        "if weights[arm] > 0 and independent([*basis, arm]):",
    ),
    Wrong(
        "infinity ranked last",
        "greedy-basis",
        "np.argsort(-weights)",
        "np.argsort(-np.where(np.isinf(weights), -9, weights))",
    ),
    Wrong("off by one at a power of two", "releases", "(n + 1).bit_length() - 1", "n.bit_length()"),
    Wrong(
        "lg of floats, wrong just below a large power of two",
        "releases",
        "(n + 1).bit_length() - 1",
        "math.floor(math.log2(n + 1))",
    ),
    Wrong("the size of the next box", "releases", "2 ** (number - 1) if number else 0", "2**number"),
    Wrong("noise without K", "lazy-means", "rank / epsilon", "1 / epsilon"),
    Wrong(
        "nothing forgotten",
        "lazy-means",
        "means.append(total / size)",
        "means.append((np.sum(outcomes[:start]) + total) / (start + size))",
    ),
    Wrong(
        "noise on the mean",
        "lazy-means",
        "(outcomes[start : start + size]) + rng.laplace(0, rank / epsilon)",
        "(outcomes[start : start + size]) + size * rng.laplace(0, rank / epsilon)",
    ),
    Wrong("ties by lowest place", "one-report", "rng.choice(np.flatnonzero(seen == seen.min()))", "np.argmin(seen)"),
    Wrong("noise for K numbers", "one-report", "1 / epsilon", "len(chosen) / epsilon"),
    Wrong("any of the arms", "one-report", "seen == seen.min()", "seen >= 0"),
    Wrong("not cut at 1", "upper-bounds", "np.minimum(1, sums / n", "(sums / n"),
    Wrong("infinity for an arm without a report", "upper-bounds", "1.0, bound", "math.inf, bound"),
    Wrong("ε not squared", "upper-bounds", "epsilon**2", "epsilon"),
    Wrong("the variance", "noise-of-mean", "return everything, one", "return everything**2, one**2"),
    Wrong("every arm has all nights", "noise-of-mean", "math.sqrt(nights / rank)", "math.sqrt(nights)"),
    Wrong("K under the root", "noise-of-mean", "* rank / epsilon", "* math.sqrt(rank) / epsilon"),
]
