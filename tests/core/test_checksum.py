"""Damage is noticed: flipped bits, missing ends, one file in place of another."""

from __future__ import annotations

import zlib

import pytest

from kibitz.core.checksum import checksum, seal, unseal

KIND = b"kind 1\n"


def test_a_checksum_is_the_crc_of_its_parts_joined() -> None:
    assert checksum() == zlib.crc32(b"")
    assert checksum(b"ab", b"", b"c") == checksum(b"abc") == zlib.crc32(b"abc") == 0x352441C2


def test_no_flipped_bit_and_no_cut_passes_unnoticed() -> None:
    sealed = seal(KIND, "a.nbc", b"machine code")
    assert unseal(KIND, "a.nbc", sealed) == b"machine code"
    for bit in range(8 * len(sealed)):
        number = int.from_bytes(sealed, "big") ^ 1 << bit
        assert unseal(KIND, "a.nbc", number.to_bytes(len(sealed), "big")) is None
    for length in range(len(sealed)):
        assert unseal(KIND, "a.nbc", sealed[:length]) is None


@pytest.mark.parametrize(
    ("kind", "name"), [(KIND, "b.nbc"), (b"kind 2\n", "a.nbc"), (b"", "a.nbc")]
)
def test_a_sealed_file_of_another_name_or_kind_is_damaged(kind: bytes, name: str) -> None:
    assert unseal(kind, name, seal(KIND, "a.nbc", b"machine code")) is None


def test_an_unsealed_file_is_damaged() -> None:
    assert unseal(KIND, "a.nbc", b"machine code") is None


def test_the_form_on_disk_stays() -> None:
    digest = bytes.fromhex("6c6c9c02d0337a83745a973ce66e9c04")
    assert seal(KIND, "f-1.nbi", b"x") == KIND + digest + b"x"
