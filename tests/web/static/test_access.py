"""What axe finds on every page, at both sizes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.static.visitor import HAND, NARROW, WIDE, Visitor

axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright",
    reason="axe-playwright-python, which looks for barriers, is not installed",
)

Visit = Callable[[tuple[int, int]], Visitor]


def barriers(visitor: Visitor) -> list[str]:
    """What is serious or critical."""
    found = axe.Axe().run(visitor.page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_barrier(visit: Visit, size: tuple[int, int], scheme: str) -> None:
    visitor = visit(size)
    visitor.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visitor.enter()
    assert barriers(visitor) == []
    visitor.check()
    visitor.page.goto(f"{visitor.server.base}/results/")
    visitor.page.wait_for_selector("#solved-table tbody tr")
    assert barriers(visitor) == []
    visitor.check()
    for game in ("love-letter", "tablic"):
        visitor.sit(game, "person", "greedy", seed=1)
        visitor.wait()
        visitor.find(HAND).first.click()
        assert barriers(visitor) == []
        visitor.check()
