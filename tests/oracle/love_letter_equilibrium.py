"""Two-player Love Letter as a zero-sum game of hidden information, by linear programming.

Slow and plain, to test a fast solver against. Written from RULES.md, whose numbers stand
in the comments. Nothing is reduced: every legal play is there, however foolish, and a
player remembers all that he has seen. Seat 1 is the player who is about to draw. All
payoffs and values are those of seat 1: +1 won, -1 lost, 0 tied (`tie=all`).

Against a King known to be there, a Guard wins:

>>> value(Position(count(1, 2, 2, 6), deck=1, ranges=(only(1), only(6))))
1.0

`python -m tests.oracle.love_letter_equilibrium` writes tests/data/love_letter_values.json.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix, hstack

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = CARDS = range(1, 9)
COPIES = (5, 2, 2, 2, 2, 1, 1, 1)  # 1.1

Counts: TypeAlias = tuple[int, ...]
"""How many of each card, from the Guard on."""
Range: TypeAlias = tuple[float, ...]
"""A weight for each card, from the Guard on."""
Pair: TypeAlias = tuple[int, int]
"""A number for seat 1 and one for seat 2."""
Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"


def count(*cards: int) -> Counts:
    """These cards, counted."""
    return tuple(cards.count(card) for card in CARDS)


def only(*cards: int) -> Range:
    """The hand is one of these cards."""
    return tuple(float(card in cards) for card in CARDS)


def without(*cards: int) -> Range:
    """The hand is none of these cards."""
    return tuple(float(card not in cards) for card in CARDS)


ANY = without()


@dataclass(frozen=True)
class Position:
    """What both players know when seat 1 is about to draw.

    `unseen` counts the cards in both hands, in the deck and aside; `deck` is the number
    of cards in the deck; `shield` says that seat 2 is protected; `sums` are the sums of
    the discards. Each player also knows his own card. Hands (t, o) have a weight of
    ranges[0][t] * ranges[1][o] times the ways to take t and then o from the unseen cards.
    """

    unseen: Counts
    deck: int
    shield: bool = False
    sums: Pair = (0, 0)
    ranges: tuple[Range, Range] = (ANY, ANY)

    def __post_init__(self) -> None:
        if any(len(row) != len(CARDS) for row in (self.unseen, *self.ranges)):
            raise ValueError("one number for each of the eight cards")
        if min(self.unseen) < 0 or min(*self.ranges[0], *self.ranges[1]) < 0:
            raise ValueError("no number can be below zero")
        if self.deck < 1 or sum(self.unseen) != self.deck + 3:
            raise ValueError("unseen are a deck of one or more, two hands and one card aside")
        if not hands(self):
            raise ValueError("no hands are possible")


def hands(position: Position) -> dict[Pair, float]:
    """The possible hands of seats 1 and 2, with their probabilities."""
    weights: dict[Pair, float] = {}
    for t in CARDS:
        for o in CARDS:
            ways = position.unseen[t - 1] * (position.unseen[o - 1] - (t == o))
            weight = position.ranges[0][t - 1] * position.ranges[1][o - 1] * ways
            if weight:
                weights[t, o] = weight
    total = sum(weights.values())
    return {pair: weight / total for pair, weight in weights.items()}


# --- the rules ---


class Play(NamedTuple):
    """A card, the seat that it names (0: bare) and the card that a Guard names (or 0)."""

    card: int
    target: int = 0
    guess: int = 0


Event: TypeAlias = tuple[str | int, ...]
"""One thing that a player sees:

("hold", card): this is his hand now: at the start, after a Prince or after a King
("draw", card): he draws this card for his turn
("play", seat, card, target, guess): either player plays
("shown", card): his Priest shows him this card
("discard", seat, card): a Prince makes the seat discard this card

