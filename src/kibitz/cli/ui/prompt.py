"""Asking a person at the terminal: the choices, help, hints, and what was typed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.cli.ui.hints import Hint
from kibitz.cli.ui.screen import Screen
from kibitz.core.errors import BadText, IllegalPlay, Unclear
from kibitz.core.game import View

if TYPE_CHECKING:
    from rich.console import RenderableType

KEYS = """\
[bold]? word[/]  the rules about one thing, such as {topics}
[bold]h[/]       a hint
[bold]u[/]       undo your last choice
[bold]q[/]       quit; you can resume later"""
MOST_AT_ONCE = 14


class Quit(Exception):
    """The person has had enough for now."""


class Undo(Exception):
    """The person takes back the last choice."""


def read_line(prompt: str) -> str:
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

    screen: Screen
    view: View[Any]
    state: Any
    """What a typed play is checked against, so that a refusal can name the rule."""
    hint: Callable[[], Hint]

    def answer(self) -> Any:
        """The play. Where there are many, first the card, then what is done with it."""
        game, view = self.view.game, self.view
        plays = list(view.plays())
        labels = [game.describe(view, play) for play in plays]
        groups = game.menu(view, plays)
        fits = self.screen.fits([(str(i), label) for i, label in enumerate(labels, 1)])
        if len(groups) == len(plays) or (fits and len(plays) <= MOST_AT_ONCE):
            return self._choose(dict(zip(labels, plays, strict=True)))
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
        """One of the choices, or a play that was typed."""
        listed = NumberedChoices(choices)
        self.screen.ask(list(zip(listed.numbers, listed.labels, strict=True)))
        while True:
            text = read_line(listed.prompt)
            number = text.lstrip("0")
            if number in listed.numbers:
                return self._numbered(listed, number)
            if text.startswith("?") or text.lower().split()[:1] == ["help"]:
                self._help(listed, text.removeprefix("?") if text[0] == "?" else text[4:])
            elif text.lower() in ("h", "hint") and text not in listed.own:
                from rich.console import Group

                hint = self.hint().sizes(self.screen.console.width)[0]
                self._show(Group(hint, ""))
            elif not text or text.isdecimal():
                self._print(listed.refusal)
            else:
                try:
                    return self.view.game.typed(self.state, text)
                except Unclear as error:
                    self._print(f"Which one? {error}.")
                except (IllegalPlay, BadText) as error:
                    self._print(f"No: {error}")

    def _numbered(self, listed: NumberedChoices, number: str) -> Any:
        """A choice by its number. If that is a card's name too, say which of them was taken."""
        chosen = listed.choices[listed.numbers.index(number)]
        other = ""
        try:
            meant = self.view.game.typed(self.state, number)
            other = "" if meant == chosen else str(meant)
        except Unclear as error:
            other = error.plays[0]
        except (IllegalPlay, BadText):
            pass
        if other and not isinstance(chosen, list):
            label = self.view.game.describe(self.view, chosen)
            self.screen.console.print(
                f"{number} is choice {number}: {label}. If you meant the card: u, then {other}."
            )
        return chosen

    def _help(self, listed: NumberedChoices, asked: str) -> None:
        game, word = self.view.game, asked.strip()
        if word:
            text = game.help_on(word)
            topics = f" Ask about {_listed(game.topics)}." if game.topics else ""
            self._print(text or f"There is nothing to tell about {word!r}.{topics}")
            return
        from rich.markup import escape

        forms = _listed([f"[bold]{escape(form)}[/]" for form in game.forms(self.view)])
        lines = [f"{listed.meaning}. Or type a play: {forms}."]
        lines.append(KEYS.format(topics=_listed(game.topics) or "a card"))
        self._show("\n".join(lines))

    def _print(self, text: str) -> None:
        from rich.text import Text

        self._show(Text(text))

    def _show(self, what: RenderableType) -> None:
        if not self.screen.print_below(what):
            read_line("Enter to go on: ")
            self.screen.show_again()


class NumberedChoices:
    """Choices with the numbers that a person types. Where plays are numbers themselves, they
    are their own numbers in the list."""

    def __init__(self, choices: dict[str, Any]) -> None:
        self.choices = list(choices.values())
        self.own = [str(value) for value in self.choices]
        plain = all(text.isdecimal() for text in self.own)
        self.numbers = self.own if plain else [str(i) for i in range(1, len(self.own) + 1)]
        self.labels = [""] * len(self.own) if plain else list(choices)
        span = f"1-{len(self.own)}" if self.own[1:] else "1"
        self.prompt = "Your play: " if plain else f"Your play ({span}, or type it): "
        allowed = ", ".join(self.own) if plain else f"A number from 1 to {len(self.own)}"
        self.refusal = f"{allowed}, or ? for help."
        self.meaning = (
            "Type one of the numbers" if plain else "A number alone is a choice in the list"
        )


def _listed(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
