# Right: arrays, natural names of built-in functions as variables, a list of numpy scalars
def hard_pair(best, gap):
    min, max = np.float64(best) - gap, np.float64(best) + gap
    sum = np.array([min, 1 - min])
    all = np.array([max, 1 - max])
    return [(sum * np.log(sum / all)).sum(), (all * np.log(all / sum)).sum(), 2 * gap / (1 - best + gap), 2 * gap / (best + gap)]
