"""How large the round of each set of cards face up is, so that the smallest can come first.

Different sets lead to the same states: listed together, all of them take two minutes, one by one
a quarter of an hour. What was counted is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from kibitz.core.files import atomic_write
from kibitz.core.folders import cache_folder
from kibitz.games.love_letter.cards import unseen
from kibitz.solvers.love_letter.public_states import PublicStates, start
from kibitz.solvers.love_letter.public_tree import sizes_of
from kibitz.solvers.love_letter.solver import Round
from kibitz.solvers.love_letter.text import all_face_up
from kibitz.version import __version__

Tell = Callable[[int, int], None]
"""How many sets were looked at, and how many there are."""


class RoundSize(NamedTuple):
    public_nodes: int
    regrets: int


def face_up_sizes(
    deck: str, tell: Tell = lambda done, of: None
) -> dict[tuple[int, ...], RoundSize]:
    """Of every set, by the cards."""
    sets = all_face_up(deck)
    file = cache_folder() / "equilibria" / f"sizes-{deck}.json"
    sizes = _kept(file, len(sets))
    if sizes is None:
        sizes = count(deck, sets, tell)
        told = {"kibitz": __version__, "sizes": sizes}
        atomic_write({file: json.dumps(told, indent=1).encode()})
    return dict(zip(sets, sizes, strict=True))


def count(
    deck: str, sets: Sequence[tuple[int, ...]], tell: Tell = lambda done, of: None
) -> list[RoundSize]:
    states, roots = PublicStates(), []
    for done, cards in enumerate(sets):
        tell(done, len(sets))
        round_ = Round(unseen(deck, cards))
        roots.append(states.add(start(round_.unseen, round_.protected, *round_.ranges)))
    sizes = sizes_of(states)
    return [RoundSize(sizes.nodes[root], sizes.regrets[root]) for root in roots]


def _kept(file: Path, number: int) -> list[RoundSize] | None:
    """Nothing if it is not there, damaged, or of another version."""
    try:
        told = json.loads(file.read_bytes())
        if told["kibitz"] != __version__:
            return None
        sizes = [RoundSize(*map(int, size)) for size in told["sizes"]]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return sizes if len(sizes) == number and all(min(size) > 0 for size in sizes) else None
