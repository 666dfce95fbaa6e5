"""`kibitz solve`: `command.py` finds the game's solver, the other files are one solver each."""

from kibitz.cli.commands.solve.command import SolveCommand as Command
from kibitz.cli.commands.solve.command import solve

__all__ = ["Command", "solve"]
