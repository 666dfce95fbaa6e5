"""The small twin of Tablić that searches use is the game itself, to the end of a deal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from kibitz.games.tablic import open_hands as twin
from kibitz.games.tablic.cards import NAMES, cards_of
from kibitz.games.tablic.game import Tablic
from tests.games.boards import few, walk
from tests.oracle import tablic_deals as plain
from tests.oracle.tablic import RANKS, kind, rank
from tests.search.fast import composed, many_composed

GAMES = [
    Tablic(players=players, cards_bonus=bonus, forced_capture=forced, leftovers=leftovers)
    for players in (2, 3, 4)
    for bonus, forced, leftovers in (
        ("always", False, "last-captor"),
        ("tie", False, "dealer"),
        ("none", True, "last-captor"),
    )
]
every_game = pytest.mark.parametrize("game", GAMES, ids=str)
RESULT = np.array([0.0] * 8 + [1.0, 1.0])
"""Weights that make a game's end worth its result."""
SEVERAL = [
    RESULT,
    np.array([1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    np.array([7.0, 107.0, 207.0, 307.0, -400.0, 20.0, 300.0, 150.0, 1.0, 1.0]),
]


def small(state: Any) -> Any:
    """The twin of a state."""
    d = np.zeros(1, twin.STATE)
    twin.set_up(state, d)
    return d


def cards_in(word: int) -> list[str]:
    """The cards of a packed set, as kinds."""
    found = [r for i, r in enumerate(RANKS) for _ in range(word >> 4 * i & 15)]
    for card, flag in (("10d", 1 << 57), ("2c", 1 << 58)):
        if word & flag:
            found[found.index(rank(card))] = card
    return sorted(found)


def kinds(cards: Any) -> list[str]:
    return sorted(kind(NAMES[card]) for card in cards_of(int(cards)))


def assert_same(game: Tablic, state: Any, d: Any) -> None:
    """All that both records say."""
    points, cards = plain.captured(game, state)
    assert d[0].points.tolist()[: len(points)] == points
    assert d[0].taken.tolist()[: len(cards)] == cards
    assert cards_in(int(d[0].table)) == kinds(state[0].table)
    assert (d[0].turn, d[0].last) == (state[0].turn, state[0].last)
    for seat in range(game.players):
        left = twin.hand_of(d[0].left[seat], d[0].cards[seat])
        assert cards_in(int(left)) == kinds(state[0].hand[seat])


def result(game: Tablic, end: Any, seat: int) -> float:
    """An end's worth by the rules: against each other side, in thousandths."""
    return 1000 * game.returns(end)[seat] * (2 if game.players == 3 else 1)


# -- the rules -------------------------------------------------------------------------------


@every_game
def test_a_deal_goes_in_the_twin_as_in_the_game(game: Tablic) -> None:
    ends = 0
    for seed in range(few(25, 1)):
        d = None
        for before, play, after in walk(game, seed, seed % game.players):
            d = small(before) if d is None else d
            assert not twin.over(d)
            assert d[0].ends == (before[0].dealt == 52)
            assert_same(game, before, d)
            twin.apply(d, play.code)
            if not plain.is_end(before, after):
                continue
            assert twin.over(d)
            for seat in range(game.players):
                for weights in SEVERAL if game.players != 3 or after[0].over else SEVERAL[:1]:
                    expected = plain.worth(game, before, after, seat, weights.tolist())
                    assert twin.worth(d, seat, weights) == expected
                if after[0].over:
                    assert twin.game_end(d, seat, RESULT) == result(game, after, seat)
                    ends += 1
            d = None
    assert ends == few(25, 1) * game.players


@every_game
def test_what_is_won_already_is_what_lies_in_the_piles(game: Tablic) -> None:
    for seed in range(few(10, 1)):
        for state, _, _ in walk(game, seed):
            for seat in range(game.players):
                won = plain.won(game, state, 0, seat, RESULT.tolist())
                assert twin.so_far(small(state), seat, RESULT) == won
                assert twin.guess(small(state), seat, RESULT) == won


@every_game
def test_a_view_with_open_hands_is_enough(game: Tablic) -> None:
    for state, _, _ in walk(game, 3):
        view = game.view_open_hands(state, game.mover(state))
        assert small(view.state).tobytes() == small(state).tobytes()


def test_partners_are_one_side() -> None:
    for game, sides in ((Tablic(), [0, 1]), (Tablic(players=4), [0, 1, 0, 1])):
        d = small(game.deal(1))
        assert [twin.team_of(d, seat) for seat in range(game.players)] == sides


# -- keys ------------------------------------------------------------------------------------


def written(d: Any) -> list[int]:
    room = np.zeros(twin.WIDTH, np.int64)
    start, end = twin.write(d, room)
    return sorted(room[start:end].tolist())


def any_way(d: Any, plays: int, source: Random) -> Any:
    """The position after so many plays by lot."""
    d = d.copy()
    for _ in range(plays):
        if not twin.over(d):
            twin.apply(d, source.choice(written(d)))
    return d


def to_the_end(d: Any, seed: int) -> list[float]:
    """What is still to be won on one way to the end, to each seat by several weights."""
    end = any_way(d, 24, Random(seed))
    return [
        twin.worth(end, seat, weights) - twin.so_far(d, seat, weights)
        for seat in range(d[0].players)
        for weights in SEVERAL
    ]


def pairs(game: Tablic, deals: int) -> Iterator[tuple[Any, Any]]:
    """Positions of the same deal that were reached with other winnings and have the same key."""
    for number in range(deals):
        source = Random(number)
        start = small(composed(game, source, 3, source.randrange(2), 4))
        met: dict[tuple[int, int], Any] = {}
        for _ in range(150):
            d = any_way(start, source.randrange(1, 5), source)
            other = met.setdefault(twin.key(d), d)
            if other.tobytes() != d.tobytes():
                yield d, other


@every_game
def test_positions_with_the_same_key_have_the_same_future(game: Tablic) -> None:
    n = 0
    for number, (one, other) in enumerate(pairs(game, few(12, 1))):
        assert twin.over(one) == twin.over(other)
        assert one[0].turn == other[0].turn
        assert written(one) == written(other)
        assert to_the_end(one, number) == to_the_end(other, number)
        n += 1
    assert n > few(50, 0)


# -- the plays worth looking at --------------------------------------------------------------


def better_twins(state: Any, play: int) -> set[int]:
    """The play with 10♦ or 2♣ where it has a twin of it, played or taken."""
    special, takes_ten, takes_two = 1 << 56, 1 << 57, 1 << 58
    return {play | special, play | takes_ten, play | takes_two, play | takes_ten | takes_two} | {
        play | special | takes_ten,
        play | special | takes_two,
        play | special | takes_ten | takes_two,
    }


@every_game
def test_what_is_not_looked_at_is_no_better_than_the_rest(game: Tablic) -> None:
    """The best play of the mover is among those that are, for its side and for the others."""
    fewer = 0
    for state, source in many_composed(game, few(40, 6), 2, (0,)):
        looked_at, legal = written(small(state)), game.kernels.legal(state).tolist()
        assert len(set(looked_at)) == len(looked_at)
        assert set(looked_at) <= set(legal)
        for play in set(legal) - set(looked_at):
            assert better_twins(state, play) & set(looked_at)
        if len(looked_at) == len(legal):
            continue
        fewer += 1
        mover = game.mover(state)
        weights = source.choice(SEVERAL).tolist()
        for seat in range(game.players):
            values = plain.play_values(game, state, seat, weights)
            best = max if plain.side_of(game, seat) == plain.side_of(game, mover) else min
            assert best(values[play] for play in looked_at) == best(values.values())
    assert fewer >= few(3, 0)


LEVEL = (
    "table=2c 2s 10c; deck=none; hand1=3c; hand2=2h; pile1=Ad 4c 4d 4s 6d 7c 7d 7s 8h 9h 9s"
    " 10d 10h Jc Qd Kh; pile2=Ac Ah As 2d 3d 3h 3s 4h 5c 5d 5h 5s 6c 6h 6s 7h 8c 8d 8s 9c 9d"
    " 10s Jd Jh Js Qc Qh Qs Kc Kd Ks; tablas1=6; tablas2=1; last=2; dealer=2; turn=2"
)


def test_a_deal_is_looked_at_with_all_rules_of_the_bonus() -> None:
    """A point more may be worth less, where a level score brings three points for cards."""
