"""`kibitz solve`: one command. `command.py` has its options, the other files one solver each."""

from kibitz.cli.commands.solve.command import solve

__all__ = ["solve"]
