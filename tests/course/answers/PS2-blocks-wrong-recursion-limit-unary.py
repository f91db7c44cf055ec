# Wrong: a wrong answer that kept 2/2 points: recursion limit unary
def blocks(t):
    def rec(a, n):
        if n == 0: return []
        k = 1
        while 2 * k <= n: k *= 2
        return [(a, a + k - 1)] + rec(a + k, n - k)
    return rec(1, int(np.int32(t)))
