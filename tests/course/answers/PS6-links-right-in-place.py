# Right: works in place, with logarithms of the table
def links(first, other, channel):
    m = np.stack([first, other]) @ channel
    first -= other
    tv = np.maximum(first, 0).sum()
    np.log(channel, out=channel)
    epsilon = np.ptp(channel, axis=0).max()
    spread = np.exp(channel.max(0)) - np.exp(channel.min(0))
    ratio = m[0] / m[1]
    return np.array([m[0] @ np.log(ratio), m[1] @ (ratio - 1) ** 2, tv**2 * (spread**2 / m[1]).sum(), np.expm1(epsilon) ** 2 * tv**2])
