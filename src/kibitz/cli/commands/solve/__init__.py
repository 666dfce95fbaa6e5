"""`kibitz solve`: one command; what it does is each game's own affair."""

from kibitz.cli.commands.solve.finite_game import solve

__all__ = ["solve"]
