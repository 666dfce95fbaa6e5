"""What every game must refuse: plays that are legal elsewhere, and texts that are no plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.testing.broken_rule import require
from kibitz.testing.walks import ends, same, shown, walks

NO_PLAYS = ("", "no such play", "💥")
OFFERED = 8
"""Plays of other states that are offered in each state."""
GAMES = 3
"""Games in which plays of other states are offered."""


def other_texts_are_refused(game: Game[Any, Any], games: int) -> None:
    """A text that is no play is refused in one line."""
    for state, _, _ in walks(game, min(games, GAMES)):
        known = {str(play) for play in game.plays(state)}
        for text in sorted(set(NO_PLAYS) - known):
            read = _answer(game.match_play, state, text)
            rule = "a text that is no play must be refused with IllegalPlay or BadText"
            case = f"{text!r} is read as {read} {shown(game, state)}"
            require(isinstance(read, KibitzError), game, rule, case)


def illegal_plays_are_refused(game: Game[Any, Any], games: int) -> None:
    """What is legal in another state and not here: as a play, and as its text."""
    steps = list(walks(game, min(games, GAMES)))
    met = list({str(step.play): step.play for step in steps}.values())
    for number, step in enumerate(steps):
        plays = game.plays(step.state)
        texts = {str(play) for play in plays}
        others = [play for play in met if play not in plays and str(play) not in texts]
        turn = number % max(len(others), 1)
        for play in (others[turn:] + others[:turn])[:OFFERED]:
            _check_refused(game, step.state, play)


def nothing_is_played_at_the_end(game: Game[Any, Any], games: int) -> None:
    """Once the game is over there are no plays, and what was legal before is refused."""
    met = list({str(step.play): step.play for step in walks(game, min(games, GAMES))}.values())
    for end in ends(game, games):
        plays, where = game.plays(end), shown(game, end)
        rule = "plays must be empty once the game is over"
        require(len(plays) == 0, game, rule, f"it gives {', '.join(map(str, plays))} {where}")
        for play in met[:OFFERED]:
            for method in (game.match_play, game.check, game.apply):
                rule = "no play may be taken once the game is over"
                done = _answer(method, end, play)
                case = f"{method.__name__} takes {checks.brief(str(play))} {where}"
                require(isinstance(done, KibitzError), game, rule, case)


def _check_refused(game: Game[Any, Any], state: Any, play: Any) -> None:
    """A play that is not legal. Its text may name a legal one in a game that reads more texts
    than it writes, such as other suits: then it must be that play everywhere."""
    text, where = str(play), shown(game, state)
    rule = "a play that is not legal must be refused"
    reads_more = type(game).parse_play is not Game.parse_play
    if not (type(play) is str and reads_more):
        for method in (game.match_play, game.check, game.apply):
            done = _answer(method, state, play)
            case = f"{method.__name__} takes {checks.brief(text)} {where}"
            require(isinstance(done, KibitzError), game, rule, case)
    meant = _answer(game.match_play, state, text)
    refused = isinstance(meant, KibitzError)
    case = f"match_play reads {text!r} as {meant} {where}"
    require(refused or (reads_more and meant in game.plays(state)), game, rule, case)
    read = _answer(game.parse_play, state, text)
    alike = isinstance(read, KibitzError) if refused else read == meant
    require(alike, game, rule, f"parse_play reads {text!r} as {read} {where}")
    checked, after = _answer(game.check, state, text), _answer(game.apply, state, text)
    alike = isinstance(checked, KibitzError) == refused
    require(alike, game, rule, f"check takes the text {text!r} {where}")
    if refused:
        alike = isinstance(after, KibitzError)
    else:
        alike = same(game, after, game.after(state, meant))
    require(alike, game, rule, f"apply takes the text {text!r} {where}")


def _answer(method: Callable[[Any, Any], Any], state: Any, play: Any) -> Any:
    """What a method gives, or how it refuses."""
    try:
        return method(state, play)
    except KibitzError as error:
        return error
