"""Property tests draw the same examples in every run, and no timing decides about them."""

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("fixed")


@pytest.fixture
def fresh_cache_folder():
    """The kernels' cache folder is looked for anew in this test, and again after it."""
    from dpbandits.kernels import cache_folder

    cache_folder.cache_clear()
    yield
    cache_folder.cache_clear()
