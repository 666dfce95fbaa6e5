"""Docstrings for Sphinx, which reads them as reStructuredText.

Ours are plain text with `code` in single backticks, lists with dashes, indented blocks and
examples. Everything else stands as it is written.
"""

from __future__ import annotations

import re
from typing import Any

from kibitz.jit.kernels import Kernel


def to_restructured_text(
    app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Change the lines of a docstring, in place."""
    lines[:] = converted(lines)


def converted(lines: list[str]) -> list[str]:
    """Paragraphs as they are, indented blocks as literal ones, examples as examples.

    >>> converted(["A `name`, and 2 * 3:", "", "    a  b", "    c  d"])
    ['A ``name``, and 2 \\\\* 3:', '', '::', '', '    a  b', '    c  d', '']
    """
    done: list[str] = []
    literal = False
    for block in "\n".join(lines).strip("\n").split("\n\n"):
        was_literal, literal = literal, block.startswith("    ")
        if literal and not was_literal:
            done += ["::", ""]
        verbatim = literal or block.startswith(">>> ")
        done += [*(block if verbatim else escaped(block)).split("\n"), ""]
    return done


def escaped(text: str) -> str:
    """Prose: code in double backticks, and no other markup."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"``{part[1:-1].strip()}``" if part.startswith("`") and len(part) > 2 else mute(part)
        for part in parts
    )


def mute(text: str) -> str:
    """Signs that would mean something, except for a dash that begins a list."""
    return re.sub(r"([\\*|`]|_(?!\w))", r"\\\1", text)


def skip_kernels(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool:
    """Kernels are compiled rules, for those who read the source."""
    return skip or isinstance(thing, Kernel)
