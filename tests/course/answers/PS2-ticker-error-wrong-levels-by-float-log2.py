# Wrong: the number of levels by a floating-point logarithm: at n = 2^49 − 1 one too many
def ticker_error(t, n, epsilon):
    levels = math.floor(math.log2(n)) + 1
    return math.sqrt(2 * bin(t).count("1")) * levels / epsilon
