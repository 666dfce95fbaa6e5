"""The player that follows a solution of the round, or solves the rest of it."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.figures import percent
from kibitz.core.game import View
from kibitz.core.strategy import Player
from kibitz.games.love_letter.cards import PRINCE
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.love_letter.state import UNKNOWN
from kibitz.jit.rng import unit
from kibitz.solvers.love_letter.public_line import PolicyOption, PublicLine, play_code, play_of
from kibitz.solvers.love_letter.public_states import (
    PLAY_BARON,
    PLAY_KING,
    PLAY_PRIEST,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)
from kibitz.solvers.love_letter.solution_file import is_solved, line_of, solution_folder
from kibitz.solvers.love_letter.solver import Round, Solver
from kibitz.strategies.common.base import said, turns_before
from kibitz.strategies.common.reasons import why
from kibitz.strategies.love_letter.beliefs import SIZE, prepare

SLIP = 0.1
"""How often the other is taken not to play as the model of him does."""
EPSILON = 0.001
ALWAYS = 0.9995
SCORE = "how often it is played in equilibrium"


class EquilibriumPlayer(Player):
    """`before` plays until the rest of the round can be solved, if the round is not."""

    def __init__(
        self, game: LoveLetter, rng: Any, before: Player, cards: int, seconds: float
    ) -> None:
        self.game, self.rng, self.before, self.cards = game, rng, before, cards
        self.seconds = seconds or inf
        self._solved: tuple[tuple[bytes, ...], PublicLine] | None = None
        """The rest of a round, and what had been seen of it before."""

    def choose(self, view: View[Any]) -> Any:
        options = self._options(view)
        if not options:
            return self.before.choose(view)
        return self._named(view, drawn(options, self.rng))

    def explain(self, view: View[Any]) -> Explanation:
        options = self._options(view)
        if not options:
            return self.before.explain(view)
        chosen = drawn(options, self.rng.copy())
        best = self._named(view, chosen)
        shares = {self._named(view, option): option.probability for option in options}
        reasons = [Reason(play, shares.get(play, 0.0)) for play in view.plays()]
        reasons.sort(key=lambda reason: (reason.play != best, -reason.score))
        often = (
            "always"
            if chosen.probability > ALWAYS
            else f"in {percent(chosen.probability, 1)} of such cases"
        )
        sentence = f"{said(view, best)}: {often}."
        reasons_why = why(view, best)
        return Explanation(best, SCORE, tuple(reasons), (), sentence, why=reasons_why, chance=True)

    def _named(self, view: View[Any], option: PolicyOption) -> Any:
        protected = bool(view.state[0].protected >> (1 - view.seat) & 1)
        return self.game.name_play(view.state, play_code(option.play, view.seat, protected))

    def _options(self, view: View[Any]) -> list[PolicyOption]:
        """What may be played and how often; nothing if no solution is at hand."""
        x = view.state[0]
        hand = int(x.hand[view.seat]), int(x.drawn)
        seen = tuple(state.tobytes() for state, _ in view.past)
        line = opening(self.game, view)
        if line is None or not followed(line, view, 0) or not line.options(*hand):
            line = None
        if line is None and self._solved is not None:
            before, rest = self._solved
            if seen[: len(before)] == before:
                line = rest.copy()
                if not followed(line, view, len(before)) or not line.options(*hand):
                    line = None
        if line is None and x.left + 1 <= self.cards:
            solver = Solver(rest_of(self.game, view))
            solver.solve(EPSILON)
            line = solver.line()
            self._solved = seen, line.copy()
        return line.options(*hand) if line is not None else []


def drawn(options: list[PolicyOption], rng: Any) -> PolicyOption:
    """One of them, by lot."""
    lot = float(unit(rng))
    for option in options:
        lot -= option.probability
        if lot < 0:
            break
    return option


def opening(game: LoveLetter, view: View[Any]) -> PublicLine | None:
    """The solution of the whole round, if there is one on the disk."""
    x = (view.past[0][0] if view.past else view.state)[0]
    if x.spent.any():
        return None  # a position: nobody knows what was played before
    folder = solution_folder(Round(unseen(game, x)))
    return _kept(folder).copy() if is_solved(folder) else None


@lru_cache(maxsize=8)
def _kept(folder: Path) -> PublicLine:
    return line_of(folder)


def followed(line: PublicLine, view: View[Any], turns: int) -> bool:
    """Go along the turns of a view, but for the first ones."""
    states = [state[0] for state, _ in view.past] + [view.state[0]]
    return all(
        line.go(
            *what_was_seen(states[i], play.code, states[i + 1], view.seat),
            held=int(states[i + 1].hand[view.seat]),
        )
        for i, (_, play) in list(enumerate(view.past))[turns:]
    )


def what_was_seen(before: Any, code: int, after: Any, seat: int) -> tuple[int, int, int]:
    """A turn as both players saw it: the play, and the mover's and the other's card if shown."""
    mover = int(before.turn)
    other = 1 - mover
    play, target = play_of(code, mover), code >> 4 & 15
    own = int(before.hand[seat] if seat != mover else after.hand[seat])
    if play == PRINCE_ON_SELF:
        return play, _discarded(before, after, mover, PRINCE), 0
    if play == PRINCE_ON_OTHER:
        return play, 0, _discarded(before, after, other, 0)
    if play == PLAY_PRIEST and target:
        return play, 0, own if seat == other else int(after.hand[other])
    if play == PLAY_BARON and target:
        return play, own, own
    if play == PLAY_KING and target:
        return play, int(after.hand[other]), int(after.hand[mover])
    return play, 0, 0


def _discarded(before: Any, after: Any, seat: int, besides: int) -> int:
    """The card that a Prince brought to light, beside one that was played."""
    new = int(after.spent[seat]) - int(before.spent[seat])
    if besides:
        new -= 1 << 4 * (besides - 1)
    return (new.bit_length() + 3) // 4


def rest_of(game: LoveLetter, view: View[Any]) -> Round:
    """What is left of a round: his cards are weighed by how the other has played, as a model of
    him would; ours by what he can know."""
    x, seat = view.state[0], view.seat
    other = 1 - seat
    past, plays = turns_before(game, view)
    belief = np.ones(SIZE)
    prepare(view.state, seat, past, plays, np.array([SLIP]), belief)
    theirs = [
        float(belief[9 * other + card]) * bool(x.worlds[seat, 0] >> (card - 1) & 1)
        for card in range(1, 9)
    ]
    if x.hand[other] != UNKNOWN:
        theirs = [float(card == x.hand[other]) for card in range(1, 9)]
    mine = [float(x.worlds[other, 0] >> (card - 1) & 1) for card in range(1, 9)]
    if x.known[other] >> seat & 1:
        mine = [float(card == x.hand[seat]) for card in range(1, 9)]
    lead = _sum(int(x.spent[seat])) - _sum(int(x.spent[other]))
    protected = bool(x.protected >> other & 1)
    return Round(unseen(game, x), protected, lead, (mine, theirs))


def unseen(game: LoveLetter, x: Any) -> tuple[int, ...]:
    """What neither the table nor the discards show."""
    seen = int(x.face_up) + int(x.spent[0]) + int(x.spent[1])
    return tuple(game.copies[card] - (seen >> 4 * (card - 1) & 15) for card in range(1, 9))


def _sum(spent: int) -> int:
    return sum(card * (spent >> 4 * (card - 1) & 15) for card in range(1, 9))
