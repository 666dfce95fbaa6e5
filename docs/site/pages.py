"""The pages of the site: the project's own Markdown files, and the reference, made from the code.

The front page is the README with the table of contents below it. A page of docs/ that stands in
no group goes to the guides, so that a new one is never lost.
"""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import docstrings

import kibitz
from kibitz.jit.kernels import Kernel

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "*.md", "LICENSE", "CITATION.cff", "examples/**/*", "docs/*.md", "docs/pictures/*.png",
    "docs/pictures/*.svg", "docs/results/**/*", "src/kibitz/games/*/RULES.md",
)  # fmt: skip
"""What the pages are, show, and link to."""
GROUPS: Mapping[str, Sequence[str]] = {
    "Start": [
        "docs/serve", "src/kibitz/games/love_letter/RULES", "src/kibitz/games/tablic/RULES",
        "docs/explain", "docs/review", "docs/puzzles", "docs/course",
    ],
    "Guides": [
        "docs/comparing", "docs/scale", "docs/training", "docs/adding-a-strategy", "docs/bots",
        "docs/adding-a-game", "docs/adding-a-study", "docs/environments",
        "docs/open-spiel", "CONTRIBUTING",
    ],
    "Results": [
        "docs/strategies", "docs/love-letter-solved", "docs/open-deck",
        "docs/results/love-letter/report", "docs/results/tablic/report",
        "docs/results/open-deck/report", "docs/results/love-letter-solved/report",
        "docs/results/love-letter-solved/sets",
    ],
    "Reference": [
        "reference/kibitz", "reference/packages", "docs/text-forms", "docs/architecture",
        "docs/licences", "SECURITY", "CHANGELOG",
    ],
}  # fmt: skip
PACKAGES = (
    "core", "table", "arena", "games", "strategies", "search.textbook", "graph", "report",
    "review", "testing",
)  # fmt: skip
"""What a user may import, besides `kibitz` itself."""
PARTS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "jit": {
        "jit.rng": ("stream", "next_word", "below", "unit", "fork", "shuffle"),
        "jit.kernels": ("kernel",),
    },
    "solvers": {
        "solvers.love_letter.solution": ("LoveLetterSolution",),
        "solvers.tablic.solution": ("TablicSolution",),
    },
}
"""Of these packages a user needs a few names only, by their modules."""
MADE = "reference/kibitz.md"
"""A page that only a folder has which was written here."""
FOLDERS = {
    "src/kibitz/search/textbook": "reference/search.textbook.md",
}
"""Folders that pages link to, and where they are in the site."""


class NotOurs(Exception):
    """A folder with files that are not pages of the site."""


def write(folder: Path) -> None:
    """All pages. What has not changed keeps its time, so that Sphinx reads it only once. Whatever
    else is in the folder goes: so it must be empty, or one of ours."""
    if not (folder / MADE).exists() and any(folder.iterdir()):
        raise NotOurs(
            f"{folder} is not empty, and the pages of the site would take its place:"
            " give an empty folder, or run make docs"
        )
    texts = {"index.md": front_page(), **dict(reference())}
    wanted = {folder / name for name in texts}
    for source in sources():
        target = folder / source.relative_to(ROOT)
        wanted.add(target)
        if source.suffix == ".md":
            texts[str(source.relative_to(ROOT))] = page(source)
        elif not target.exists() or target.stat().st_mtime != source.stat().st_mtime:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for name, text in texts.items():
        target = folder / name
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    for old in folder.rglob("*"):
        if old.is_file() and old not in wanted:
            old.unlink()


def sources() -> Iterator[Path]:
    for pattern in COPIED:
        for path in ROOT.glob(pattern):
            if path.is_file() and path != ROOT / "README.md":
                yield path


def page(source: Path) -> str:
    """A page as it is, but for links to folders and to the README."""
    up = "../" * len(source.relative_to(ROOT).parts[:-1])
    text = source.read_text(encoding="utf-8")
    for folder, there in FOLDERS.items():
        text = text.replace(f"]({up}{folder})", f"]({up}{there})")
    return text.replace(f"]({up}README.md)", f"]({up}index.md)")


def front_page() -> str:
    groups = (contents(title, names) for title, names in grouped().items())
    return "\n".join([(ROOT / "README.md").read_text(encoding="utf-8"), *groups])


def grouped() -> dict[str, list[str]]:
    """The groups, without pages that are not there, and with those that no group names."""
    there = {str(path.relative_to(ROOT).with_suffix("")) for path in ROOT.glob("docs/*.md")}
    named = {name for names in GROUPS.values() for name in names}
    return {
        title: [
            *(name for name in names if name in there or not re.fullmatch(r"docs/[^/]+", name)),
            *sorted(there - named if title == "Guides" else ()),
        ]
        for title, names in GROUPS.items()
    }


