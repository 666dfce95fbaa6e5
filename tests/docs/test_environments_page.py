"""docs/environments.md has the tables of the codecs."""

from __future__ import annotations

from tests.docs.write_environments_page import MARK, PAGE_FILE, every_game


def test_the_tables_are_those_of_the_codecs() -> None:
    """If not, and all is well: python -m tests.docs.write_environments_page."""
    _, mark, tables = PAGE_FILE.read_text(encoding="utf-8").partition(MARK)
    assert mark + tables == every_game()
