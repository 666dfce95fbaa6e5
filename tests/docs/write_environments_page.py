"""Write the tables of observations and actions in docs/environments.md.

`python -m tests.docs.write_environments_page` does it, from the codecs of the games.
"""

from __future__ import annotations

from kibitz.core.registry import games, make_game
from kibitz.games.codec import codec_of
from tests.processes import ROOT

PAGE_FILE = ROOT / "docs" / "environments.md"
MARK = "## Every game"


def section(name: str) -> str:
    """The tables of one game, with its default options."""
    codec = codec_of(make_game(name))
    actions = ", ".join(f"{i} `{action}`" for i, action in enumerate(codec.actions))
    rows, at = [], 0
    for feature in codec.features:
        end = at + feature.size - 1
        places = f"{at}" if end == at else f"{at}–{end}"
        rows.append(f"| {places} | {feature.name} | {feature.meaning} |")
        at += feature.size
    return "\n".join(
        [
            f"### {name}",
            "",
            f"`kibitz/{games()[name].__name__}-v0`: {codec.size} numbers, {len(codec.actions)}"
            f" actions; no result is below {codec.worst:g}.",
            "",
            f"Actions: {actions}.",
            "",
            "| numbers | what | meaning |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def every_game() -> str:
    """The last part of the page."""
    names = sorted(games(), key=lambda name: (name not in ("love-letter", "tablic"), name))
    return "\n".join([MARK, "", *map(section, names)])


def main() -> None:
    page = PAGE_FILE.read_text(encoding="utf-8")
    PAGE_FILE.write_text(page.partition(MARK)[0] + every_game(), encoding="utf-8")


if __name__ == "__main__":
    main()
