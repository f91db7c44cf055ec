# Right: slow; logarithms of likelihood ratios, history by history and round by round
def decompose(arms, rewards, chances, first, other):
    sum = [0.0] * len(first)
    for i in range(len(arms)):
        for t in range(len(arms[i])):
            a = arms[i][t]
            if rewards[i][t]:
                sum[a] += chances[i] * math.log(first[a] / other[a])
            else:
                sum[a] += chances[i] * math.log((1 - first[a]) / (1 - other[a]))
    return sum
