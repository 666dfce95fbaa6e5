"""Runs the comparisons that docs/strategies.md quotes, and writes their tables into it.

    .venv/bin/python docs/results/strategies.py [part of a title …] [--small]

Every comparison is one `kibitz compare` command; see comparisons.py.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from comparisons import HERE, SMALL, compare_all, fill, known, percent, sized

RESULTS = HERE / "strategies.jsonl"
PAGE = HERE.parent / "strategies.md"
PLAIN = "ismcts:observers=one,rollout=uniform,belief=none"
MANY = PLAIN.replace("observers=one", "observers=many")
BELIEVING = PLAIN.replace("belief=none", "belief=greedy")
ISMCTS, PIMC = "ismcts:simulations=400", "pimc:worlds=4"
SEARCHES = f"flat-mc {ISMCTS} {PIMC}"
"""With more than two players: settings at which all take about as long."""
PLAIN_EXPERT = "expert:worlds=10,recognise=false"
FAIR = ["pimc:worlds=10", "flat-mc:worlds=20", "ismcts:simulations=200", "human", "greedy"]

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
        "tablic pimc greedy --pairs 1000 --seed 7",
        "tablic pimc human --pairs 300 --seed 7",
        "tablic pimc genetic --pairs 1000 --seed 7",
        "tablic pimc backtrack --pairs 300 --seed 7",
        "tablic ismcts greedy --pairs 200 --seed 7",
        "tablic flat-mc greedy --pairs 200 --seed 7",
    ],
    "love-letter-more": [
        f"love-letter:players=3 {SEARCHES} greedy --pairs 500 --seed 2011",
        f"love-letter:players=4 {SEARCHES} greedy --pairs 300 --seed 2012",
        "love-letter:players=3 flat-mc flat-mc:belief=none greedy --pairs 500 --seed 2013",
        f"love-letter:players=3 {ISMCTS} {ISMCTS},belief=none greedy --pairs 500 --seed 2014",
        f"love-letter:players=3 {PIMC} {PIMC},belief=none greedy --pairs 500 --seed 2015",
        f"love-letter:players=4 flat-mc flat-mc:belief=none {ISMCTS} {ISMCTS},belief=none"
        " --pairs 150 --seed 2016",
    ],
    "tablic-expert": [
        "tablic expert:worlds=10 pimc:worlds=10 --pairs 2000 --seed 2001",
        "tablic expert:worlds=10 genetic --pairs 2000 --seed 2002",
        "tablic expert:worlds=40 greedy --pairs 2000 --seed 2003",
        "tablic expert:worlds=10 human --pairs 2000 --seed 2004",
        "tablic expert:worlds=10 backtrack --pairs 2000 --seed 2005",
    ],
    "tablic-expert-plain": [
        f"tablic {PLAIN_EXPERT} {other} --pairs 200 --seed {seed}"
        for seed, other in enumerate(FAIR, start=2021)
    ],
    "tablic-why": [
        "tablic pimc:belief=none greedy --pairs 200 --seed 7",
        "tablic pimc:belief=taker,noise=0.5 greedy --pairs 200 --seed 7",
        "tablic pimc:reply=best,belief=none,worlds=30 greedy --pairs 60 --seed 7",
        "tablic pimc:reply=best,worlds=30 greedy --pairs 60 --seed 7",
        "tablic pimc:worlds=20 greedy --pairs 200 --seed 7",
        "tablic pimc:worlds=20,card=0.19,table=1 pimc:worlds=20 --pairs 200 --seed 7",
        "tablic pimc:worlds=20,card=0 pimc:worlds=20 --pairs 200 --seed 7",
        "tablic pimc:belief=none genetic --pairs 200 --seed 7",
    ],
}


def commands_of(title: str) -> list[str]:
    """All of a table; if it is to be small, one of the first for each game."""
    most = int(not title.endswith("-why")) if SMALL else None
    return [sized(command) for command in TABLES[title][:most]]


def rows(title: str) -> list[str]:
    results = known(RESULTS)
    commands = [command for command in commands_of(title) if command in results]
    reports = [results[command] for command in commands]
    if any(report.get("tables") for report in reports):
        lines = ["| at the table | | score | 95 % | pairs |", "|---|---|---|---|---|"]
        lines += [row for report in reports for row in table_rows(report)]
    else:
        lines = ["| | against | score | 95 % | pairs |", "|---|---|---|---|---|"]
        for match in [match for report in reports for match in report["matches"]]:
            score, interval = percent(match)
            lines.append(
                f"| {match['a']} | {match['b']} | {score} | {interval} | {match['pairs']} |"
            )
    return [*lines, "", "```", *(f"kibitz compare {command}" for command in commands), "```"]


def table_rows(report: dict[str, Any]) -> Iterator[str]:
    """More than two players: a row for each at each table, the best first."""
    players = report["game"].partition("players=")[2][:1]
    for table in report.get("tables", []):
        first = f"{players} players"
        for name, share in sorted(table["score"].items(), key=lambda one: -one[1]):
            score, interval = percent({"score": share, "ci95": table["ci95"][name]})
            yield f"| {first} | {name} | {score} | {interval} | {table['pairs'] if first else ''} |"
            first = ""


def main() -> None:
    wanted = [word for word in sys.argv[1:] if word != "--small"]
    titles = [t for t in TABLES if not wanted or any(word in t for word in wanted)]
    compare_all(RESULTS, [command for title in titles for command in commands_of(title)])
    for title in titles:
        fill(PAGE, title, rows(title))


if __name__ == "__main__":
    main()
