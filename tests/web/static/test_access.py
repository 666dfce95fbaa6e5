"""What axe finds on every page, at both sizes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.serving import PATIENCE
from tests.web.static.visitor import HAND, NARROW, WIDE, Visitor, love_letter_by_mouse

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


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nor_has_what_opens_at_a_table(visit: Visit, size: tuple[int, int]) -> None:
    """A hint, the rules, the end, its turns with what an opponent thought, the review, a pile."""
    visitor = visit(size).enter()
    visitor.sit("love-letter", "person", "greedy", seed=6)
    visitor.wait()
    visitor.find("[data-act=hint]").click()
    visitor.page.wait_for_selector("[data-act=show-hint]", timeout=PATIENCE * 1000)
    assert barriers(visitor) == []
    visitor.find("#tab-rules").click()
    visitor.page.wait_for_selector(".rules p")
    assert barriers(visitor) == []
    visitor.keys("Escape")
    visitor.play(love_letter_by_mouse)
    assert barriers(visitor) == []
    visitor.find("[data-act=turns]").click()
    visitor.page.wait_for_selector(".stepper")
    visitor.keys("ArrowRight")
    visitor.find(".stepper").get_by_text("What did it think?").click()
    visitor.page.wait_for_selector("#side .sentence", timeout=PATIENCE * 1000)
    assert barriers(visitor) == []
    visitor.find("#tab-review").click()
    visitor.find("#side").get_by_text("Review the game").click()
    visitor.page.wait_for_selector(".decisions button", timeout=PATIENCE * 1000)
    assert barriers(visitor) == []
    visitor.sit("tablic", "greedy", "greedy", seed=12)  # its first play is a capture
    visitor.find("[data-act=step]").click()
    visitor.find(".pile:enabled").first.click()
    visitor.page.wait_for_selector("dialog .card")
    assert barriers(visitor) == []
    visitor.check()
