"""One server for all tests that do not kill it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.jit.kernels import jit_enabled
from kibitz.web.live_table import GRID
from tests.web.serving import Guest, ServerProcess


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Interpreted, a game takes too long for a page that waits; all of it is tested compiled."""
    if not jit_enabled():
        skip = pytest.mark.skip(reason="a server whose games are interpreted is too slow")
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(skip)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("data"))
    yield process
    process.stop()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """As it is for users, the grid of answers too."""
    process = ServerProcess(tmp_path_factory.mktemp("shared"), shared=True, grid=GRID)
    yield process
    process.stop()


@pytest.fixture(scope="session")
def host(server: ServerProcess) -> Guest:
    return server.host()
