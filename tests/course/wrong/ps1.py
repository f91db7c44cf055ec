"""Wrong answers to PS1, what ε promises."""

from tests.course.wrong import Wrong

WRONG = [
    Wrong("inverted Laplace scale", "noisy-counts", "1 / epsilon", "epsilon"),
    Wrong("one draw for all wards", "noisy-counts", "1 / epsilon, counts.shape", "1 / epsilon"),
    Wrong("scale for the sum over wards", "noisy-counts", "1 / epsilon", "len(counts) / epsilon"),
    Wrong("Gaussian noise", "noisy-counts", "rng.laplace", "rng.normal"),
    Wrong(
        "negative counts cut off",
        "noisy-counts",
        "return counts + rng.laplace(0.0, 1 / epsilon, counts.shape)",
        "return np.maximum(0, counts + rng.laplace(0.0, 1 / epsilon, counts.shape))",
    ),
    Wrong("the better of the two cases", "failure-rate", "max(wrong", "min(wrong"),
    Wrong(
        "the average of the two cases",
        "failure-rate",
        "max(wrong_about_0, wrong_about_1)",
        "(wrong_about_0 + wrong_about_1) / 2",
    ),
    Wrong("tail of the wrong side", "failure-rate", "if y >= 0", "if True"),
    Wrong("flips with e^-ε", "respond", "1 / (1 + math.exp(-epsilon))", "1 - math.exp(-epsilon)"),
    Wrong(
        "lies as often as it may tell the truth",
        "respond",
        "1 / (1 + math.exp(-epsilon))",
        "1 / (1 + math.exp(epsilon))",
    ),
    Wrong("one coin for all patients", "respond", "rng.random(bits.shape)", "rng.random()"),
    Wrong("answers at face value", "estimate", "(np.mean(answers) - (1 - p)) / (2 * p - 1)", "np.mean(answers)"),
    Wrong(
        "cut off at 0 and 1",
        "estimate",
        "(np.mean(answers) - (1 - p)) / (2 * p - 1)",
        "np.clip((np.mean(answers) - (1 - p)) / (2 * p - 1), 0, 1)",
    ),
    Wrong(
        "composition by max",
        "worst-loss",
        "totals.get(patient, 0.0) + epsilon",
        "max(totals.get(patient, 0.0), epsilon)",
    ),
    Wrong(
        "everybody bears everything",
        "worst-loss",
        "max(totals.values(), default=0.0)",
        "sum(epsilon for _, epsilon in releases)",
    ),
    Wrong("not divided by the weeks", "weekly-epsilon", " / weeks", ""),
    Wrong("divided by their square root", "weekly-epsilon", " / weeks", " / math.sqrt(weeks)"),
    Wrong("a NaN", "weekly-epsilon", "math.log(1 / failure - 1) / weeks", "math.nan"),
]
