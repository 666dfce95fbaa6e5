"""Positions as one line, `key=value` joined by `; `."""

from collections.abc import Iterable

from kibitz.core.errors import BadText


def read_fields(text: str, allowed: Iterable[str]) -> dict[str, str]:
    """The fields of a position; unknown and repeated keys are refused."""
    known = list(allowed)
    fields: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals:
            raise BadText(f"a position is written key=value; key=value …, not {part!r}")
        if key not in known:
            raise BadText(f"a position has no {key!r}; it may have {', '.join(known)}")
        if key in fields:
            raise BadText(f"{key} is given twice")
        fields[key] = value.strip()
    return fields


def write_fields(fields: dict[str, str]) -> str:
    """Keys and values as one line."""
    return "; ".join(f"{key}={value}" for key, value in fields.items())


DIGITS = 100
"""More of them than any number that is possible; thousands would be no number to Python."""


def read_number(key: str, text: str, least: int, most: int) -> int:
    """A whole number in a range."""
    if not text.isdecimal() or len(text) > DIGITS or not least <= int(text) <= most:
        raise BadText(f"{key}={text} is not possible; allowed: {least} to {most}")
    return int(text)


def read_seat(fields: dict[str, str], key: str, players: int) -> int:
    """A seat, counted from 1 in the text and from 0 in the program; the first if left out."""
    return read_number(key, fields[key], 1, players) - 1 if key in fields else 0
