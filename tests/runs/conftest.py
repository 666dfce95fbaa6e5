"""What the tests of runs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import ROOT


@pytest.fixture
def plugin(tmp_path: Path) -> dict[str, str]:
    """An environment whose catalogue has the strategies of failing.py."""
    folder = tmp_path / "plugin"
    info = folder / "kibitz_failing-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kibitz-failing\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[kibitz.strategies]\nfailing = tests.runs.failing:Failing\n"
        "waiting = tests.runs.failing:Waiting\n"
    )
    return {"PYTHONPATH": f"{folder}:{ROOT}"}
