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
from kibitz.games.tablic.open_hands import evaluation
from tests.games.boards import few, walk
from tests.oracle import tablic_deals as plain
from tests.oracle.tablic import RANKS, kind, rank
from tests.search.fast.arrays import MANY, TWINS, compiled_only, composed, many_composed

pytestmark = compiled_only

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
"""Weights by which the value of a game's end is its result."""
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
    cards = [r for i, r in enumerate(RANKS) for _ in range(word >> 4 * i & 15)]
    for card, flag in (("10d", 1 << 57), ("2c", 1 << 58)):
        if word & flag:
            cards[cards.index(rank(card))] = card
    return sorted(cards)


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
    """An end's value by the rules: against each other side, in thousandths."""
    return 1000 * game.returns(end)[seat] * (2 if game.players == 3 else 1)


# -- the rules -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_deal_goes_in_the_twin_as_in_the_game(game: Tablic) -> None:
    ends = 0
    for seed in range(few(12, 1)):
        d = None
        for before, play, after in walk(game, seed, seed % game.players):
            d = small(before) if d is None else d
            assert not twin.over(d, 0)
            assert d[0].ends == (before[0].dealt == 52)
            assert_same(game, before, d)
            twin.apply(d, 0, play.code)
            if not plain.is_end(before, after):
                continue
            assert twin.over(d, 0)
            for seat in range(game.players):
                for weights in SEVERAL:
                    expected = plain.value_after(game, before, after, seat, weights.tolist())
                    assert twin.terminal_value(d, 0, seat, weights) == expected
                if after[0].over:
                    assert evaluation.game_end_value(d[0], seat, RESULT) == result(
                        game, after, seat
                    )
                    ends += 1
            d = None
    assert ends == few(12, 1) * game.players


@every_game
def test_what_is_won_already_is_what_lies_in_the_piles(game: Tablic) -> None:
    for seed in range(few(4, 1)):
        for state, _, _ in walk(game, seed):
            for seat in range(game.players):
                won = plain.won(game, state, 0, seat, RESULT.tolist())
                assert twin.banked(small(state), 0, seat, RESULT) == won
                assert twin.evaluate(small(state), 0, seat, RESULT) == won


@every_game
def test_a_view_with_open_hands_is_enough(game: Tablic) -> None:
    for state, _, _ in walk(game, 3):
        view = game.view_open_hands(state, game.mover(state))
        assert small(view.state).tobytes() == small(state).tobytes()


def test_the_example_of_the_docstring() -> None:
    game = Tablic()
    rest = " ".join(card for card in NAMES if card not in ("Ah", "2c", "3c", "10d", "2h", "4h"))
    state = game.parse_position(
        "table=Ah 2c; deck=none; hand1=3c 10d; hand2=2h 4h; pile1=none; last=2; dealer=2; turn=1;"
        f" pile2={rest}"
    )
    d = small(state)
    assert d[0].cards[0] == 2 * 2 | (2 * 9 + 1) << 5
    assert d[0].left[0] == 0b11
    play = next(play for play in game.plays(state) if str(play) in ("3c x 2c Ah", "3c x Ah 2c"))
    twin.apply(d, 0, play.code)
    assert (d[0].points[0], d[0].left[0], d[0].table) == (3, 0b10, 0)


def test_partners_are_one_side() -> None:
    for game, sides in ((Tablic(), [0, 1]), (Tablic(players=4), [0, 1, 0, 1])):
        d = small(game.deal(1))
        assert [twin.team_of(d, 0, seat) for seat in range(game.players)] == sides


# -- keys ------------------------------------------------------------------------------------


def written(d: Any) -> list[int]:
    plays = np.zeros(twin.PLAYS_CAPACITY, np.int64)
    start, end = twin.write(d, 0, plays, 0)
    return sorted(plays[start:end].tolist())


def after(d: Any, play: int) -> Any:
    then = d.copy()
    twin.apply(then, 0, play)
    return then


def all_positions(d: Any) -> Iterator[Any]:
    """Every position of a deal, once for each way to it."""
    yield d
    if not twin.over(d, 0):
        for play in written(d):
            yield from all_positions(after(d, play))


