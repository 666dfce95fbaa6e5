"""What holds for all pages: links, commands, versions."""

from __future__ import annotations

import re
import shlex
import warnings
from pathlib import Path
from typing import Any

import pytest

from kibitz.table.record import Record
from kibitz.version import __version__
from tests.processes import ROOT

PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/kibitz/games/*/RULES.md")]
)
PAGES = [page for page in PAGES if "_build" not in page.parts]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def slug(heading: str) -> str:
    """The anchor that code hosts and the site make of a heading."""
    words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return words.replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


NAMED = re.compile(r"`(?:\S*python (?:-m )?)?((?:tests|src|docs|benchmarks|examples)[/.][\w./-]+)")
INVENTED = ("src/kibitz/games/my_game/", "docs/_build/html")
"""Yours, and what `make docs` makes."""


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_files_that_the_pages_name_are_there(page: Path) -> None:
    for name in NAMED.findall(page.read_text(encoding="utf-8")):
        path = ROOT / (name if "/" in name else name.replace(".", "/"))
        there = path.exists() or path.with_suffix(".py").exists()
        assert there or name.startswith(INVENTED), name


def commands(page: Path) -> list[str]:
    """The command lines in blocks of a page, without what their comments say."""
    blocks = FENCE.findall(page.read_text(encoding="utf-8"))
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    matches = [re.match(r"(?:\$ )?(?:\.venv/bin/)?kibitz (.+)", line) for line in lines]
    return [match[1] for match in matches if match]


SHOWN = [(page, command) for page in PAGES for command in commands(page)]


@pytest.mark.parametrize(
    ("page", "command"), SHOWN, ids=[f"{page.stem}-{i}" for i, (page, _) in enumerate(SHOWN)]
)
def test_commands_of_the_pages_have_options_that_there_are(page: Path, command: str) -> None:
    """Parsed as the command line does it, and not run: others take hours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        parse(shlex.split(command, comments=True))


def parse(args: list[str]) -> Any:
    import typer

    from kibitz.cli import app

    group: Any = typer.main.get_command(app)
    with group.make_context("kibitz", list(args)) as context:
        name, inner, rest = group.resolve_command(context, list(args))
        return inner.make_context(name, rest, parent=context)


def test_a_command_with_an_option_that_there_is_not_is_seen() -> None:
    import click

    with pytest.raises(click.UsageError):
        parse(["compare", "love-letter", "--no-such-option"])


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE)[1] == __version__  # type: ignore[index]
    changes = (ROOT / "CHANGELOG.md").read_text()
    newest = re.search(r"^## (\S+)(?: \((\d{4}-\d\d-\d\d)\))?$", changes, re.MULTILINE)
    assert newest is not None and newest[1] == __version__
    assert f"date-released: {newest[2]}\n" in citation


def test_a_record_of_the_first_version_is_read() -> None:
    line = (
        '{"kibitz":"0.1.0","game":"twenty-one","options":{},"seed":7,"match_seed":7,"first":1,'
        '"players":["random","random"],"plays":["4","5"],"returns":null}'
    )
    assert Record.model_validate_json(line).plays == ["4", "5"]
