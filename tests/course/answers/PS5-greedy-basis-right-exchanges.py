# Right: starts from any basis and exchanges two arms as long as this helps
def greedy_basis(weights, independent):
    basis = []
    for arm in range(len(weights)):
        if independent(basis + [arm]):
            basis.append(arm)
    better = True
    while better:
        better = False
        for arm in range(len(weights)):
            for i, old in enumerate(basis):
                swapped = basis[:i] + [arm] + basis[i + 1 :]
                if arm not in basis and weights[arm] > weights[old] and independent(swapped):
                    basis, better = swapped, True
                    break
    return basis
