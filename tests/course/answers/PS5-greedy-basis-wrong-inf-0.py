# Wrong: a wrong answer that kept 3/3 points: inf -> 0
def greedy_basis(weights, independent):
    basis = []
    for a in np.argsort(-np.nan_to_num(weights, posinf=0.0)):
        if independent(basis + [int(a)]):
            basis.append(int(a))
    return basis
