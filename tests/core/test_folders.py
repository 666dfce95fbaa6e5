"""Where the user's folders are."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.core.folders import cache_folder, data_folder

FOLDERS = [
    (cache_folder, "KIBITZ_CACHE", "XDG_CACHE_HOME", ".cache/kibitz"),
    (data_folder, "KIBITZ_DATA", "XDG_DATA_HOME", ".local/share/kibitz"),
]


@pytest.mark.parametrize(("folder", "own", "base", "usual"), FOLDERS, ids=["cache", "data"])
def test_folders_of_the_user(
    folder: Callable[[], Path], own: str, base: str, usual: str,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(own, raising=False)
    monkeypatch.delenv(base, raising=False)
    if sys.platform == "linux":
        assert folder() == tmp_path / usual
        monkeypatch.setenv(base, "")
        assert folder() == tmp_path / usual
        monkeypatch.setenv(base, str(tmp_path / "base"))
        assert folder() == tmp_path / "base" / "kibitz"
    monkeypatch.setenv(own, "own")
    assert folder() == Path("own"), "just as it is"
    assert not list(tmp_path.iterdir()), "none is made"
