"""Wrong answers to PS4, cascades and leaks."""

from tests.course.wrong import Wrong

WRONG = [
    Wrong("sigma without K", "send-reports", "list_size / epsilon, read", "1 / epsilon, read"),
    Wrong("one draw for all places", "send-reports", "list_size / epsilon, read", "list_size / epsilon"),
    Wrong("a report for every place", "send-reports", "read = min(position, list_size)", "read = list_size"),
    Wrong("infinity ranked last", "choose-list", "math.inf", "-math.inf"),
    Wrong("a bonus without K", "choose-list", "+ list_size / epsilon *", "+ 1 / epsilon *"),
    Wrong("the smallest first", "choose-list", "np.argsort(-index)[:list_size]", "np.argsort(index)[-list_size:]"),
    Wrong("no click is never guessed", "guess-click", "list_size if reports[-1] > 0.5 else list_size + 1", "list_size"),
    Wrong("the largest report", "guess-click", "return len(reports)\n", "return int(np.argmax(reports)) + 1\n"),
    Wrong("above 0 it was a click", "guess-click", "> 0.5", "> 0"),
    Wrong("all K places are sure", "right-rate", "((list_size - 1) + 2 * last)", "(list_size + last)"),
    Wrong("noise without K", "right-rate", " / list_size)", ")"),
    Wrong(
        "no click forgotten",
        "right-rate",
        "((list_size - 1) + 2 * last) / (list_size + 1)",
        "((list_size - 1) + last) / list_size",
    ),
    Wrong("the noise of two numbers", "safe-report", "1 / epsilon", "2 / epsilon"),
    Wrong("noise after a click only", "safe-report", "(position == 1) + rng", "(position == 1) * rng"),
    Wrong("any click", "safe-report", "(position == 1)", "(position <= 2)"),
    Wrong("a count that leaks the click", "serve", "counts[shown[0]] += 1", "counts[shown[0]] += report > 0.5"),
    Wrong("the most reported first", "serve", "lambda e: counts[e]", "lambda e: -counts[e]"),
    Wrong("counts all that is shown", "serve", "counts[shown[0]] += 1", "counts[shown] += 1"),
]
