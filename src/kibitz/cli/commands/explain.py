"""`kibitz explain`: what strategies would play in a situation, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.progress import spinner_if_slow
from kibitz.cli.ui.trusted_files import trusted_game
from kibitz.core import registry
from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.strategy import Strategy

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.core.explanation import Belief, Explanation
    from kibitz.table.situation import Situation


def explain(
    game: Annotated[
        str | None,
        typer.Argument(
            help="Such as love-letter or tablic:players=3.", show_default="the record's"
        ),
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="The situation; what it leaves out is unknown.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="A recorded game instead of a position.")
    ] = None,
    number: Annotated[
        int | None, typer.Option("--game", help="Which game of the record; else the last.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option(help="Before which turn of the record; else the last decision.")
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(help="Who explains; may be repeated.", show_default="a strong fair one"),
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Whose decision it must be.")] = None,
    seed: Annotated[int, typer.Option(help="Of the strategies' random numbers.")] = 0,
    every: Annotated[bool, typer.Option("--all", help="List all plays, not just 12.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Explain a decision: every play with its score, what is believed, and why."""
    from kibitz.strategies.common.levels import explainer_for

    played = None if game is None else registry.make_game(game)
    strategies = [registry.make_strategy(spec) for spec in strategy or []]
    for one in strategies:
        if played is not None:
            one.check_game(played)
    if (position is None) == (record is None):
        raise BadText("give --position with a situation, or --record with a recorded game")
    if record is None and not (number is turn is None):
        raise BadText("--game and --turn are for a --record")
    own = None if seat is None else seat - 1
    if position is not None:
        from kibitz.table.situation import at_position

        if played is None:
            raise BadText("name the game that the position is of, such as love-letter")
        where = ""
        situation = at_position(played, played.parse_position(position), own)
    else:
        assert record is not None
        where, situation = _recorded(game, played, record, number, turn, own)
    strategies = strategies or [explainer_for(situation.game)]
    explained = []
    for one in strategies:
        with spinner_if_slow(f"{one} is thinking"):
            explained.append((one, situation.explain(one, seed)))
    if as_json:
        print_json(_document(situation, explained))
    else:
        _show(situation, explained, where, every)


def _recorded(
    spec: str | None, game: Game[Any, Any] | None, path: Path, number: int | None, turn: int | None,
    seat: int | None,
) -> tuple[str, Situation]:  # fmt: skip
    """A situation of a record, and where it is."""
    from kibitz.table.record import called, read_records
    from kibitz.table.situation import in_record

    records = read_records(path)
    number = len(records) if number is None else number
    if not 1 <= number <= len(records):
        raise BadText(f"{path}: there is no game {number}; it has 1 to {len(records)}")
    record = records[number - 1]
    if game is None:
        trusted_game(path, None, [record.game], "kibitz", "explain", "…", "--record", path)
    own = game if record.file else None
    try:
        recorded = record.make_game(own)
    except BadText as error:
        raise BadText(f"{path}: {error}") from error
    if spec and game and recorded != game and (recorded.name != game.name or ":" in spec):
        raise BadText(f"{path}: game {number} is {recorded}, not {game}")
    turn, situation = in_record(record, f"{path}, game {number}", turn, seat, own)
    who = called(record.players[situation.seat])
    made = "is to play" if situation.played is None else f"played {situation.played}"
    return f"{recorded}, game {number}, turn {turn}: seat {situation.seat + 1} ({who}) {made}", (
        situation
    )


def _counted(situation: Situation) -> tuple[Belief, ...]:
    """What counting says of the hidden cards; nothing if the position leaves out too much."""
    from kibitz.strategies.common.beliefs import by_counting

    try:
        return by_counting(situation.view())
    except BadText:
        return ()


def _document(
    situation: Situation, explained: list[tuple[Strategy, Explanation]]
) -> dict[str, Any]:
    from kibitz.cli.ui.explanations import beliefs_entry, explanation_entry

    game = situation.game
    document: dict[str, Any] = {
        "game": game.spec,
        "position": game.position(situation.view().state),
        "seat": situation.seat + 1,
        "strategies": [
            explanation_entry(explanation, one.spec, str(one.knows))
            for one, explanation in explained
        ],
        "by_counting": beliefs_entry(_counted(situation)),
    }
    if situation.played is not None:
        document["played"] = situation.played
    return document


def _show(
    situation: Situation, explained: list[tuple[Strategy, Explanation]], where: str, every: bool
) -> None:
    from rich.console import Console

    from kibitz.cli.ui.explanations import show_belief, show_reasons
    from kibitz.cli.ui.rendering import drawn
    from kibitz.core.reason_cells import MANY
    from kibitz.core.strategy import Knows

    console = Console(highlight=False)
    head = where or f"{situation.game}: seat {situation.seat + 1} to play"
    console.print(head, style="bold", markup=False)
    console.print()
    console.print(drawn(situation.view()))
    uncounted = []
    for one, explanation in explained:
        console.print()
        console.rule(f"[bold]{one}[/] ({one.knows})", align="left")
        show_reasons(console, explanation, None if every else MANY, situation.played)
        for belief in explanation.beliefs:
            show_belief(console, belief)
        if explanation.beliefs:
            console.print()
        console.print(" ".join([explanation.sentence, *explanation.why]), markup=False)
        if one.knows is Knows.FAIR and not explanation.beliefs:
            uncounted.append(one.spec)
    if uncounted:
        _show_counted(console, situation, " and ".join(uncounted))


def _show_counted(console: Console, situation: Situation, who: str) -> None:
    """For strategies that do not ask what is hidden: what they could have known."""
    from kibitz.cli.ui.explanations import show_belief

    counted = _counted(situation)
    if not counted:
        return
    console.print()
    console.rule(f"[bold]by counting[/] (not used by {who})", align="left")
    for belief in counted:
        show_belief(console, belief)
