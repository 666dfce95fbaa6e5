"""Love Letter compiled: the rules in rules.py over the record in state.py.

What the others learn from a play is in knowledge.py, what a seat gets to see in views.py, how a
round is set up in dealing.py. lean.py has the same rules for games that are only played out.
"""

from kibitz.games.love_letter import dealing, knowledge, rules, state
from kibitz.games.love_letter.ends import evaluate
from kibitz.games.love_letter.knowledge import allow_all, allow_any_after, restrict_cards
from kibitz.games.love_letter.rules import NEVER_AT_RANDOM, PLAYS, WAYS
from kibitz.games.love_letter.state import STATE
from kibitz.games.love_letter.validity import is_complete, is_valid
from kibitz.games.love_letter.views import observe, redeal, reshuffle, view_key
from kibitz.jit.kernels import bind

__all__ = [
    "NEVER_AT_RANDOM",
    "PLAYS",
    "STATE",
    "WAYS",
    "allow_all",
    "allow_any_after",
    "apply",
    "choice",
    "count",
    "deal",
    "evaluate",
    "finish",
    "is_complete",
    "is_valid",
    "lay_out",
    "mover",
    "nameable",
    "next_first",
    "nth",
    "observe",
    "over",
    "pick",
    "points",
    "redeal",
    "reshuffle",
    "restrict_cards",
    "returns",
    "targets",
    "view_key",
    "write",
]

_SLOTS = {"record": state, "learning": knowledge}

deal, lay_out = bind(dealing.deal, **_SLOTS), bind(dealing.lay_out, **_SLOTS)
mover, over = bind(rules.mover, **_SLOTS), bind(rules.over, **_SLOTS)
choice, count = bind(rules.choice, **_SLOTS), bind(rules.count, **_SLOTS)
targets, nameable = bind(rules.targets, **_SLOTS), bind(rules.nameable, **_SLOTS)
nth, write = bind(rules.nth, **_SLOTS), bind(rules.write, **_SLOTS)
pick = bind(rules.pick, **_SLOTS)
apply = bind(rules.apply, **_SLOTS)
finish = bind(rules.finish, **_SLOTS)
returns, points = bind(rules.returns, **_SLOTS), bind(rules.points, **_SLOTS)
next_first = bind(rules.next_first, **_SLOTS)
