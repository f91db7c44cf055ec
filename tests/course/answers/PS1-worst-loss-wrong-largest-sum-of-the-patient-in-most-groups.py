# Wrong: the sum of the patient who is in most groups.
def worst_loss(releases):
    t = {}
    for g, e in releases:
        for n in g:
            k, s = t.get(n, (0, 0))
            t[n] = (k + 1, s + e)
    return max(t.values())[1] if t else 0
