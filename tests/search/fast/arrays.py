"""What the tests of the compiled searches share: a search with arrays of its own, and deals of
Tablić in which much happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from kibitz.games.compiled_game import CompiledGame
from kibitz.games.tablic.cards import NAMES
from kibitz.games.tablic.game import Tablic
from kibitz.jit.kernels import bind
from kibitz.jit.rng import below, stream
from kibitz.search.fast import alpha_beta
from kibitz.search.fast.alpha_beta import Workspace, clear, new_workspace
from kibitz.search.fast.open_cards import open_cards
from kibitz.search.fast.transposition_table import ENTRY, GENERATIONS
from kibitz.table.table import Table
from tests.games.boards import compiled_game, few

compiled_only = pytest.mark.compiled_only
MANY = bool(few(1, 0))
"""Whether so many games are tried that everything is met."""
NO_WEIGHTS = (0.0, 0.0)


def tables(spec: str, games: int) -> Iterator[Table]:
    """Tables of random games, before each decision with a choice."""
    game = compiled_game(spec)
    for seed in range(games):
        rng = stream(seed, 19)
        table = Table(game, seed, seed % game.players)
        while not table.is_over:
            plays = [p for p in game.plays(table.state) if p.code != game.kernels.NEVER_AT_RANDOM]
            if len(game.plays(table.state)) > 1:
                yield table
            table.play(plays[below(rng, len(plays))])


class Search:
    """The compiled alpha-beta of a game, with a table of so many entries, to so many plies."""

    def __init__(
        self, game: CompiledGame, entries: int | None = None, max_depth: int | None = None
    ) -> None:
        self.game = game
        self.twin = open_cards(game)
        stack = np.zeros(self.twin.MAX_PLIES + 3, self.twin.STATE)
        table = np.zeros(self.twin.TABLE_ENTRIES if entries is None else entries, ENTRY)
        depth = self.twin.MAX_PLIES if max_depth is None else max_depth
        capacity = self.twin.PLAYS_CAPACITY
        self.work: Workspace = new_workspace.function(
            stack, table, np.array(NO_WEIGHTS), capacity, 0, depth
        )
        self.world = -1

    @property
    def nodes(self) -> int:
        return int(self.work.control[0].nodes)

    def new_world(self, state: Any, replying: int = -1) -> None:
        """Forget what the table has. The others answer greedily if `replying` is a seat."""
        self.world += 1
        if self.world % GENERATIONS == 0:
            clear(self.work.table)
        self.twin.set_up(state, self.work.stack[0:1])
        if replying >= 0:
            self.twin.fix_replies(self.work.stack[0:1], replying)

    def play_values(
        self, state: Any, seat: int, weights: Sequence[float] = NO_WEIGHTS, replying: int = -1
    ) -> dict[int, float]:
        """The value of each legal play, by its number."""
        self.new_world(state, replying)
        plays = self.game.kernels.legal(state)
        values = np.zeros(len(plays))
        bind(alpha_beta.value_plays, twin=self.twin)(
            self._for(seat, weights), plays, np.arange(len(plays)), values, np.int64(self.world)
        )
        return dict(zip(plays.tolist(), values.tolist(), strict=True))

    def within(self, seat: int, low: float, high: float, weights: Sequence[float]) -> float:
        """What a search of the world within limits gives."""
        work = self._for(seat, weights)
        work.control[0].generation = 1 + self.world % GENERATIONS
        return float(bind(alpha_beta.search, twin=self.twin)(work, np.int64(0), low, high))

    def _for(self, seat: int, weights: Sequence[float]) -> Workspace:
        self.work.control[0].seat = seat
        return self.work._replace(weights=np.array(weights))


LIVELY, TWINS = (
    [card for card in NAMES if card[:-1] in ranks.split()] for ranks in ("A 2 3 8 10 Q", "A 2 8 10")
)
"""Cards that capture each other in many ways, and those that do with 10♦ and 2♣."""


def composed(
    game: Tablic, source: Random, held: int, deals: int, spread: int, cards: Sequence[str] = LIVELY
) -> Any:
    """A position late in a deal, so many deals before the last: each seat holds so many cards,
    or one less if it has played, and up to `spread` lie on the table."""
    n = game.players
    sizes = {2: (0, 12, 24, 36), 3: (0, 12, 30), 4: (0, 24)}[n]
    played = source.randrange(n)
    dealer = source.randrange(n)
    turn = (dealer + 1 + played) % n
    seats = [(dealer + 1 + i) % n for i in range(n)]
    counts = {seat: held - (i < played) for i, seat in enumerate(seats)}
    on_table = source.randrange(spread + 1)
    first = source.sample(cards, sum(counts.values()) + on_table)
    rest = source.sample([card for card in NAMES if card not in first], 52 - len(first))
    fields = {"table": take(first, on_table), "deck": take(rest, sizes[deals])}
    for seat in range(n):
        fields[f"hand{seat + 1}"] = take(first, counts[seat])
    piles = sorted(source.sample(range(len(rest) + 1), n - 1))
    for seat, (start, end) in enumerate(zip([0, *piles], [*piles, len(rest)], strict=True)):
        fields[f"pile{seat + 1}"] = " ".join(rest[start:end]) or "none"
        if end > start:
            fields[f"tablas{seat + 1}"] = str(source.randrange(3))
    owners = [seat for seat in range(1, n + 1) if fields[f"pile{seat}"] != "none"]
    fields |= {"dealer": str(dealer + 1), "turn": str(turn + 1)}
    fields["last"] = str(source.choice(owners))
    return game.parse_position("; ".join(f"{key}={text}" for key, text in fields.items()))


def take(cards: list[str], n: int) -> str:
    """The first n of these cards, which lose them, as text."""
    taken, cards[:] = cards[:n], cards[n:]
    return " ".join(taken) or "none"


def many_composed(
    game: Tablic,
    n: int,
    held: int,
    deals: Sequence[int],
    spread: int = 3,
    cards: Sequence[str] = LIVELY,
) -> Iterator[tuple[Any, Random]]:
    """Positions in these deals in turn, 0 for the last one; each with a source of chance for
    what is left to choose."""
    for number in range(n):
        source = Random(f"{game} {held} {number}")
        yield composed(game, source, held, deals[number % len(deals)], spread, cards), source
