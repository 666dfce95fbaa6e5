"""How large the round of each set of cards face up is, so that the smallest can come first.

Different sets lead to the same states: all of them are listed together, in a few seconds. The sizes
are stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from kibitz.core.files import atomic_write
from kibitz.core.folders import cache_folder
from kibitz.games.love_letter.cards import unseen
from kibitz.solvers.love_letter.listing import Listing
from kibitz.solvers.love_letter.public_states import start
from kibitz.solvers.love_letter.solver import Round
from kibitz.solvers.love_letter.text import all_face_up
from kibitz.version import __version__

ReportCount = Callable[[int, int], None]
"""How many sets were looked at, and how many there are."""


class RoundSize(NamedTuple):
    public_nodes: int
    regrets: int


def face_up_sizes(
    deck: str, report: ReportCount = lambda done, of: None
) -> dict[tuple[int, ...], RoundSize]:
    """Of every set, by the cards."""
    sets = all_face_up(deck)
    file = cache_folder() / "equilibria" / f"sizes-{deck}.json"
    sizes = _load(file, len(sets))
    if sizes is None:
        sizes = count(deck, sets, report)
        content = {"kibitz": __version__, "sizes": sizes}
        atomic_write({file: json.dumps(content, indent=1).encode()})
    return dict(zip(sets, sizes, strict=True))


def count(
    deck: str, sets: Sequence[tuple[int, ...]], report: ReportCount = lambda done, of: None
) -> list[RoundSize]:
    states, roots = Listing(), []
    for done, cards in enumerate(sets):
        report(done, len(sets))
        round_ = Round(unseen(deck, cards))
        roots.append(states.add(start(round_.unseen, round_.protected, *round_.ranges)))
    sizes = states.tree().states[roots]
    return [RoundSize(*size) for size in sizes[["nodes", "regrets"]].tolist()]


def _load(file: Path, number: int) -> list[RoundSize] | None:
    """Nothing if it is not there, damaged, or of another version."""
    try:
        content = json.loads(file.read_bytes())
        if content["kibitz"] != __version__:
            return None
        sizes = [RoundSize(*map(int, size)) for size in content["sizes"]]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return sizes if len(sizes) == number and all(min(size) > 0 for size in sizes) else None
