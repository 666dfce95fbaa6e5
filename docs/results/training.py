"""Trains genomes by both schemes and compares them: the table of docs/training.md.

    .venv/bin/python docs/results/training.py [--small]

Every training is one `kibitz train` command, with the thesis's number of games; what it finds
is kept in training/. Each genome then plays greedy, and the two of a seed play each other, on
shuffles that no training has seen.
"""

from __future__ import annotations

from statistics import fmean

from comparisons import HERE, SMALL, compare_all, fill, kibitz, known, percent, sized

RESULTS = HERE / "training.jsonl"
PAGE = HERE.parent / "training.md"
SEEDS = range(1, 2 if SMALL else 9)
OPTIMIZERS = ("thesis", "cma")
PAIRS = "--pairs 10000 --seed 7"


def file(optimizer: str, seed: int) -> str:
    return f"training/{'small-' if SMALL else ''}{optimizer}-{seed}.json"


def train(optimizer: str, seed: int) -> str:
    where = file(optimizer, seed)
    size = " --generations 2 --population 4 --games 8" if SMALL else ""
    return f"train tablic genetic --optimizer {optimizer} --seed {seed} -o {where}{size}"


def match(seed: int) -> str:
    thesis, cma = (f"genetic:genome={file(optimizer, seed)}" for optimizer in OPTIMIZERS)
    return sized(f"tablic {cma} {thesis} greedy {PAIRS}")


def rows() -> list[str]:
    lines = ["| seed | cma – thesis | cma – greedy | thesis – greedy |", "|---|---|---|---|"]
    results = known(RESULTS)
    scores: list[list[float]] = []
    for seed in SEEDS:
        matches = results[match(seed)]["matches"]
        cells = [f"{score} ({interval})" for score, interval in map(percent, matches)]
        lines.append(f"| {seed} | {' | '.join(cells)} |")
        scores.append([each["score"] for each in matches])
    means = " | ".join(f"{fmean(each):.1%}" for each in zip(*scores, strict=True))
    lines.append(f"| mean | {means} |")
    commands = [train(optimizer, 1) for optimizer in OPTIMIZERS] + [f"compare {match(1)}"]
    return [*lines, "", "```", *(f"kibitz {command}" for command in commands), "```"]


def main() -> None:
    (HERE / "training").mkdir(exist_ok=True)
    for seed in SEEDS:
        for optimizer in OPTIMIZERS:
            if not (HERE / file(optimizer, seed)).exists():
                kibitz(train(optimizer, seed))
    compare_all(RESULTS, [match(seed) for seed in SEEDS])
    fill(PAGE, "training", rows())


if __name__ == "__main__":
    main()
