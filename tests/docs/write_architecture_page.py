"""Write the list of modules in docs/architecture.md.

`python -m tests.docs.write_architecture_page` does it.
Each module stands there with the first sentence of its own docstring.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.processes import ROOT

PAGE_FILE = ROOT / "docs" / "architecture.md"
SOURCE = ROOT / "src" / "kibitz"
MARK = "## Every module"
FOLDERS = (
    "core", "jit", "games", "search", "solvers", "strategies", "table", "report", "graph",
    "arena", "review", "studies", "training", "interop", "testing", "web", "cli",
)  # fmt: skip


def first_sentence(file: Path) -> str:
    """Of a module's docstring, up to its first full stop or blank line."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[a-z)`\d])\.(?:\s|$)", paragraph)[0].replace("|", "\\|")


def rows(folder: Path) -> list[str]:
    """The modules of a folder, then those of the folders in it."""
    modules = sorted(file for file in folder.glob("*.py") if file.name != "__init__.py")
    own = [f"| `{file.relative_to(SOURCE)}` | {first_sentence(file)} |" for file in modules]
    inner = sorted(path.parent for path in folder.glob("*/__init__.py"))
    for path in inner:
        package = path / "__init__.py"
        own.append(f"| **`{path.relative_to(SOURCE)}/`** | **{first_sentence(package)}** |")
        own += rows(path)
    return own


def every_module() -> str:
    """The last section of the page."""
    parts = [MARK, ""]
    for name in FOLDERS:
        parts += [f"### {name}", "", f"{first_sentence(SOURCE / name / '__init__.py')}.", ""]
        parts += ["| module | what it is |", "|---|---|", *rows(SOURCE / name), ""]
    return "\n".join(parts)


def main() -> None:
    page = PAGE_FILE.read_text(encoding="utf-8")
    PAGE_FILE.write_text(page.partition(MARK)[0] + every_module(), encoding="utf-8")


if __name__ == "__main__":
    main()
