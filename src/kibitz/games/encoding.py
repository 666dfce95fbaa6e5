"""What the codecs of games share: how numbers of a view are written into an observation."""

from typing import Any

from kibitz.jit.kernels import kernel


@kernel
def one_hot(out: Any, at: int, size: int, value: int) -> int:
    """A 1 in the place of a value, nowhere if it is none of 0 to size − 1; where the next feature
    begins."""
    if 0 <= value < size:
        out[at + value] = 1.0
    return at + size


@kernel
def spread(out: Any, at: int, size: int, bits: int) -> int:
    """A 1 for each bit of a set, the lowest first; where the next feature begins."""
    for i in range(size):
        out[at + i] = (bits >> i) & 1
    return at + size


@kernel
def part(out: Any, at: int, value: int, whole: int) -> int:
    """A number as a part of the most that it counts up to; where the next feature begins."""
    out[at] = min(value / whole, 1.0)
    return at + 1


@kernel
def place(seat: int, viewer: int, players: int) -> int:
    """A seat as the viewer counts: itself is 0, the next to the left 1; -1 stays."""
    if seat < 0:
        return -1
    relative = seat - viewer
    return relative if relative >= 0 else relative + players
