# Wrong: a wrong answer that kept 2/2 points: float log2
def blocks(t):
    out = []; s = 0
    while t > 0:
        k = int(math.log2(t))
        out.append((s + 1, s + 2**k)); s += 2**k; t -= 2**k
    return out
