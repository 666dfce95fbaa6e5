"""Tablić, slow and plain: the oracle that the compiled game is tested against.

Numbers in comments are the rules of src/kibitz/games/tablic/RULES.md.

A card is a text, rank then suit: "10d", "Qh", "As", "2c". Seats count from 1.
The kind of a card is what can be told apart in play (3.7): its rank, or "10d", "2c".
A play is (kind of the played card, sorted kinds of the captured cards);
("9", ()) lays a nine.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from operator import mul

Play = tuple[str, tuple[str, ...]]

# 1.1
SUITS = ("c", "d", "h", "s")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)

# 1.2, 1.3: the values of a card on the table
TABLE_VALUES: dict[str, tuple[int, ...]] = {
    "A": (1, 11),
    "2": (2,),
    "3": (3,),
    "4": (4,),
    "5": (5,),
    "6": (6,),
    "7": (7,),
    "8": (8,),
    "9": (9,),
    "10": (10,),
    "J": (12,),
    "Q": (13,),
    "K": (14,),
}

TABLE_CARDS = 4  # 2.1
# Players: for each deal (cards for each player, cards in a packet).
DEALS: dict[int, tuple[tuple[int, int], ...]] = {
    2: ((6, 3), (6, 3), (6, 3), (6, 3)),  # 2.2
    3: ((6, 3), (6, 3), (4, 2)),  # 2.3
    4: ((6, 3), (6, 3)),  # 2.4
}
# Players: the seats that score together. 2.2, 2.3, 2.4
SIDES: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((1,), (2,)),
    3: ((1,), (2,), (3,)),
    4: ((1, 3), (2, 4)),
}


# Cards (remembered, for there are few: oracles ask millions of times)


@cache
def rank(card: str) -> str:
    """The rank of a card or of a kind."""
    return card.rstrip("cdhs")


@cache
def kind(card: str) -> str:
    """What can be told apart in play. 3.7"""
    return card if card in ("10d", "2c") else rank(card)


def kinds(cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(kind(card) for card in cards))


@cache
def played_value(card: str) -> int:
    """1.2; 1.3: a played ace has the value 11."""
    return max(TABLE_VALUES[rank(card)])


@cache
def card_points(card: str) -> int:
    if card == "10d":  # 6.2
        return 2
    if card == "2c":  # 6.2
        return 1
    return 1 if rank(card) in ("A", "10", "J", "Q", "K") else 0  # 6.1


# Captures


def splits(cards: Sequence[str], value: int) -> bool:
    """Can the cards be divided completely into groups that each make value? 3.2

    Works on cards and on kinds alike. No cards: yes, into no groups.
    """
    ranks = sorted((rank(card) for card in cards), key=played_value, reverse=True)
    return _splits(tuple(ranks), value, 0)


@lru_cache(maxsize=1 << 17)
def _splits(ranks: tuple[str, ...], value: int, lacking: int) -> bool:
    """Can the cards complete a group that still lacks so much (0: no group is open),
    and be divided into further groups, with none left?"""
    if not ranks:
        return lacking == 0
    if lacking == 0:  # Open the group of the first card: it must be in one.
        lacking = value
        choices = [0]
    else:
        choices = list(range(len(ranks)))
    for i in choices:
        rest = ranks[:i] + ranks[i + 1 :]
        for table_value in TABLE_VALUES[ranks[i]]:
            if table_value <= lacking and _splits(rest, value, lacking - table_value):
                return True
    return False


def captures(table: Sequence[str], card: str) -> set[tuple[str, ...]]:
    """Every non-empty set of table cards that the card can capture, as kinds."""
    value = played_value(card)
    # A card of a higher value than the played one fits into no group.
    useful = [c for c in table if min(TABLE_VALUES[rank(c)]) <= value]
    count = Counter(kind(c) for c in useful)
    names = sorted(count)
    least = [min(TABLE_VALUES[rank(name)]) for name in names]
    sets: set[tuple[str, ...]] = set()
    for numbers in product(*(range(count[name] + 1) for name in names)):
        # The groups together make a multiple of value. Every ace may add 10.
        total = sum(map(mul, numbers, least))
        aces = numbers[names.index("A")] if "A" in names else 0
        if all((total + 10 * high) % value != 0 for high in range(aces + 1)):
            continue
        chosen: list[str] = []
        for name, n in zip(names, numbers, strict=True):
            chosen += [name] * n
        if chosen and splits(chosen, value):  # 3.2
            sets.add(tuple(chosen))
    return sets


def can_capture(table: Sequence[str], card: str) -> bool:
    """Is there a group, hence a capture, at all?"""
    sums = {0}  # of every selection of table cards
    for other in table:
        sums |= {s + value for s in sums for value in TABLE_VALUES[rank(other)]}
    return played_value(card) in sums


# Seats


def left_of(seat: int, players: int) -> int:
    """2.5: 1, 2, 3, 4, 1 …"""
    return seat % players + 1


def next_dealer(dealer: int, players: int) -> int:
    """7.3"""
    return left_of(dealer, players)


# Game


class Game:
    """One game. Once it is over, mover has no meaning."""

    def __init__(
        self,
        deck: Sequence[str],
        players: int = 2,
        dealer: int = 2,
        cards_bonus: str = "always",
        forced_capture: bool = False,
        leftovers: str = "last-captor",
    ) -> None:
        if players not in DEALS:
            raise ValueError(f"players: {players}")
        if not 1 <= dealer <= players:
            raise ValueError(f"dealer: {dealer}")
        if cards_bonus not in ("always", "tie", "none"):
            raise ValueError(f"cards_bonus: {cards_bonus}")
        if leftovers not in ("last-captor", "dealer"):
            raise ValueError(f"leftovers: {leftovers}")
        if sorted(deck) != sorted(CARDS):  # 1.1
            raise ValueError("the deck is not the fifty-two cards")
        self.players = players
        self.dealer = dealer
        self.cards_bonus = cards_bonus
        self.forced_capture = forced_capture
        self.leftovers = leftovers
        self.seats = list(range(1, players + 1))
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.piles: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.tablas: dict[int, int] = {seat: 0 for seat in self.seats}
        self.last_captor: int | None = None
        self.over = False
        self.table: list[str] = list(deck[:TABLE_CARDS])  # 2.1
        self.deck: list[str] = list(deck[TABLE_CARDS:])
        self.deals = list(DEALS[players])  # still to come
        self.mover = left_of(dealer, players)
        self._deal()

    def _deal(self) -> None:
        """2.2-2.6"""
        each, packet = self.deals.pop(0)
        for _ in range(each // packet):
            seat = self.dealer
            for _ in self.seats:
                seat = left_of(seat, self.players)  # 2.5
                self.hands[seat] += self.deck[:packet]
                del self.deck[:packet]
        self.mover = left_of(self.dealer, self.players)  # 2.5

    def legal(self) -> set[Play]:
        plays: set[Play] = set()
        for name in set(kinds(self.hands[self.mover])):  # 3.1
            takes = captures(self.table, name)
            plays |= {(name, taken) for taken in takes}  # 3.2, 3.3
            if not (self.forced_capture and takes):  # 3.6
                plays.add((name, ()))  # 3.3, 3.4
        return plays

    def is_legal(self, play: Play) -> bool:
        """Is the play in legal()? Without making them all."""
        name, taken = play
        if name not in kinds(self.hands[self.mover]):  # 3.1
            return False
        if not taken:  # 3.3, 3.4, 3.6
            return not (self.forced_capture and can_capture(self.table, name))
        if taken != tuple(sorted(taken)):  # not the form of a play
            return False
        if Counter(taken) - Counter(kinds(self.table)):  # not all on the table
            return False
        return splits(taken, played_value(name))  # 3.2

    def play(self, card: str, captured: Sequence[str] = ()) -> None:
        seat = self.mover
        if card not in self.hands[seat]:  # 3.1
            raise ValueError(f"{card} is not in the hand of seat {seat}")
        if len(set(captured)) != len(captured) or not set(captured) <= set(self.table):
            raise ValueError(f"{captured} are not cards on the table")  # 3.2
        if not self.is_legal((kind(card), kinds(captured))):
            raise ValueError(f"{card} may not capture {captured}")
        self.hands[seat].remove(card)
        if captured:
            for taken in captured:
                self.table.remove(taken)
            self.piles[seat] += [card, *captured]  # 3.5
            self.last_captor = seat
            if not self.table:
                self.tablas[seat] += 1  # 4.1, 4.2
        else:
            self.table.append(card)  # 3.4
        self.mover = left_of(seat, self.players)  # 2.5
        if not any(self.hands.values()):
            if self.deck:
                self._deal()  # 2.6
            else:
                self._end()

    def _end(self) -> None:
        taker = self.last_captor  # 5.1
        if taker is None or self.leftovers == "dealer":
            taker = self.dealer  # 5.2, 5.3
        self.piles[taker] += self.table  # 5.1: no tabla
        self.table = []
        self.over = True

    def sides(self) -> list[list[int]]:
        return [list(side) for side in SIDES[self.players]]

    def _for_seats(self, of_side: Sequence[int]) -> dict[int, int]:
        """Give every seat the number of its side."""
        numbers: dict[int, int] = {}
        for side, number in zip(self.sides(), of_side, strict=True):
            for seat in side:
                numbers[seat] = number
        return numbers

    def _side_cards(self) -> list[int]:
        return [sum(len(self.piles[s]) for s in side) for side in self.sides()]  # 6.6

    def cards(self) -> dict[int, int]:
        """For every seat, the cards that its side has captured."""
        return self._for_seats(self._side_cards())

    def points(self) -> dict[int, int]:
        """For every seat, the score of its side. Has meaning when the game is over."""
        scores: list[int] = []
        for side in self.sides():  # 6.6
            score = 0
            for seat in side:
                score += sum(card_points(card) for card in self.piles[seat])  # 6.1, 6.2
                score += self.tablas[seat]  # 4.1
            scores.append(score)
        everybody = list(range(len(scores)))
        if self.cards_bonus == "always":  # 6.3
            rivals = everybody
        elif self.cards_bonus == "tie" and scores.count(max(scores)) > 1:  # 6.4
            rivals = [i for i in everybody if scores[i] == max(scores)]
        else:  # 6.4 without a tie, 6.5
            rivals = []
        cards = self._side_cards()
        for i in rivals:
            if all(cards[i] > cards[j] for j in rivals if j != i):
                scores[i] += 3
                break  # only one can have more than all others
        return self._for_seats(scores)


# Match


class Match:
    def __init__(self, players: int = 2, target: int = 101) -> None:
        self.players = players
        self.target = target
        self.score: dict[int, int] = {seat: 0 for seat in range(1, players + 1)}

    def add(self, points: dict[int, int]) -> None:
        """Add the points of a game."""
        for seat in self.score:
            self.score[seat] += points[seat]

    @property
    def winners(self) -> list[int]:
        """The seats of the winning side; none while the match goes on."""
        best = max(self.score.values())
        if best < self.target:  # 7.1
            return []
        leaders = [s for s in SIDES[self.players] if self.score[s[0]] == best]
        return list(leaders[0]) if len(leaders) == 1 else []  # 7.2

    @property
    def over(self) -> bool:
        return bool(self.winners)
