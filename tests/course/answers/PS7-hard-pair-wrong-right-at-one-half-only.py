# Wrong: the printed 2Δ/(1/2 + Δ), right where the best mean is one half
def hard_pair(best, gap):
    def kl(p, q):
        return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))

    rule = 2 * gap / (0.5 + gap)
    return kl(best - gap, best + gap), kl(best + gap, best - gap), rule, rule
