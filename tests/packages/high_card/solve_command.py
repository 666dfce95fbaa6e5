"""High card with both hands open, solved by looking at every line."""

from typing import Annotated, Any

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.search_options import JsonOption, PositionOption, SeedOption, start_state


def solve(
    game: Any,
    *,
    position: PositionOption = None,
    seed: SeedOption = 0,
    all_plays: Annotated[bool, typer.Option("--all-plays", help="Every card's value.")] = False,
    open_hands: Annotated[bool, typer.Option("--open-hands", help="As it is anyway.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the value to who moves, and if wanted that of every card."""
    state = start_state(game, position, seed)
    values = {str(play): _value(game, state, play) for play in game.plays(state)}
    document = {"value": max(values.values()), **({"plays": values} if all_plays else {})}
    if as_json:
        print_json(document)
    else:
        print(f"value {document['value']:g}")


def _value(game: Any, state: Any, play: Any) -> float:
    """The value of a play to who makes it."""
    after, seat = game.after(state, play), game.mover(state)
    if game.is_over(after):
        return float(game.returns(after)[seat])
    best = max(_value(game, after, reply) for reply in game.plays(after))
    return best if game.mover(after) == seat else -best
