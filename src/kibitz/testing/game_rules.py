"""What every game must do, rule by rule.

Each rule is a function of a game and a number of random games to try it on.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from numbers import Real
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import KibitzError
from kibitz.core.game import CHANCE, Chance, Game
from kibitz.core.registry import make_game, make_strategy, split_spec
from kibitz.jit.rng import stream
from kibitz.table.record import Record, replay
from kibitz.table.table import play_out
from kibitz.testing.broken_rule import must_not_raise, require
from kibitz.testing.hidden_rules import HIDDEN_RULES, GameRule
from kibitz.testing.play_rules import (
    illegal_plays_are_refused,
    nothing_is_played_at_the_end,
    other_texts_are_refused,
)
from kibitz.testing.position_rules import (
    other_positions_are_refused,
    positions_hold_all,
    positions_parse_back,
)
from kibitz.testing.walks import ends, same, shown, walks

DEALS = 20
"""Seeds that are dealt to see whether the cards differ."""
CHANCES = 13
"""The key of the stream by which chance moves before somebody decides."""
ASKED_AGAIN = 3
"""Times that an end is asked for its returns again."""


def check_game(game: Game[Any, Any] | str, *, games: int = 20) -> None:
    """Raise BrokenRule, with the rule and the case, if a game does not do what every game must.

    A game is given as an object or by its text, such as `my_game.py`; so many random games of it
    are looked at.
    """
    made = make_game(game) if isinstance(game, str) else checks.one_of(game, Game, "a game")
    checks.count(games, "games", 1)
    for rule in GAME_RULES:
        with must_not_raise(made, "a game"):
            rule(made, games)


def name_and_options_read_back(game: Game[Any, Any], games: int) -> None:
    """The text of a game makes the same game."""
    text = game.title
    named = isinstance(text, str) and text.strip() and "\n" not in text
    require(named, game, "a title must be one line of text", f"it is {checks.brief(text)}")
    for option in game.options:
        require(
            option.help, game, "every option must say what it is for", f"{option.name} has none"
        )
    again = type(game)(**split_spec(game.spec)[1]) if game.options else game
    require(
        again.settings == game.settings,
        game,
        "the options in a game's text must read back",
        f"{game.spec} gives {again.settings}, not {game.settings}",
    )
    players = game.players
    require(
        type(players) is int and players > 0, game, "players must be a number from 1 on",
        f"it is {checks.brief(players)}",
    )  # fmt: skip


def deals_follow_from_seeds(game: Game[Any, Any], games: int) -> None:
    """The same seed gives the same deal, and some seeds give others."""
    for seed in range(3):
        require(
            same(game, game.deal(seed), game.deal(seed)),
            game,
            "a deal must be a function of its seed",
            f"deal({seed}) gave two states that are not equal",
        )
    dealt = [game.deal(seed) for seed in range(DEALS)]
    differ = any(not same(game, dealt[0], other) for other in dealt)
    if game.traits.chance is Chance.DEAL:
        rule = "seeds must deal different cards where traits say chance=deal"
        require(differ, game, rule, f"{DEALS} seeds gave the same deal")
    if game.traits.chance is Chance.NONE:
        rule = "all seeds must deal the same where traits say that there is no chance"
        require(not differ, game, rule, f"{DEALS} seeds gave different deals")


def first_begins(game: Game[Any, Any], games: int) -> None:
    """The seat that deal names is the first to decide, unless it never decides. Where the first
    one differs from deal to deal, the cards say who begins, and no seat can be named."""
    if game.traits.roles:
        return
    rule = "the seat that deal names as first must begin, but for Traits(roles=True)"
    decide = {game.mover(state) for state, _, _ in walks(game, games)}
    for first in range(game.players):
        begin = {_first_mover(game, seed, first) for seed in range(DEALS)} - {None}
        if len(begin) > 1 and not game.traits.match:
            return
        for seat in begin if first in decide else ():
            require(seat == first, game, rule, f"after deal(seed, first={first}) mover is {seat}")


def _first_mover(game: Game[Any, Any], seed: int, first: int) -> int | None:
    """The first seat to decide in a random game, if there is one."""
    state, rng = game.deal(seed, first), stream(seed, CHANCES)
    for _ in range(DEALS):
        if game.is_over(state):
            return None
        if game.mover(state) != CHANCE:
            return game.mover(state)
        state = game.after(state, game.draw_chance(state, rng))
    return None


def somebody_moves(game: Game[Any, Any], games: int) -> None:
    """Who is to move is a seat, or chance."""
    chanced = False
    for state, _, _ in walks(game, games):
        mover = game.mover(state)
        allowed = range(CHANCE, game.players)
        rule = "mover must be a seat, counted from 0, or CHANCE"
        require(mover in allowed, game, rule, f"it is {checks.brief(mover)} {shown(game, state)}")
        if mover == CHANCE:
            chanced = True
            _check_chances(game, state)
    says = game.traits.chance is Chance.PLAY
    rule = "chance must move in play if traits say chance=play, and only then"
    moved = "moves" if chanced else f"does not move in {games} games"
    require(chanced == says, game, rule, f"it {moved}, and traits say {game.traits.chance}")


def _check_chances(game: Game[Any, Any], state: Any) -> None:
    chances = dict(game.chances(state))
    require(
        chances.keys() == set(game.plays(state)), game, "plays and chances must name the same",
        shown(game, state),
    )  # fmt: skip
    for outcome, chance in chances.items():
        rule = "a probability of chance must lie between 0 and 1"
        require(0 <= chance <= 1, game, rule, f"{outcome} has {chance} {shown(game, state)}")
    total = sum(chances.values())
    require(
        math.isclose(total, 1),
        game,
        "the probabilities of chance must add up to 1",
        f"they add up to {total} {shown(game, state)}",
    )


def plays_are_legal_and_parse_back(game: Game[Any, Any], games: int) -> None:
    """Every play passes the check, and its text names it."""
    for state, _, _ in walks(game, games):
        where = shown(game, state)
        plays = game.plays(state)
        require(isinstance(plays, Sequence), game, "plays must give a list", where)
        hashable = all(isinstance(play, Hashable) for play in plays)
        require(hashable, game, "plays must be values that can be hashed", where)
        require(len(set(plays)) == len(plays), game, "plays must be distinct", where)
        texts = [str(play) for play in plays]
        require(len(set(texts)) == len(texts), game, "texts of plays must be distinct", where)
        again = game.plays(state)
        require(list(again) == list(plays), game, "plays must be the same when asked again", where)
        for play, text in zip(plays, texts, strict=True):
            _check_play(game, state, play, text)


def _check_play(game: Game[Any, Any], state: Any, play: Any, text: str) -> None:
    where = shown(game, state)
    readable = text.strip() and text.isprintable()
    require(readable, game, "the text of a play must be one line", f"{text!r} {where}")
    for written in (text, f"  {text} "):
        try:
            read = game.parse_play(state, written)
        except KibitzError as error:
            read = error
        reading = f"is refused ({read})" if isinstance(read, Exception) else f"is read as {read}"
        rule = "the text of a play must parse back to it"
        require(read == play, game, rule, f"{written!r} {reading} {where}")
    try:
        game.check(state, play)
    except KibitzError as error:
        require(False, game, "every play in plays must be legal", f"{text}: {error} {where}")


def states_are_values(game: Game[Any, Any], games: int) -> None:
    """A play leaves the state in which it is made as it was."""
    for state, play, after in walks(game, games):
        before = game.copied(state)
        again = game.after(state, play)
        where = f"{play} {shown(game, before)}"
        rule = "a play must leave the state that it is made in as it was"
        require(same(game, state, before), game, rule, where)
        rule = "a play must lead to the same state whenever it is made"
        require(same(game, again, after), game, rule, where)
        rule = "key must be equal for equal states"
        require(game.key(before) == game.key(state), game, rule, where)


def returns_are_a_number_each(game: Game[Any, Any], games: int) -> None:
    """An end has a finite number for each seat."""
    for end in ends(game, games):
        values, where = game.returns(end), shown(game, end)
        each = isinstance(values, tuple | list) and len(values) == game.players
        rule = f"returns must give {game.players} numbers, one for each seat"
        require(each, game, rule, f"it gives {values} {where}")
        numbers = all(isinstance(value, Real) and math.isfinite(value) for value in values)
        require(numbers, game, "returns must be finite numbers", f"{values} {where}")
        if game.players == 2:
            rule = "of two players one must win what the other loses: returns add up to 0"
            require(math.isclose(sum(values), 0, abs_tol=1e-9), game, rule, f"{values} {where}")
        for _ in range(ASKED_AGAIN):
            again, rule = game.returns(end), "returns must be the same when asked again"
            require(again == values, game, rule, f"{values} and {again} {where}")
        outcome = game.presenter.outcome(end)
        require(
            outcome and "\n" not in outcome, game, "outcome must tell an end in one line", where
        )


def games_follow_from_seeds(game: Game[Any, Any], games: int) -> None:
    """Played through views, by random players; and the record of a game replays."""
    players = [make_strategy("random")] * game.players
    for seed in range(games):
        table, again = (play_out(game, players, seed) for _ in range(2))
        rule = "the same seed must give the same game"
        require(table.plays == again.plays, game, rule, f"seed {seed}: {table.plays[:10]} …")
        require(table.logs == again.logs, game, "the same game must be told alike", f"seed {seed}")
        record = Record.of(table, ["random"] * game.players)
        try:
            replayed = replay(Record.model_validate_json(record.model_dump_json()), own=game)
        except KibitzError as error:
            require(False, game, "the record of a game must replay", f"seed {seed}: {error}")
        rule = "the record of a game must replay to the same end"
        require(same(game, replayed.state, table.state), game, rule, f"seed {seed}")


def chance_follows_from_its_stream(game: Game[Any, Any], games: int) -> None:
    """Outcomes have probabilities, and the stream decides which comes."""
    for state, _, _ in walks(game, games):
        if game.mover(state) == CHANCE:
            drawn = [game.draw_chance(state, stream(1, 2)) for _ in range(2)]
            rule = "draw_chance must draw by the stream that it is given"
            require(drawn[0] == drawn[1], game, rule, shown(game, state))


GAME_RULES: tuple[GameRule, ...] = (
    name_and_options_read_back,
    deals_follow_from_seeds,
    somebody_moves,
    states_are_values,
    plays_are_legal_and_parse_back,
    other_texts_are_refused,
    illegal_plays_are_refused,
    nothing_is_played_at_the_end,
    first_begins,
    returns_are_a_number_each,
    positions_parse_back,
    positions_hold_all,
    other_positions_are_refused,
    chance_follows_from_its_stream,
    *HIDDEN_RULES,
    games_follow_from_seeds,
)
