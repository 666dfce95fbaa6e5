"""How soon pages are there: `python -m tests.web.static.measure_pages`, with everything compiled.

The server has just been started as a person starts it, so that it still prepares things; the
browser is new each time and has nothing stored.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import Browser, sync_playwright

from tests.web.static.conftest import CHROMIUM
from tests.web.static.visitor import WIDE

ROUNDS = 3


def measure(browser: Browser) -> tuple[float, float]:
    """Seconds until the first page can be used, and from there to the first table."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--no-open"]
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "KIBITZ_DATA": folder}
        )
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            page = browser.new_context(viewport={"width": WIDE[0], "height": WIDE[1]}).new_page()
            start = time.monotonic()
            page.goto(address)
            page.wait_for_selector(".tile")
            opened = time.monotonic()
            page.locator(".table-form [type=submit]").click()
            page.wait_for_selector(".seat.own .hand .card")
            return opened - start, time.monotonic() - opened
        finally:
            server.terminate()
            server.wait()


def main() -> None:
    """Print a line a round."""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        browser.new_page().goto("about:blank")  # the browser's own start does not count
        for _ in range(ROUNDS):
            opened, seated = measure(browser)
            print(f"first page {opened:.2f} s, from there to the first table {seated:.2f} s")
        browser.close()


if __name__ == "__main__":
    main()