What came of a Guard or a Baron needs no words: if somebody is out, all is over.
"""
Sees: TypeAlias = tuple[Event, ...]


class State(NamedTuple):
    """All there is, hidden or not."""

    left: Counts  # in the deck and aside; any of them may come next
    deck: int
    hands: Pair
    sums: Pair
    mover: int = 1
    drawn: int = 0  # the mover's other card; 0 before he draws
    shield: bool = False  # the mover's opponent is protected
    out: int = 0  # the seat that is out


class Outcome(NamedTuple):
    """What a play or a draw may lead to, and what each seat sees of it."""

    probability: float
    state: State
    seen: tuple[Sees, Sees]


def put(pair: Pair, seat: int, number: int) -> Pair:
    """The pair with another number for this seat."""
    return (number, pair[1]) if seat == 1 else (pair[0], number)


def shares(left: Counts) -> Iterator[tuple[int, float, Counts]]:
    """Each card that may come next, its probability, and what is left then."""
    for card in CARDS:
        copies = left[card - 1]
        if copies:
            rest = (*left[: card - 1], copies - 1, *left[card:])
            yield card, copies / sum(left), rest


def over(state: State) -> bool:
    """Between two turns: 7.1 and 7.2."""
    return bool(state.out) or not state.deck


def payoff(state: State) -> int:
    """What seat 1 has from a round that is over."""
    if state.out:  # 7.1
        return 1 if state.out == 2 else -1
    first, second = state.hands  # 7.2
    if first == second:  # 7.3, and 7.4 if these are equal too
        first, second = state.sums
    return (first > second) - (first < second)


def draws(state: State) -> list[Outcome]:
    """The mover draws (3.1); he alone sees the card."""
    branches = []
    for card, share, rest in shares(state.left):
        after = state._replace(left=rest, deck=state.deck - 1, drawn=card)
        news: Sees = (("draw", card),)
        branches.append(Outcome(share, after, (news, ()) if state.mover == 1 else ((), news)))
    return branches


def legal(state: State) -> tuple[Play, ...]:
    """The plays of a mover who has drawn; equal cards count once (3.4)."""
    me, other = state.mover, 3 - state.mover
    held = {state.hands[me - 1], state.drawn}
    if COUNTESS in held and (PRINCE in held or KING in held):  # 4.7
        return (Play(COUNTESS),)
    plays = []
    for card in sorted(held):
        if card == PRINCE:  # 5.2, 5.4
            if not state.shield:
                plays.append(Play(card, other))
            plays.append(Play(card, me))
        elif card == GUARD and not state.shield:  # 4.1
            plays += [Play(card, other, guess) for guess in CARDS if guess != GUARD]
        elif card in (PRIEST, BARON, KING) and not state.shield:  # 5.5
            plays.append(Play(card, other))
        else:  # Handmaid, Countess and Princess, or bare (5.4)
            plays.append(Play(card))
    return tuple(plays)


def outcomes(state: State, play: Play) -> list[Outcome]:
    """What the play may lead to: more than one thing only if a Prince makes a seat draw."""
    me, other = state.mover, 3 - state.mover
    card, target, guess = play
    left = state.drawn if card == state.hands[me - 1] else state.hands[me - 1]
    his = state.hands[other - 1]
    after = state._replace(
        hands=put(state.hands, me, left),
        sums=put(state.sums, me, state.sums[me - 1] + card),
        mover=other,
        drawn=0,
        shield=card == HANDMAID,  # 4.4: until his next turn, so for one turn of the other
    )
    public: Sees = (("play", me, *play),)
    mine = yours = public
    if card == PRINCESS:  # 4.8
        after = after._replace(out=me)
    elif card == GUARD and guess == his:  # 4.1
        after = after._replace(out=target)
    elif card == PRIEST and target:  # 4.2
        mine += (("shown", his),)
    elif card == BARON and target and left != his:  # 4.3
        after = after._replace(out=me if left < his else other)
    elif card == KING and target:  # 4.6
        after = after._replace(hands=put(put(after.hands, me, his), other, left))
        mine += (("hold", his),)
        yours += (("hold", left),)
    elif card == PRINCE:
        return _prince(after, target, public)
    return [Outcome(1.0, after, (mine, yours) if me == 1 else (yours, mine))]


def _prince(state: State, target: int, public: Sees) -> list[Outcome]:
    """The target discards and draws, from the deck or the card aside (4.5)."""
    card = state.hands[target - 1]
    public += (("discard", target, card),)
    if card == PRINCESS:  # 4.8
        return [Outcome(1.0, state._replace(out=target), (public, public))]
    state = state._replace(sums=put(state.sums, target, state.sums[target - 1] + card))
    branches = []
    for new, share, rest in shares(state.left):  # with no deck, only the card aside is left
        after = state._replace(
            left=rest, deck=max(state.deck - 1, 0), hands=put(state.hands, target, new)
        )
        more: Sees = (*public, ("hold", new))
        branches.append(Outcome(share, after, (more, public) if target == 1 else (public, more)))
    return branches


def deals(position: Position) -> list[Outcome]:
    """The hands at the start; each player sees his own."""
    branches = []
    for (t, o), probability in hands(position).items():
        left = list(position.unseen)
        left[t - 1] -= 1
        left[o - 1] -= 1
        state = State(tuple(left), position.deck, (t, o), position.sums, shield=position.shield)
        branches.append(Outcome(probability, state, ((("hold", t),), (("hold", o),))))
    return branches


# --- the tree ---


@dataclass(frozen=True, slots=True)
class End:
    payoff: int


@dataclass(frozen=True, slots=True)
class Chance:
    children: tuple[tuple[float, Node], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's turn. Nodes with the same seat and `sees` are one information set."""

    seat: int
    sees: Sees
    plays: tuple[Play, ...]
    children: tuple[Node, ...]


