"""Nothing at a table lies on anything else, and all of it is on the screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.arena.running import until
from tests.web.static.visitor import (
    NARROW,
    OUTSIDE,
    WIDE,
    Visitor,
    love_letter_by_mouse,
    tablic_by_mouse,
)

Visit = Callable[..., Visitor]
PARTS = (
    ".opponents .plate, .opponents .cards, .opponents .heap, .bubble, .recent, .stock, .spread,"
    " .notes, .coach, .choice, .seat.own .plate, .seat.own .cards, .seat.own .heap"
)
OVERLAPS = """
selector => {
  const parts = [...document.querySelectorAll(selector)]
    .map((node) => ({ node, box: node.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  const name = ({ node, box }) => `${node.className} at ${Math.round(box.x)},${Math.round(box.y)}`;
  const found = [];
  for (const [i, one] of parts.entries()) {
    const { box } = one;
    if (box.left < 0 || box.right > innerWidth) found.push(`${name(one)} is cut off`);
    for (const other of parts.slice(i + 1)) {
      const to = other.box;
      const wide = Math.min(box.right, to.right) - Math.max(box.left, to.left);
      const high = Math.min(box.bottom, to.bottom) - Math.max(box.top, to.top);
      if (wide > 2 && high > 2) found.push(`${name(one)} and ${name(other)}`);
    }
  }
  return found;
}
"""

HAND_END = """
() => Math.max(...[...document.querySelectorAll(".seat.own .hand .card")]
  .map((card) => card.getBoundingClientRect().bottom))
"""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", ["tablic", "love-letter"])
def test_nothing_overlaps(visit: Visit, game: str, players: int) -> None:
    visitor = visit(NARROW).enter()
    options = f":players={players}" if players > 2 else ""
    visitor.sit(game + options, "person", *["level:easy"] * (players - 1), seed=5)
    for made in range(2):
        visitor.wait()
        for width, height in (NARROW, WIDE):
            visitor.page.set_viewport_size({"width": width, "height": height})
            # Cards and words may still be on their way.
            until(
                lambda: visitor.page.evaluate(OVERLAPS, PARTS) == [],
                f"nothing overlaps at {width}, after {made} plays",
            )
            visitor.check()
        # What the others have just done may still be on its way, or told for a moment.
        until(
            lambda: visitor.page.evaluate("felt.scrollHeight <= felt.clientHeight"), "no scrolling"
        )
        if players > 2 and made == 0:
            assert visitor.page.evaluate(HAND_END) <= NARROW[1], "no scrolling at a first turn"
        if made == 0:
            (tablic_by_mouse if game == "tablic" else love_letter_by_mouse)(visitor)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_was_discarded_stays_on_the_felt(visit: Visit, size: tuple[int, int]) -> None:
    visitor = visit(size).enter()
    visitor.sit("love-letter:players=4", "person", *["greedy"] * 3, seed=7)
    for _ in range(3):
        if visitor.wait():
            love_letter_by_mouse(visitor)
    visitor.wait()
    assert visitor.find("[data-zone=discards-4] .card").count() >= 3
    assert visitor.page.evaluate(OUTSIDE) == 0
    visitor.check()