def pairs(game: Tablic, deals: int, source: Random) -> Iterator[tuple[Any, Any]]:
    """Positions of the same deal that were reached with other winnings and have the same key."""
    held = 3 if game.players == 2 else 2
    for number in range(deals):
        met: dict[tuple[int, int], Any] = {}
        same = []
        for d in all_positions(small(composed(game, source, held, number % 2, 4))):
            other = met.setdefault(twin.key(d, 0), d)
            if other.tobytes() != d.tobytes():
                same.append((d, other))
        yield from source.sample(same, min(len(same), 15))


def to_the_end(d: Any, seed: int) -> list[float]:
    """What is still to be won on one way to the end, to each seat by several weights."""
    source = Random(seed)
    end = d
    while not twin.over(end, 0):
        end = after(end, source.choice(written(end)))
    return [
        twin.terminal_value(end, 0, seat, weights) - twin.banked(d, 0, seat, weights)
        for seat in range(d[0].players)
        for weights in SEVERAL
    ]


@every_game
def test_positions_with_the_same_key_have_the_same_future(game: Tablic) -> None:
    n = 0
    for number, (one, other) in enumerate(pairs(game, few(8, 1), Random(4))):
        assert twin.over(one, 0) == twin.over(other, 0)
        assert one[0].turn == other[0].turn
        if not twin.over(one, 0):
            assert written(one) == written(other)
        assert to_the_end(one, number) == to_the_end(other, number)
        n += 1
    assert n > 10 or not MANY


# -- the plays to be searched -----------------------------------------------------------------


SPECIALS = range(56, 59)
"""The bits of a play that say: 10♦ or 2♣ is played, 10♦ is taken, 2♣ is taken."""


def better_twins(play: int) -> set[int]:
    """The same with 10♦ or 2♣ for a twin, played or taken."""
    sets = [sum(1 << bit for i, bit in enumerate(SPECIALS) if n >> i & 1) for n in range(8)]
    return {play | flags for flags in sets} - {play}


@every_game
def test_what_is_not_looked_at_has_a_twin_that_is(game: Tablic) -> None:
    for state, _ in many_composed(game, few(150, 10), 2, (0, 1), 6, TWINS):
        looked_at, legal = written(small(state)), set(game.kernels.legal(state).tolist())
        assert len(set(looked_at)) == len(looked_at)
        assert set(looked_at) <= legal
        for play in legal.difference(looked_at):
            assert better_twins(play).intersection(looked_at)


def narrowed(game: Tablic, positions: int) -> Iterator[tuple[Any, list[int], Random]]:
    """Positions in which not every legal play is looked at, and the plays that are."""
    ties_count = game.settings["cards_bonus"] == "tie"
    for state, source in many_composed(game, 150 * positions, 2, (1, int(ties_count)), 3, TWINS):
        looked_at = written(small(state))
        if positions and len(looked_at) < len(game.kernels.legal(state)):
            positions -= 1
            yield state, looked_at, source
    assert not positions


@every_game
def test_what_is_not_looked_at_is_no_better_than_the_rest(game: Tablic) -> None:
    """The best play of the mover is among those that are, for its side and for the others."""
    for state, looked_at, source in narrowed(game, few(2 if game.players == 4 else 6, 1)):
        mover = game.mover(state)
        weights = source.choice(SEVERAL).tolist()
        for seat in (mover, (mover + 1) % game.players):
            values = plain.play_values(game, state, seat, weights)
            best = max if seat == mover else min
            assert best(values[play] for play in looked_at) == best(values.values())


LEVEL = (
    "table=Ah 2c 2s 10c; deck=none; hand1=3c; hand2=2h; pile1=Ad 4c 4d 4s 6d 7c 7d 7s 8h 9h 9s"
    " 10d 10h Jc Qd Kh; pile2=Ac As 2d 3d 3h 3s 4h 5c 5d 5h 5s 6c 6h 6s 7h 8c 8d 8s 9c 9d 10s"
    " Jd Jh Js Qc Qh Qs Kc Kd Ks; tablas1=6; tablas2=2; last=2; dealer=2; turn=1"
)
"""13 points to 14. With 2♣ seat 1 has 15, and so has seat 2 in the end, and the bonus."""


def test_a_point_less_is_looked_at_where_a_tie_would_cost_three() -> None:
    game = Tablic(cards_bonus="tie")
    state = game.parse_position(LEVEL)
    values = plain.play_values(game, state, 0, RESULT.tolist())
    best = max(values, key=lambda play: values[play])
    assert (str(game.name_play(state, best)), values[best]) == ("3c x 2s Ah", -2000)
    assert best in written(small(state))
