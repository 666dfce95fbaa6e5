"""The deals that a game lists: all of them, each with its probability."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.games.love_letter.cards import NUMBERS
from tests.games.boards import compiled_game
from tests.oracle.love_letter import FULL_DECK

SHOWN = "face_up=guard guard guard; discards1=guard handmaid king; discards2=guard handmaid prince"
"""Seven cards are left: priest ×2, baron ×2, prince, countess, princess."""
UNSEEN = ["priest", "priest", "baron", "baron", "prince", "countess", "princess"]


def listed(spec: str, position: str | None = None) -> list[tuple[Any, float]]:
    game = compiled_game(spec)
    return list(game.every_deal(None if position is None else game.parse_position(position)))


@pytest.mark.parametrize(
    ("spec", "deck", "places"), [("kuhn-poker", "123", 3), ("leduc-poker", "112233", 3)]
)
def test_poker_deals_as_often_as_shuffles_bring_them(spec: str, deck: str, places: int) -> None:
    shuffles = Counter(order[:places] for order in permutations(deck))
    total = sum(shuffles.values())
    chances = {tuple(map(str, s[0].cards[:places])): chance for s, chance in listed(spec)}
    assert len(chances) == len(listed(spec))
    assert chances == pytest.approx({cards: n / total for cards, n in shuffles.items()})


@pytest.mark.parametrize("spec", ["kuhn-poker", "leduc-poker"])
def test_poker_deals_are_positions_of_the_game(spec: str) -> None:
    game = compiled_game(spec)
    for state, _ in game.every_deal():
        assert sorted(state[0].cards) == sorted(game.deal(0)[0].cards)
        assert (game.parse_position(game.position(state)) == state).all()


def test_poker_deals_keep_what_a_position_shows() -> None:
    deals = listed("leduc-poker", "hand1=K; board=K; round1=call call; first=2")
    assert [s[0].cards[:3].tolist() for s, _ in deals] == [[3, 1, 3], [3, 2, 3]]
    assert [chance for _, chance in deals] == pytest.approx([1 / 2, 1 / 2])
    assert all(s[0].stage == 1 and s[0].first == 1 for s, _ in deals)


def test_a_game_that_is_not_dealt_has_one_deal() -> None:
    game = compiled_game("coin-game")
    assert [(game.position(s), chance) for s, chance in game.every_deal()] == [("path=", 1.0)]
    assert [(game.position(s), c) for s, c in listed("coin-game", "path=left heads")] == [
        ("path=left heads", 1.0)
    ]


def cards(state: Any) -> tuple[int, ...]:
    """The mover's hand and drawn card, the other's hand, the card aside, the deck."""
    x = state[0]
    deck = (int(x.deck) >> 4 * i & 15 for i in range(int(x.left)))
    return *(int(card) for card in (x.hand[0], x.drawn, x.hand[1], x.aside)), *deck


@pytest.mark.parametrize(
    ("position", "fits"),
    [
        ("", lambda c: True),
        ("; hand1=baron countess", lambda c: c[:2] == (3, 7)),
        ("; hand1=baron", lambda c: c[0] == 3),
        ("; hand2=princess; aside=priest", lambda c: c[2:4] == (8, 2)),
        ("; not2=priest princess", lambda c: c[2] not in (2, 8)),
        ("; not1=baron; known=1>2", lambda c: c[0] != 3),
        ("; deck=prince priest baron", lambda c: c[4:] == (5, 2, 3)),
    ],
)
def test_love_letter_deals_are_all_placements_that_fit(position: str, fits: Any) -> None:
    rest = Counter(FULL_DECK)
    rest.subtract(UNSEEN + ["guard"] * 5 + ["handmaid"] * 2 + ["king", "prince"])
    assert not any(rest.values())
    expected = {order for order in permutations(NUMBERS[c] for c in UNSEEN) if fits(order)}
    deals = listed("love-letter", SHOWN + position)
    assert Counter(cards(state) for state, _ in deals) == Counter(expected)
    assert [chance for _, chance in deals] == pytest.approx([1 / len(deals)] * len(deals))


def test_love_letter_deals_show_what_a_seat_was_shown() -> None:
    for state, _ in listed("love-letter", SHOWN + "; known=1>2"):
        x = state[0]
        assert x.worlds[0][0] == 1 << (x.hand[1] - 1)
        assert x.worlds[1][0] == 255


def test_love_letter_lots_are_drawn_where_they_decide() -> None:
    deals = listed("love-letter:tie=random", SHOWN)
    assert Counter(int(state[0].lot) for state, _ in deals) == {0: 1260, 1: 1260}
    assert sum(chance for _, chance in deals) == pytest.approx(1)


def test_love_letter_refuses_what_is_too_early_or_impossible() -> None:
    with pytest.raises(UnsuitableGame, match="too many to list"):
        listed("love-letter", "face_up=guard guard guard")
    with pytest.raises(BadText, match="no placement"):
        listed("love-letter", SHOWN + "; not2=priest baron prince countess princess")
