"""Every way to lay unseen cards on unknown places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import factorial, prod


def count_placements(unseen: Mapping[int, int]) -> int:
    """In how many ways all of the unseen cards can be laid out, equal cards being equal."""
    return factorial(sum(unseen.values())) // prod(factorial(n) for n in unseen.values())


def placements(unseen: Mapping[int, int], places: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Each way to lay cards on so many places, with its probability; lower cards first.

    `unseen` says how many there are of each card. All orders of the cards are equally likely.
    """
    if not places:
        yield (), 1.0
        return
    left = sum(unseen.values())
    for card in sorted(unseen):
        if unseen[card]:
            rest = {**unseen, card: unseen[card] - 1}
            for others, chance in placements(rest, places - 1):
                yield (card, *others), chance * unseen[card] / left
