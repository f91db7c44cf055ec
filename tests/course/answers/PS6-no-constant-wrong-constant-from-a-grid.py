# Wrong: searches a grid that ends at 0.001, and gives its last pair where none refutes
def no_constant(constant):
    for q in np.geomspace(0.5, 1e-3, 40):
        if -math.log(1 - q) > constant * q**2:
            return 0.0, q
    return 0.0, 1e-3
