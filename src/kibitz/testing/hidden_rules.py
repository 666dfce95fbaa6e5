"""What every game with hidden cards must do: views that hide, worlds that look like them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from kibitz.core import checks
from kibitz.core.game import CHANCE, Game, View
from kibitz.core.position import view_of
from kibitz.core.strategy import Knows
from kibitz.jit.rng import stream
from kibitz.testing.broken_rule import require
from kibitz.testing.redeal_rules import (
    chance_tells_no_more_than_views,
    open_games_hide_nothing,
    redeal_is_written,
    worlds_are_whole_states,
    worlds_come_as_often_as_they_are_dealt,
)
from kibitz.testing.walks import same, shown, walk, walks

GameRule = Callable[[Game[Any, Any], int], None]
FEW = 5
"""Games at least after which it is looked what the game has kept."""
REDEAL = 5
"""The key of the stream by which hidden cards are dealt anew."""


def views_hide_what_is_hidden(game: Game[Any, Any], games: int) -> None:
    """Deal the hidden cards anew: who can't see them sees no difference."""
    if not game.traits.hidden:
        return
    varied = False
    for seed in range(games):
        rng = stream(seed, REDEAL)
        for state, _, _ in walk(game, seed, seed % game.players):
            for seat in range(game.players):
                view = view_of(game, state, seat, Knows.FAIR)
                world = game.redeal(view, rng)
                there = view_of(game, world, seat, Knows.FAIR)
                require(
                    same(game, there.state, view.state),
                    game,
                    "a view must not change when the cards that it hides are dealt anew",
                    f"seat {seat + 1} sees {game.position(view.state)}, and"
                    f" {game.position(there.state)} after it {shown(game, state)}",
                )
                _check_carried(game, view, there, shown(game, state))
                varied = varied or not same(game, world, state)
    rule = "redeal must give other worlds too, not only the true one"
    require(varied, game, rule, f"in {games} games it gave no other")


def _check_carried(game: Game[Any, Any], view: View[Any], there: View[Any], where: str) -> None:
    """What a view has besides its fields is seen by players too."""
    fields = {field.name for field in dataclasses.fields(View)}
    for name in sorted((vars(view).keys() | vars(there).keys()) - fields):
        carried, other = (vars(one).get(name) for one in (view, there))
        rule = "what a view carries must not change when the cards that it hides are dealt anew"
        case = f"{name} is {checks.brief(carried)}, and {checks.brief(other)} after it {where}"
        require(same(game, carried, other), game, rule, case)


def plays_follow_from_views(game: Game[Any, Any], games: int) -> None:
    """What may be played does not depend on hidden cards."""
    if not game.traits.hidden:
        return
    for state, _, _ in walks(game, games):
        seat = game.mover(state)
        if seat == CHANCE:
            continue
        view = view_of(game, state, seat, Knows.FAIR)
        rule = "the legal plays must follow from what the seat to move sees"
        require(list(view.plays()) == list(game.plays(state)), game, rule, shown(game, state))


def worlds_play_on(game: Game[Any, Any], games: int) -> None:
    """A world that redeal gives is a whole state, and its mover has the same plays."""
    if not game.traits.hidden:
        return
    reads = type(game).parse_position is not Game.parse_position
    for seed in range(games):
        for state, play, _ in walk(game, seed, seed % game.players):
            seat = game.mover(state)
            if seat == CHANCE:
                continue
            view = game.view(state, seat)
            world, again = (game.redeal(view, stream(seed, REDEAL)) for _ in range(2))
            where = shown(game, state)
            rule = "redeal must deal by the stream that it is given"
            require(same(game, world, again), game, rule, where)
            rule = "a world that redeal gives must have the same plays for the seat to move"
            alike = game.mover(world) == seat and list(game.plays(world)) == list(game.plays(state))
            require(alike, game, rule, f"{where}: {shown(game, world)}")
            game.after(world, play)
            if reads:
                text = game.position(world)
                read = game.position(game.parse_position(text))
                rule = "a world that redeal gives must have a position that parses back"
                require(read == text, game, rule, f"{text} becomes {read}")


def logs_tell_no_more_than_views(game: Game[Any, Any], games: int) -> None:
    """The same play in a world that looks the same, before and after: it is told alike."""
    if not game.traits.hidden:
        return
    for seed in range(games):
        rng = stream(seed, REDEAL)
        for state, play, after in walk(game, seed, seed % game.players):
            for seat in range(game.players):
                if seat == game.mover(state):
                    continue
                world = game.redeal(game.view(state, seat), rng)
                if not _has(game, world, play):
                    continue
                there = game.after(world, play)
                seen = (game.view(one, seat).state for one in (after, there))
                if not same(game, *seen):
                    continue
                narrated = game.presenter.narrate(state, play, after, seat)
                other = game.presenter.narrate(world, play, there, seat)
                rule = "what a seat is told must not depend on cards that it does not see"
                case = f"seat {seat + 1} hears {narrated!r}, and {other!r} with other cards"
                require(narrated == other, game, rule, f"{case} {shown(game, state)}")


def _has(game: Game[Any, Any], world: Any, play: Any) -> bool:
    """Whether a play is possible in a world too, and is called the same there."""
    if game.is_over(world):
        return False
    return any(other == play and str(other) == str(play) for other in game.plays(world))


def games_keep_nothing(game: Game[Any, Any], games: int) -> None:
    """Players get the game too: what it keeps of true states they could read there. What it works
    out once, such as its deck, may stay."""
    if not game.traits.hidden:
        return
    kept: dict[str, Any] = {}
    for seed in range(max(games, FEW)):
        for state, _, _ in walk(game, seed, seed % game.players):
            for seat in range(game.players):
                game.view(state, seat)
        for name, content in _kept(game.for_player()).items():
            rule = "a game must keep nothing of what is played, for players get it too"
            case = f"{name} changes from game to game"
            require(kept.setdefault(name, content) == content, game, rule, case)


def _kept(game: Game[Any, Any]) -> dict[str, Any]:
    """What a game and its class hold that is no code, in a form that can be compared."""
    held = dict(vars(game))
    for cls in type(game).__mro__[:-1]:
        held |= {f"{cls.__name__}.{name}": value for name, value in vars(cls).items()}
    return {name: _content(value) for name, value in held.items() if "__" not in name}


def _content(value: Any) -> Any:
    """What a value says of itself; nothing of one that only says where it is."""
    if hasattr(value, "tobytes"):
        return value.tobytes()
    says_nothing: Any = object.__repr__
    return None if type(value).__repr__ is says_nothing else repr(value)


HIDDEN_RULES: tuple[GameRule, ...] = (
    open_games_hide_nothing,
    redeal_is_written,
    plays_follow_from_views,
    views_hide_what_is_hidden,
    worlds_play_on,
    worlds_are_whole_states,
    worlds_come_as_often_as_they_are_dealt,
    logs_tell_no_more_than_views,
    chance_tells_no_more_than_views,
    games_keep_nothing,
)
