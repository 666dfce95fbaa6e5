"""A hash set of whole numbers for kernels: open addressing in one array.

Keys are int64 from 0 up; an empty slot holds -1.
"""

from typing import Any

import numpy as np

from kibitz.jit.hashing import slot
from kibitz.jit.kernels import kernel


@kernel
def new_set(size: int) -> Any:
    """An empty set of `size` slots, a power of two: half of them may be filled."""
    slots = np.empty(size, np.int64)
    for i in range(size):
        slots[i] = -1
    return slots


@kernel
def add(slots: Any, key: int) -> bool:
    """Put a key in; False if it was there. At most half of the slots may be filled: the caller
    uses `grown`."""
    mask = len(slots) - 1
    i = slot(key, mask)
    while slots[i] != -1:
        if slots[i] == key:
            return False
        i = (i + 1) & mask
    slots[i] = key
    return True


@kernel
def grown(slots: Any) -> Any:
    """The same keys in a set of twice the size."""
    larger = new_set(2 * len(slots))
    for key in slots:
        if key != -1:
            add(larger, key)
    return larger
