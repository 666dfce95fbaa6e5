"""Finding puzzles: games are played, and positions kept in which one play is clearly best.

What a puzzle must be: the best play is worth more than any other by a margin, by exact values; the
greedy player plays another; and no puzzle kept before has the same hand and the same best play.
Then every fair strategy is asked, by what a player sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.core.registry import make_game, make_strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.tablic.game import Tablic
from kibitz.jit.rng import stream
from kibitz.review.puzzle_values import (
    MOST_LEFT,
    PuzzleValue,
    love_letter_values,
    tablic_line,
    tablic_values,
)
from kibitz.review.puzzles import LAST_BUT_ONE, LAST_DEAL, LAST_PLAY, OPEN_DECK, Puzzle

PLAYERS = {
    "love-letter": ("greedy", "probabilistic"),
    "tablic": ("human", "greedy"),
}
"""Who plays the games that positions come from."""
ASKED = {
    "love-letter": ("random", "probabilistic", "greedy", "flat-mc", "ismcts", "flat-mc:worlds=10"),
    "tablic": ("random", "greedy", "human", "flat-mc", "ismcts", "pimc"),
}
"""Who is asked to solve a puzzle."""
MARGINS = {"love-letter": 0.15, "tablic": 2.0}
"""How much more the best play is worth: of a chance to win, and in points."""
LEAST_HAND = 3
"""Cards in the hand of who solves a puzzle of Tablić."""
MOST_PLIES = 17
"""Plays to the end of an open deck."""


def find_puzzles(game: str, number: int, seed: int = 0, kind: str = "") -> list[Puzzle]:
    """So many puzzles of a game, or of one kind of it, from games number seed, seed + 1 …"""
    found: dict[tuple[Any, ...], Puzzle] = {}
    made = make_game(game)
    assert isinstance(made, CompiledGame)
    turn = seed
    while len(found) < number:
        for puzzle, mark in _in_game(made, turn, kind):
            found.setdefault(mark, puzzle)
        turn += 1
    kept = list(found.values())[:number]
    return [asked(replace(puzzle, number=i)) for i, puzzle in enumerate(kept, 1)]


def _in_game(game: CompiledGame, seed: int, kind: str) -> Iterator[tuple[Puzzle, Any]]:
    """The puzzles in one game, each with what no other may have. The players are compiled ones
    that remember nothing: many games have no puzzle."""
    names = PLAYERS[game.name]
    policies = [make_strategy(names[(seat + seed) % 2]).policy(game) for seat in range(2)]
    state, view, rng = game.deal(seed, 0).copy(), game.blank(), stream(seed, 1)
    no_past, no_plays = np.zeros(0, game.kernels.STATE), np.zeros(0, np.int64)
    while not game.kernels.over(state):
        if (puzzle := _puzzle_at(game, state, kind)) is not None:
            yield puzzle, (tuple(sorted(puzzle.values)), puzzle.best)
        seat = int(game.kernels.mover(state))
        policy = policies[seat]
        assert policy is not None and not policy.remembers
        game.kernels.observe(state, seat, view)
        numbers = np.array(policy.numbers or (0.0,))
        game.kernels.apply(state, policy.choose(view, seat, no_past, no_plays, numbers, rng))


def _puzzle_at(game: CompiledGame, state: Any, kind: str) -> Puzzle | None:
    """A position as a puzzle, if it is one."""
    found = kind_of(game, state)
    if not found or kind not in ("", found):
        return None
    state = state.copy()
    seat = game.mover(state)
    view = game.view(state, seat)
    if len(view.plays()) < 2:
        return None
    if isinstance(game, LoveLetter):
        position, values = game.position(view.state), love_letter_values(game, view.state)
    else:
        assert isinstance(game, Tablic)
        position, values = game.position(state), tablic_values(game, state)
    greedy = str(make_strategy("greedy").sit(game, seat, stream(0)).choose(view))
    if not is_puzzle(game.name, values) or greedy == values[0].play:
        return None
    line = tablic_line(game, state) if isinstance(game, Tablic) else []
    return Puzzle(
        game.name, 0, found, position, seat + 1,
        {each.play: (each.low, each.high) for each in values}, greedy, (), 0, tuple(line),
    )  # fmt: skip


def kind_of(game: CompiledGame, state: Any) -> str:
    """Which kind of puzzle a position may be; none if it is too early."""
    x = state[0]
    if isinstance(game, LoveLetter):
        return "" if x.left > MOST_LEFT else LAST_BUT_ONE if x.left else LAST_PLAY
    plies = int(x.held.sum()) + 52 - int(x.dealt)
    if x.held[x.turn] < LEAST_HAND or plies > MOST_PLIES:
        return ""
    return LAST_DEAL if x.dealt == 52 else OPEN_DECK


def is_puzzle(game: str, values: list[PuzzleValue]) -> bool:
    """Whether the first play is clearly better than any other brings."""
    margin = MARGINS[game]
    return len(values) > 1 and values[0].low >= max(each.high for each in values[1:]) + margin


def asked(puzzle: Puzzle) -> Puzzle:
    """The puzzle with who fails it. Each strategy is asked from what the seat sees."""
    names = ASKED[puzzle.game]
    game, state = puzzle.state()
    seat = puzzle.seat - 1
    failed = []
    for number, name in enumerate(names):
        player = make_strategy(name).sit(game, seat, stream(puzzle.number, number))
        play = player.choose(game.view(state, seat))
        if str(play) != puzzle.best:
            failed.append(name)
    return replace(puzzle, failed=tuple(failed), asked=len(names))
