"""Wrong answers to PS3, perturbed leaders and the feasible region."""

from tests.course.wrong import Wrong

WRONG = [
    Wrong("the distance not in units of one result", "law-cdf", "pulls * (x - total / pulls)", "x - total / pulls"),
    Wrong("cut off, but the rest not raised to 1", "law-cdf", " / (2 * (1 - math.exp(-epsilon * reach)))", " / 2"),
    Wrong("the upper half not mirrored", "law-cdf", "tail if y <= 0 else 1 - tail", "tail"),
    Wrong("quantile of the Laplace law", "law-quantile", "cut = math.exp(-epsilon * reach)", "cut = 1e-300"),
    Wrong("the upper half not mirrored", "law-quantile", "y if p > 0.5 else -y", "-y"),
    Wrong("N forgotten", "law-quantile", "else -y) / pulls", "else -y)"),
    Wrong(
        "one draw for all arms", "choose", "theta = [(r + draw()) / n for", "y = draw()\n    theta = [(r + y) / n for"
    ),
    Wrong("tails left on", "choose", "abs(y) > reach", "False"),
    Wrong("N forgotten", "choose", "(r + draw()) / n", "r / n + draw()"),
    Wrong("the printed two inequalities", "stays-inside", "one & two & three & four", "one & three"),
    Wrong("δ dropped from one of four", "stays-inside", "growth * (1 - f) + delta", "growth * (1 - f)"),
    Wrong("e^ε on one event alone", "stays-inside", "1 - f <= growth * (1 - g)", "1 - f <= (1 - g)"),
    Wrong("variance taken for the deviation", "needed-delta", "math.sqrt(2 / pulls)", "2 / pulls"),
    Wrong(
        "at the middle, where ε = 0 would be worst", "needed-delta", "1 / (2 * pulls) - 2 * epsilon", "1 / (2 * pulls)"
    ),
    Wrong("no noise left to e^ε", "needed-delta", "math.exp(epsilon) * ", ""),
    Wrong("must be below the limit", "first-enough", "needed(middle) <= limit", "needed(middle) < limit"),
    Wrong("one less", "first-enough", "return high", "return max(1, low)"),
    Wrong("one after the other", "first-enough", "high *= 2", "high += 1"),
]
