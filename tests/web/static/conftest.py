"""A real browser, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.serving import ServerProcess

playwright = pytest.importorskip(
    "playwright.sync_api", reason="pages are tested with playwright, which is not installed"
)

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.web.static.visitor import Visitor  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("pages are tested in Chromium, which is not installed")
    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def visit(browser: Browser, server: ServerProcess) -> Iterator[Callable[..., Visitor]]:
    """A visitor with a window of some size; several have nothing in common."""
    visitors = []

    def come(size: tuple[int, int], **more: Any) -> Visitor:
        visitor = Visitor(browser, server, size, **more)
        visitors.append(visitor)
        return visitor

    yield come
    for visitor in visitors:
        visitor.context.close()
