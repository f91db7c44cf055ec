# Right: means so small that they refute every constant asked for, as a list of numpy numbers
def no_constant(constant):
    return [np.float32(0), np.float64(1e-11)]
