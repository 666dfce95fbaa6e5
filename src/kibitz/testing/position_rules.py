"""What every game that writes positions must do: read them, and lose nothing."""

from __future__ import annotations

from typing import Any

from kibitz.core.errors import BadText, KibitzError, describe_error
from kibitz.core.game import Game
from kibitz.games.compiled_game import CompiledGame
from kibitz.testing.broken_rule import require
from kibitz.testing.walks import same, shown, walks

GAMES = 2
"""Games of a compiled game whose positions are compared with their states in all that they say:
it takes its time."""
NO_POSITIONS = ("nonsense", "a=b", "=")


def positions_parse_back(game: Game[Any, Any], games: int) -> None:
    """For games that write positions of their own."""
    writes = type(game).position is not Game.position
    if not _reads(game):
        text = game.position(game.deal(0))
        rule = "a game that writes position must read it: write parse_position too"
        require(not writes, game, rule, f"nothing reads {text}")
        return
    for state, play, after in walks(game, games):
        for one in (state, after, *_seen(game, state), *_seen(game, after)):
            text = game.position(one)
            require("\n" not in text, game, "a position must be one line", text)
            _check_position(game, text)
        again = game.parse_position(game.position(state))
        rule = "a position must play on like the state that it was written from"
        alike = [str(p) for p in game.plays(again)] == [str(p) for p in game.plays(state)]
        require(alike, game, rule, shown(game, state))
        went_on = game.position(game.after(again, play))
        require(went_on == game.position(after), game, rule, f"{play} {shown(game, state)}")


def positions_hold_all(game: Game[Any, Any], games: int) -> None:
    """What is read from a position says and shows what its state does."""
    if not _reads(game):
        return
    tried = min(games, GAMES) if isinstance(game, CompiledGame) else games
    for state, _, after in walks(game, tried):
        _check_alike(game, state, game.parse_position(game.position(state)))
        if game.is_over(after):
            _check_alike(game, after, game.parse_position(game.position(after)))


def _reads(game: Game[Any, Any]) -> bool:
    return type(game).parse_position is not Game.parse_position


def _seen(game: Game[Any, Any], state: Any) -> list[Any]:
    return [game.view(state, seat).state for seat in range(game.players)]


def _check_position(game: Game[Any, Any], text: str) -> None:
    try:
        again = game.position(game.parse_position(text))
    except KibitzError as error:
        again = f"refused: {error}"
    require(again == text, game, "a position must parse back", f"{text} becomes {again}")


def _check_alike(game: Game[Any, Any], state: Any, again: Any) -> None:
    """All that a state says, said by the state that was read."""
    text = game.position(state)
    for what, one, other in zip(
        ("is_over", "returns", "mover", "plays"), _facts(game, state), _facts(game, again),
        strict=True,
    ):  # fmt: skip
        rule = "a position must hold all of its state: what is read from it must be alike"
        require(one == other, game, rule, f"{what} is {one}, and {other} when {text} is read")
    for seat, seen in enumerate(_seen(game, state)):
        there = game.view(again, seat).state
        rule = "a position must hold all of its state: what is read from it must look alike"
        case = f"seat {seat + 1} sees {seen}, and {there} when {text} is read"
        require(_look_alike(game, seen, there), game, rule, case)


def _look_alike(game: Game[Any, Any], seen: Any, there: Any) -> bool:
    """Packed records may hold more than the position says, such as what seats have deduced: there
    the texts count."""
    if hasattr(seen, "tobytes"):
        return game.position(seen) == game.position(there)
    return same(game, seen, there)


def _facts(game: Game[Any, Any], state: Any) -> tuple[Any, ...]:
    if game.is_over(state):
        return True, tuple(game.returns(state)), None, ()
    return False, None, game.mover(state), [str(play) for play in game.plays(state)]


def other_positions_are_refused(game: Game[Any, Any], games: int) -> None:
    """A text that is no position is refused in one line."""
    if not _reads(game):
        return
    for text in NO_POSITIONS:
        rule = "a text that is no position must be refused with BadText in one line"
        try:
            read = game.parse_position(text)
        except BadText as error:
            require("\n" not in str(error), game, rule, f"{text!r}: {error}")
        except Exception as error:
            require(False, game, rule, f"{text!r} raises {describe_error(error)}")
        else:
            require(False, game, rule, f"{text!r} is read as {game.position(read)}")
