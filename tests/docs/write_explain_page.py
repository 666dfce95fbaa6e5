"""Write what the commands in docs/explain.md print into it.

`python -m tests.docs.write_explain_page` does it.

After a change of a strategy its numbers change too. Look at what comes out before you keep it.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

from tests.processes import ROOT, complaints, kibitz_here

PAGE_FILE = ROOT / "docs" / "explain.md"
EXAMPLE = r"^```\n\$ kibitz (.*)\n((?:.*\n)*?)```$"
"""A block with a command and what it prints."""


def printed(command: str, home: Path) -> str:
    """What a command prints, as the page has it."""
    done = kibitz_here(*shlex.split(command), home=home)
    assert (done.returncode, complaints(done)) == (0, [])
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = re.sub(
            EXAMPLE,
            lambda match: f"```\n$ kibitz {match[1]}\n{printed(match[1], Path(folder))}```",
            PAGE_FILE.read_text(encoding="utf-8"),
            flags=re.MULTILINE,
        )
    PAGE_FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
