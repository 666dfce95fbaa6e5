"""Cards move when they are dealt, played and captured, and stand still for whom that bothers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.static.visitor import WIDE, Visitor, love_letter_by_mouse, tablic_by_mouse

Visit = Callable[..., Visitor]
NOTE_MOVES = """
window.moves = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const zone = this.closest("[data-zone]")?.dataset.zone ?? null;
  const { card = null, piece = null } = this.dataset;
  window.moves.push({ card, piece, zone, flies: this.closest(".flying") !== null, frames });
  return animate.call(this, frames, options);
};
"""


def come(visit: Visit, motion: bool) -> Visitor:
    visitor = visit(WIDE, motion=motion)
    visitor.page.add_init_script(NOTE_MOVES)
    return visitor.enter()


def moves(visitor: Visitor) -> list[dict[str, Any]]:
    """What has moved since this was asked before."""
    found: list[dict[str, Any]] = visitor.page.evaluate("window.moves.splice(0)")
    return found


@pytest.mark.parametrize("motion", [True, False], ids=["motion", "none"])
def test_a_deal_and_a_capture_of_tablic(visit: Visit, motion: bool) -> None:
    visitor = come(visit, motion)
    visitor.sit("tablic", "person", "greedy", seed=12)  # both can capture at once
    dealt = moves(visitor)
    to_hands = [one["zone"] for one in dealt if (one["zone"] or "").startswith("hand-")]
    assert len(to_hands) == (12 if motion else 0)
    visitor.wait()
    tablic_by_mouse(visitor)
    visitor.wait()
    made = moves(visitor)
    if motion:
        assert sum(one["flies"] for one in made) >= 2, "a card comes to the table and goes off"
        assert any(one["zone"] == "table-table" and one["card"] for one in made)
    else:
        assert made == []
    assert visitor.find(".flying").count() == 0
    visitor.check()


@pytest.mark.parametrize("motion", [True, False], ids=["motion", "none"])
def test_a_play_of_love_letter(visit: Visit, motion: bool) -> None:
    visitor = come(visit, motion)
    visitor.sit("love-letter", "person", "greedy", seed=1)
    visitor.wait()
    moves(visitor)
    love_letter_by_mouse(visitor)
    visitor.wait()
    played = [one for one in moves(visitor) if (one["zone"] or "").startswith("discards-")]
    assert bool(played) == motion
    visitor.check()


@pytest.mark.parametrize("motion", [True, False], ids=["motion", "none"])
def test_a_disc_falls(visit: Visit, motion: bool) -> None:
    visitor = come(visit, motion)
    visitor.sit("connect-four", "person", "random", seed=1)
    visitor.wait()
    with visitor.sending():
        visitor.find("[data-key=square-0-3]").click()  # any square of the column will do
    visitor.wait()
    assert visitor.find(".piece[data-piece='5-3']").count() == 1
    fallen = {one["piece"]: one["frames"] for one in moves(visitor) if one["piece"]}
    assert ("5-3" in fallen) == motion
    if motion:
        first, *_, last = [frame["transform"] for frame in fallen["5-3"]]
        assert first.startswith("translateY(-") and last in ("translateY(0px)", "translateY(-0px)")
    visitor.check()
