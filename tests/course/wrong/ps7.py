"""Wrong answers to PS7, audits and lower bounds."""

from tests.course.wrong import Wrong

ROWS = "rewards[0, 0] = 1.0  # d = 0"
WRONG = [
    Wrong("the two divergences exchanged", "hard-pair", "kl(low, high), kl(high, low)", "kl(high, low), kl(low, high)"),
    Wrong("`up` as the paper prints it", "hard-pair", "(high - low) / (1 - low)", "(high - low) / high"),
    Wrong("only the ones counted in kl", "hard-pair", " + (1 - p) * math.log((1 - p) / (1 - q))", ""),
    Wrong("`up` as the difference of the means", "hard-pair", "(high - low) / (1 - low)", "high - low"),
    Wrong("half of the gap", "hard-pair", "best - gap, best + gap", "best - gap, best"),
    Wrong("lines not weighed", "decompose", "chances @ (arms == arm).sum(axis=1)", "(arms == arm).sum(axis=1).mean()"),
    Wrong(
        "kl of world 2 from world 1", "decompose", "term(p, q) + term(1 - p, 1 - q)", "term(q, p) + term(1 - q, 1 - p)"
    ),
    Wrong(
        "whether it was played, not how often", "decompose", "(arms == arm).sum(axis=1)", "(arms == arm).any(axis=1)"
    ),
    Wrong(
        "plays that were rewarded",
        "decompose",
        "(arms == arm).sum(axis=1)",
        "((arms == arm) & (rewards == 1)).sum(axis=1)",
    ),
    Wrong("the first round alone", "decompose", "(arms == arm).sum(axis=1)", "(arms[:, :1] == arm).sum(axis=1)"),
    Wrong("one failure in place of two", "plays-needed", "1 / (4 * failure)", "1 / (2 * failure)"),
    Wrong(
        "less than no plays",
        "plays-needed",
        "plain = max(0.0, math.log(1 / (4 * failure)))",
        "plain = math.log(1 / (4 * failure))",
    ),
    Wrong("without kl as a second ceiling", "plays-needed", "local = min(kl, min(4", "local = min(9e99, min(4"),
    Wrong("a divergence that is linear in TV", "plays-needed", "grown**2 * variation**2", "grown**2 * variation"),
    Wrong("the coupling alone", "plays-needed", "max(plain / kl, coupled)", "coupled"),
    Wrong("the coupling with e^ε for e^ε − 1", "plays-needed", "1 + variation * grown", "1 + variation * (grown + 1)"),
    Wrong(
        "frequencies in place of bounds", "epsilon-floor", "stats.beta.ppf(a, hits, trials - hits + 1)", "hits / trials"
    ),
    Wrong("all of the risk on each bound", "epsilon-floor", "(1 - confidence) / 2", "1 - confidence"),
    Wrong("a quarter of the risk on each bound", "epsilon-floor", "(1 - confidence) / 2", "(1 - confidence) / 4"),
    Wrong("δ left out", "epsilon-floor", "math.log((low - delta) / high)", "math.log(low / high)"),
    Wrong("δ taken from the second", "epsilon-floor", "(low - delta) / high)", "low / (high + delta))"),
    Wrong("negative floors", "epsilon-floor", "if low - delta > high else 0.0", "if low - delta > 0 else 0.0"),
    Wrong(
        "the lower bound of both",
        "epsilon-floor",
        "stats.beta.isf(a, other_hits + 1, other_trials - other_hits)",
        "stats.beta.isf(1 - a, other_hits + 1, other_trials - other_hits)",
    ),
    Wrong("two changed rewards", "break-it", ROWS, "rewards[0, 0], rewards[1, 0] = 1.0, 0.0"),
    Wrong("the same input twice", "break-it", ROWS, "pass"),
    Wrong("more than half of the rounds", "break-it", "int(best)", "rounds // 2 + 1"),
    Wrong("all rounds, an event too rare to be seen", "break-it", "int(best)", "rounds"),
    Wrong("the rarer input first", "break-it", "return rewards, other,", "return other, rewards,"),
    Wrong("rewards that are none", "break-it", "other[1, 0] = 1.0", "other[1, 0] = 2.0"),
    Wrong(
        "sums in place of tables",
        "break-it",
        "return rewards, other, int(best)",
        "return rewards.sum(1), other.sum(1), int(best)",
    ),
    Wrong("only changed, never weighed", "private-divergence", "min(max(odds / (1 + odds), p), q)", "q"),
    Wrong("only weighed, never changed", "private-divergence", "min(max(odds / (1 + odds), p), q)", "p"),
    Wrong("r beyond p", "private-divergence", "min(max(odds / (1 + odds), p), q)", "odds / (1 + odds)"),
    Wrong("not mirrored for p above q", "private-divergence", "p, q = 1 - p, 1 - q", "p, q = q, p"),
    Wrong("e^ε turned round", "private-divergence", "math.exp(-epsilon)", "math.exp(epsilon)"),
]
