"""Sums of pairs: exact, the same whatever the parts, and what single games give."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kibitz.arena.comparison import match_line, table_line
from kibitz.arena.plan import Failure, Part, PlayedPart, seat_orders
from kibitz.arena.run import LineupRun
from kibitz.arena.tally import Tally
from kibitz.core.registry import make_game, make_strategy
from tests.arena import recount
from tests.arena.recount import Seated, close

NAMES = ("ann", "bob", "cem", "dot")
KINDS = {
    "two": (2, 1, "love-letter"),
    "three": (3, 1, "love-letter:players=3"),
    "four": (4, 1, "love-letter:players=4"),
    "partners": (4, 2, "tablic:players=4"),
}


@dataclass(frozen=True)
class Case:
    """Results of pairs, and where to cut them."""

    whole: PlayedPart
    parts: tuple[PlayedPart, ...]
    unit: str


@st.composite
def cases(draw: st.DrawFn, players: int, partners: int) -> Case:
    pairs = draw(st.integers(2, 12))
    unit = draw(st.sampled_from(["game", "match"]))
    values = st.integers(-3, 3) if unit == "game" else st.integers(0, 9)
    failures: list[Failure] = []
    rows = []
    for pair in range(pairs):
        row: list[int] = []
        for order in range(len(seat_orders(players))):
            game = draw(st.lists(values, min_size=players, max_size=players))
            if partners == 2:
                game = partnered(game, seat_orders(players)[order])
            elif players == 2 and unit == "game":
                game = [game[0], -game[0]]
            if draw(st.booleans()) and draw(st.booleans()):
                failed = draw(st.integers(0, players - 1))
                sides = players // partners
                side = [seat % sides for seat in range(players)]
                seat = seat_orders(players)[order].index
                game = [-1 if side[seat(j)] == side[seat(failed)] else 1 for j in range(players)]
                failures.append(Failure(pair, order, failed, f"failed in {pair}"))
            row += game
        rows.append(row)
    decisions = draw(
        st.lists(
            st.lists(st.integers(0, 50), min_size=players, max_size=players),
            min_size=pairs, max_size=pairs,
        )
    )  # fmt: skip
    whole = PlayedPart(
        0, np.array(rows, float), np.array(decisions), (0.0,) * players, tuple(failures)
    )
    cuts = sorted(draw(st.sets(st.integers(1, pairs - 1))))
    edges = [0, *cuts, pairs]
    parts = [whole.within(a, b) for a, b in pairwise(edges)]
    return Case(whole, tuple(draw(st.permutations(parts))), unit)


def partnered(game: list[int], seating: tuple[int, ...]) -> list[int]:
    """Who sits opposite has the same result."""
    shared = [game[seat % 2] for seat in range(4)]
    return [shared[seating.index(player)] for player in range(4)]


def seated(case: Case, players: int) -> list[Seated]:
    failed = {(f.pair, f.order, f.player) for f in case.whole.failures}
    return [
        Seated(
            pair, order, seating.index(j), NAMES[j],
            float(row[order * players + j]), (pair, order, j) in failed,
        )
        for pair, row in enumerate(case.whole.results)
        for order, seating in enumerate(seat_orders(players))
        for j in range(players)
    ]  # fmt: skip


def figures(tally: Tally) -> dict[str, Any]:
    """All that it counts, as plain numbers, failures in order."""
    fields = asdict(tally)
    fields["failures"] = sorted(fields["failures"], key=lambda f: (f["pair"], f["order"]))
    fields["teams"] = [plain(team) for team in fields["teams"]]
    return plain(fields)


def plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in fields.items()}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_sums_do_not_depend_on_parts_or_their_order(kind: str, data: st.DataObject) -> None:
    players, partners, _ = KINDS[kind]
    case = data.draw(cases(players, partners))
    at_once, bit_by_bit, joined = (Tally(players, partners, case.unit) for _ in range(3))
    at_once.add(case.whole)
    for part in case.parts:
        bit_by_bit.add(part)
        own = Tally(players, partners, case.unit)
        own.add(part)
        joined += own
    assert figures(at_once) == figures(bit_by_bit) == figures(joined)


def counted(kind: str, case: Case, ends: list[int]) -> LineupRun:
    players, _, game = KINDS[kind]
    strategies = (make_strategy("random"),) * players
    part = Part(make_game(game), strategies, 0, case.unit, None)
    lineup = LineupRun(part, len(case.whole.results), ends, None)
    for one in case.parts:
        lineup.count(one)
    return lineup


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_figures_are_those_of_the_single_games(kind: str, data: st.DataObject) -> None:
    players, partners, _ = KINDS[kind]
    case = data.draw(cases(players, partners))
    pairs = len(case.whole.results)
    ends = sorted({*data.draw(st.sets(st.integers(1, pairs))), pairs})
    lineup = counted(kind, case, ends)
    rows, names = seated(case, players), NAMES[:players]
    if players == 2:
        line = asdict(match_line(names, lineup.total, lineup))
        wanted = recount.match_line(rows, names[0], names[1], case.unit)
        assert {key: line[key] for key in wanted}.keys() == wanted.keys()
        assert close({key: line[key] for key in wanted}, wanted)
    else:
        assert close(
            asdict(table_line(names, lineup.total)), recount.table_line(rows, names, partners)
        )
    assert lineup.total.decisions.tolist() == case.whole.decisions.sum(axis=0).tolist()


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_what_is_within_is_a_cut_of_the_whole(data: st.DataObject) -> None:
    case = data.draw(cases(3, 1))
    n = len(case.whole.results)
    start, end = sorted(data.draw(st.tuples(st.integers(0, n + 3), st.integers(0, n + 3))))
    assume(start < end)
    cut = case.whole.within(start, end)
    assert cut.results.tolist() == case.whole.results[start:end].tolist()
    assert cut.decisions.tolist() == case.whole.decisions[start:end].tolist()
    assert set(cut.failures) == {f for f in case.whole.failures if start <= f.pair < end}
    assert not len(cut.results) or cut.start == start


def test_seconds_of_a_cut_add_up_to_those_of_the_whole() -> None:
    whole = PlayedPart(5, np.zeros((8, 4)), np.zeros((8, 2), np.int64), (4.0, 1.0))
    cuts = [whole.within(a, b) for a, b in ((0, 7), (7, 8), (8, 50))]
    assert np.sum([cut.seconds for cut in cuts], axis=0).tolist() == [4.0, 1.0]


def test_a_pair_in_which_all_tie_is_shared_by_all() -> None:
    tally = Tally(3)
    tally.add(PlayedPart(0, np.zeros((2, 18)), np.ones((2, 3), np.int64), (0.0,) * 3))
    assert (tally.wins.tolist(), tally.shared.tolist()) == ([0, 0, 0], [12, 12, 12])
    assert tally.shared_games == 12
    assert [tally.score_sums(k) for k in range(3)] == [(2, 2 / 3, 2 / 9)] * 3
    assert tally.first_share == 1 / 3
