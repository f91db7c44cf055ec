"""Property tests draw the same examples in every run, and no timing decides about them."""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("fixed")