def contents(title: str, names: Sequence[str], hidden: bool = True) -> str:
    options = [f":caption: {title}"] * bool(title) + [":hidden:"] * hidden
    return "\n".join(["```{toctree}", *options, "", *names, "```", ""])


# -- the reference -------------------------------------------------------------------------


def reference() -> Iterator[tuple[str, str]]:
    """The name of each page of the reference, and its text."""
    yield "reference/kibitz.md", face_page()
    packages = [name for name in PACKAGES if (source_of(f"kibitz.{name}")).exists()]
    for name in packages:
        yield f"reference/{name}.md", package_page(name)
    for name, parts in PARTS.items():
        yield f"reference/{name}.md", parts_page(name, parts)
    about = (
        "# The packages\n\nWhat `import kibitz` does not give by itself. Each page has all public"
        " classes and functions of a package; those of `jit` and `solvers` have what the guides"
        " name. Kernels, the compiled rules, are not listed: the first lines of"
        " [kibitz.games.compiled_game](games.md) say what they are.\n\n"
    )
    yield "reference/packages.md", about + contents("", [*packages, *PARTS], hidden=False)


def source_of(package: str) -> Path:
    return ROOT.joinpath("src", *package.split("."), "__init__.py")


def face_page() -> str:
    """What `import kibitz` gives: everything in `kibitz.__all__`."""
    parts = ["# kibitz", summary(kibitz), ""]
    names = sorted(kibitz.__all__, key=lambda name: (name.startswith("__"), name.lower()))
    parts += entries(kibitz, names)
    return "\n".join(parts)


def entries(module: ModuleType, names: Iterable[str]) -> Iterator[str]:
    """What a module gives, one by one."""
    for name in names:
        thing = getattr(module, name)
        if inspect.isclass(thing):
            yield from automatic("autoclass", f"{module.__name__}.{name}")
        elif inspect.isfunction(thing):
            yield from automatic("autofunction", f"{module.__name__}.{name}")
        elif isinstance(thing, Kernel):
            yield from kernel_entry(f"{module.__name__}.{name}", thing)
        elif not name.startswith("__"):
            yield from automatic("autodata", f"{module.__name__}.{name}")


def package_page(name: str) -> str:
    package = import_module(f"kibitz.{name}")
    parts = [f"# kibitz.{name}", summary(package), ""]
    # One by one: `kibitz.graph` is a function too, and only one of the two can have the name.
    parts += entries(package, getattr(package, "__all__", ()))
    for module in modules(package):
        parts += [f"## {module.__name__.removeprefix('kibitz.')}", ""]
        parts += automatic("automodule", module.__name__)
    return "\n".join(parts)


def kernel_entry(name: str, kernel: Kernel) -> list[str]:
    """A kernel that is called like a function; autodoc would show no parameters of it."""
    head = f".. py:function:: {name}{inspect.signature(kernel.function)}"
    text = docstrings.converted(inspect.cleandoc(kernel.__doc__ or "").splitlines())
    return ["```{eval-rst}", head, "", *(f"   {line}".rstrip() for line in text), "```", ""]


def parts_page(name: str, parts: Mapping[str, Sequence[str]]) -> str:
    """Some names of some modules of a package."""
    lines = [f"# kibitz.{name}", summary(import_module(f"kibitz.{name}")), ""]
    for inner, names in parts.items():
        module = import_module(f"kibitz.{inner}")
        lines += [f"## {inner}", "", summary(module), "", *entries(module, names)]
    return "\n".join(lines)


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """The modules of a package that have something public that is no kernel."""
    for info in walk_packages(package.__path__, f"{package.__name__}."):
        if not any(part.startswith("_") for part in info.name.split(".")) and not info.ispkg:
            module = import_module(info.name)
            if any(public(module)):
                yield module


def public(module: ModuleType) -> Iterator[str]:
    """The public functions and classes that a module defines, kernels left out."""
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", None) == module.__name__
        callable_ = inspect.isclass(thing) or inspect.isfunction(thing)
        if own and callable_ and not name.startswith("_") and not isinstance(thing, Kernel):
            yield name


def summary(module: ModuleType) -> str:
    return (module.__doc__ or "").split("\n\n")[0]


def automatic(directive: str, name: str) -> list[str]:
    return ["```{eval-rst}", f".. {directive}:: {name}", "```", ""]
