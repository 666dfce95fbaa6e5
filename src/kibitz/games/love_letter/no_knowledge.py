"""What the seats learn where nobody asks: nothing. In the place of knowledge.py."""

from typing import Any

from kibitz.jit.kernels import inlined


@inlined
def learn_nothing_yet(x: Any) -> None:
    """See knowledge.py, as for all of these."""


@inlined
def learn_play(x: Any, me: int, card: int, held: int) -> None:
    """See knowledge.py."""


@inlined
def learn_exit(x: Any, seat: int, card: int) -> None:
    """See knowledge.py."""


@inlined
def learn_wrong_guess(x: Any, target: int, guess: int) -> None:
    """See knowledge.py."""


@inlined
def learn_card(x: Any, viewer: int, seat: int, card: int) -> None:
    """See knowledge.py."""


@inlined
def learn_draw(x: Any, me: int, target: int, card: int) -> None:
    """See knowledge.py."""


@inlined
def learn_winner(x: Any, winner: int, lower: int) -> None:
    """See knowledge.py."""


@inlined
def lay_open(x: Any, seat: int, card: int) -> None:
    """See knowledge.py."""


@inlined
def learn_swap(x: Any, me: int, target: int, mine: int, his: int) -> None:
    """See knowledge.py."""
