"""The player of the equilibrium: by the book, or by solving the rest of the round."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.figures import percent
from kibitz.core.game import View
from kibitz.core.strategy import Player
from kibitz.games.love_letter.cards import PRINCE, UNKNOWN, cards_in, count_of
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.love_letter.plays import parts_of
from kibitz.games.love_letter.possible_hands import weight_index
from kibitz.jit.rng import unit
from kibitz.search.fast.worlds import BeliefOptions
from kibitz.solvers.love_letter.book import BOOK_DECK, book_folders, find_book, load_book
from kibitz.solvers.love_letter.book_line import BookRound, Place
from kibitz.solvers.love_letter.gadget import EXCESS
from kibitz.solvers.love_letter.public_line import PolicyOption, PublicLine, play_code, play_of
from kibitz.solvers.love_letter.public_states import (
    PLAY_BARON,
    PLAY_KING,
    PLAY_PRIEST,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    start,
)
from kibitz.solvers.love_letter.solver import EVEN, Round, Solver
from kibitz.strategies.common.base import said, turns_before
from kibitz.strategies.common.reasons import why
from kibitz.strategies.love_letter.beliefs import GREEDY, SIZE, prepare

NOISE = 0.1
"""How often the other is taken not to play as the model of him does."""
EPSILON = 0.001
ALWAYS = 0.9995
SCORE = "how often it is played in equilibrium"


class Decision(NamedTuple):
    """What may be played and how often, and what is known of how good that is."""

    options: list[PolicyOption]
    grounds: tuple[str, ...]


class EquilibriumPlayer(Player):
    """`before` plays where there is no book, until the rest of the round can be solved."""

    def __init__(self, game: LoveLetter, rng: Any, before: Player, cards: int) -> None:
        check_books()
        self.game, self.rng, self.before, self.cards = game, rng, before, cards
        self._solved: tuple[int, PublicLine] | None = None
        """The rest of the round, and the turns before it."""
        self._seen: tuple[bytes, ...] | None = None
        """What had been seen of the round when the rest was last asked for."""

    def choose(self, view: View[Any]) -> Any:
        decision = self._decide(view)
        if decision is None:
            return self.before.choose(view)
        return self._named(view, drawn(decision.options, self.rng))

    def explain(self, view: View[Any]) -> Explanation:
        decision = self._decide(view)
        if decision is None:
            return _without_book(self.before.explain(view), self.cards)
        chosen = drawn(decision.options, self.rng.copy())
        best = self._named(view, chosen)
        probabilities = {
            self._named(view, option): option.probability for option in decision.options
        }
        reasons = [Reason(play, probabilities.get(play, 0.0)) for play in view.plays()]
        reasons.sort(key=lambda reason: (reason.play != best, -reason.score))
        often = (
            "always"
            if chosen.probability > ALWAYS
            else f"in {percent(chosen.probability, 1)} of such cases"
        )
        sentence = f"{said(view, best)}: {often}."
        words = (*why(view, best), *decision.grounds)
        return Explanation(best, SCORE, tuple(reasons), (), sentence, why=words, chance=True)

    def _named(self, view: View[Any], option: PolicyOption) -> Any:
        protected = bool(view.state[0].protected >> (1 - view.seat) & 1)
        return self.game.name_play(view.state, play_code(option.play, view.seat, protected))

    def _decide(self, view: View[Any]) -> Decision | None:
        """None if there is neither a book nor few enough cards."""
        decision = self._by_book(view)
        if decision is not None:
            return decision
        line = self._rest(view)
        return None if line is None else Decision(line.options(*_hand(view)), (REST,))

    def _by_book(self, view: View[Any]) -> Decision | None:
        book = book_round(self.game, view)
        place = followed(book, self.game, view) if book is not None else None
        options = place.options(*_hand(view)) if place is not None else []
        if book is None or place is None or not options:
            return None
        return Decision(options, _grounds(book, place))

    def _rest(self, view: View[Any]) -> PublicLine | None:
        """The rest of the round, solved: if there are few enough cards left. It was solved at the
        first turn where that was so. Whoever sits down later looks back to that turn."""
        seen = tuple(state.tobytes() for state, _ in view.past)
        if self._seen is not None and seen[: len(self._seen)] != self._seen:
            self._solved = self._seen = None  # another round
        first = 0 if self._seen is None else len(self._seen) + 1
        for turn, (state, _) in list(enumerate(view.past))[first:]:
            then = replace(view, state=state, past=view.past[:turn], log=())
            if state[0].turn == view.seat and self._by_book(then) is None:
                self._follow_or_solve(then)
        self._seen = seen
        return self._follow_or_solve(view)

    def _follow_or_solve(self, view: View[Any]) -> PublicLine | None:
        if self._solved is not None:
            turns, rest = self._solved
            line = rest.copy()
            if _followed_rest(line, view, turns) and line.options(*_hand(view)):
                return line
        if view.state[0].left + 1 > self.cards:
            return None
        solver = Solver(rest_of(self.game, view))
        solver.solve(EPSILON)
        self._solved = len(view.past), solver.line()
        return solver.line()


def _hand(view: View[Any]) -> tuple[int, int]:
    """The two cards of who is to move."""
    return int(view.state[0].hand[view.seat]), int(view.state[0].drawn)


REST = (
    "There is no line of the book for this: the rest of the round was solved as if the other had"
    " played as greedy does, most of the time. Nothing is guaranteed here."
)


def _grounds(book: BookRound, place: Place) -> tuple[str, ...]:
    """What the book says of the round, and the certificate of what was solved at the table."""
    low, high = book.book.header["value"]
    first, second = book.book.header["responses"]
    mine, least = (f"{low:+.4f} … {high:+.4f}", -second) if book.moves_first else (
        f"{-high:+.4f} … {-low:+.4f}", -first
    )  # fmt: skip
    words = [
        f"The round is worth {mine} to this seat (won 1, lost −1). Played by the book it brings"
        f" at least {least:+.4f} on average, against anybody; each part that is solved again at"
        f" the table may cost {EXCESS} of that."
    ]
    solved = place.certificate
    if solved is not None:
        short = "" if solved.excess <= EXCESS else f", more than the {EXCESS} that was asked for"
        words.append(
            f"The rest was solved again: {solved.nodes:,} public nodes, {solved.iterations}"
            f" iterations; at most {solved.excess:.5f} is lost by that (δ){short}."
        )
    return tuple(words)


def _without_book(explanation: Explanation, cards: int) -> Explanation:
    words = (
        "There is no book for this: until few cards are left it plays as flat-mc does, then it"
        f" solves the rest (from {cards} cards in the deck on)."
    )
    return replace(explanation, why=(*explanation.why, words))


@cache
def check_books() -> None:
    """A damaged book is refused before anybody plays by it."""
    for folder in book_folders():
        for file in sorted(folder.glob("*.book")) if folder.is_dir() else ():
            load_book(file)


def drawn(options: list[PolicyOption], rng: Any) -> PolicyOption:
    """One of them, by lot."""
    lot = float(unit(rng))
    for option in options:
        lot -= option.probability
        if lot < 0:
            break
    return option


def book_round(game: LoveLetter, view: View[Any]) -> BookRound | None:
    """The book of this round, if there is one."""
    x = (view.past[0][0] if view.past else view.state)[0]
    if x.spent.any() or game.settings["deck"] != BOOK_DECK:
        return None  # a position: nobody knows what was played before
    file = find_book(tuple(cards_in(int(x.face_up))))
    return None if file is None else BookRound(file, int(x.turn) == view.seat)


def followed(book: BookRound, game: LoveLetter, view: View[Any]) -> Place | None:
    """Where the round stands by the book; None if a play has left it."""
    states = [state[0] for state, _ in view.past] + [view.state[0]]
    place: Place | None = book.start(start(unseen(game, states[0]), False, EVEN, EVEN))
    for i, (_, play) in enumerate(view.past):
        if place is None:
            return None
        seen = what_was_seen(states[i], play.code, states[i + 1], view.seat)
        place = place.go(*seen, held=int(states[i + 1].hand[view.seat]))
    return place


def _followed_rest(line: PublicLine, view: View[Any], turns: int) -> bool:
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
    play, is_aimed = play_of(code, mover), parts_of(code).target >= 0
    own = int(before.hand[seat] if seat != mover else after.hand[seat])
    if play == PRINCE_ON_SELF:
        return play, _discarded(before, after, mover, PRINCE), 0
    if play == PRINCE_ON_OTHER:
        return play, 0, _discarded(before, after, other, 0)
    if play == PLAY_PRIEST and is_aimed:
        return play, 0, own if seat == other else int(after.hand[other])
    if play == PLAY_BARON and is_aimed:
        return play, own, own
    if play == PLAY_KING and is_aimed:
        return play, int(after.hand[other]), int(after.hand[mover])
    return play, 0, 0


def _discarded(before: Any, after: Any, seat: int, besides: int) -> int:
    """The card that a Prince brought to light, beside one that was played."""
    new = int(after.spent[seat]) - int(before.spent[seat])
    if besides:
        new -= 1 << 4 * (besides - 1)
    return (new.bit_length() + 3) // 4


def rest_of(game: LoveLetter, view: View[Any], belief: Any = None) -> Round:
    """What is left of a round: his cards are weighed by how the other has played, as a model of
    him would (greedy, if no belief is given); ours by what he can know."""
    x, seat = view.state[0], view.seat
    other = 1 - seat
    if belief is None:
        past, plays = turns_before(game, view)
        belief = np.ones(SIZE)
        prepare(view.state, seat, past, plays, np.array(BeliefOptions(GREEDY, NOISE)), belief)
    theirs = [
        float(belief[weight_index(other, card)]) * bool(x.worlds[seat, 0] >> (card - 1) & 1)
        for card in range(1, 9)
    ]
    if x.hand[other] != UNKNOWN:
        theirs = [float(card == x.hand[other]) for card in range(1, 9)]
    mine = [float(x.worlds[other, 0] >> (card - 1) & 1) for card in range(1, 9)]
    if x.known[other] >> seat & 1:
        mine = [float(card == x.hand[seat]) for card in range(1, 9)]
    lead = sum(cards_in(int(x.spent[seat]))) - sum(cards_in(int(x.spent[other])))
    protected = bool(x.protected >> other & 1)
    return Round(unseen(game, x), protected, lead, (mine, theirs))


def unseen(game: LoveLetter, x: Any) -> tuple[int, ...]:
    """What neither the table nor the discards show."""
    seen = int(x.face_up) + int(x.spent[0]) + int(x.spent[1])
    return tuple(game.copies[card] - count_of(seen, card) for card in range(1, 9))
