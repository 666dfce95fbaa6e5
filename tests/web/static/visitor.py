"""A person before a browser: where he clicks, which keys he presses, and what must never happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from tests.web.serving import PATIENCE, ServerProcess

WIDE = (1280, 800)
NARROW = (390, 844)
MY_TURN = ".felt.choosing"
END = ".choice.end"
FELT = "document.getElementById('felt')"
OUTSIDE = """
() => [...document.querySelectorAll(".seat .card")].filter((card) => {
  const box = card.getBoundingClientRect(), felt = document.getElementById("felt");
  const edge = felt.getBoundingClientRect(), rim = felt.clientLeft;
  return box.left < edge.left + rim || box.right > edge.right - rim;
}).length
"""
"""How many cards of the seats lie over the rim."""


class Visitor:
    """One browser with cookies of its own; it notes errors and requests to anywhere else."""

    def __init__(
        self, browser: Browser, server: ServerProcess, size: tuple[int, int], motion: bool = False
    ) -> None:
        """`motion`: whether cards may move."""
        self.server = server
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=size == NARROW,
            reduced_motion="no-preference" if motion else "reduce",
        )
        self.context.set_default_timeout(PATIENCE * 1000 / 4)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._request(request.url))

    def _console(self, message: Any) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _request(self, url: str) -> None:
        if not url.startswith((self.server.base + "/", "data:")):
            self.foreign.append(url)

    def check(self) -> None:
        """Nothing went wrong on the page that is open now."""
        width = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert width <= 0, f"{self.page.url} scrolls sideways by {width}"
        assert self.errors == []
        assert self.foreign == []

    def enter(self) -> Visitor:
        """Come as the host."""
        self.page.goto(self.server.address)
        self.page.wait_for_selector(".tile")
        return self

    def sit(self, game: str, *seats: str, seed: int = 1) -> dict[str, Any]:
        """A new table, and the own seat at it."""
        answer = self.page.request.post(
            f"{self.server.base}/api/tables",
            data={"game": game, "seats": list(seats), "seed": str(seed)},
            headers={"Origin": self.server.base},
        )
        made: dict[str, Any] = answer.json()
        assert answer.ok, made
        self.page.goto(self.server.base + made["href"])
        self.page.wait_for_selector(".seat.own, .board")
        return made

    def find(self, what: str) -> Locator:
        return self.page.locator(what)

    def wait(self) -> bool:
        """Until it is one's turn: True, or the game is over: False."""
        self.page.wait_for_selector(f"{MY_TURN}, {END}")
        return self.find(END).count() == 0

    def play(self, choose: Callable[[Visitor], None]) -> int:
        """A whole game; how many plays one has made."""
        made = 0
        while self.wait():
            choose(self)
            made += 1
            assert made < 60
        self.check()
        return made

    def version(self) -> int:
        """Of the table as it is drawn."""
        return int(self.page.evaluate(f"Number({FELT}.dataset.version)"))

    @contextmanager
    def sending(self) -> Iterator[None]:
        """What is chosen in the block is sent. It may be one's turn again before anybody looks."""
        version = self.version()
        yield
        self.page.wait_for_function(
            f"version => !{FELT}.matches('.choosing') || Number({FELT}.dataset.version) > version",
            arg=version,
        )

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, what: str) -> None:
        """Go by the tab key to the first of these."""
        for _ in range(40):
            if self.page.evaluate("what => document.activeElement.matches(what)", what):
                return
            self.keys("Tab")
        raise AssertionError(f"no tab leads to {what}")


# -- ways to choose a play -------------------------------------------------------------------

HAND = ".seat.own .hand button.card"


def love_letter_by_mouse(visitor: Visitor) -> None:
    """The first card that may be played and loses nothing, the first target, the first guess."""
    with visitor.sending():
        visitor.find(f"{HAND}:not([aria-disabled=true], [data-card=princess])").first.click()
        while not visitor.find(".choice .tray button, .choice .primary").count():
            visitor.find(".seat.target .plate").first.click()
        visitor.find(".choice .tray button, .choice .primary").first.click()


def love_letter_by_keys(visitor: Visitor) -> None:
    version = visitor.version()
    with visitor.sending():
        visitor.tab_to(f"{HAND}")
        if visitor.page.evaluate("document.activeElement.ariaDisabled === 'true'"):
            visitor.keys("ArrowRight")
        visitor.keys("Enter")
        for _ in range(3):  # the next choice has the focus, or the play was sent
            visitor.page.wait_for_function(
                "() => document.activeElement.closest('.choice')"
                " || !document.querySelector('.felt.choosing')"
            )
            if visitor.version() != version or not visitor.find(MY_TURN).count():
                break
            visitor.keys("Enter")


def tablic_by_mouse(visitor: Visitor) -> None:
    """A capture if there is one, card by card; else lay the first card."""
    with visitor.sending():
        able = visitor.find(f"{HAND}.can-take")
        if not able.count():
            visitor.find(HAND).first.click()
            visitor.find("[data-act=lay]").click()
        else:
            able.first.click()
            while not visitor.find("[data-act=take].primary").count():
                visitor.find(".spread button.fits").first.click()
            visitor.find("[data-act=take]").click()


def tablic_by_keys(visitor: Visitor) -> None:
    """The first card takes all it can, or is laid."""
    with visitor.sending():
        visitor.tab_to(HAND)
        visitor.keys("Enter", "a")
        if visitor.find(MY_TURN).count() and visitor.find("[data-act=lay]").count():
            visitor.keys("l")
