# Wrong: a wrong answer that kept 3/3 points: inf treated as nan diff (sort by int)
def greedy_basis(weights, independent):
    basis = []
    for a in np.argsort(-np.nan_to_num(np.asarray(weights), posinf=0.0)):
        if independent(basis + [int(a)]):
            basis.append(int(a))
    return basis
