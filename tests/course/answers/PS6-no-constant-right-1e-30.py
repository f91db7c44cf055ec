# Right: A q so small that 1 − q is 1 in floating point; the inequality holds all the same
def no_constant(constant):
    return 0.0, 1e-30
