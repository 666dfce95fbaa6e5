"""What the study of Tablić concludes beyond the words of all players: beside the thesis, and of
luck and skill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from kibitz.arena.comparison import MatchLine
from kibitz.arena.statistics.scores import Score, score_from
from kibitz.studies.players.words import (
    NOISE,
    apart,
    duration,
    percent,
    score_of_match,
    signed,
    times,
    with_interval,
)
from kibitz.studies.tablic.luck import Luck, SeatLuck


@dataclass(frozen=True)
class Printed:
    """A match as the thesis prints it (TB chapter 4), and what is mended in ours."""

    a: str
    b: str
    wins: int
    losses: int
    draws: int
    seconds: float
    """What a took for a game."""
    mended: str

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def score(self) -> Score:
        return score_from(self.games, self.wins + self.draws / 2, self.wins + self.draws / 4)


PRINTED = (
    Printed(
        "backtrack", "greedy", 35, 15, 0, 29.23,
        "scores kept to the end of the deal (TB kept the first move's); legal captures only",
    ),
    Printed(
        "genetic", "greedy", 553, 445, 2, 2.44e-3,
        "the reply is looked at after the own move (TB: before, so it was a constant)",
    ),
    Printed("backtrack", "genetic", 32, 18, 0, 23.18, "both of these"),
)  # fmt: skip
"""Chapter 4 of the thesis."""


def say_beside(printed: Printed, match: MatchLine) -> str:
    """Whether our first player does better or worse than the thesis's."""
    ours = score_of_match(match)
    way = apart(ours, printed.score)
    sentence = (
        f"Against {printed.b}, {printed.a} scored {with_interval(printed.score)} in the thesis and"
        f" scores {with_interval(ours)} here"
    )
    if way > 0:
        return f"{sentence}: clearly more."
    if way < 0:
        return f"{sentence}: clearly less."
    return f"{sentence}: no clear difference."


def say_faster(printed: Printed, seconds: float) -> str:
    """A game's time beside the thesis's; the machines are not the same."""
    ratio = printed.seconds / seconds
    sentence = (
        f"{printed.a} took {duration(printed.seconds)} a game in the thesis and takes"
        f" {duration(seconds)} here, on another machine"
    )
    if 1 / NOISE < ratio < NOISE:
        return f"{sentence}: about the same."
    if ratio > 1:
        return f"{sentence}: {times(ratio)} times faster."
    return f"{sentence}: {times(1 / ratio)} times slower."


def say_knowing(match: MatchLine, knows: dict[str, str]) -> str:
    """The value of seeing the other hand, between two, if only one of them sees it."""
    seeing = [name for name in (match.a, match.b) if knows[name] != "fair"]
    if len(seeing) != 1:
        return f"{match.a} and {match.b} know alike."
    fair = match.b if seeing[0] == match.a else match.a
    side = match.side * (1 if match.a == fair else -1)
    score = match.score if match.a == fair else 1 - match.score
    sentence = (
        f"{fair}, which is fair, scores {percent(score)} against {seeing[0]} ({knows[seeing[0]]})"
    )
    if side > 0:
        return f"{sentence}: clearly better, though it sees less."
    if side < 0:
        return f"{sentence}: clearly worse; it sees less."
    return f"{sentence}: no clear difference, though it sees less."


def say_seat(share: Score) -> str:
    """Whether the first seat is better when both players are greedy."""
    sentence = f"Greedy against greedy, the first seat scores {with_interval(share)}"
    if share.low > 0.5:
        return f"{sentence}: to sit first is an advantage."
    if share.high < 0.5:
        return f"{sentence}: to sit first is a disadvantage."
    return f"{sentence}: no seat is clearly better."


# -- luck and skill --------------------------------------------------------------------------


def say_decided(luck: Luck) -> str:
    """Whether the deal or the player decided more of the pairs of a match."""
    sentence = (
        f"{luck.a} – {luck.b}: of {luck.pairs} pairs the deal decided {luck.same_seat}, the"
        f" player {luck.same_player}"
    )
    if luck.by_player.low > 0.5:
        return f"{sentence}: the player clearly counts more."
    if luck.by_player.high < 0.5:
        return f"{sentence}: the deal clearly counts more."
    return f"{sentence}: neither clearly counts more."


def say_luck(matches: Sequence[Luck]) -> str:
    """Over all matches: where the player counts more than the deal."""
    player = [each for each in matches if each.by_player.low > 0.5]
    deal = [each for each in matches if each.by_player.high < 0.5]
    shares = [
        fmean(getattr(each, name) / each.pairs for each in matches)
        for name in ("same_seat", "same_player")
    ]
    sentence = (
        f"On the mean of {len(matches)} matches one seat won both games of {percent(shares[0])} of"
        f" the pairs, so that the deal decided; one player did so of {percent(shares[1])}. The"
        f" player clearly counts more in {len(player)} of {len(matches)} matches, the deal in"
        f" {len(deal)}"
    )
    rest = len(matches) - len(player) - len(deal)
    return f"{sentence}; in {rest} neither clearly does." if rest else f"{sentence}."


def say_skill(luck: Luck) -> str:
    """What the first player adds to its cards, in either seat."""
    first, second = (_skilled(seat) for seat in (luck.first, luck.second))
    seats = (
        f"in the first seat, whose cards were worth {signed(luck.first.cards)}, it made"
        f" {signed(luck.first.made)}, in the second {signed(luck.second.made)} of"
        f" {signed(luck.second.cards)}"
    )
    sentence = f"{luck.a} against {luck.b}: {seats}"
    if first == second:
        verdict = {1: "more than the cards in both seats", -1: "less than the cards in both seats"}
        return f"{sentence}: {verdict.get(first, 'no clear difference to the cards in either')}."
    words = {1: "clearly more than the cards", 0: "no clear difference", -1: "clearly less"}
    return f"{sentence}: {words[first]} in the first, {words[second]} in the second."


def _skilled(seat: SeatLuck) -> int:
    return int(seat.skill.low > 0) - int(seat.skill.high < 0)


def say_correlation(luck: Luck) -> str:
    """How much of the ups and downs of the points comes from the cards."""
    r = luck.correlation
    sentence = f"{luck.a} – {luck.b}: what greedy makes of a deal and what these two make of it"
    if r.low > 0:
        return (
            f"{sentence} go together (correlation {signed(r.mean)}): the cards account for"
            f" {percent(r.mean**2)} of the ups and downs of the points."
        )
    if r.high < 0:
        return f"{sentence} go against each other (correlation {signed(r.mean)})."
    return f"{sentence} are not clearly related (correlation {signed(r.mean)})."


def say_excuse(luck: Luck) -> str:
    """The thesis explains greedy's wins by the luck of the deal: is that so?"""
    better, worse = (luck.a, luck.b) if _ahead(luck) >= 0 else (luck.b, luck.a)
    if luck.unlucky is None:
        return f"{better} lost no game to {worse}, so there is no bad luck to tell of."
    sentence = (
        f"Of the {luck.lost} games that {better} lost to {worse}, the cards were the winner's in"
        f" {with_interval(luck.unlucky)}"
    )
    if luck.unlucky.low > 0.5:
        return f"{sentence}: bad luck did have its part in them."
    if luck.unlucky.high < 0.5:
        return f"{sentence}: it lost in spite of its luck."
    return f"{sentence}: bad luck does not clearly explain them."


def _ahead(luck: Luck) -> float:
    return luck.first.made + luck.second.made
