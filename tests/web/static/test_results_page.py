"""The page of results: runs, live too, with pictures; graphs with a search; the solved rounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import kibitz
from kibitz.arena.store.store import Store
from tests.web.serving import PATIENCE, ServerProcess
from tests.web.static.visitor import NARROW, WIDE, Visitor

LONG = PATIENCE * 1000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    kibitz.compare("twenty-one", ["random", "minimax"], 20, store=folder / "done.db")
    search = kibitz.graph("twenty-one", algorithm="minimax", depth=3)
    search.save(folder / "steps.html", steps=True)
    return folder


@pytest.fixture(scope="module")
def looking(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("data"), folder)
    yield server
    server.stop()


def come(browser: Browser, server: ServerProcess, size: tuple[int, int]) -> Visitor:
    visitor = Visitor(browser, server, size).enter()
    visitor.page.goto(f"{server.base}/results/")
    visitor.page.wait_for_selector(".run-list button")
    return visitor


def test_a_run_its_pictures_and_a_search_step_by_step(
    browser: Browser, looking: ServerProcess
) -> None:
    visitor = come(browser, looking, NARROW)
    visitor.find(".run-list button").first.click()
    visitor.page.wait_for_selector("#run .score-row")
    assert "random against minimax" in visitor.find("#run .score-row").first.inner_text()
    visitor.find("[data-act=pictures]").click()
    visitor.page.wait_for_selector("#run img", timeout=LONG)
    visitor.page.wait_for_function(
        "() => [...document.querySelectorAll('#run img')].every((one) => one.naturalWidth > 0)"
    )
    visitor.find("#graph-game").select_option("divisible-by-four")
    visitor.find("#graph-form button").click()
    visitor.page.wait_for_selector("#graph-answer iframe", timeout=LONG)
    search = visitor.page.frame_locator("#graph-answer iframe")
    assert search.locator("svg").first.is_visible()
    before = search.locator("body").inner_text()
    search.get_by_role("button").last.click()
    assert search.locator("body").inner_text() != before, "it goes through the search"
    visitor.find("#find-solved").fill("princess countess")
    rows = visitor.find("#solved-table tbody tr").all_inner_texts()
    assert rows and all("Countess" in row and "Princess" in row for row in rows)
    visitor.find("#find-solved").fill("")
    assert visitor.find("#solved-table tbody tr").count() == 15
    visitor.find("[data-act=all-solved]").click()
    assert visitor.find("#solved-table tbody tr").count() > 50
    visitor.check()
    visitor.context.close()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_page_in_its_sandbox(
    browser: Browser, looking: ServerProcess, size: tuple[int, int]
) -> None:
    """It asks for nothing that its own origin may not have, and a phone shows all of its bar."""
    visitor = come(browser, looking, size)
    page = visitor.find(".page-list a").first.get_attribute("href")
    visitor.page.goto(looking.base + str(page))
    visitor.page.wait_for_selector("#picture svg")
    for control in ("#first", "#slider", "#count", "#fit"):
        expect(visitor.find(control)).to_be_in_viewport(ratio=1)
    visitor.page.wait_for_timeout(300)  # for whatever it asks for by itself, such as an icon
    visitor.check()
    visitor.context.close()


def test_a_run_is_shown_live(browser: Browser, looking: ServerProcess, folder: Path) -> None:
    with Store(folder / "done.db") as whole:
        plan = whole.runs()[0].plan
        first, *rest = whole.load_parts(1, 0)
    with Store(folder / "live.db") as live:
        number = live.find_or_begin_run(plan)
        live.save_part(number, 0, first)
        visitor = come(browser, looking, WIDE)
        visitor.find(".run-list button:has(.live)").click()
        assert len(first.results) < 20
        visitor.page.wait_for_selector(f"#run .live:has-text('{len(first.results)} pair')")
        for part in rest:
            live.save_part(number, 0, part)
        visitor.page.wait_for_selector("#run .live:has-text('20 pairs so far')")
    visitor.page.wait_for_selector("#run:not(:has(.live))")
    assert visitor.find(".run-list .live").count() == 0
    assert "20 pairs" in visitor.find("#run .score-row").inner_text()
    visitor.check()
    visitor.context.close()
