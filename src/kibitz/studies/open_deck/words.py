"""What the study of solved shuffles concludes, worded from the figures: other figures, other
sentences. A difference is reported only if its 95 % interval is on one side of none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kibitz.arena.statistics.scores import Score
from kibitz.studies.open_deck.losses import KINDS, PLIES, Loser, deals_in, mean_of
from kibitz.studies.players.words import duration, percent, points
from kibitz.studies.search.words import SPACE, listed, whole

SEATS = {1: "the first player's", -1: "the dealer's"}
NUMBERS = {1: "last deal", 2: "last two deals", 3: "last three deals"}


def side(mean: Score) -> int:
    """1 if it is clearly more than nothing, −1 if it is clearly less."""
    return int(mean.low > 0) - int(mean.high < 0)


def amount(mean: Score) -> str:
    """A loss with its interval."""
    return f"{mean.mean:.2f} ({mean.low:.2f} to {mean.high:.2f})".replace("-", "−")


def part_of_game(plies: int) -> str:
    """What is studied."""
    if plies == PLIES:
        return "the whole game"
    if plies % 12:
        return f"the last {plies} plays"
    return f"the {NUMBERS[len(deals_in(plies))]} ({plies} plays)"


# -- moving first --------------------------------------------------------------------------


def say_first(how: str, ahead: Score) -> str:
    """Whether it is good to move first, if they play in some way: `Perfect`, `Greedy`."""
    sentence = f"{how} play on both sides leaves the first player {points(ahead)} points ahead"
    verdict = {
        1: "to move first is an advantage.",
        -1: "to move first is a disadvantage, to deal an advantage.",
        0: "neither seat is clearly better.",
    }
    return f"{sentence}: {verdict[side(ahead)]}"


def say_seats(perfect: Score, greedy: Score, difference: Score) -> str:
    """Whether perfect and greedy play favour the same seat."""
    best, usual = side(perfect), side(greedy)
    if best and best == -usual:
        sentence = (
            f"Greedy play is misleading: it makes {SEATS[usual]} seat the better one, and it is"
            f" {SEATS[best]}"
        )
    elif best and best == usual:
        sentence = f"Perfect and greedy play both favour {SEATS[best]} seat"
    elif best:
        sentence = f"Perfect play favours {SEATS[best]} seat, and greedy play clearly favours none"
    elif usual:
        sentence = f"Greedy play favours {SEATS[usual]} seat, and perfect play clearly favours none"
    else:
        sentence = "Neither perfect nor greedy play clearly favours a seat"
    apart = {1: "clearly more", -1: "clearly less", 0: "no clear difference"}
    return (
        f"{sentence}. On the same shuffles the first player has {points(difference)} points with"
        f" perfect play beyond what greedy play gives: {apart[side(difference)]}."
    )


def say_decided(values: np.ndarray) -> str:
    """How many shuffles each seat wins."""
    won, lost = int((values > 0).sum()), int((values < 0).sum())
    least, most = (f"{value:+.0f}".replace("-", "−") for value in (values.min(), values.max()))
    return (
        f"With perfect play the first player wins {won} of {len(values)} shuffles, the dealer"
        f" {lost}, and {len(values) - won - lost} are drawn; the results go from {least} to {most}."
    )


# -- losses --------------------------------------------------------------------------------


def say_order(losers: Sequence[Loser]) -> str:
    """Who loses least and most to perfect play."""
    least, most = losers[0], losers[-1]
    if len(losers) == 1:
        return f"{least.player} loses {amount(least.loss)} points a game against perfect play."
    near = [
        each.player for each in losers[1:] if not side(mean_of(each.by_shuffle - least.by_shuffle))
    ]
    also = f", not clearly less than {listed(near)}" if near else ", clearly less than any other"
    far = [
        each.player for each in losers[:-1] if not side(mean_of(most.by_shuffle - each.by_shuffle))
    ]
    too = f", not clearly more than {listed(far)}" if far else ", clearly more than any other"
    return (
        f"Against perfect play {least.player} loses least, {amount(least.loss)} points a"
        f" game{also}; {most.player} loses most, {amount(most.loss)}{too}."
    )


def say_seat(loser: Loser) -> str:
    """In which seat a strategy loses more."""
    first, second = (mean_of(each) for each in loser.seats)
    difference = mean_of(loser.seats[0] - loser.seats[1])
    verdict = {1: "clearly more as first", -1: "clearly more as dealer", 0: "no clear difference"}
    return (
        f"{loser.player} loses {first.mean:.2f} moving first and {second.mean:.2f} dealing:"
        f" {verdict[side(difference)]}."
    )


def say_most(parts: Mapping[str, np.ndarray]) -> str:
    """Where most is lost, of places that are named with their preposition."""
    order = sorted(parts, key=lambda name: -parts[name].mean())
    most = order[0]
    mean = float(parts[most].mean())
    if not mean:
        return "Nothing is lost."
    share = mean / sum(float(each.mean()) for each in parts.values())
    sentence = f"Most is lost {most}, {mean:.2f} points a game ({percent(share)})"
    near = [name for name in order[1:] if not side(mean_of(parts[most] - parts[name]))]
    verdict = f"not clearly more than {listed(near)}" if near else "clearly more than otherwise"
    return f"{sentence}, {verdict}."


def by_deal(loser: Loser) -> dict[str, np.ndarray]:
    return {f"in deal {deal}": each for deal, each in loser.deals.items()}


def by_kind(loser: Loser) -> dict[str, np.ndarray]:
    return {f"by {KINDS[kind]}": each for kind, each in loser.kinds.items()}


def together(parts: Sequence[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The mean of several strategies on the same shuffles."""
    return {name: np.mean([each[name] for each in parts], axis=0) for name in parts[0]}


def say_where(losers: Sequence[Loser]) -> str:
    """In which deal and how most is lost, on the mean of the strategies."""
    deals, kinds = (together([by(each) for each in losers]) for by in (by_deal, by_kind))
    return f"All strategies together: {_places(deals, kinds)}"


def say_own(loser: Loser) -> str:
    """The same for one of them, and in which seat."""
    return f"{say_seat(loser)} {_places(by_deal(loser), by_kind(loser))}"


def _places(deals: Mapping[str, np.ndarray], kinds: Mapping[str, np.ndarray]) -> str:
    return " ".join([say_most(deals)] * (len(deals) > 1) + [say_most(kinds)])


# -- solving -------------------------------------------------------------------------------


def say_solving(seconds: np.ndarray, nodes: np.ndarray) -> str:
    """What a solution takes."""
    took = [duration(float(np.quantile(seconds, q))) for q in (0.5, 0.95, 1)]
    saw = [millions(float(np.quantile(nodes, q))) for q in (0.5, 0.95, 1)]
    return (
        f"Half of the {len(seconds)} solutions took at most {took[0]}, 95{SPACE}% at most"
        f" {took[1]}, the longest {took[2]}; likewise {saw[0]}, {saw[1]} and {saw[2]} nodes."
    )


def millions(nodes: float) -> str:
    return f"{nodes / 1e6:.3g}{SPACE}million" if nodes >= 1e6 else whole(float(f"{nodes:.3g}"))
