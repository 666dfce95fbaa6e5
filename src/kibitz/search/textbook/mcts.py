"""Monte Carlo tree search with UCT, for games with open cards, chance and any players.

Each iteration walks down the tree by the play with the greatest upper confidence bound

    mean + c · sqrt(ln N / n)

(c grows with the spread of the returns that were met, so that one c does for all games),
adds one node, plays at random to the end, and adds the result to every node it came
through. L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo Planning", 2006; survey:
C. Browne et al., 2012. Values are means of the mover's returns: an estimate, no proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Any, Generic

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import CHANCE, Game, P, S
from kibitz.search.textbook.result import Counts, Known, Result, at_least_one
from kibitz.search.textbook.trace import NOWHERE, Sample, Trace

NAME = "mcts"
LONGEST = 10_000


class TreeNode(Generic[P]):
    """What is known of a play: how often it was tried and what it brought whom in all."""

    __slots__ = ("children", "gains", "mover", "number", "parent", "play", "seen", "visits")

    def __init__(self, play: P | None, parent: TreeNode[P] | None, players: int) -> None:
        self.play = play
        self.parent = parent
        self.children: dict[P, TreeNode[P]] = {}
        self.visits = 0
        self.seen = 0
        """How often it could have been tried (for `ismcts.py`)."""
        self.gains = [0.0] * players
        self.mover: int | None = None
        """Who moves there, once a sample went on from it."""
        self.number = NOWHERE

    def mean(self, seat: int) -> float:
        """What a seat got on average in the games that came by here."""
        return self.gains[seat] / self.visits if self.visits else 0.0


def mcts(
    game: Game[S, P],
    state: S,
    *,
    iterations: int = 1000,
    c: float = sqrt(2),
    seed: int = 0,
    trace: Trace | None = None,
) -> Result[P]:
    """The play most often tried after so many iterations, with means for all plays."""
    if game.traits.hidden:
        instead = "ismcts or pimc" if game.players == 2 else "ismcts"
        raise UnsuitableGame(f"{NAME} needs open cards, and {game.name} hides some; try {instead}")
    at_least_one("iterations", iterations)
    tree = MonteCarloTree(game, Random(seed), c, trace)
    for _ in range(iterations):
        tree.iterate(state)
    turn = game.turn(state)
    return tree.result([play for play, _ in turn.moves], turn.mover)


class MonteCarloTree(Generic[S, P]):
    """A tree that grows by one node each iteration."""

    def __init__(self, game: Game[S, P], source: Random, c: float, trace: Trace | None) -> None:
        self.game = game
        self.source = source
        self.c = c
        self.trace = trace
        self.counts = Counts()
        self.low = [float("inf")] * game.players
        self.high = [-float("inf")] * game.players
        self.root: TreeNode[P] = TreeNode(None, None, game.players)

    def note(self, node: TreeNode[P], state: S) -> None:
        """A node is new."""
        self.counts.nodes += 1
        if self.trace is not None:
            parent = node.parent.number if node.parent else NOWHERE
            node.number = self.trace.add(node.play, parent, *self.look(state))

    def look(self, state: S) -> tuple[int | None, str]:
        """Who moves there and how it looks, for a trace."""
        mover = None if self.game.is_over(state) else self.game.mover(state)
        return mover, self.game.caption(state)

    def iterate(self, state: S) -> None:
        """One game: down the tree, out to an end, and back up."""
        if not self.root.visits:
            self.note(self.root, state)
        node, state = self.select(state)
        returns = self.roll_out(state)
        self.back_up(node, returns)

    def select(self, state: S) -> tuple[TreeNode[P], S]:
        """Walk down to a play that was never tried, and add it to the tree."""
        node = self.root
        turn = self.game.turn(state)
        while turn.mover is not None:
            node.mover = turn.mover
            if turn.mover == CHANCE:
                (i,) = self.source.choices(range(len(turn.moves)), turn.chances)
                play, state = turn.moves[i]
            else:
                play, state = self.choose(node, turn.mover, turn.moves)
            if play not in node.children:
                new = node.children[play] = TreeNode(play, node, self.game.players)
                self.note(new, state)
                return new, state
            node = node.children[play]
            turn = self.game.turn(state)
        return node, state

    def choose(self, node: TreeNode[P], seat: int, moves: Any) -> tuple[P, S]:
        """An untried move at random, or the one with the greatest upper confidence bound."""
        untried = [move for move in moves if move[0] not in node.children]
        if untried:
            return self.source.choice(untried)
        return max(moves, key=lambda move: self.bound(node, node.children[move[0]], seat))

    def bound(self, node: TreeNode[P], child: TreeNode[P], seat: int) -> float:
        """The upper confidence bound of a play."""
        return child.mean(seat) + self.spread(seat) * sqrt(log(node.visits) / child.visits)

    def spread(self, seat: int) -> float:
        """c for gains from -1 to 1; as much more as a seat's gains lie wider apart."""
        return self.c * (self.high[seat] - self.low[seat]) / 2

    def roll_out(self, state: S) -> tuple[float, ...]:
        """The returns of one random game from here."""
        self.counts.leaves += 1
        for _ in range(LONGEST):
            if self.game.is_over(state):
                return self.gains(state)
            if self.game.mover(state) == CHANCE:
                outcomes = self.game.chances(state)
                (play,) = self.source.choices(
                    [outcome for outcome, _ in outcomes], [chance for _, chance in outcomes]
                )
            else:
                plays = self.game.plays(state)
                if not plays:
                    raise BadText(
                        f"{self.game.name}: nobody can play in {state}, but it is not over"
                    )
                play = self.source.choice(plays)
            state = self.game.after(state, play)
        raise UnsuitableGame(
            f"a random game of {self.game.name} has no end after {LONGEST} plays;"
            f" {NAME} needs games that end"
        )

    def gains(self, state: S) -> tuple[float, ...]:
        """What an end brings each seat; for two, in the numbers that the tree searches use."""
        if self.game.players != 2:
            return self.game.returns(state)
        value = self.game.value(state)
        return value, -value

    def back_up(self, node: TreeNode[P] | None, returns: tuple[float, ...]) -> None:
        """Count a game's result in every node that it came by."""
        self.low = [min(pair) for pair in zip(self.low, returns, strict=True)]
        self.high = [max(pair) for pair in zip(self.high, returns, strict=True)]
        while node is not None:
            node.visits += 1
            for seat, gain in enumerate(returns):
                node.gains[seat] += gain
            if self.trace is not None:
                self.trace.visit(node.number, node.visits, node.mean(0))
            node = node.parent
        if self.trace is not None:
            what = f"a random game from there brings seat 1 {returns[0]:g}"
            self.trace.events.append(Sample(self.root.visits, what))

    def result(self, plays: Sequence[P], mover: int | None) -> Result[P]:
        """The most visited play; of equal ones the lowest."""
        seat = mover if mover is not None and mover != CHANCE else 0
        values = {
            play: Known(child.mean(seat), "≈", child.visits)
            for play in plays
            if (child := self.root.children.get(play)) is not None
        }
        best = None
        if mover != CHANCE:
            best = max(values, key=lambda play: values[play].visits, default=None)
        value = values[best].value if best is not None else self.root.mean(seat)
        return Result(value, best, values, self.line(best), self.counts, seat, exact=False)

    def line(self, best: P | None) -> tuple[P, ...]:
        """The most visited plays, as far as they were tried, until chance moves."""
        plays: list[P] = []
        node = self.root
        while best is not None:
            plays.append(best)
            node = node.children[best]
            visits = {} if node.mover == CHANCE else {p: c.visits for p, c in node.children.items()}
            best = max(visits, key=lambda play: visits[play], default=None)
        return tuple(plays)
