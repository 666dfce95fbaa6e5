"""A program of its own that `render.py` starts: Graphviz draws DOT texts, one after another.

Graphviz holds the interpreter while it lays a graph out, so nothing in the same process could
stop it: here an alarm does, by its default action, which ends the process. Nothing of kibitz is
imported, so that a picture does not wait for it.

Standard input is JSON: the format, the seconds that each picture may take, and the texts.
Standard output has each picture after its length in 8 bytes.
"""

from __future__ import annotations

import json
import signal
import sys


def main() -> None:
    """Draw the texts that standard input has, one after the other."""
    # Ctrl-C too would wait for the end of the layout. Who ignores it goes on ignoring it.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    asked = json.load(sys.stdin.buffer)
    from pygraphviz import AGraph

    for text in asked["texts"]:
        signal.setitimer(signal.ITIMER_REAL, asked["seconds"])
        picture = AGraph(string=text).draw(format=asked["format"], prog="dot")
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdout.buffer.write(len(picture).to_bytes(8, "big") + picture)


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
