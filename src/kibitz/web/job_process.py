"""The process that does jobs for the server: a JSON document a line in, and such lines out.

It is started by `jobs.py` as `python -m kibitz.web.job_process`. Nobody else writes to it: a view
comes pickled, from our own server.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.jit.compile_progress import CompileProgress, listen


def main() -> None:
    """Do jobs until the server is gone."""
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what anybody else prints is no answer
    os.nice(2)  # tables come first

    def say(document: dict[str, Any]) -> None:
        lines.write(json.dumps(document, allow_nan=False) + "\n")
        lines.flush()

    def compiling(progress: CompileProgress) -> None:
        say({"compiling": as_document(progress, "job")})

    listen(compiling)
    for line in sys.stdin.buffer:
        say(_answer(json.loads(line), say))


def as_document(progress: CompileProgress, where: str) -> dict[str, Any]:
    """What the page is told of compiling."""
    return {
        "what": progress.what, "seconds": round(progress.seconds, 1),
        "expected": round(progress.expected, 1), "done": progress.stage == "ends",
        "where": where,
    }  # fmt: skip


def _answer(task: dict[str, Any], say: Any) -> dict[str, Any]:
    from kibitz.web.job_work import TELLING, WORK

    try:
        kind = task.pop("kind")
        if kind in TELLING:
            task["tell"] = lambda so_far: say({"partial": so_far})
        result, files = WORK[kind](**task)
        made = {
            name: (kind, base64.b64encode(content).decode())
            for name, (kind, content) in files.items()
        }
        answer = {"result": result, "files": made}
        json.dumps(answer, allow_nan=False)
        return answer
    except KibitzError as error:
        return {"error": str(error)[:500]}
    except Exception as error:
        return {"error": f"it can't be done: {type(error).__name__}"}


if __name__ == "__main__":
    main()
