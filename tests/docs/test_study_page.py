"""docs/adding-a-study.md shows the example as it is. Its Python runs as a doctest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kibitz.core.folders import cache_folder
from tests.processes import ROOT, environment, run

EXAMPLE = ROOT / "examples" / "bluff_study.py"
PAGE = (ROOT / "docs" / "adding-a-study.md").read_text(encoding="utf-8")


def test_the_page_shows_the_example_as_it_is() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert EXAMPLE.read_text(encoding="utf-8") in blocks


def test_the_command_of_the_page_runs(tmp_path: Path) -> None:
    env = environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder())
    done = run([EXAMPLE, tmp_path / "bluff", "--quick"], env)
    assert done.returncode == 0, done.stderr
    files = {Path(line).name for line in done.stdout.splitlines()}
    assert files == {file.name for file in (tmp_path / "bluff").iterdir()}
    assert "Against random bluffing" in (tmp_path / "bluff" / "report.md").read_text()


def test_its_words_follow_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE.parent))
    import bluff_study  # type: ignore[import-not-found]

    def rows(shift: float) -> list[object]:
        return [
            bluff_study.Row(player, opponent, middle, middle - 0.01, middle + 0.01)
            for player, middle in ((bluff_study.PLAIN, 0.5), (bluff_study.BLUFFING, 0.5 + shift))
            for opponent in bluff_study.OPPONENTS
        ]

    for shift, verdict in ((0.1, "pays"), (-0.1, "costs"), (0.0, "makes no clear difference")):
        sentences = bluff_study.conclusions(rows(shift))
        assert len(sentences) == 3 and all(
            f"bluffing {verdict}" in sentence for sentence in sentences
        )
