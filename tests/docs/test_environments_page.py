"""docs/environments.md has the tables of the codecs."""

from __future__ import annotations

import re
from typing import Any

from tests.docs.write_environments_page import MARK, PAGE_FILE, every_game


def test_the_tables_are_those_of_the_codecs() -> None:
    """If not, and all is well: python -m tests.docs.write_environments_page."""
    _, mark, tables = PAGE_FILE.read_text(encoding="utf-8").partition(MARK)
    assert mark + tables == every_game()


def test_its_python_runs() -> None:
    """One block after the other; that which needs another package is only read."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE_FILE.read_text("utf-8"), re.M | re.S)
    own = [block for block in blocks if "sb3_contrib" not in block]
    assert (len(blocks), len(own)) == (4, 3)
    names: dict[str, Any] = {}
    for block in own:
        exec(compile(block, PAGE_FILE.name, "exec"), names)
    assert len(names["results"]) == 100
    assert names["rewards"].shape == names["ended"].shape == (1024,)
    assert names["table"].agents == []
