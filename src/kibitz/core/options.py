"""Options of games and strategies, and their text form: `tablic:players=3`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz.core.checks import brief
from kibitz.core.errors import BadText, BadType, BadValue, KibitzError


@dataclass(frozen=True)
class Option:
    """One option of a game or a strategy: `name=value` after the colon.

    Examples
    --------
    >>> import kibitz
    >>> worlds = kibitz.Option("worlds", 100, "worlds that it looks at", least=1, most=10_000)
    >>> worlds.parse("my-bot", "20")
    20
    >>> worlds.allowed
    'a whole number from 1 to 10,000'
    """

    name: str
    default: bool | int | float | str
    help: str
    choices: tuple[Any, ...] = ()
    least: float | None = None
    most: float = 1e9
    file: bool = False
    """Whether its text names a file."""
    former: str = ""
    """A name that it had before, and may have in stored runs and records."""
    train: tuple[float, float] | None = None
    """Of a strategy's number: between what `kibitz train` looks for a better one."""

    def parse(self, owner: str, text: Any) -> Any:
        """The value of a text (or of a value that already has its type)."""
        value = self._convert(text)
        wrong: type[KibitzError] = BadText if isinstance(text, str) else BadValue
        if value is None and not isinstance(text, str):
            wrong = BadType
        if value is None or (self.choices and value not in self.choices):
            raise wrong(f"{owner}: {self.name}={text} is not possible; allowed: {self.allowed}")
        if not isinstance(value, str) and not self._low <= value <= self.most:
            raise wrong(f"{owner}: {self.name}={text} is out of range; allowed: {self.allowed}")
        return value

    def __post_init__(self) -> None:
        """What a declaration says is checked where it stands."""
        name, default = self.name, self.default
        if not isinstance(name, str) or not name.isidentifier():
            raise BadType(f"the name of an option is a word, not {brief(name)}")
        if type(default) not in (bool, int, float, str):
            kinds = "a number, a text, True or False"
            raise BadType(f"option {name}: the default is {kinds}, not {brief(default)}")
        if not isinstance(self.help, str):
            raise BadType(f"option {name}: the help is a text, not {brief(self.help)}")
        if not isinstance(self.choices, (tuple, list)):
            raise BadType(f"option {name}: choices are a tuple, not {brief(self.choices)}")
        if self.train is not None:
            self._check_train(self.train)

    def _check_train(self, ends: Any) -> None:
        name = f"option {self.name}: train"
        if type(self.default) is not float or self.choices:
            raise BadType(f"{name} is for numbers, whose default is like 0.5")
        if type(ends) is not tuple or [type(e) in (int, float) for e in ends] != [True, True]:
            raise BadType(f"{name} is two numbers, such as (0, 1)")
        low, high = ends
        if not self._low <= low < high <= self.most:
            raise BadValue(f"{name} must rise, within {self._low:g} and {self.most:g}")

    @property
    def _low(self) -> float:
        return -self.most if self.least is None else self.least

    def _convert(self, text: Any) -> Any:
        kind = type(self.default)
        if kind is float and type(text) is int:
            return float(text)
        if kind is bool:
            return {"true": True, "false": False}.get(str(text).lower())
        try:
            return kind(text) if isinstance(text, str) or type(text) is kind else None
        except ValueError:
            return None

    @property
    def allowed(self) -> str:
        """What it may be set to, in words."""
        if isinstance(self.default, bool):
            return "true, false"
        if self.choices:
            return ", ".join(map(str, self.choices))
        kind = {int: "a whole number", float: "a number", str: "text"}[type(self.default)]
        if isinstance(self.default, str):
            return kind
        return f"{kind} from {self._low:,.15g} to {self.most:,.15g}"


QUOTE = "'"
PART = re.compile(r"\s*([^=,]*?)\s*(?:=\s*(?:'((?:[^']|'')*)'|([^',][^,]*|))\s*)?(?:,|$)")
"""One option of a text: its name, and its value, which may stand in quotes."""


