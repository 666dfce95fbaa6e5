"""The last deal of two players' Tablić from the rules: what a play leads to against best play, or
against one who follows a rule. Slow: every line is played to its end, nothing is remembered."""

from collections.abc import Callable
from copy import deepcopy

from tests.oracle import tablic
from tests.oracle.tablic_strategies import (
    THESIS_GENOME,
    Play,
    Side,
    Table,
    backtrack,
    genetic,
    greedy,
    human,
    plays,
)

Rule = Callable[[tablic.Game], Play]


def seen_by_mover(game: tablic.Game) -> Table:
    """What the player to move sees in the last deal, where the unseen cards are the other's."""
    me = game.mover

    def side(seat: int) -> Side:
        return "me" if seat == me else "other"

    return Table(
        hand=tuple(game.hands[me]),
        table=tuple(game.table),
        other_hand=tuple(game.hands[3 - me]),
        unseen=tuple(game.hands[3 - me]),
        last_deal=True,
        last_captor=None if game.last_captor is None else side(game.last_captor),
        dealer=side(game.dealer),
    )


def played(game: tablic.Game, play: Play) -> tablic.Game:
    then = deepcopy(game)
    then.play(play[0], tuple(play[1]))
    return then


def options(game: tablic.Game) -> list[Play]:
    return plays(game.hands[game.mover], game.table)


def ahead(game: tablic.Game, seat: int, rule: Rule | None) -> int:
    """How many points a seat is ahead at the end if it plays its best, and the other by the rule;
    without one, his best too."""
    if game.over:
        points = game.points()
        return points[seat] - points[3 - seat]
    if game.mover == seat:
        return max(ahead(played(game, play), seat, rule) for play in options(game))
    if rule is None:
        return min(ahead(played(game, play), seat, rule) for play in options(game))
    return ahead(played(game, rule(game)), seat, rule)


def against_greedy(game: tablic.Game) -> Play:
    """Most points ahead at the end if the other is greedy; of equal plays the first."""
    seat = game.mover
    return max(options(game), key=lambda play: ahead(played(game, play), seat, RULES["greedy"]))


RULES: dict[str, Rule] = {
    "greedy": lambda game: greedy(seen_by_mover(game)),
    "human": lambda game: human(seen_by_mover(game)),
    "genetic": lambda game: genetic(seen_by_mover(game), THESIS_GENOME),
    "backtrack": lambda game: backtrack(seen_by_mover(game)),
    "pimc": against_greedy,
}
