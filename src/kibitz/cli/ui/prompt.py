"""Asking a person at the terminal: the choices, help, hints, and what was typed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.cli.ui.hints import Hint
from kibitz.cli.ui.rendering import choice_text, phrase_text
from kibitz.cli.ui.screen import Screen
from kibitz.core.errors import BadText, IllegalPlay, Unclear
from kibitz.core.game import View

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

KEYS = """\
[bold]? word[/]  the rules about one thing, such as {topics}
[bold]h[/]       a hint
[bold]u[/]       undo your last choice
[bold]q[/]       quit; you can resume later"""
MOST_AT_ONCE = 14
LONGEST_LINE = 10_000


class Quit(Exception):
    """The person has had enough for now."""


class Undo(Exception):
    """The person takes back the last choice."""


def read_line(prompt: str) -> str:
    """A line that the person types."""
    try:
        text = typed_line(prompt).strip()
    except EOFError:
        print()
        raise Quit from None
    except KeyboardInterrupt:
        raise Quit from None
    if text.lower() in ("q", "quit"):
        raise Quit
    if text.lower() in ("u", "undo"):
        raise Undo
    return text


def typed_line(prompt: str) -> str:
    """From a file or another program it need not have an end, and is shown as if typed."""
    if sys.stdin.isatty():
        return input(prompt)
    print(prompt, end="", flush=True)
    text = sys.stdin.readline(LONGEST_LINE + 1)
    if not text:
        raise EOFError
    if len(text) > LONGEST_LINE:
        raise BadText(f"a line of the input has more than {LONGEST_LINE} characters")
    print(text.strip())
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
        view = self.view
        plays = list(view.plays())
        every = self._labelled(plays)
        groups = view.game.presenter.menu(view, plays)
        fits = self.screen.fits([(str(i), label) for i, (label, _) in enumerate(every, 1)])
        if len(groups) == len(plays) or (fits and len(plays) <= MOST_AT_ONCE):
            return self._choose(every)
        first = [
            (phrase_text(name).append(" …"), group) if group[1:] else (phrase_text(name), group[0])
            for name, group in groups
        ]
        while True:
            chosen = self._choose(first)
            if not isinstance(chosen, list):
                return chosen
            try:
                return self._choose(self._labelled(chosen))
            except Undo:
                continue

    def _labelled(self, plays: Sequence[Any]) -> list[tuple[Text, Any]]:
        return [(choice_text(self.view, play), play) for play in plays]

    def _choose(self, choices: Sequence[tuple[Text, Any]]) -> Any:
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
                    return self.view.game.presenter.typed(self.state, text)
                except Unclear as error:
                    self._print(f"Which one? {error}.")
                except (IllegalPlay, BadText) as error:
                    self._print(f"No: {error}")

    def _numbered(self, listed: NumberedChoices, number: str) -> Any:
        """A choice by its number. If that is a card's name too, say which of them was taken."""
        chosen = listed.choices[listed.numbers.index(number)]
        other = ""
        try:
            meant = self.view.game.presenter.typed(self.state, number)
            other = "" if meant == chosen else str(meant)
        except Unclear as error:
            other = error.plays[0]
        except (IllegalPlay, BadText):
            pass
        if other and not isinstance(chosen, list):
            from rich.text import Text

            meaning = choice_text(self.view, chosen)
            end = f". If you meant the card: u, then {other}."
            self.screen.console.print(Text.assemble(f"{number} is choice {number}: ", meaning, end))
        return chosen

    def _help(self, listed: NumberedChoices, asked: str) -> None:
        presenter, word = self.view.game.presenter, asked.strip()
        topics = _listed(presenter.topics)
        if word:
            text = presenter.help_on(word)
            about = f" Ask about {topics}." if topics else ""
            self._print(text or f"There is nothing to tell about {word!r}.{about}")
            return
        from rich.markup import escape

        forms = _listed([f"[bold]{escape(form)}[/]" for form in presenter.forms(self.view)])
        lines = [f"{listed.meaning}. Or type a play: {forms}."]
        lines.append(KEYS.format(topics=topics or "a card"))
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

    def __init__(self, choices: Sequence[tuple[Text, Any]]) -> None:
        self.choices = [chosen for _, chosen in choices]
        self.own = [str(value) for value in self.choices]
        plain = all(text.isdecimal() for text in self.own)
        self.numbers = self.own if plain else [str(i) for i in range(1, len(self.own) + 1)]
        self.labels: list[Text | str] = ["" if plain else label for label, _ in choices]
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
