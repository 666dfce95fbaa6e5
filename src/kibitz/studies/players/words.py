"""What the studies of players conclude, worded from the figures: other figures, other sentences.

A difference is reported only if it is clear: a 95 % interval that does not hold the even value, or
two intervals that do not meet.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kibitz.arena.agreement import Agreement, Settling
from kibitz.arena.comparison import MatchLine
from kibitz.arena.report.words import has_interval
from kibitz.arena.statistics.scores import Score
from kibitz.studies.players.footprint import Footprint
from kibitz.studies.search.words import SPACE, listed

NOISE = 1.25
"""Times that differ by less than this factor count as equal."""
CHANCE = 0.1
"""Of many intervals about one in twenty misses by chance; more than this share is no chance."""
PAGE = 1 << 20
"""Bytes of memory that count as equal."""


# -- figures as texts ------------------------------------------------------------------------


def percent(share: float) -> str:
    return f"{100 * share:.1f}{SPACE}%"


def between(low: float, high: float) -> str:
    return f"{100 * low:.1f}–{100 * high:.1f}{SPACE}%" if has_interval((low, high)) else "too few"


def with_interval(share: Score) -> str:
    return f"{percent(share.mean)} ({between(share.low, share.high)})"


def signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−")


def points(mean: Score) -> str:
    reach = f"{signed(mean.low)} to {signed(mean.high)}".replace("inf", "∞")
    return f"{signed(mean.mean)} ({reach})"


def duration(seconds: float) -> str:
    """In the unit that suits it, with three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            return f"{_three(seconds / size)}{SPACE}{unit}"
    raise AssertionError


def _three(number: float) -> str:
    text = f"{number:.3g}" if number < 1000 else f"{float(f'{number:.3g}'):,.0f}"
    return text.replace(",", SPACE)


def megabytes(number: int) -> str:
    return f"{number / PAGE:.1f}"


def times(factor: float) -> str:
    """How many times: two digits are enough of a ratio of times."""
    return f"{float(f'{factor:.2g}'):,.10g}".replace(",", SPACE)


def score_of_match(match: MatchLine) -> Score:
    return Score(match.score, *match.ci95)


def apart(one: Score, other: Score) -> int:
    """1 if the first is clearly more, −1 if it is clearly less, 0 if the intervals meet."""
    return int(one.low > other.high) - int(one.high < other.low)


# -- who plays better ------------------------------------------------------------------------


def say_match(match: MatchLine) -> str:
    """Who of two is better, if that is clear."""
    side = match.side
    score = score_of_match(match)
    if side > 0:
        return f"{match.a} is clearly better than {match.b}: it scores {with_interval(score)}."
    if side < 0:
        turned = Score(1 - score.mean, 1 - score.high, 1 - score.low)
        return f"{match.b} is clearly better than {match.a}: it scores {with_interval(turned)}."
    return (
        f"Between {match.a} and {match.b} there is no clear difference: {match.a} scores"
        f" {with_interval(score)}."
    )


def say_champion(matches: Sequence[MatchLine]) -> str:
    """Who is clearly better than every other; or whom nobody clearly beats."""
    beats: dict[str, set[str]] = {}
    for match in matches:
        for name in (match.a, match.b):
            beats.setdefault(name, set())
        side = match.side
        if side:
            winner, loser = (match.a, match.b) if side > 0 else (match.b, match.a)
            beats[winner].add(loser)
    best = [name for name, beaten in beats.items() if len(beaten) == len(beats) - 1]
    if best:
        return f"{best[0]} is clearly better than every other player."
    beaten = set().union(*beats.values())
    free = [name for name in beats if name not in beaten]
    if not free:
        return "Nobody is best: each player is clearly beaten by another."
    whom = f"Nobody is clearly better than {listed(free)}"
    return f"Nobody is clearly better than every other player. {whom}."


def say_first_seat(shares: Mapping[str, Score]) -> str:
    """In how many line-ups the first seat clearly gained or lost."""
    gained = [name for name, share in shares.items() if share.low > 0.5]
    lost = [name for name, share in shares.items() if share.high < 0.5]
    mean = math.fsum(share.mean for share in shares.values()) / len(shares)
    counted = (
        f"Who sits first clearly scores more than half in {len(gained)} of {len(shares)} matches"
        f" and clearly less in {len(lost)}; on the mean of all it is {percent(mean)}."
    )
    chance = CHANCE * len(shares)
    if len(gained) > chance and not lost:
        return f"{counted} To sit first is an advantage."
    if len(lost) > chance and not gained:
        return f"{counted} To sit first is a disadvantage."
    if max(len(gained), len(lost)) > chance:
        return f"{counted} So it depends on who plays."
    return f"{counted} So no advantage of a seat is clear: as many come by chance."


# -- what it takes ---------------------------------------------------------------------------


