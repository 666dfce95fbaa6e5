"""`kibitz solve love-letter`: which of the command's options are for rounds."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.cli.commands.solve.options import SolveOptions
    from kibitz.games.love_letter.game import LoveLetter

TAKES = (
    *("face_up", "all_sets", "epsilon", "threads", "check"),
    *("table", "sets", "cluster", "books", "keep"),
)


def solve(game: LoveLetter, options: SolveOptions) -> None:
    from kibitz.cli.commands.solve.love_letter import RoundOptions, solve_rounds

    own = {field.name: getattr(options, field.name) for field in fields(RoundOptions)}
    solve_rounds(game, RoundOptions(**own))
