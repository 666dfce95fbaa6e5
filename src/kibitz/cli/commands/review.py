"""`kibitz review`: where a recorded game was lost, and how much of it was luck."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.progress import spinner_if_slow
from kibitz.cli.ui.trusted_files import trusted_game
from kibitz.core.errors import BadText


def review(
    record: Annotated[Path, typer.Argument(help="A file of records, as `kibitz play` writes.")],
    number: Annotated[
        int | None, typer.Option("--game", help="Which game of the record; else the last.")
    ] = None,
    seat: Annotated[
        list[int] | None,
        typer.Option(help="Whose decisions; may be repeated.", show_default="the persons', or all"),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            help="Half the width of a loss's interval.", show_default="0.01 of a win, 0.5 points"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the worlds that are drawn.")] = 0,
    unit: Annotated[
        str | None,
        typer.Option(help="match: chances to win the match, in Love Letter.", show_default="game"),
    ] = None,
    hindsight: Annotated[
        bool,
        typer.Option("--hindsight", help="Tablić for two: also solve it with all cards open."),
    ] = False,
    no_luck: Annotated[
        bool, typer.Option("--no-luck", help="Leave out luck and skill: it is quicker.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write a page, FILE.html, too.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option("--rules", help="The file that its game is in, if you trust it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Review a recorded game: what each decision lost by what its player could know, the three
    that mattered most, and how much of the result was luck."""
    from kibitz.review.review import review as reviewed
    from kibitz.table.record import read_records

    if out is not None:
        from kibitz.review.page import check_path

        check_path(out)
    records = read_records(record)
    names = [one.game for one in records]
    own = trusted_game(record, rules, names, "kibitz", "review", record, "--rules", "…")
    chosen = _game_number(record, len(records), number)
    if records[chosen - 1].returns is None and number is None and chosen > 1:
        chosen -= 1  # the next game of the match stands there already
    one = records[chosen - 1]
    in_match = _is_match(unit, one.make_game(own).traits.unit)
    earlier = [each for each in records[: chosen - 1] if each.match_seed == one.match_seed]
    seats = None if seat is None else [_seat(each, len(one.players)) for each in seat]
    with spinner_if_slow("looking at every decision"):
        found = reviewed(
            one, seats=seats, game=own, precision=precision, seed=seed, luck=not no_luck,
            hindsight=hindsight, match=earlier if in_match else None,
        )  # fmt: skip
    if out is not None:
        from kibitz.review.page import write_page

        write_page(found, out)
    if as_json:
        print_json(found.document())
    else:
        from rich.console import Console

        from kibitz.cli.ui.reviews import show_review

        show_review(Console(highlight=False), found)
        if out is not None:
            print(f"Written: {out}")


def _game_number(path: Path, games: int, number: int | None) -> int:
    if number is not None and not 1 <= number <= games:
        raise BadText(f"{path}: there is no game {number}; it has 1 to {games}")
    return games if number is None else number


def _is_match(unit: str | None, own: str) -> bool:
    """Whether values are to be of the match."""
    if unit not in (None, own, "match"):
        raise BadText(f"unit {unit} is not possible; allowed: {own}, match")
    return unit == "match"


def _seat(seat: int, players: int) -> int:
    if not 1 <= seat <= players:
        raise BadText(f"seat {seat} is not possible; allowed: 1 to {players}")
    return seat - 1