def say_time(prints: Sequence[Footprint]) -> str:
    """Who is fastest and slowest."""
    fast, slow = (pick(prints, key=lambda each: each.decision) for pick in (min, max))
    ratio = slow.decision / fast.decision
    if ratio < NOISE:
        return f"All take about the same time, {duration(fast.decision)} a decision."
    return (
        f"The fastest is {fast.player}, {duration(fast.decision)} a decision; the slowest is"
        f" {slow.player}, {duration(slow.decision)}, {times(ratio)} times as long."
    )


def say_pays(player: str, matches: Sequence[MatchLine], prints: Sequence[Footprint]) -> str:
    """Whether the longer thinking of a player pays: against everybody who is faster."""
    took = {each.player: each.decision for each in prints}
    sides: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for match in matches:
        if player in (match.a, match.b):
            other = match.b if match.a == player else match.a
            if took[other] * NOISE < took[player]:
                side = match.side
                sides[side if match.a == player else -side].append(other)
    faster = sum(map(len, sides.values()))
    if not faster:
        return f"None of these is clearly faster than {player}."
    if len(sides[1]) == faster:
        return f"The time of {player} is well spent: it is clearly better than all that are faster."
    clauses = []
    if sides[-1]:
        clauses.append(f"{listed(sides[-1])}, faster, {_is(sides[-1])} clearly better")
    if sides[0]:
        clauses.append(f"{listed(sides[0])}, faster, {_is(sides[0])} not clearly worse")
    verdict = "is not well spent" if sides[-1] else "is not clearly well spent"
    return f"The time of {player} {verdict}: {'; '.join(clauses)}."


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def say_memory(prints: Sequence[Footprint]) -> str:
    most, least = (pick(prints, key=lambda each: each.own) for pick in (max, min))
    if most.own - least.own < PAGE:
        return f"All add about the same memory, at most {megabytes(most.own)}{SPACE}MB."
    return (
        f"Most memory is added by {most.player}, {megabytes(most.own)}{SPACE}MB; least by"
        f" {least.player}, {megabytes(least.own)}{SPACE}MB."
    )


# -- who decides alike -----------------------------------------------------------------------


def say_alike(agreement: Agreement) -> str:
    """Which two decide alike most often and least often, if that is clear."""
    names = agreement.names
    shares = {
        f"{names[i]} and {names[j]}": agreement.share(i, j)
        for i in range(len(names))
        for j in range(i)
    }
    order = sorted(shares, key=lambda each: -shares[each].mean)
    most, least = order[0], order[-1]
    if len(order) == 1:
        return f"{most} decide alike in {with_interval(shares[most])} of the situations."
    if not apart(shares[most], shares[least]):
        return (
            "No two decide alike clearly more often than any other two:"
            f" {percent(shares[least].mean)} to {percent(shares[most].mean)}."
        )
    rivals = [each for each in order[1:] if not apart(shares[most], shares[each])]
    also = f"; not clearly less often {_first(rivals)}" if rivals else ", more than any other two"
    low = [each for each in order[:-1] if not apart(shares[each], shares[least])]
    too = f"; not clearly more often {_first(low[::-1])}" if low else ""
    return (
        f"{most} decide alike most often, in {with_interval(shares[most])} of the"
        f" situations{also}. {least} do so least often, in {with_interval(shares[least])}{too}."
    )


def _first(names: Sequence[str], most: int = 3) -> str:
    if len(names) <= most:
        return listed(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more pairs"


def say_itself(agreement: Agreement) -> str:
    """Who decides by lot: not always as it did, asked again with other random numbers."""
    own = {name: agreement.share(i, i) for i, name in enumerate(agreement.names)}
    steady = [name for name, share in own.items() if share.mean == 1]
    others = [f"{name} in {percent(share.mean)}" for name, share in own.items() if share.mean < 1]
    again = "Asked again with other random numbers,"
    if not others:
        return f"{again} all of them always decided as before."
    shares = f"{listed(others)} of the situations"
    if not steady:
        return f"{again} they decided as before: {shares}."
    return f"{again} {listed(steady)} always decided as before; of the others {shares}."


def say_settling(curve: Settling) -> str:
    """From how much thinking on the decision is as good as settled, if ever."""
    *shares, last = curve.shares
    values = curve.values
    said = (
        f"With {values[-1]} {curve.option} {curve.strategy} decides as it did itself, with other"
        f" random numbers, in {with_interval(last)} of the situations"
    )
    if not shares:
        return f"{said}."
    said += f"; with {values[0]}, in {with_interval(shares[0])}"
    way = apart(last, shares[0])
    if way < 0:
        return f"{said}: it does not settle, with more {curve.option} it agrees clearly less."
    if way == 0:
        return f"{said}: no clear difference, more {curve.option} do not settle it further."
    settled = len(shares)
    while settled and not apart(last, shares[settled - 1]):
        settled -= 1
    if settled == len(shares):
        return f"{said}: it settles, and {values[-2]} are clearly not enough yet."
    return (
        f"{said}: it settles, and from {values[settled]} {curve.option} on there is no clear"
        " difference any more."
    )
