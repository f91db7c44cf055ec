# Wrong: used arms get the weight -inf, which an array of whole numbers cannot hold
def greedy_basis(weights, independent):
    left, basis = weights.copy(), []
    for _ in range(len(weights)):
        arm = int(np.argmax(left))
        left[arm] = -math.inf
        if arm not in basis and independent(basis + [arm]):
            basis.append(arm)
    return basis
