"""Whole games, by mouse and by keyboard alone, at both sizes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.static.visitor import (
    END,
    NARROW,
    WIDE,
    Visitor,
    love_letter_by_keys,
    love_letter_by_mouse,
    tablic_by_keys,
    tablic_by_mouse,
)

Visit = Callable[[tuple[int, int]], Visitor]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize(
    ("game", "choose"),
    [
        ("love-letter:players=4", love_letter_by_mouse),
        ("love-letter", love_letter_by_keys),
        ("tablic:players=4", tablic_by_mouse),
        ("tablic:players=4", tablic_by_keys),
    ],
    ids=["love-letter-mouse", "love-letter-keys", "tablic-mouse", "tablic-keys"],
)
def test_a_whole_game_and_the_next(
    visit: Visit, size: tuple[int, int], game: str, choose: Callable[[Visitor], None]
) -> None:
    visitor = visit(size).enter()
    players = 4 if "players=4" in game else 2
    visitor.sit(game, "person", *["level:easy"] * (players - 1), seed=5)
    made = visitor.play(choose)
    if game.startswith("tablic"):
        assert made == 12
        # All cards are in somebody's pile.
        taken = visitor.page.eval_on_selector_all(
            ".pile", "piles => piles.flatMap(pile => JSON.parse(pile.dataset.cards)).length"
        )
        assert taken == 52
    words = visitor.find(f"{END} h2").inner_text()
    assert "win" in words.lower()
    assert visitor.find(f"{END}.yours").count() == visitor.find(".seat.own.won").count()
    visitor.find("[data-act=next]").press("Enter")
    visitor.page.wait_for_selector(".felt:not(:has(.choice.end))")
    assert "2" in visitor.find("#match").inner_text()
    visitor.check()


def test_a_game_of_tablic_for_two_by_mouse(visit: Visit) -> None:
    visitor = visit(WIDE).enter()
    visitor.sit("tablic", "person", "greedy", seed=2)
    assert visitor.play(tablic_by_mouse) == 24


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four"])
def test_a_board_is_played_on(visit: Visit, game: str) -> None:
    visitor = visit(NARROW).enter()
    visitor.sit(game, "person", "random", seed=1)

    def choose(one: Visitor) -> None:
        with one.sending():
            one.find("button.square").first.click()

    assert visitor.play(choose) >= 3
    assert visitor.find(".piece").count() >= 5


def test_a_game_without_table_is_played_by_buttons(visit: Visit) -> None:
    visitor = visit(WIDE).enter()
    visitor.sit("kuhn-poker", "person", "random", seed=1)

    def choose(one: Visitor) -> None:
        with one.sending():
            one.find(".choice [data-play]").last.click()

    assert visitor.play(choose) >= 1
