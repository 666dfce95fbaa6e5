"""Which kernels a search asks of a game, and a check that they are there.

The list is read from the code of the search itself: each `game.apply` in it, or in a template
that it calls, asks for the kernel `apply` in the slot `game`.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.kernels import Kernel, Slot, bind

MOST_SEATS = 4
"""Seats that the arrays of the searches have places for."""


@cache
def needed_kernels(search: Kernel) -> frozenset[tuple[str, str]]:
    """Each slot of a template, with the name that must be in it.

    >>> from kibitz.search.fast import worlds
    >>> sorted(needed_kernels(worlds.sample))
    [('game', 'redeal')]
    """
    reached, waiting = {search}, [search]
    needed: set[tuple[str, str]] = set()
    while waiting:
        template = waiting.pop()
        needed |= set(_slot_attributes(template))
        called = {value for _, value in template.globals() if isinstance(value, Kernel)}
        waiting += called - reached
        reached |= called
    return frozenset(needed)


def _slot_attributes(template: Kernel) -> Iterator[tuple[str, str]]:
    own = template.function.__globals__
    for first, second in pairwise(dis.get_instructions(template.function)):
        slot = own.get(first.argval) if first.opname == "LOAD_GLOBAL" else None
        if isinstance(slot, Slot) and second.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            yield slot.name, second.argval


def bind_search(search: Kernel, game: CompiledGame, slots: dict[str, Any]) -> Kernel:
    """The search for a game; UnsuitableGame, before anything is compiled, if it has too many
    players or if one of the kernels that the search needs is not there."""
    if game.players > MOST_SEATS:
        raise UnsuitableGame(
            f"compiled searches are for up to {MOST_SEATS} players, and {game} has {game.players}"
        )
    missing = [
        f"{slot}.{name}"
        for slot, name in sorted(needed_kernels(search))
        if not hasattr(slots[slot], name)
    ]
    if missing:
        raise UnsuitableGame(f"{game.name} lacks what {search.name} needs: {', '.join(missing)}")
    return bind(search, **slots)
