# Wrong: a click at the last place is sent as no click.
def send_reports(position, list_size, epsilon, rng):
    n = min(position, list_size)
    places = np.arange(1, n + 1)
    return ((places == position) & (position < list_size)) + rng.laplace(0, list_size / epsilon, n)
