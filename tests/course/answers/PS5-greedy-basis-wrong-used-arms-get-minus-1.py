# Wrong: used arms are marked by the weight −1, so that arms of less weight are never reached
def greedy_basis(weights, independent):
    weights = np.array(weights, float)
    basis = []
    for _ in range(len(weights)):
        arm = int(np.argmax(weights))
        weights[arm] = -1
        if arm not in basis and independent(basis + [arm]):
            basis.append(arm)
    return np.array(basis)