def write_value(value: bool | int | float | str) -> str:
    """The text of a value: in quotes if it would not be read back otherwise."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if "," in text or text.startswith(QUOTE) or text != text.strip():
        return QUOTE + text.replace(QUOTE, 2 * QUOTE) + QUOTE
    return text


def split_options(spec: str, text: str) -> dict[str, str]:
    """What stands behind the colon: `players=3,name='a,b'`."""
    options: dict[str, str] = {}
    at = 0
    while at < len(text):
        part = PART.match(text, at)
        if part is None:
            wrong = text[at:]
            raise BadText(f"{spec}: {wrong!r} has a quote that is not closed, or more behind it")
        name, quoted, plain = part.groups()
        if name or quoted is not None or plain is not None:
            if quoted is None and plain is None:
                raise BadText(f"{spec}: an option is written name=value, not {name!r}")
            if name in options:
                raise BadText(f"{spec}: option {name} is given twice")
            read = (plain or "").strip() if quoted is None else quoted.replace(2 * QUOTE, QUOTE)
            options[name] = read
        at = part.end()
    return options


def settle(owner: str, declared: Sequence[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """All declared options with their values; what is not given has its default."""
    for option in declared:
        if not isinstance(option, Option):
            kind = type(option).__name__
            raise BadType(f"{owner}: options are a tuple of kibitz.Option, and a {kind} is in it")
    names = [option.name for option in declared]
    renamed = {option.former: option.name for option in declared if option.former}
    for former in renamed.keys() & values.keys():
        if renamed[former] in values:
            raise BadText(f"{owner}: {former} is now {renamed[former]}; give one of them")
    values = {renamed.get(name, name): value for name, value in values.items()}
    for name in values:
        if name not in names:
            known = ", ".join(names) or "none"
            raise BadText(f"{owner} has no option {name!r}; its options: {known}")
    return {
        option.name: option.parse(owner, values.get(option.name, option.default))
        for option in declared
    }


def check_name(thing: Configured | type[Configured]) -> None:
    """Refuse a thing, or a class, whose name is missing, or is none."""
    name = getattr(thing, "name", None)
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        cls = thing if isinstance(thing, type) else type(thing)
        raise BadText(f'class {cls.__name__} has no name: write name = "my-name" in it')


class Configured:
    """A thing with a name and options: a game or a strategy. Its text form is its spec."""

    name: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    rest: ClassVar[str] = ""
    """The option that is all that stands behind the colon, with its own commas and colons: a
    command, or what another library reads. Nothing: options are written name=value."""
    source_file: str = ""
    """The file of a user's that it was loaded from, as he named it; nothing: it was imported."""
    source_digest: str = ""
    """Of what that file held when it was loaded."""

    def __init__(self, **values: Any) -> None:
        check_name(self)
        self.settings = settle(self.name, self.options, values)

    @property
    def spec(self) -> str:
        """The name, and those options that are not at their default: `tablic:players=3`."""
        if self.rest:
            text = str(self.settings[self.rest])
            return f"{self.name}:{text}" if text else self.name
        changed = [
            f"{option.name}={write_value(value)}"
            for option in self.options
            if (value := self.settings[option.name]) != option.default
        ]
        return self.name + (":" + ",".join(changed) if changed else "")

    def files(self) -> list[str]:
        """The files that it is in or reads: its own, and those that its options name."""
        own = [self.source_file] if self.source_file else []
        named = [self.settings[o.name] for o in self.options if o.file]
        return own + [file for file in named if file]

    def __str__(self) -> str:
        return self.spec

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.spec}>"

    def __eq__(self, other: object) -> bool:
        """Of one class, for another may have the same name, and with the same options."""
        return (
            isinstance(other, Configured)
            and type(self) is type(other)
            and (self.name, self.settings) == (other.name, other.settings)
        )

    def __hash__(self) -> int:
        return hash((type(self), self.spec))
