"""Love Letter by the book: slow and plain, to test a fast implementation against.

Numbers such as 4.1 in the comments are those of RULES.md. Seats count from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

# 1.1
STRENGTH = {
    "guard": 1,
    "priest": 2,
    "baron": 3,
    "handmaid": 4,
    "prince": 5,
    "king": 6,
    "countess": 7,
    "princess": 8,
}
COPIES = {
    "guard": 5,
    "priest": 2,
    "baron": 2,
    "handmaid": 2,
    "prince": 2,
    "king": 1,
    "countess": 1,
    "princess": 1,
}
NAMES = list(STRENGTH)
FULL_DECK = [name for name in NAMES for _ in range(COPIES[name])]
THESIS_DECK = FULL_DECK[1:]  # 1.2: four guards
TIES = ("all", "none", "random")  # 7.4
TARGETS = {2: 7, 3: 5, 4: 4}  # 8.1

Tuple = tuple[str, ...]


class View:
    """What one seat can tell of the hands, from what it has seen (9.1 to 9.9).

    `hands` is the set of possible hands: tuples with one card for each seat, "" for
    a player who is out. The viewer's own card is always the true one. A mover's
    newly drawn card is not part of it. Cards are not counted here.
    """

    def __init__(self, viewer: int, players: int, own: str) -> None:
        self.viewer = viewer
        self.hands: set[Tuple] = {()}
        for seat in range(1, players + 1):
            names = [own] if seat == viewer else NAMES
            self.hands = {(*t, name) for t in self.hands for name in names}

    @staticmethod
    def _with(t: Tuple, seat: int, card: str) -> Tuple:
        return (*t[: seat - 1], card, *t[seat:])

    def put(self, seat: int, card: str) -> None:
        """The seat now holds this card, whatever it held before."""
        self.hands = {self._with(t, seat, card) for t in self.hands}

    def free(self, seat: int) -> None:
        """The seat may now hold any card."""
        self.hands = {self._with(t, seat, name) for t in self.hands for name in NAMES}

    def holds(self, seat: int, card: str) -> None:
        """The viewer sees that the seat holds this card."""
        self.hands = {t for t in self.hands if t[seat - 1] == card}

    def lacks(self, seat: int, card: str) -> None:
        """The seat does not hold this card (9.5)."""
        self.hands = {t for t in self.hands if t[seat - 1] != card}

    def same(self, a: int, b: int) -> None:
        """The two seats hold equal cards (9.8)."""
        self.hands = {t for t in self.hands if t[a - 1] == t[b - 1]}

    def above(self, seat: int, card: str) -> None:
        """The seat holds a card higher than this one (9.7)."""
        low = STRENGTH[card]
        self.hands = {t for t in self.hands if STRENGTH[t[seat - 1]] > low}

    def swap(self, a: int, b: int) -> None:
        """The two seats trade hands (9.3)."""
        self.hands = {self._with(self._with(t, a, t[b - 1]), b, t[a - 1]) for t in self.hands}

    def played(self, seat: int, card: str, left: str) -> None:
        """The seat drew a card and played this one. `left` is for its own view."""
        if seat == self.viewer:
            self.put(seat, left)
            return
        after: set[Tuple] = set()
        for t in self.hands:
            after.add(t)  # he drew the card that he played
            if t[seat - 1] == card:  # or he held it and drew any other
                after |= {self._with(t, seat, name) for name in NAMES}
        self.hands = after
        if card in ("prince", "king"):  # 9.6
            self.lacks(seat, "countess")


class Round:
    """One round. Unless it is over, the mover has drawn and must play."""

    def __init__(
        self,
        deck: Sequence[str],
        players: int = 2,
        starter: int = 1,
        tie: str = "all",
        *,
        track: bool = False,
    ) -> None:
        if sorted(deck) not in (sorted(FULL_DECK), sorted(THESIS_DECK)):
            raise ValueError("not a Love Letter deck")
        if players not in TARGETS or not 1 <= starter <= players or tie not in TIES:
            raise ValueError("bad players, starter or tie")
        self.players = players
        self.tie = tie
        self.over = False
        self.all_cards = list(deck)
        self.seats = list(range(1, players + 1))
        self.deck = list(deck)  # top first
        self.aside: str | None = self.deck.pop(0)  # 2.1
        self.face_up: list[str] = []
        if players == 2:  # 2.2
            self.face_up = [self.deck.pop(0) for _ in range(3)]
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.discards: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.protected: set[int] = set()
        seat = starter
        for _ in self.seats:  # 2.3
            self.hands[seat].append(self.deck.pop(0))
            seat = self._left_of(seat)
        self.known: set[tuple[int, int]] = set()  # (a, b): a knows b's card
        self.track = track
        self.views: list[View] = []
        if track:
            self.views = [View(s, players, self.hands[s][0]) for s in self.seats]
        self.mover = starter
        self._begin_turn()

    # --- turns ---

    def _left_of(self, seat: int) -> int:
        return seat % self.players + 1

    def still_in(self) -> list[int]:
        """The seats still in the round."""
        return [seat for seat in self.seats if self.hands[seat]]

    def _begin_turn(self) -> None:
        self.protected.discard(self.mover)  # 4.4
        self.hands[self.mover].append(self.deck.pop(0))  # 3.1

    def _end_turn(self) -> None:
        if len(self.still_in()) == 1 or not self.deck:  # 7.1, 7.2
            self.over = True
            return
        self.mover = self._left_of(self.mover)  # 3.3
        while not self.hands[self.mover]:
            self.mover = self._left_of(self.mover)
        self._begin_turn()

    def legal(self) -> list[str]:
        """All legal plays, as sorted texts."""
        if self.over:
            return []
        me = self.mover
        hand = self.hands[me]
        if "countess" in hand and ("prince" in hand or "king" in hand):  # 4.7
            return ["countess"]
        others = [
            seat
            for seat in self.still_in()
            if seat != me and seat not in self.protected  # 5.1, 5.3
        ]
        plays: list[str] = []
        for card in set(hand):  # 3.4, 3.5
            if card == "guard" and others:  # 4.1
                for seat in others:
                    for name in NAMES:
                        if name != "guard":
                            plays.append(f"guard>{seat}={name}")
            elif card in ("priest", "baron", "king") and others:  # 5.5
                for seat in others:
                    plays.append(f"{card}>{seat}")
            elif card == "prince":  # 5.2, 5.4
                for seat in [*others, me]:
                    plays.append(f"prince>{seat}")
            else:  # handmaid, countess, princess, or bare (5.4)
                plays.append(card)
        return sorted(plays)

    def play(self, text: str) -> None:
        """Play a card for the mover; then the next player draws."""
        if text not in self.legal():
            raise ValueError(f"not legal: {text}")
        card, _, rest = text.partition(">")
        seat_text, _, guess = rest.partition("=")
        target = int(seat_text) if seat_text else 0
        me = self.mover
        if self.hands[me][0] == card:  # 9.4: he held it before his draw
            self._forget(me)
        self.hands[me].remove(card)  # 3.1
        self.discards[me].append(card)
        for view in self.views:
            view.played(me, card, self.hands[me][0])
        if card == "handmaid":
            self.protected.add(me)  # 4.4
        elif card == "princess":
            self._go_out(me)  # 4.8
        elif not target:
            pass  # 4.7 countess; 5.4 bare
        elif card == "guard":
            self._guard(target, guess)
        elif card == "priest":
            self._priest(me, target)
        elif card == "baron":
            self._baron(me, target)
        elif card == "prince":
            self._prince(target)
        elif card == "king":
            self._king(me, target)
        self._end_turn()

    # --- effects ---

    def _guard(self, target: int, guess: str) -> None:  # 4.1
        if self.hands[target][0] == guess:
            self._go_out(target)
        else:
            for view in self.views:  # 9.5
                view.lacks(target, guess)

    def _priest(self, me: int, target: int) -> None:  # 4.2
        self.known.add((me, target))  # 9.2
        for view in self.views:
            if view.viewer == me:
                view.holds(target, self.hands[target][0])

    def _baron(self, me: int, target: int) -> None:  # 4.3
        difference = STRENGTH[self.hands[me][0]] - STRENGTH[self.hands[target][0]]
        if difference == 0:
            self.known |= {(me, target), (target, me)}  # 9.2
            for view in self.views:  # 9.8; the two know their own card, so both
                view.same(me, target)
            return
        winner, loser = (me, target) if difference > 0 else (target, me)
        low = self.hands[loser][0]
        self._go_out(loser)
        for view in self.views:  # 9.7
            view.above(winner, low)

    def _prince(self, target: int) -> None:  # 4.5
        card = self.hands[target][0]
        if card == "princess":  # 4.8
            self._go_out(target)
            return
        self.hands[target].remove(card)
        self.discards[target].append(card)
        self._forget(target)  # 9.4
        if self.deck:
            new = self.deck.pop(0)
        else:
            assert self.aside is not None
            new = self.aside
            self.aside = None
        self.hands[target].append(new)
        for view in self.views:
            view.holds(target, card)  # 9.1: all see the discard
            if view.viewer == target:
                view.put(target, new)
            else:
                view.free(target)

    def _king(self, me: int, target: int) -> None:  # 4.6
        hands = self.hands
        hands[me], hands[target] = hands[target], hands[me]
        moved = {me: target, target: me}
        known = {(a, moved.get(b, b)) for a, b in self.known}  # 9.3
        known = {(a, b) for a, b in known if a != b}  # now his own card
        self.known = known | {(me, target), (target, me)}  # 9.2
        for view in self.views:
            view.swap(me, target)
            if view.viewer in moved:  # he sees the card that he got
                view.holds(view.viewer, hands[view.viewer][0])

    def _go_out(self, seat: int) -> None:  # 6.1
        card = self.hands[seat].pop()
        self.discards[seat].append(card)
        self.known = {pair for pair in self.known if seat not in pair}
        for view in self.views:
            view.holds(seat, card)  # 9.1: all see it
            view.put(seat, "")

    def _forget(self, seat: int) -> None:  # 9.4
        self.known = {(a, b) for a, b in self.known if b != seat}

    # --- the end ---

    def tied(self) -> list[int]:
        """The best seats by 7.1 to 7.3; more than one if tied."""
        if not self.over:
            raise ValueError("the round is not over")
        best = self.still_in()  # 7.1
        high = max(STRENGTH[self.hands[seat][0]] for seat in best)  # 7.2
        best = [seat for seat in best if STRENGTH[self.hands[seat][0]] == high]
        top = max(self._sum(seat) for seat in best)  # 7.3
        return [seat for seat in best if self._sum(seat) == top]

    def _sum(self, seat: int) -> int:
        return sum(STRENGTH[card] for card in self.discards[seat])

    def winners(self) -> list[int]:
        """Rule 7.4. With tie=random, those among whom the lot decides."""
        tied = self.tied()
        if self.tie == "none" and len(tied) > 1:
            return []
        return tied

    # --- knowledge ---

    def knows(self, a: int, b: int) -> bool:
        """Seat a was shown seat b's card and still knows it (9.2 to 9.4)."""
        return (a, b) in self.known

    def possible(self, viewer: int) -> dict[Tuple, int]:
        """Rule 9.9: the others' possible cards, and in how many ways each.

        Keys: one card for each other player still in, in seat order; of another
        mover's two cards, the one that he held before his draw. What a showdown
        reveals is not used.
        """
        if not self.track:
            raise ValueError("the round is not tracked")
        unseen = Counter(self.all_cards)
        unseen.subtract(self.face_up)
        unseen.subtract(self.hands[viewer])
        for cards in self.discards.values():
            unseen.subtract(cards)
        others = [seat for seat in self.still_in() if seat != viewer]
        result: dict[Tuple, int] = {}
        for t in self.views[viewer - 1].hands:
            key = tuple(t[seat - 1] for seat in others)
            left = unseen.copy()
            ways = 1
            for card in key:
                ways *= left[card]
                left[card] -= 1
            if ways:
                result[key] = ways
        return result


class Match:
    """The score of a match."""

    def __init__(self, players: int = 2, tie: str = "all") -> None:
        if players not in TARGETS or tie not in TIES:
            raise ValueError("bad players or tie")
        self.players = players
        self.tie = tie
        self.score = {seat: 0 for seat in range(1, players + 1)}
        self.target = TARGETS[players]  # 8.1

    def add(self, winners: Sequence[int]) -> None:
        """Count one round's winners (7.4)."""
        if self.over:
            raise ValueError("the match is over")
        if self.tie != "all" and len(winners) > 1:
            raise ValueError("only one can win this round")
        for seat in winners:
            self.score[seat] += 1

    @property
    def winner(self) -> int | None:
        """The one with most rounds, if alone and at the target (8.1, 8.3)."""
        high = max(self.score.values())
        best = [seat for seat, won in self.score.items() if won == high]
        if high >= self.target and len(best) == 1:
            return best[0]
        return None

    @property
    def over(self) -> bool:
        """Somebody has won the match."""
        return self.winner is not None

    def starters(self, round_: Round) -> list[int]:
        """The seats among which the next starter is drawn (8.2)."""
        return round_.tied()
