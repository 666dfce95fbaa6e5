"""Positions: values that are played on, looked at, and that tell no more than they may."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.core.game import CHANCE
from kibitz.core.position import Position
from kibitz.core.registry import games, make_game
from kibitz.core.strategy import Knows
from kibitz.jit.rng import stream
from kibitz.table.table import Table
from tests.plain import Nim


def walk(game: kibitz.Game[Any, Any], seed: int) -> Iterator[Position]:
    """Every position of a random game."""
    source = random.Random(seed)
    position = game.start(seed)
    yield position
    for _ in range(500):
        if position.is_over:
            return
        position = position.play(source.choice(position.plays()))
        yield position


@pytest.mark.parametrize("name", games())
def test_plays_go_by_their_texts_and_lead_to_equal_positions(name: str) -> None:
    game = make_game(name)
    earlier = None
    for position in walk(game, 3):
        if earlier is not None:
            assert earlier.play(str(position.turns[-1][1])) == position
            assert earlier != position and hash(earlier) == hash(earlier)
        if not game.traits.hidden:  # a line does not tell what everybody may have deduced
            assert game.position_of(position.text) == position
        earlier = position


@pytest.mark.parametrize("name", games())
def test_its_views_are_those_of_a_table(name: str) -> None:
    """What a player has seen is the same, whoever led the game."""
    game = make_game(name)
    last = list(walk(game, 5))[-1]
    table = Table(game, 5, recorded=[str(play) for _, play in last.turns])
    for before, play in last.turns:
        if game.mover(before) != CHANCE:
            table.play(play)
    for seat in range(game.players):
        for knows in Knows:
            if knows is Knows.OPEN_HANDS and game.traits.hidden and name != "tablic":
                continue  # no other game with hidden cards can be played so
            theirs, ours = table.view(seat, knows), last.view(seat, knows)
            assert (theirs.log, theirs.seat) == (ours.log, ours.seat)
            assert game.key(theirs.state) == game.key(ours.state)
            plays = [[play for _, play in view.past] for view in (theirs, ours)]
            assert plays[0] == plays[1]
            for (a, _), (b, _) in zip(theirs.past, ours.past, strict=True):
                assert game.key(a) == game.key(b)


@pytest.mark.parametrize("name", ["love-letter", "tablic", "kuhn-poker", "leduc-poker"])
def test_it_looks_the_same_whatever_is_hidden(name: str) -> None:
    """Its repr is fair: it is made of what the seat to move sees."""
    game = make_game(name)
    for position in walk(game, 7):
        if position.is_over:
            continue
        world = Position(game, game.redeal(position.view(), stream(11)))
        alone = Position(game, position.state)
        assert repr(world) == repr(alone)
        assert world._repr_html_() == alone._repr_html_()
        assert repr(world.view()) == repr(alone.view())


def test_it_is_the_table_as_the_seat_to_move_sees_it() -> None:
    position = make_game("love-letter").start(seed=7)
    assert repr(position).splitlines() == [
        "love-letter: seat 1 to play",
        "Deck ▮▮▮▮▮▮▮▮▮ 9   aside  ▒▒   face up  Guard, Priest, Prince",
        "  seat 2        ▒▒   played: –",
        "▸ seat 1 (you)  Guard 1, Guard 1   played: –",
    ]
    assert repr(position.view(1)).startswith("love-letter: what seat 2 sees\n")
    assert all("face down" in one._repr_html_() for one in (position, position.view()))
    assert repr(position.plays()[0]) == "Play('guard>2=priest')"


def test_at_an_end_the_cards_are_laid_down() -> None:
    *_, last = walk(make_game("love-letter"), 2)
    assert last.mover is None and last.plays() == () and sum(last.returns) == 0
    assert "▒" not in repr(last).partition("\n  seat")[2] and "over, " in repr(last)
    with pytest.raises(kibitz.IllegalPlay, match="over"):
        last.play("guard")
    with pytest.raises(kibitz.BadValue, match="nobody is to move"):
        last.view()


def test_it_stays_what_it_is() -> None:
    game = make_game("tic-tac-toe")
    state = game.deal(0)
    position = Position(game, state)
    state.view(np.int64)[:] = 0
    assert position == game.start() and position.plays()
    with pytest.raises(ValueError, match="read-only"):
        position.state.view(np.int64)[:] = 0
    with pytest.raises(AttributeError):
        position.game = game  # type: ignore[misc]
    assert position != "tic-tac-toe" and position != make_game("connect-four").start()


def test_chance_moves_when_asked_to() -> None:
    rolling = make_game("pig").start().play("roll")
    assert rolling.mover == CHANCE and len(rolling.plays()) == 6
    assert "chance moves" in repr(rolling)
    assert rolling.after_chance(4) == rolling.after_chance(4)
    after = {rolling.after_chance(seed) for seed in range(60)}
    assert after == {rolling.play(outcome) for outcome in rolling.plays()}
    assert all(position.mover != CHANCE for position in after)


def test_a_plain_game_has_positions_too() -> None:
    position = Nim().start().play(3).play("2")
    assert position.state == (5, 0) and position.mover == 0
    assert position == Nim().start().play(2).play(3)
    assert position.view().log == ("seat 1: 3", "seat 2: 2")
    assert repr(position) == "nim: seat 1 to play\n(5, 0)"


def test_a_position_that_leaves_something_out_can_be_looked_at() -> None:
    position = Position.parse("love-letter", "face_up=king prince handmaid; hand1=guard baron")
    assert len(position.plays()) > 2 and position.view().plays()
    with pytest.raises(kibitz.BadText, match="all cards"):
        position.play("guard>2=priest")
