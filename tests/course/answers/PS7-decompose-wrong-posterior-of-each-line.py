# Wrong: weighs lines by their chances in world 2
def decompose(arms, rewards, chances, first, other):
    p, q = np.array(first)[arms], np.array(other)[arms]
    ratio = np.where(rewards == 1, q / np.maximum(p, 1e-12), (1 - q) / np.maximum(1 - p, 1e-12))
    there = chances * ratio.prod(axis=1)
    kl = [sum(a * math.log(a / b) for a, b in ((x, y), (1 - x, 1 - y)) if a > 0) for x, y in zip(first, other)]
    return [there @ (arms == a).sum(axis=1) * kl[a] for a in range(len(first))]
