# Right: a right answer that got 0/3 points: minus answers
def estimate(answers, epsilon):
    p = 1 / (1 + math.exp(-epsilon))
    no = np.mean(1 + -answers)
    return (p - no) / (2 * p - 1)
