"""What the tests of runs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.core import registry
from tests.arena.failing import Failing, Waiting
from tests.processes import ROOT


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a test of runs is at work, the strategies of failing.py have names."""
    for each in (Failing, Waiting):
        monkeypatch.setitem(registry._strategies, each.name, each)


@pytest.fixture
def plugin(tmp_path: Path) -> dict[str, str]:
    """An environment whose catalogue has the strategies of failing.py."""
    folder = tmp_path / "plugin"
    info = folder / "kibitz_failing-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kibitz-failing\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[kibitz.strategies]\nfailing = kibitz_failing:Failing\nwaiting = kibitz_failing:Waiting\n"
    )
    (folder / "kibitz_failing.py").write_text(
        "from kibitz.core.registry import strategy\n"
        "from tests.arena.failing import Failing, Waiting\n"
        "strategy(Failing), strategy(Waiting)\n"
    )
    return {"PYTHONPATH": f"{folder}:{ROOT}"}
