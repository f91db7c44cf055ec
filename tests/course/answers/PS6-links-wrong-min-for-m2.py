# Wrong: replaces the m2 below by the least entry of the column as well
def links(first, other, channel):
    one, two = first @ channel, other @ channel
    most, least = channel.max(axis=0), channel.min(axis=0)
    tv = np.abs(first - other).sum() / 2
    return np.sum(one * np.log(one / two)), np.sum((one - two) ** 2 / two), np.sum((tv * (most - least)) ** 2 / least), ((most / least).max() - 1) ** 2 * tv**2
