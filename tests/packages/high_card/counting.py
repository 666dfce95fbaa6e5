"""What the other holds at high card: each unseen card is as likely as any other."""

from typing import Any

from kibitz.core.explanation import Belief
from kibitz.core.game import View


def exact_beliefs(view: View[Any], belief: Any) -> tuple[Belief, ...] | None:
    if belief is not None and view.past:
        return None
    x, seat = view.state[0], view.seat
    held = view.game.kernels.held(view.state, 1 - seat)  # type: ignore[attr-defined]
    unseen = [n for n in range(1, 10) if not (int(x.hand[seat]) | int(x.played)) >> n & 1]
    cards = {str(card): held / len(unseen) for card in unseen}
    return (Belief(f"seat {2 - seat}'s hand", cards, exact=True),) if held else ()
