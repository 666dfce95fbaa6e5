"""`--json`: one document on standard output, and nothing else there."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO

_reserved: TextIO | None = None


@contextmanager
def reserved_for_json() -> Iterator[None]:
    """Standard output is for `print_json` alone. What anybody else prints, such as a strategy in
    the user's file, goes to standard error; so it does in processes that are forked here."""
    global _reserved
    _reserved = sys.stdout
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _reserved = None


def standard_output() -> TextIO:
    """The stream that documents go to, whether or not it is reserved for them."""
    return _reserved or sys.stdout


def print_json(document: Any) -> None:
    """Letters that the stream can't have are written as their numbers."""
    encoding = (getattr(standard_output(), "encoding", None) or "").lower()
    print_document(json.dumps(document, indent=2, ensure_ascii=encoding != "utf-8"))


def print_document(text: str) -> None:
    """A document that is a text already."""
    print(text, file=standard_output(), flush=True)
