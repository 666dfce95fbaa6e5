"""What holds for all tests."""

import gc
import os
import signal

import pytest
from hypothesis import settings

from kibitz.jit.kernels import jit_enabled

# The first call of a kernel compiles it: no example has a deadline. The passes that run the same
# tests once more, slowly, look at fewer examples.
FEW = {"KIBITZ_FEW_GAMES", "NUMBA_DISABLE_JIT"} & os.environ.keys()
settings.register_profile("kibitz", deadline=None)
settings.register_profile("few", deadline=None, max_examples=25)
settings.load_profile("few" if FEW else "kibitz")

# A shell lets what it runs in the background ignore Ctrl-C, and children would do as well: tests
# interrupt some of them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not jit_enabled():
        skip = pytest.mark.skip(reason="interpreted it takes minutes")
        for item in items:
            if item.get_closest_marker("compiled_only"):
                item.add_marker(skip)


def pytest_collection_finish() -> None:
    """Thousands of tests are held in memory to the end: don't look for garbage among them."""
    gc.collect()
    gc.freeze()
