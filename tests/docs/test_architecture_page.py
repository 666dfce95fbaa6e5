"""docs/architecture.md lists every module that exists."""

from __future__ import annotations

from tests.docs.write_architecture_page import FOLDERS, MARK, PAGE_FILE, SOURCE, every_module

PAGE = PAGE_FILE.read_text(encoding="utf-8")


def test_every_module_is_on_the_page() -> None:
    """If not: python -m tests.docs.write_architecture_page."""
    assert PAGE.partition(MARK)[2] == every_module().removeprefix(MARK)
    for file in SOURCE.glob("*/**/*.py"):
        if file.name != "__init__.py":
            assert f"`{file.relative_to(SOURCE)}`" in PAGE


def test_every_folder_is_on_the_page() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == set(FOLDERS)


def test_every_module_says_what_it_is() -> None:
    assert "|  |" not in PAGE
