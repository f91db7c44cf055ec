"""Property tests draw the same examples in every run, and no timing decides about them."""

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("fixed")


@pytest.fixture
def fresh_cache_folder():
    """The kernels' cache folder is looked for anew in this test, and again after it."""
    from dpbandits import cache

    for known in (cache.cache_folder, cache.cache_problem, cache.tell):
        known.cache_clear()
    yield
    for known in (cache.cache_folder, cache.cache_problem, cache.tell):
        known.cache_clear()
