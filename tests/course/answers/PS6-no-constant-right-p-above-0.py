# Right: p is not 0, and names of built-in functions are variables
def no_constant(constant):
    min = 1e-4 / constant
    sum = min * 1e-30
    return sum, min
