"""Love Letter for games that are only played out: the rules in rules.py over the record in
lean_state.py, from which nobody could make a view."""

from typing import Any

from kibitz.games.love_letter import dealing, lean_state, no_knowledge, rules
from kibitz.games.love_letter.lean_state import STATE
from kibitz.games.love_letter.rules import NEVER_AT_RANDOM
from kibitz.games.love_letter.state import strengths_held, strengths_spent
from kibitz.jit.kernels import bind, inlined

__all__ = [
    "NEVER_AT_RANDOM",
    "STATE",
    "apply",
    "count",
    "deal",
    "mover",
    "nth",
    "over",
    "pick",
    "points",
    "returns",
    "strip",
    "write",
]

_SLOTS = {"record": lean_state, "learning": no_knowledge}

deal = bind(dealing.deal, **_SLOTS)
mover, over = bind(rules.mover, **_SLOTS), bind(rules.over, **_SLOTS)
count, nth = bind(rules.count, **_SLOTS), bind(rules.nth, **_SLOTS)
write, pick = bind(rules.write, **_SLOTS), bind(rules.pick, **_SLOTS)
apply = bind(rules.apply, **_SLOTS)
returns, points = bind(rules.returns, **_SLOTS), bind(rules.points, **_SLOTS)


@inlined
def strip(s: Any, lean: Any) -> Any:
    """The same round as a lean record: the array of one that is given. All cards must be known."""
    x, y = s[0], lean[0]
    y.players, y.copies, y.tie, y.fixed = x.players, x.copies, x.tie, x.fixed
    y.turn, y.over, y.inside, y.protected = x.turn, x.over, x.inside, x.protected
    y.aside, y.deck, y.left, y.drawn = x.aside, x.deck, x.left, x.drawn
    y.lot, y.best, y.won = x.lot, x.best, x.won
    y.hands = strengths_held(x)
    y.spent = strengths_spent(x)
    return lean
