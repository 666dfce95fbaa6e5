"""docs/explain.md shows what its commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.write_explain_page import EXAMPLE, PAGE_FILE, printed

PAGE = PAGE_FILE.read_text(encoding="utf-8")
SHOWN = re.findall(EXAMPLE, PAGE, re.MULTILINE)


def test_the_page_has_examples() -> None:
    assert len(SHOWN) >= 2


@pytest.mark.parametrize(("command", "answer"), SHOWN, ids=range(len(SHOWN)))
def test_the_page_shows_what_the_commands_print(tmp_path: Path, command: str, answer: str) -> None:
    """If not, and all is well: python -m tests.docs.write_explain_page."""
    assert printed(command, tmp_path) == answer
