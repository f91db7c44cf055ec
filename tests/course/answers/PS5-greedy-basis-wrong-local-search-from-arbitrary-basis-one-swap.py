# Wrong: a wrong answer that kept 3/3 points: local search from arbitrary basis one swap
def greedy_basis(weights, independent):
    L = len(weights); basis = []
    for a in range(L):
        if independent(basis + [a]): basis.append(a)
    for a in range(L):
        if a in basis: continue
        for b in list(basis):
            c = [x for x in basis if x != b] + [a]
            if weights[a] > weights[b] and independent(c):
                basis = c; break
    return basis
