"""A study: does bluffing pay? `python examples/bluff_study.py FOLDER [--quick]`."""

import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import kibitz
from kibitz.report.blocks import DataTable, Plot, Points, Text
from kibitz.report.files import prepare_folder, report_files, write_report
from kibitz.report.plots import BLUE, GREY, draw_plots, new_figure

PLAIN, BLUFFING = "greedy", "greedy:bluff=true"
OPPONENTS = ("random", "probabilistic", "greedy")


# -- measure: figures, each a function of the seed -------------------------------------------


@dataclass(frozen=True)
class Row:
    player: str
    opponent: str
    score: float
    low: float
    high: float


def measure(seed: int, pairs: int) -> list[Row]:
    """Both players against each opponent, all on the same shuffles."""
    rows = []
    for player in (PLAIN, BLUFFING):
        for opponent in OPPONENTS:
            match = kibitz.compare("love-letter", [player, opponent], pairs, seed=seed).matches[0]
            rows.append(Row(player, opponent, match.score, *match.ci95))
    return rows


# -- words: what the figures say; other figures, other sentences -----------------------------


def conclusions(rows: list[Row]) -> list[str]:
    score = {(row.player, row.opponent): row for row in rows}
    sentences = []
    for opponent in OPPONENTS:
        plain, bluffing = score[PLAIN, opponent], score[BLUFFING, opponent]
        if bluffing.low > plain.high:
            verdict = "pays"
        elif bluffing.high < plain.low:
            verdict = "costs something"
        else:
            verdict = "makes no clear difference"
        sentences.append(
            f"Against {opponent} bluffing {verdict}: {bluffing.score:.1%}, without it"
            f" {plain.score:.1%}."
        )
    return sentences


# -- plots and report: blocks, which become Markdown and a page ------------------------------


def scores(rows):
    figure, (axes,) = new_figure(height=2.6)
    for player, colour in ((PLAIN, GREY), (BLUFFING, BLUE)):
        own = [row for row in rows if row.player == player]
        middle = [row.score for row in own]
        reach = [[row.score - row.low for row in own], [row.high - row.score for row in own]]
        axes.errorbar(OPPONENTS, middle, reach, fmt="o", capsize=4, color=colour, label=player)
    axes.set_ylabel("score")
    axes.legend()
    return figure


def blocks(rows: list[Row], command: str):
    yield Text.rich(f"Measured by `{command}`, Kibitz {kibitz.__version__}.")
    yield Points(conclusions(rows))
    yield Plot("scores", "Scores with 95 % intervals.")
    yield DataTable(
        ("player", "opponent", "score", "95 %"),
        [(r.player, r.opponent, f"{r.score:.1%}", f"{r.low:.1%} – {r.high:.1%}") for r in rows],
        words=(0, 1),
    )


def study(folder: Path, seed: int = 0, pairs: int = 20_000) -> list[Path]:
    prepare_folder(folder)  # or refuse, before anything is measured
    rows = measure(seed, pairs)
    plots = draw_plots({"scores": lambda: scores(rows)})
    command = f"bluff_study.study(folder, seed={seed}, pairs={pairs})"
    files = report_files("report", "Does bluffing pay?", list(blocks(rows, command)), plots)
    return write_report(folder, files, {"rows": [asdict(row) for row in rows]}, "figures.json")


if __name__ == "__main__":
    for path in study(Path(sys.argv[1]), pairs=200 if "--quick" in sys.argv else 20_000):
        print(path)
