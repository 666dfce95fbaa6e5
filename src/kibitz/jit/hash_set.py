"""A set of whole numbers for kernels: open addressing in one array.

Keys are int64 from 0 up; an empty place holds -1.
"""

from typing import Any

import numpy as np

from kibitz.jit.hashing import slot
from kibitz.jit.kernels import kernel


@kernel
def new_set(size: int) -> Any:
    """An empty set with room for half of `size`, a power of two."""
    places = np.empty(size, np.int64)
    for i in range(size):
        places[i] = -1
    return places


@kernel
def add(places: Any, key: int) -> bool:
    """Put a key in; False if it was there. The caller keeps the set at most half full."""
    mask = len(places) - 1
    i = slot(key, mask)
    while places[i] != -1:
        if places[i] == key:
            return False
        i = (i + 1) & mask
    places[i] = key
    return True


@kernel
def grown(places: Any) -> Any:
    """The same keys in a set of twice the size."""
    larger = new_set(2 * len(places))
    for key in places:
        if key != -1:
            add(larger, key)
    return larger
