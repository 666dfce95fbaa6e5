"""docs/training.md: its example is a file that is trained by the command below it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from kibitz.core.registry import make_strategy, strategies
from kibitz.testing import check_strategy
from tests.processes import ROOT, kibitz_here

PAGE = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")


def test_the_example_is_trained_by_its_command(tmp_path: Path) -> None:
    ((name, text),) = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / name).write_text(text)
    check_strategy(make_strategy(str(tmp_path / name)), "love-letter", decisions=20)
    (command,) = re.findall(rf"^kibitz (train \S+ {name} .*)$", PAGE, re.MULTILINE)
    done = kibitz_here(*shlex.split(command), "--json", home=tmp_path)
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert document["numbers"] == ["lower"] and document["genome"][0] > 0.8
    assert document["fresh"]["gain95"][0] > 0 and document["curve"][-1]["games"] <= 2000


def test_the_page_names_all_of_ours_that_can_be_trained() -> None:
    ours = PAGE.partition("Ours that do:")[2].partition("Yours")[0]
    for name, cls in strategies().items():
        assert bool(cls.trained_options()) == (f"`{name}`" in ours)
        for option in cls.trained_options():
            assert name == "genetic" or f"`{option.name}`" in ours
