"""Make the picture of the table in the browser: `python docs/pictures/table.py`.

It needs Chromium, Playwright (extra `dev`) and the extra `web`. A server with a folder of its own
deals Tablić from a seed, two cards are laid by mouse, and a capture is begun.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
COLOURS = 200
"""Enough for the felt to be smooth."""
SEED = "12"
PATIENCE = 300_000
"""Milliseconds: what is not compiled yet takes long."""


def deal(page: Page, base: str) -> None:
    """Sit down, lay two cards, and begin a capture."""
    body = {"game": "tablic", "seats": ["person", "greedy"], "seed": SEED}
    made = page.request.post(
        f"{base}/api/tables", data=json.dumps(body),
        headers={"Content-Type": "application/json", "Origin": base}, timeout=PATIENCE,
    )  # fmt: skip
    page.goto(base + made.json()["href"])
    for _ in range(2):
        page.wait_for_selector(".felt.choosing")
        page.locator(".seat.own .hand button.card").nth(1).click()
        page.locator("[data-act=lay]").click()
        page.wait_for_selector(".felt:not(.choosing)")
    page.wait_for_selector(".felt.choosing")
    page.locator(".seat.own .hand button.can-take").last.click()
    page.locator(".spread button.fits").first.click()
    page.wait_for_timeout(500)


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        print("there is no Chromium, in which the picture is taken: it stays as it is")
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--no-open"]
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "KIBITZ_DATA": folder}
        )
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            with sync_playwright() as started:
                browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                page = browser.new_page(
                    viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
                )
                page.set_default_timeout(PATIENCE)
                page.goto(address)
                deal(page, address.partition("/enter/")[0])
                taken = Image.open(io.BytesIO(page.screenshot()))
                few = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                few.save(HERE / "table.png", optimize=True)
                browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
