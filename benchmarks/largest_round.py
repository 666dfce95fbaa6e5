"""The largest rounds of Love Letter: memory, time an iteration, and what all 92 would take.

    python benchmarks/largest_round.py --face-up "baron handmaid princess" --iterations 2
    python benchmarks/largest_round.py --small

Subgames are not solved first: that changes values, not the time of an iteration. The first
iterations are no measure of later ones: small branches are left out in them. The estimate is from
the table of solved rounds: seconds for each of their public nodes, times the nodes of all sets.
"""

from __future__ import annotations

import argparse
import csv
import resource
import time
from pathlib import Path
from statistics import median

from kibitz.games.love_letter.cards import names, read_face_up, unseen
from kibitz.solvers.love_letter.sizes import face_up_sizes
from kibitz.solvers.love_letter.solver import Round, Solver, Subgame

DECK = "published"
LATE = (2, 1, 1, 1, 1, 0, 1, 0)
"""Unseen cards of a small round, the Guard first."""
TABLE = Path(__file__).parents[1] / "docs" / "results" / "love-letter-solved.csv"


def measure(name: str, round_: Round, iterations: int, threads: int) -> None:
    started = time.perf_counter()
    solver = Solver(round_, threads)
    print(f"{name}: {len(solver.tree.states):,} states listed", end="")
    print(f" in {time.perf_counter() - started:.0f} s")
    nodes, regrets = solver.tree.states[solver.root][["nodes", "regrets"]].item()
    print(f"{nodes:,} public nodes, {regrets:,} regrets")
    cfr = solver.cfr(Subgame(solver.root, 0))
    for _ in range(iterations):
        clock, processor, before = time.perf_counter(), time.process_time(), cfr.nodes
        cfr.run(cfr.iterations + 1)
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        rate = (cfr.nodes - before) / processor / 1e6
        print(f"iteration {cfr.iterations}: {clock:.0f} s, {processor:.0f} s of processors", end="")
        print(f", {rate:.2f} million nodes in such a second, {peak():.1f} GB", flush=True)


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def estimate(small: bool) -> None:
    """From the table. In small, only of the sets in it."""
    with TABLE.open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["deck"] == DECK]
    each = median(float(row["seconds"]) / int(row["public_nodes"]) for row in rows)
    if small:
        sizes = [int(row["public_nodes"]) for row in rows]
    else:
        sizes = [size.public_nodes for size in face_up_sizes(DECK).values()]
    nodes = sum(sizes)
    print(f"{len(rows)} sets of the table: {1e6 * each:.0f} s for a million public nodes (median)")
    print(f"all {len(sizes)} have {nodes:,}: {nodes * each / 3600:.0f} hours of one thread")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--face-up", default="baron handmaid princess")
    parser.add_argument("--iterations", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="the end of a round, to try it")
    asked = parser.parse_args()
    cards = read_face_up(asked.face_up, DECK)
    which = ("a late round", LATE) if asked.small else (names(cards), unseen(DECK, cards))
    measure(which[0], Round(which[1]), asked.iterations, asked.threads)
    if TABLE.exists():
        estimate(asked.small)


if __name__ == "__main__":
    main()
