"""Random numbers for kernels: splitmix64, with bounded draws.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014). One word
of state, passes BigCrush, about a nanosecond a draw. Everything here is uint64 on purpose:
mixed with int64 it would turn into float64. A stream is an array of one word.
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_S11 = np.uint64(11)
_UNIT = 1.0 / (1 << 53)


def stream(*key: int) -> np.ndarray:
    """A random stream: one word, a function of the numbers in the key and of their order.

    stream(a, b) is the stream that `fork` makes from stream(a) with key b.
    """
    word, all_bits = 0, (1 << 64) - 1
    for number in key:
        z = ((word ^ (number * int(_MIX_2))) + int(_GOLDEN)) & all_bits
        z = ((z ^ (z >> 30)) * int(_MIX_1)) & all_bits
        z = ((z ^ (z >> 27)) * int(_MIX_2)) & all_bits
        word = z ^ (z >> 31)
    return np.array([word], dtype=np.uint64)


@kernel
def next_word(rng: Any) -> Any:
    """The next 64 random bits."""
    rng[0] = rng[0] + _GOLDEN
    z = rng[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def below(rng: Any, n: int) -> int:
    """A whole number from 0 to n − 1, exactly uniform (Lemire 2019), n < 2³²."""
    bound = np.uint64(n)
    product = (next_word(rng) >> _S32) * bound
    if product & _LOW < bound:
        least = ((_LOW - bound) + np.uint64(1)) % bound
        while product & _LOW < least:
            product = (next_word(rng) >> _S32) * bound
    return int(np.int64(product >> _S32))


@kernel
def unit(rng: Any) -> float:
    """A number from 0 up to, not including, 1."""
    return np.float64(np.int64(next_word(rng) >> _S11)) * _UNIT


@kernel
def fork(rng: Any, key: int, child: Any) -> None:
    """Make `child` the stream number `key` of `rng`, without moving `rng`."""
    child[0] = rng[0] ^ (np.uint64(key) * _MIX_2)
    child[0] = next_word(child)


@kernel
def shuffle(rng: Any, items: Any, n: int) -> None:
    """Put the first n items into a random order."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        items[i], items[j] = items[j], items[i]
