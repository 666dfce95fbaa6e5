"""What OpenSpiel's players are told of our games, from the state and from worlds that look alike.

`python -m tests.interop.open_spiel_leaks 10000` tries so many situations of every game that hides
something, which takes about a quarter of an hour, and says what it found.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any, NamedTuple

from kibitz.core.game import CHANCE
from kibitz.interop.open_spiel import KibitzGame, load
from tests.games.boards import SPECS, compiled_game

HIDDEN = [spec for spec in SPECS if compiled_game(spec).traits.hidden]


class Tried(NamedTuple):
    """What came out."""

    situations: int
    leaks: int
    """Situations in which a world that looks alike was told otherwise."""
    by_state: int
    """Situations in which the same lots gave another world from another world."""
    others: int
    """Situations in which the world was not the true one."""


class Lots:
    """The same random numbers, as often as one wants them."""

    def __init__(self, seed: int) -> None:
        self._source = random.Random(seed)

    def __call__(self) -> float:
        return self._source.random()


def told(state: Any, seat: int, tensors: bool) -> tuple[Any, ...]:
    """All that OpenSpiel hands to a player."""
    texts = state.current_player(), state.information_state_string(seat)
    more = (state.observation_string(seat), tuple(state.observation_tensor(seat)))
    legal = tuple(state.legal_actions(seat)) if state.current_player() == seat else ()
    recalled = tuple(state.information_state_tensor(seat)) if tensors else ()
    return (*texts, *more, legal, recalled)


def tried(game: KibitzGame, situations: int, seed: int = 0) -> Tried:
    """Random games, in each state all seats."""
    source = random.Random(seed)
    counts = [0, 0, 0, 0]
    tensors = game.get_type().provides_information_state_tensor
    while counts[0] < situations:
        state = game.new_initial_state()
        while not state.is_terminal() and counts[0] < situations:
            if not state.is_chance_node():
                for seat in range(game.num_players()):
                    lots = source.randrange(1 << 30)
                    other = state.resample_from_infostate(seat, Lots(lots))
                    again = other.resample_from_infostate(seat, Lots(lots))
                    counts[0] += 1
                    counts[1] += told(state, seat, tensors) != told(other, seat, tensors)
                    counts[2] += other.history() != again.history()
                    counts[3] += other.history() != state.history()
            state.apply_action(drawn(state, source))
    return Tried(*counts)


def drawn(state: Any, source: random.Random) -> int:
    """A random action, or an outcome by its probability."""
    if state.current_player() != CHANCE:
        return source.choice(state.legal_actions())
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    return int(source.choices(outcomes, chances)[0])


def main(situations: int) -> None:
    for spec in HIDDEN:
        started = time.perf_counter()
        print(spec, tried(load(spec), situations), f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]))
