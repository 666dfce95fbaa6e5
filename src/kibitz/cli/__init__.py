"""The command line: one file a command. What a user did wrong is one line and exit code 2."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

from kibitz.model import KibitzError

if TYPE_CHECKING:
    import click

COMMANDS = (
    "games", "play", "compare", "agree", "runs", "explain", "graph", "solve", "exploit", "study",
    "train", "replay", "warm-up",
)  # fmt: skip


class Commands(TyperGroup):
    """Each is made when it is asked for: to read the options of all takes a third of a start."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        one = typer.Typer(add_completion=False)
        module = import_module(f"kibitz.cli.{name}")
        one.command(cmd_name, cls=getattr(module, "Command", None))(getattr(module, name))
        return typer.main.get_command(one)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A workbench for card games: play them, compare strategies, see why a move is good.",
)


@app.callback(invoke_without_command=True)
def main_options(
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if version:
        from kibitz import __version__

        print(f"kibitz {__version__}")
        raise typer.Exit()


def main() -> None:
    """The entry point `kibitz`."""
    from click.exceptions import ClickException, Exit, NoArgsIsHelpError

    for stream in (sys.stdout, sys.stderr, sys.stdin):
        # What a terminal can't show, or a pipe garbles, must not end a game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except KibitzError as error:
        _fail(str(error))
    except NoArgsIsHelpError as error:
        print(error.format_message())
        sys.exit(2)
    except ClickException as error:
        _fail(error.format_message())
    except Exit as stop:
        sys.exit(stop.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has gone, as in `kibitz games | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(error.strerror or str(error))
    except Exception as error:
        from kibitz.game_file import blame

        # A mistake in a user's own game is his, and one line says where it is.
        line = blame(error)
        if line is None:
            raise
        _fail(line)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> None:
    line = " ".join(message.split())
    print(f"kibitz: {line}", file=sys.stderr)
    sys.exit(2)
