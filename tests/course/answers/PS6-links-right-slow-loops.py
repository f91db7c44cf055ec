# Right: plain loops, and `sum`, `max`, `min` as names of numbers
def links(first, other, channel):
    a, n = len(first), len(channel[0])
    tv = 0.0
    for x in range(a):
        tv += abs(first[x] - other[x]) / 2
    sum, chi, three, max = 0.0, 0.0, 0.0, 1.0
    for z in range(n):
        p = q = 0.0
        top, min = -1.0, 2.0
        for x in range(a):
            p += first[x] * channel[x][z]
            q += other[x] * channel[x][z]
            top = channel[x][z] if channel[x][z] > top else top
            min = channel[x][z] if channel[x][z] < min else min
        sum += p * math.log(p / q)
        chi += (p - q) * (p - q) / q
        three += (tv * (top - min)) ** 2 / q
        max = top / min if top / min > max else max
    return [sum, chi, three, (max - 1) ** 2 * tv**2]
