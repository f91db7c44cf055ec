# Wrong: ones of t counted by halving floating-point numbers: off for t above 2^53
def ticker_error(t, n, epsilon):
    ones, x = 0, float(t)
    while x >= 1:
        ones += x % 2
        x = x // 2
    return math.sqrt(2 * ones) * n.bit_length() / epsilon
