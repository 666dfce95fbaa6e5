"""`make docs`: the site is built without a warning, and its links lead somewhere."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import kibitz
from tests.processes import ROOT, environment, run

pytest.importorskip("sphinx", reason="the extra docs is not installed")

GROUPS = ("Start", "Guides", "Results", "Reference")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as the Makefile does it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "pages").mkdir()
    command = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if "sphinx-build" in line
    )
    words = command.replace("docs/_build", str(folder)).split()[1:]
    # A network would be used through these, if anything asked for it.
    env = environment(http_proxy="http://localhost:1", https_proxy="http://localhost:1")
    done = run(["-m", "sphinx", *words], env)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder / "html"


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    """The pages take the place of all that is in the source folder: it was emptied."""
    folder = tmp_path / "docs" / "site"
    shutil.copytree(ROOT / "docs" / "site", folder)
    before = {path: path.read_bytes() for path in folder.rglob("*.py")}
    done = run(["-m", "sphinx", "--quiet", folder, tmp_path / "html"], environment())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"docs: {folder} is not empty")
    assert done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.rglob("*.py")} == before


class Links(HTMLParser):
    """What a page links to and shows, and the ids that it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.targets.append(value)
            elif name == "id" and value:
                self.ids.add(value)


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    assert len(pages) > 25
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme:
                continue
            there = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert there.exists(), f"{page.name}: {target}"
            if parts.fragment and there in pages:
                assert unquote(parts.fragment) in pages[there].ids, f"{page.name}: {target}"


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", page.read_text()):
            assert not re.search(r'(?:src|href)="(?:https?:)?//', tag), f"{page.name}: {tag}"


def test_the_front_page_has_the_contents_in_groups(site: Path) -> None:
    front = (site / "index.html").read_text(encoding="utf-8")
    at = [front.index(f'<span class="caption-text">{group}</span>') for group in GROUPS]
    assert at == sorted(at)
    for page in ROOT.glob("docs/*.md"):
        assert f'href="docs/{page.stem}.html"' in front


def test_the_reference_has_all_that_the_face_gives(site: Path) -> None:
    page = Links(site / "reference" / "kibitz.html")
    names = [name for name in kibitz.__all__ if not name.startswith("__")]
    assert [name for name in names if f"kibitz.{name}" not in page.ids] == []


def test_the_reference_has_the_packages(site: Path) -> None:
    for package, known in {
        "core": "kibitz.core.strategy.Player.choose", "table": "kibitz.table.table.Table",
        "arena": "kibitz.arena.comparison.MatchLine.ci95", "graph": "kibitz.graph.Graph",
        "games": "kibitz.games.compiled_game.CompiledGame",
        "strategies": "kibitz.strategies.random.Random",
        "search.textbook": "kibitz.search.textbook.minimax.Minimax.value",
        "report": "kibitz.report.blocks.DataTable", "jit": "kibitz.jit.rng.below",
        "solvers": "kibitz.solvers.love_letter.solution.LoveLetterSolution",
    }.items():  # fmt: skip
        assert known in Links(site / "reference" / f"{package}.html").ids
