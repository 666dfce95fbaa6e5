"""Asking a person at the terminal: the choices, help, hints, and what was typed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.model import BadText, IllegalPlay, View

if TYPE_CHECKING:
    from rich.console import Console

HELP = """\
Type the number of a choice, or a play itself, such as [bold]{example}[/].
[bold]? word[/]  the rules of a card     [bold]u[/]  undo your last choice
[bold]?[/]       this help               [bold]q[/]  quit; you can resume later
[bold]h[/]       a hint"""
MOST_AT_ONCE = 14


class Quit(Exception):
    """The person has had enough for now."""


class Undo(Exception):
    """The person takes back the last choice."""


def read(prompt: str) -> str:
    """A line that the person types."""
    try:
        text = input(prompt).strip()
    except EOFError:
        print()
        raise Quit from None
    except KeyboardInterrupt:
        raise Quit from None
    if not sys.stdin.isatty():
        print(text)
    if text.lower() in ("q", "quit"):
        raise Quit
    if text.lower() in ("u", "undo"):
        raise Undo
    return text


@dataclass
class Question:
    """One decision of a person."""

    console: Console
    view: View[Any]
    state: Any
    """What a typed play is checked against, so that a refusal can name the rule."""
    hint: Callable[[], None]
    """Shows a hint."""

    def answer(self) -> Any:
        """The play. Where there are many, first the card, then what is done with it."""
        game, view = self.view.game, self.view
        plays = list(view.plays())
        if len(plays) <= MOST_AT_ONCE:
            return self._choose({game.describe(view, play): play for play in plays})
        groups = game.menu(view, plays)
        while True:
            group = self._choose(
                {f"{name} …" if g[1:] else name: g if g[1:] else g[0] for name, g in groups.items()}
            )
            if not isinstance(group, list):
                return group
            try:
                return self._choose({game.describe(view, play): play for play in group})
            except Undo:
                continue

    def _choose(self, choices: dict[str, Any]) -> Any:
        """One of the choices, or a play that was typed.

        Where plays are numbers themselves, they are their own numbers in the list.
        """
        own = [str(value) for value in choices.values()]
        by_play = all(text.isdecimal() for text in own)
        numbers = own if by_play else [str(i) for i in range(1, len(own) + 1)]
        by_number = dict(zip(numbers, choices.values(), strict=True))
        width = max(len(number) for number in numbers)
        for number, label in zip(numbers, choices, strict=True):
            shown = "" if by_play else f"  {label}"
            self.console.print(f"  [bold]{number:>{width}}[/]{shown}")
        while True:
            text = read("Your play: ")
            if text.lstrip("0") in by_number:
                return by_number[text.lstrip("0")]
            if text.startswith("?"):
                self._help(text[1:].strip())
            elif text.lower() in ("h", "hint") and text not in own:
                self.hint()
            elif text.isdecimal() or not text:
                allowed = ", ".join(numbers) if by_play else f"A number from 1 to {len(numbers)}"
                self.console.print(f"{allowed}, or ? for help.")
            else:
                try:
                    return self.view.game.parse_play(self.state, text)
                except (IllegalPlay, BadText) as error:
                    self.console.print(f"No: {error}", markup=False)

    def _help(self, word: str) -> None:
        if not word:
            self.console.print(HELP.format(example=self.view.plays()[0]))
            return
        told = self.view.game.help_on(word)
        self.console.print(told or f"There is nothing to tell about {word!r}.", markup=False)