Node: TypeAlias = End | Chance | Choice


def tree(position: Position) -> Node:
    """The whole game from this position."""
    return _chance(deals(position), ((), ()), _turn)


def _chance(
    branches: list[Outcome],
    sees: tuple[Sees, Sees],
    then: Callable[[State, tuple[Sees, Sees]], Node],
) -> Chance:
    return Chance(tuple((p, then(state, _and(sees, seen))) for p, state, seen in branches))


def _and(sees: tuple[Sees, Sees], more: tuple[Sees, Sees]) -> tuple[Sees, Sees]:
    return sees[0] + more[0], sees[1] + more[1]


def _turn(state: State, sees: tuple[Sees, Sees]) -> Node:
    if over(state):
        return End(payoff(state))
    return _chance(draws(state), sees, _choice)


def _choice(state: State, sees: tuple[Sees, Sees]) -> Choice:
    plays = legal(state)
    children = []
    for play in plays:
        branches = outcomes(state, play)
        if len(branches) == 1:
            children.append(_turn(branches[0].state, _and(sees, branches[0].seen)))
        else:
            children.append(_chance(branches, sees, _turn))
    return Choice(state.mover, sees[state.mover - 1], plays, tuple(children))


# --- the sequence form ---


@dataclass(frozen=True, slots=True)
class InformationSet:
    """A sequence is all that a seat has played so far; number 0 is none yet.

    `parent` is the sequence that leads here; a play i leads on to sequence `first` + i.
    """

    sees: Sees
    plays: tuple[Play, ...]
    parent: int
    first: int

    @property
    def sequences(self) -> slice:
        return slice(self.first, self.first + len(self.plays))


Policy: TypeAlias = Callable[[Sees, tuple[Play, ...]], Mapping[Play, float]]
"""From what a player sees, and his legal plays, to the probabilities of his plays."""


