"""The command line: one file a command. What a user did wrong is one line and exit code 2."""

from __future__ import annotations

import inspect
import io
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from kibitz.cli.ui.json_output import reserved_for_json, standard_output
from kibitz.core.checks import one_line
from kibitz.core.errors import KibitzError
from kibitz.core.interrupts import Interrupted, distinguish_interrupts, is_interrupt

if TYPE_CHECKING:
    import click

COMMANDS = (
    "games", "play", "compare", "agree", "runs", "explain", "graph", "solve", "exploit", "study",
    "train", "replay", "review", "puzzle", "serve", "bot", "check-bot", "warm-up",
)  # fmt: skip


LONGEST = 1000
"""Letters of what is said: it may repeat what was given, which may be anything."""


class _Raised(Exception):
    def __init__(self, error: BaseException) -> None:
        self.error = error


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Typer takes any KeyboardInterrupt for Ctrl-C, and an EOFError for no more input. But code in
    a user's own game may raise them too."""

    def call(*args: Any, **options: Any) -> Any:
        try:
            return command(*args, **options)
        except (KeyboardInterrupt, EOFError) as error:
            if is_interrupt(error):
                raise
            raise _Raised(error) from error

    return call


def make_command(
    name: str, function: Callable[..., Any], cls: type[TyperCommand] | None = None
) -> click.Command:
    """A command of a function: its arguments are the options."""
    one = typer.Typer(add_completion=False)
    one.command(name, cls=cls, help=_paragraphs(function.__doc__ or ""))(function)
    command = typer.main.get_command(one)
    assert command.callback is not None
    command.callback = guarded(command.callback)
    return command


def _paragraphs(text: str) -> str:
    """A docstring with a line for each paragraph: where lines end in the source is no matter."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n"))


class Commands(TyperGroup):
    """Each is made when it is asked for: to read the options of all takes a third of a start."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module = import_module(f"kibitz.cli.commands.{name}")
        return make_command(cmd_name, getattr(module, name), getattr(module, "Command", None))


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
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        # What a terminal can't show, or a pipe garbles, must not end a game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Before anything is read: a game's or a strategy's file may print when it is loaded.
    alone = reserved_for_json() if "--json" in sys.argv[1:] else nullcontext()
    with distinguish_interrupts(), alone:
        _run()


def _run() -> None:
    from click.exceptions import ClickException, Exit, NoArgsIsHelpError

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
    except _Raised as raised:
        _blame(raised.error)
    except Interrupted:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has gone, as in `kibitz games | head`.
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _fail(error.strerror or str(error))
    except MemoryError:
        _fail("there is not enough memory for this")
    except BaseException as error:
        if isinstance(error.__context__, BrokenPipeError):  # Rich raises SystemExit for it
            _drop_output()
            sys.exit(0)
        _blame(error)
    sys.exit(code if isinstance(code, int) else 0)


def _blame(error: BaseException) -> None:
    """A mistake in a user's own game is his, and one line says where it is. Others are ours; but
    only somebody else's code raises such as SystemExit."""
    from kibitz.core.code_file import blame

    line = blame(error)
    if line is None and isinstance(error, Exception):
        raise error
    _fail(line or f"{type(error).__name__} was raised: {error}")


def _open_closed_streams() -> None:
    """Those that we were started without, as by `>&-`: what is opened next would get their
    numbers, and be written to."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            setattr(sys, name, open(number, mode, encoding="utf-8"))  # noqa: SIM115


def _drop_output() -> None:
    """What is left of it has nowhere to go; Python would try again at the end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), standard_output().fileno())


def _fail(message: str) -> None:
    line = one_line(message)
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"
    try:
        standard_output().flush()
    except OSError:
        _drop_output()
    with suppress(OSError):
        print(f"kibitz: {line}", file=sys.stderr)
    sys.exit(2)
