"""Make the pictures of the README and the docs: `python docs/pictures/make.py [--small]`.

Small, with a few pairs of three strategies, is to see that it works.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME

from kibitz.arena.compare import compare
from kibitz.arena.report import plots
from kibitz.cli.ui.session import TerminalSession
from kibitz.core.limits import cores
from kibitz.core.registry import make_game, make_strategy
from kibitz.graph.drawing import draw_game
from kibitz.graph.render import draw
from kibitz.strategies.common.levels import quick_fair_ones, usual_opponent

HERE = Path(__file__).parent


def screen(spec: str, seed: int, typed: list[str]) -> Console:
    """What a person sees who types these choices, then stops."""
    with tempfile.TemporaryDirectory() as folder:
        game = make_game(spec)
        path = Path(folder) / "game.jsonl"
        session = TerminalSession.start(game, usual_opponent(game), 0, seed, path)
        session.console = Console(
            record=True, width=80, file=io.StringIO(), force_terminal=True, highlight=False
        )
        answers = iter(typed)

        def answer(prompt: str) -> str:
            text = next(answers, "q")
            session.console.print(f"{prompt}[bold]{'' if text == 'q' else text}[/]")
            return text

        with patch("builtins.input", answer), redirect_stdout(io.StringIO()):
            session.run()
        return session.console


def main() -> None:
    for spec, seed, typed in (("love-letter", 31, ["1", "h"]), ("tablic", 12, ["7"])):
        console = screen(spec, seed, typed)
        text = console.export_svg(title=f"kibitz play {spec}", theme=SVG_EXPORT_THEME)
        # Rich asks the network for a font; any monospaced one will do.
        text = re.sub(r"@font-face \{.*?\}\n", "", text, flags=re.DOTALL)
        (HERE / f"{spec}.svg").write_text(text, encoding="utf-8")
    example = str(HERE.parents[1] / "examples" / "one_round.graph")
    graph("twenty-one", "twenty-one", "minimax", merge=True)
    graph(example, "alpha-beta", "alpha-beta", merge=False)
    who_beats_whom()


def who_beats_whom() -> None:
    """As `make demo` finds it."""
    game = make_game("love-letter")
    small = "--small" in sys.argv
    strategies = [make_strategy(spec) for spec in quick_fair_ones(game)][: 3 if small else None]
    comparison = compare(game, strategies, 2 if small else 200, 1, jobs=cores())
    (HERE / "love-letter-wins.svg").write_bytes(plots.draw(comparison, None)["wins"][0])


def graph(spec: str, name: str, algorithm: str, merge: bool) -> None:
    """A game graph with what a search finds on it."""
    game = make_game(spec)
    drawing = draw_game(game, game.deal(0), algorithm=algorithm, merge=merge)
    (HERE / f"{name}.svg").write_bytes(draw(drawing.picture(), ".svg"))


if __name__ == "__main__":
    main()
