"""What compiles is told to every page, with seconds, until it has ended."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from tests.web.serving import ServerProcess
from tests.web.static.visitor import WIDE, Visitor

COMPILE = """
import sys, threading, time
from pathlib import Path
from kibitz.jit.compile_progress import CompileProgress, CompileStage, _tell

def compile_slowly(begin, end):
    def tell(stage, seconds):
        _tell(CompileProgress(stage, "a kernel", 12.0, seconds))
    while not begin.exists():
        time.sleep(0.05)
    tell(CompileStage.BEGINS, 0.0)
    while not end.exists():
        time.sleep(0.1)
        tell(CompileStage.GOES_ON, 3.2)
    tell(CompileStage.ENDS, 14.0)

files = [Path(sys.argv[1]) / name for name in ("begin", "end")]
threading.Thread(target=compile_slowly, args=files, daemon=True).start()
"""
"""In another thread, as the compiler tells it: from one file being there to the other."""


def test_pages_tell_how_long_it_takes(browser: Browser, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, first=COMPILE)
    try:
        seated = Visitor(browser, server, WIDE).enter()
        seated.sit("tic-tac-toe", "person", "random")
        seated.wait()
        assert seated.find("#status").inner_text() == ""
        (tmp_path / "begin").touch()
        told = "#status:has-text('Preparing, 3 of about 12 s. Only the first time.')"
        seated.page.wait_for_selector(told)
        seated.page.reload()
        seated.page.wait_for_selector(told)
        host = Visitor(browser, server, WIDE).enter()
        host.page.wait_for_selector(
            "#compiling:has-text('Preparing the strategies, 3 of about 12 s')"
        )
        (tmp_path / "end").touch()
        for page, place in ((seated.page, "#status"), (host.page, "#compiling")):
            page.wait_for_selector(f"{place}:not(:has-text('Preparing'))", state="attached")
        for visitor in (seated, host):
            visitor.check()
            visitor.context.close()
    finally:
        server.stop()
