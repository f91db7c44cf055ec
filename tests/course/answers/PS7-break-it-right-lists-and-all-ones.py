# Right: lists in place of arrays, all other rewards are 1; d = 0 against d = −1
def break_it(pulls, rounds, epsilon):
    chance = 0.5
    least = rounds
    while stats.binom.sf(least - 1, rounds, chance) < 0.05:
        least -= 1
    range = [1] * pulls
    return [range, range], [[0] + range[1:], range], np.int64(least)
