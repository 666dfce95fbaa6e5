"""Runs the comparisons that docs/strategies.md quotes, and writes their tables into it.

    .venv/bin/python docs/results/strategies.py [part of a title …]

Every comparison is one `kibitz compare` command. Results go to strategies.jsonl as they are
made; what is there already for this version is not run again (delete a line to have it anew).
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kibitz import __version__

HERE = Path(__file__).parent
RESULTS = HERE / "strategies.jsonl"
PAGE = HERE.parent / "strategies.md"
PLAIN = "ismcts:observers=one,rollout=uniform,belief=none"
MANY = PLAIN.replace("observers=one", "observers=many")
BELIEVING = PLAIN.replace("belief=none", "belief=greedy")

TABLES: dict[str, list[str]] = {
    "love-letter": [
        "love-letter random probabilistic greedy greedy:bluff=true --pairs 20000 --seed 7",
        "love-letter flat-mc greedy random --pairs 10000 --seed 7",
        "love-letter ismcts greedy random --pairs 4000 --seed 7",
        "love-letter pimc greedy random --pairs 1000 --seed 7",
        "love-letter flat-mc ismcts pimc --pairs 1000 --seed 7",
    ],
    "love-letter-why": [
        f"love-letter {PLAIN} greedy random --pairs 4000 --seed 7",
        f"love-letter {PLAIN},simulations=10000 greedy --pairs 1000 --seed 7",
        f"love-letter {MANY} greedy random --pairs 4000 --seed 7",
        "love-letter ismcts:belief=none greedy random --pairs 4000 --seed 7",
        f"love-letter {BELIEVING} greedy random --pairs 4000 --seed 7",
        "love-letter ismcts:bias=0.3 greedy random --pairs 4000 --seed 7",
        "love-letter flat-mc:belief=none greedy random --pairs 4000 --seed 7",
        "love-letter flat-mc:rollout=uniform greedy random --pairs 4000 --seed 7",
        "love-letter pimc:belief=none greedy random --pairs 1000 --seed 7",
    ],
    "tablic": [
        "tablic random greedy human genetic --pairs 10000 --seed 7",
        "tablic backtrack greedy genetic --pairs 1000 --seed 7",
        "tablic backtrack:reply=best,objective=difference greedy genetic --pairs 200 --seed 7",
        "tablic pimc greedy --pairs 300 --seed 7",
        "tablic pimc human --pairs 150 --seed 7",
        "tablic pimc genetic --pairs 300 --seed 7",
        "tablic pimc backtrack --pairs 100 --seed 7",
        "tablic ismcts greedy --pairs 100 --seed 7",
        "tablic flat-mc greedy --pairs 100 --seed 7",
    ],
    "tablic-why": [
        "tablic pimc:belief=none greedy --pairs 200 --seed 7",
        "tablic pimc:belief=taker,slip=0.5 greedy --pairs 200 --seed 7",
        "tablic pimc:reply=best,belief=none,worlds=30 greedy --pairs 60 --seed 7",
        "tablic pimc:reply=best,worlds=30 greedy --pairs 60 --seed 7",
        "tablic pimc:worlds=20 greedy --pairs 200 --seed 7",
        "tablic pimc:worlds=20,card=0.19,table=1 pimc:worlds=20 --pairs 200 --seed 7",
        "tablic pimc:worlds=20,card=0 pimc:worlds=20 --pairs 200 --seed 7",
        "tablic pimc:belief=none genetic --pairs 200 --seed 7",
    ],
}


def known() -> dict[str, dict[str, object]]:
    """What was run already with this version, by command."""
    if not RESULTS.exists():
        return {}
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    return {line["command"]: line["report"] for line in lines if line["version"] == __version__}


def run(command: str) -> None:
    words = [sys.executable, "-m", "kibitz", "compare", *shlex.split(command), "--json"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"kibitz compare {command}: {done.stderr}")
    report = json.loads(done.stdout)
    for player in report["players"]:  # a time is no result that anybody gets again
        player.pop("seconds")
    line = {"version": __version__, "command": command, "report": report}
    with RESULTS.open("a") as file:
        file.write(json.dumps(line) + "\n")
    print(command, flush=True)


def rows(title: str) -> list[str]:
    found = known()
    lines = ["| | against | score | 95 % | pairs |", "|---|---|---|---|---|"]
    commands = [command for command in TABLES[title] if command in found]
    for command in commands:
        for match in found[command]["matches"]:  # type: ignore[attr-defined]
            low, high = match["ci95"]
            lines.append(
                f"| {match['a']} | {match['b']} | {match['score']:.1%} |"
                f" {low:.1%}–{high:.1%} | {match['pairs']} |"
            )
    lines += ["", "```", *(f"kibitz compare {command}" for command in commands), "```"]
    return lines


def write_page() -> None:
    text = PAGE.read_text()
    for title in TABLES:
        start, end = f"<!-- {title} -->\n", f"<!-- end of {title} -->"
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = before + start + "\n".join(rows(title)) + "\n" + end + after
    PAGE.write_text(text)


def main() -> None:
    wanted = sys.argv[1:]
    done = known()
    commands = [
        command
        for title, part in TABLES.items()
        for command in part
        if command not in done and (not wanted or any(word in title for word in wanted))
    ]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, commands))
    write_page()


if __name__ == "__main__":
    main()
