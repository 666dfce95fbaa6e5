"""High card with both hands open, solved by looking at every line."""

import json
from typing import Any

TAKES = ("all_plays",)


def solve(game: Any, options: Any) -> None:
    """Print the value to who moves, and if wanted that of every card."""
    state = options.start(game)
    values = {str(play): _value(game, state, play) for play in game.plays(state)}
    document = {"value": max(values.values()), **({"plays": values} if options.all_plays else {})}
    print(json.dumps(document) if options.as_json else f"value {document['value']:g}")


def _value(game: Any, state: Any, play: Any) -> float:
    """The value of a play to who makes it."""
    after, seat = game.after(state, play), game.mover(state)
    if game.is_over(after):
        return float(game.returns(after)[seat])
    best = max(_value(game, after, reply) for reply in game.plays(after))
    return best if game.mover(after) == seat else -best
