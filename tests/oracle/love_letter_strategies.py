"""Love Letter strategies by their formulas: slow and plain, in exact fractions.

F is the score of a play, DK the other card in hand. Seats count from 1, a card is its
number 1 to 8, a play is a text: "guard>2=priest", "baron>2", "prince>1", "handmaid".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.love_letter import FULL_DECK, NAMES, STRENGTH, THESIS_DECK

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
DECKS = {"published": FULL_DECK, "thesis": THESIS_DECK}

# What greedy adds to prefer one card to another.
CONSTANT = {
    GUARD: Fraction(8, 100),
    PRIEST: Fraction(7, 100),
    BARON: Fraction(6, 100),
    HANDMAID: Fraction(5, 100),
    PRINCE: Fraction(4, 100),
    KING: Fraction(3, 100),
    COUNTESS: Fraction(2, 100),
    PRINCESS: Fraction(0),
}


@dataclass(frozen=True)
class Other:
    """What the mover knows of another player."""

    inside: bool = True
    protected: bool = False
    shown: int | None = None


@dataclass(frozen=True)
class Seen:
    """What the mover sees. `gone`: face-up set-aside cards and every discard."""

    deck: str
    seat: int
    hand: tuple[int, int]
    gone: Sequence[int]
    others: Mapping[int, Other]


Belief = dict[int, Fraction]


# Plays


def name(card: int) -> str:
    return NAMES[card - 1]


def parts(play: str) -> tuple[int, int, int]:
    """Card, target and guess of a play; 0 for what it does not have."""
    card, _, rest = play.partition(">")
    target, _, guess = rest.partition("=")
    return STRENGTH[card], int(target or 0), STRENGTH[guess] if guess else 0


def nameable(seen: Seen) -> list[int]:
    """The opponents that can be named (rule 5.3), lowest seat first."""
    return [
        seat for seat, other in sorted(seen.others.items()) if other.inside and not other.protected
    ]


def legal(seen: Seen) -> list[str]:
    """All legal plays, as sorted texts."""
    if COUNTESS in seen.hand and (PRINCE in seen.hand or KING in seen.hand):  # 4.7
        return ["countess"]
    targets = nameable(seen)
    plays: list[str] = []
    for card in set(seen.hand):  # 3.4
        if card == PRINCE:  # 5.2, 5.4
            plays += [f"prince>{seat}" for seat in [*targets, seen.seat]]
        elif card == GUARD and targets:  # 4.1
            for seat in targets:
                plays += [f"guard>{seat}={name(guess)}" for guess in range(PRIEST, PRINCESS + 1)]
        elif card in (PRIEST, BARON, KING) and targets:  # 5.5
            plays += [f"{name(card)}>{seat}" for seat in targets]
        else:  # no effect on others, or bare (5.4)
            plays.append(name(card))
    return sorted(plays)


def other_card(seen: Seen, card: int) -> int:
    """DK: the card left in hand when this one is played."""
    first, second = seen.hand
    return second if card == first else first


# Beliefs


def beliefs(seen: Seen, bluff: bool = False) -> dict[int, Belief]:
    """For each opponent still in the round, the probability of each card 1 to 8."""
    inside = {seat: other for seat, other in seen.others.items() if other.inside}
    unseen = Counter(STRENGTH[card] for card in DECKS[seen.deck])
    unseen.subtract(seen.gone)
    unseen.subtract(other.shown for other in inside.values() if other.shown is not None)
    if not bluff:
        unseen.subtract(seen.hand)
    if min(unseen.values()) < 0:
        raise ValueError("more cards of a kind are seen than the deck has")
    total = sum(unseen.values())
    result: dict[int, Belief] = {}
    for seat, other in inside.items():
        if other.shown is None:
            result[seat] = {card: Fraction(unseen[card], total) for card in range(1, 9)}
        else:
            result[seat] = {card: Fraction(card == other.shown) for card in range(1, 9)}
    return result


# Greedy


def prince_choice(seen: Seen, p: dict[int, Belief]) -> tuple[int, Fraction]:
    """Whom the Prince goes on, and the P(Princess) that counts."""
    targets = nameable(seen)
    if not targets:
        return seen.seat, Fraction(0)
    best = targets[0]
    for seat in targets:
        if p[seat][PRINCESS] > p[best][PRINCESS]:  # strictly: the lowest seat of equal ones
            best = seat
    chance = p[best][PRINCESS]
    if other_card(seen, PRINCE) < PRINCE and chance < Fraction(1, 10):
        return seen.seat, chance
    return best, chance


def raw_score(seen: Seen, play: str, p: dict[int, Belief]) -> Fraction:
    """F without the constant of the card."""
    card, target, guess = parts(play)
    other = other_card(seen, card)  # DK
    if card == PRINCESS:
        return Fraction(0)
    if card == COUNTESS:
        return Fraction(10 if other in (PRINCE, KING) else 1)
    if card == PRINCE:
        chosen, chance = prince_choice(seen, p)
        score = 1 + chance
        if other < PRINCE:
            score += Fraction(1, 10)
        return score if target == chosen else score - 1
    if not target or card in (PRIEST, HANDMAID):  # bare plays have no P terms
        return Fraction(1)
    belief = p[target]
    if card == GUARD:
        return 1 + belief[guess]
    if card == BARON:
        lower = sum((belief[c] for c in belief if c < other), Fraction(0))
        higher = sum((belief[c] for c in belief if c > other), Fraction(0))
        return 1 + lower - higher
    assert card == KING
    return 1 + belief[PRINCESS] + belief[COUNTESS]


def greedy_scores(seen: Seen, bluff: bool = False) -> dict[str, Fraction]:
    """F of every legal play."""
    p = beliefs(seen, bluff)
    scores: dict[str, Fraction] = {}
    for play in legal(seen):
        card = parts(play)[0]
        scores[play] = raw_score(seen, play, p)
        forced = card == COUNTESS and other_card(seen, card) in (PRINCE, KING)
        if not forced:  # she is 10 flat
            scores[play] += CONSTANT[card]
    return scores


def greedy(seen: Seen, bluff: bool = False) -> str:
    """The highest F; of equal ones the lower card, the higher guess, the lower seat."""
    scores = greedy_scores(seen, bluff)

    def rank(play: str) -> tuple[Fraction, int, int, int]:
        card, target, guess = parts(play)
        return scores[play], -card, guess, -target

    return max(scores, key=rank)


# Probabilistic


def weights(seen: Seen, bluff: bool = False) -> dict[str, Fraction]:
    """How much each legal play weighs in the draw."""
    p = beliefs(seen, bluff)
    plays = legal(seen)
    result: dict[str, Fraction] = {}
    for play in plays:
        card, target, _ = parts(play)
        if card == PRINCE and target != prince_choice(seen, p)[0]:
            result[play] = Fraction(0)
        else:
            result[play] = max(Fraction(0), raw_score(seen, play, p))
    # The Guard weighs as one card, however many guesses there are.
    chances: dict[str, Fraction] = {}
    for play in plays:
        card, target, guess = parts(play)
        if card == GUARD and target:
            chances[play] = p[target][guess]
    total = sum(chances.values(), Fraction(0))
    for play, chance in chances.items():
        share = chance / total if total else Fraction(1, len(chances))
        result[play] = (1 + max(chances.values())) * share
    return result


def probabilistic(seen: Seen, bluff: bool = False) -> dict[str, Fraction]:
    """The probability of every legal play, those of probability 0 too."""
    weight = weights(seen, bluff)
    total = sum(weight.values(), Fraction(0))
    if not total:
        return {play: Fraction(1, len(weight)) for play in weight}
    return {play: w / total for play, w in weight.items()}
