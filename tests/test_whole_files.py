"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from kibitz.model import KibitzError
from kibitz.whole_files import write_files


def test_the_content_is_what_was_given(tmp_path: Path) -> None:
    file, other = tmp_path / "new" / "a.txt", tmp_path / "b.bin"
    write_files({file: b"one\n", other: b"\0\xff"})
    assert (file.read_bytes(), other.read_bytes()) == (b"one\n", b"\0\xff")
    write_files({file: b"two"})
    assert file.read_bytes() == b"two"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.txt", "b.bin", "new"]


def test_what_fails_changes_nothing(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.txt", tmp_path / "folder"
    file.write_bytes(b"old")
    folder.mkdir()
    with pytest.raises(KibitzError, match="not a file"):
        write_files({file: b"new", folder: b"x"})
    assert file.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "folder"]


def test_nobody_sees_a_file_half_written(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    seen = []

    def fail(path: Path, content: bytes) -> int:
        seen.append(path)
        raise OSError(28, "No space left on device")

    with (
        patch.object(Path, "write_bytes", fail),
        pytest.raises(KibitzError, match="No space left"),
    ):
        write_files({file: b"new"})
    assert file not in seen and file.read_bytes() == b"old"