class Form:
    """The sequence form of a tree: a matrix game over sequences with linear constraints."""

    def __init__(self, root: Node) -> None:
        self.sets: tuple[dict[Sees, InformationSet], ...] = ({}, {})
        self.counts = [1, 1]
        self.nodes = 0
        self._ends: dict[Pair, float] = {}
        self._walk(root, 1.0, (0, 0))
        rows, columns = zip(*self._ends, strict=True)
        # matrix[i, j]: what seat 1 gets at the ends that sequences i and j lead to
        self.matrix = csr_matrix((list(self._ends.values()), (rows, columns)), self.counts)

    def _walk(self, node: Node, probability: float, sequences: Pair) -> None:
        self.nodes += 1
        if isinstance(node, End):
            so_far = self._ends.get(sequences, 0.0)
            self._ends[sequences] = so_far + probability * node.payoff
        elif isinstance(node, Chance):
            for share, child in node.children:
                self._walk(child, probability * share, sequences)
        else:
            info_set = self._set(node, sequences[node.seat - 1])
            for i, child in enumerate(node.children):
                self._walk(child, probability, put(sequences, node.seat, info_set.first + i))

    def _set(self, node: Choice, parent: int) -> InformationSet:
        sets = self.sets[node.seat - 1]
        info_set = sets.get(node.sees)
        if info_set is None:
            info_set = InformationSet(node.sees, node.plays, parent, self.counts[node.seat - 1])
            sets[node.sees] = info_set
            self.counts[node.seat - 1] += len(node.plays)
        # One set, one choice; and who remembers all came here by the same plays of his own.
        assert (info_set.plays, info_set.parent) == (node.plays, parent)
        return info_set

    def gains(self, seat: int) -> csr_matrix:
        """What the seat gets: its own sequences down, the other's across."""
        return self.matrix if seat == 1 else -self.matrix.T.tocsr()

    def flow(self, seat: int) -> csr_matrix:
        """flow @ plan = (1, 0, 0 …): what enters an information set goes on by its plays."""
        rows, columns, signs = [0], [0], [1.0]
        for row, info_set in enumerate(self.sets[seat - 1].values(), start=1):
            entries = range(self.counts[seat - 1])[info_set.sequences]
            rows += [row] * (1 + len(entries))
            columns += [info_set.parent, *entries]
            signs += [-1.0] + [1.0] * len(entries)
        shape = (1 + len(self.sets[seat - 1]), self.counts[seat - 1])
        return coo_matrix((signs, (rows, columns)), shape).tocsr()

    def plan(self, policy: Policy, seat: int) -> Array:
        """How much the seat's policy gives to each of its sequences."""
        plan = np.zeros(self.counts[seat - 1])
        plan[0] = 1.0
        for info_set in self.sets[seat - 1].values():  # parents come first
            chances = policy(info_set.sees, info_set.plays)
            row = [chances.get(play, 0.0) for play in info_set.plays]
            if min(row) < 0 or abs(sum(row) - 1) > 1e-9 or not set(chances) <= set(info_set.plays):
                raise ValueError(f"not probabilities of legal plays: {chances} at {info_set.sees}")
            plan[info_set.sequences] = plan[info_set.parent] * np.array(row)
        return plan

    def policy(self, plan: Array, seat: int) -> Policy:
        """The policy of a plan; where the plan does not come, all plays alike."""
        sets = self.sets[seat - 1]

        def chances(sees: Sees, plays: tuple[Play, ...]) -> Mapping[Play, float]:
            row = np.maximum(plan[sets[sees].sequences], 0.0)
            if row.sum() <= 1e-12:
                row = np.ones(len(plays))
            return dict(zip(plays, (row / row.sum()).tolist(), strict=True))

        return chances

    def best(self, policy: Policy, seat: int) -> float:
        """What the seat's best response to the other's policy gets, counted for seat 1."""
        gains = self.gains(seat) @ self.plan(policy, 3 - seat)
        for info_set in reversed(self.sets[seat - 1].values()):  # children come first
            gains[info_set.parent] += gains[info_set.sequences].max()
        return float(gains[0]) if seat == 1 else -float(gains[0])

    def program(self, seat: int) -> tuple[float, Array, Array]:
        """The linear program of Koller, Megiddo and von Stengel for the seat.

        Its greatest sure gain, counted for seat 1; its plan; and the other's plan, which is
        the solution of the dual.
        """
        other = 3 - seat
        gains = self.gains(seat)
        scale = float(abs(gains).max()) or 1.0  # the solver's tolerances are absolute
        mine, yours = self.flow(seat), self.flow(other)
        # Unknowns: the plan, then for each set of the other what he leaves me there.
        cost = np.zeros(self.counts[seat - 1] + yours.shape[0])
        cost[self.counts[seat - 1]] = -1.0
        solution = linprog(
            cost,
            A_ub=hstack([-gains.T / scale, yours.T]).tocsr(),
            b_ub=np.zeros(self.counts[other - 1]),
            A_eq=hstack([mine, csr_matrix((mine.shape[0], yours.shape[0]))]).tocsr(),
            b_eq=np.eye(1, mine.shape[0])[0],
            bounds=[(0, None)] * self.counts[seat - 1] + [(None, None)] * yours.shape[0],
            method=METHOD,
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if solution.status != 0:
            raise ArithmeticError(solution.message)
        result = -float(solution.fun) * scale
        plan = solution.x[: self.counts[seat - 1]]
        return result if seat == 1 else -result, plan, -solution.ineqlin.marginals


METHOD = "highs-ds"
EXACT = 1e-7


@dataclass(frozen=True)
class Solution:
    """An equilibrium: its value for seat 1, and the policies of seats 1 and 2.

    `low` is what seat 1's policy is sure of, `high` what seat 2's concedes at most.
    """

    value: float
    low: float
    high: float
    policies: tuple[Policy, Policy]


def solve(form: Form) -> Solution:
    """Solve and check: the value is between two best responses, which are exact."""
    result, first, second = form.program(1)
    policies = form.policy(first, 1), form.policy(second, 2)
    low, high = form.best(policies[0], 2), form.best(policies[1], 1)
    if not high - EXACT <= result <= low + EXACT:
        raise ArithmeticError(f"value {result} is not from {low} to {high}")
    return Solution(result, low, high, policies)


def value(position: Position) -> float:
    """The value of the position to seat 1, to within 1e-7."""
    return round(solve(Form(tree(position))).value, 9) + 0.0  # no -0.0


def best_response(position: Position, policy: Policy, seat: int) -> float:
    """Seat 1's payoff if `seat` answers the other seat's policy as well as can be.

    So for any policy: best response of seat 2 <= value <= best response of seat 1.
    """
    return Form(tree(position)).best(policy, seat)


# --- stored values ---

VALUES = Path(__file__).parents[1] / "data" / "love_letter_values.json"
SEED = 20
DECKS = {1: 10, 2: 15, 3: 15, 4: 5}
"""How many positions with a deck of one card, of two … are stored.

The solutions computed for decks of one and two do not mix, those for four all do.
"""


def some_range(rng: random.Random, unseen: Counts) -> Range:
    """Any card, a known one, one or two that it is not, or weights of all kinds."""
    kind = rng.choice(("any", "known", "excluded", "weights"))
    held = [card for card in CARDS if unseen[card - 1]]
    if kind == "known":
        return only(rng.choice(held))
    if kind == "excluded":
        return without(*rng.sample(held, min(rng.choice((1, 2)), len(held))))
    if kind == "weights":
        return tuple(rng.choice((0.0, 0.25, 0.5, 1.0)) for _ in CARDS)
    return ANY


def some_position(rng: random.Random, deck: int) -> Position:
    """A random position with a deck of this size."""
    pack = [card for card in CARDS for _ in range(COPIES[card - 1])]
    while True:
        unseen = count(*rng.sample(pack, deck + 3))
        low = rng.randrange(16)
        sums = (low, max(low + rng.choice((-4, -1, 0, 0, 1, 4)), 0))
        ranges = some_range(rng, unseen), some_range(rng, unseen)
        try:
            return Position(unseen, deck, rng.random() < 0.25, sums, ranges)
        except ValueError:  # the ranges leave no hands
            continue


def some_positions(seed: int) -> list[Position]:
    """The positions whose values are stored."""
    rng = random.Random(seed)
    return [some_position(rng, deck) for deck, many in DECKS.items() for _ in range(many)]


def stored() -> Iterator[tuple[Position, float]]:
    """The stored positions and their values."""
    for row in json.loads(VALUES.read_text())["positions"]:
        first, second = row["ranges"]
        yield (
            Position(
                tuple(row["unseen"]),
                row["deck"],
                row["shield"],
                (row["sums"][0], row["sums"][1]),
                (tuple(first), tuple(second)),
            ),
            row["value"],
        )


def main() -> None:
    rows = []
    for position in some_positions(SEED):
        rows.append(json.dumps(asdict(position) | {"value": value(position)}))
    maker = "tests.oracle.love_letter_equilibrium.some_positions"
    head = f'{{"made_by": "{maker}", "seed": {SEED}, "positions": [\n'
    VALUES.write_text(head + ",\n".join(rows) + "\n]}\n")


if __name__ == "__main__":
    main()
