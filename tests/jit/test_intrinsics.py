"""What kernels can do and Python can't say: the same compiled and interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.jit.intrinsics import on_stack
from kibitz.jit.kernels import kernel

PAIR = np.dtype((np.record, [("a", np.int64), ("b", np.int64)]))


@kernel
def fibonacci(given: Any, n: int) -> int:
    s = on_stack(given)
    for _ in range(n):
        s[0].a, s[0].b = s[0].b, s[0].a + s[0].b
    return s[0].a


def test_a_copy_on_the_stack_starts_as_the_original_and_leaves_it_alone() -> None:
    pair = np.zeros(1, PAIR)
    pair[0].b = 1
    assert [fibonacci(pair, n) for n in (0, 1, 10, 50)] == [0, 1, 55, 12586269025]
    assert (pair[0].a, pair[0].b) == (0, 1)
