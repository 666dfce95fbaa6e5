"""What holds for all tests."""

import gc

from hypothesis import settings

# The first call of a kernel compiles it: no example has a deadline.
settings.register_profile("kibitz", deadline=None)
settings.load_profile("kibitz")


def pytest_collection_finish() -> None:
    """Thousands of tests are held in memory to the end: don't look for garbage among them."""
    gc.collect()
    gc.freeze()
