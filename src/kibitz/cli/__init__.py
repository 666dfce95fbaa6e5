"""The command line: one file a command. What a user did wrong is one line and exit code 2."""

from __future__ import annotations

import io
import os
import sys

import typer

from kibitz.cli.agree import agree
from kibitz.cli.compare import compare
from kibitz.cli.explain import explain
from kibitz.cli.games import games
from kibitz.cli.graph import graph
from kibitz.cli.play import play
from kibitz.cli.replay import replay
from kibitz.cli.runs import runs
from kibitz.cli.solve import solve
from kibitz.cli.study import study
from kibitz.cli.train import train
from kibitz.cli.warm_up import warm_up
from kibitz.model import KibitzError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A workbench for card games: play them, compare strategies, see why a move is good.",
)
COMMANDS = (
    games, play, compare, agree, runs, explain, graph, solve, study, train, replay, warm_up,
)  # fmt: skip
for command in COMMANDS:
    app.command()(command)


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
