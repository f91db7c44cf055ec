# Right: a right answer that got 0/3 points: answers - answers zero array
def estimate(answers, epsilon):
    q = 1 / (1 + math.exp(epsilon))
    wrong = answers - np.zeros(len(answers), bool)
    return (np.mean(wrong) - q) / (1 - 2 * q)
