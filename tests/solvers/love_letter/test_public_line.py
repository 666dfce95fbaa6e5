"""A round of Love Letter that is played, followed through the public states of a solution."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kibitz.core.game import View
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.love_letter.cards import BARON, COPIES, GUARD, HANDMAID, NAMES, PRIEST
from kibitz.games.love_letter.cards import unseen as unseen_after
from kibitz.jit.rng import stream
from kibitz.solvers.love_letter.public_line import LinePosition, PublicLine, play_code
from kibitz.solvers.love_letter.public_states import PublicStates, start
from kibitz.solvers.love_letter.public_tree import tree_of, unseen_in
from kibitz.solvers.love_letter.solver import EVEN, Round, Solver
from kibitz.strategies.love_letter import equilibrium
from kibitz.strategies.love_letter.equilibrium import rest_of, unseen, what_was_seen
from tests.search.fast.arrays import compiled_only

pytestmark = compiled_only

GAME: Any = make_game("love-letter")
FACE_UP = (2, 2, 7)


@pytest.fixture(scope="module")
def opening() -> PublicLine:
    """All plays that the reductions leave, equally often."""
    states = PublicStates()
    root = states.add(start(unseen_after("published", FACE_UP), False, EVEN, EVEN))
    tree = tree_of(states)
    ones = np.ones(int(tree.states["regrets"].max()), np.uint16)
    return PublicLine(tree, lambda state, lead: ones, LinePosition(ones, root, 0, 0))


def shuffled(lots: random.Random) -> Any:
    cards = [card for card in range(1, 9) for _ in range(COPIES["published"][card])]
    for card in FACE_UP:
        cards.remove(card)
    lots.shuffle(cards)
    return GAME.deal_deck([cards[0], *FACE_UP, *cards[1:]])


def played(state: Any, lines: list[PublicLine], lots: random.Random) -> Iterator[Any]:
    """The states of a round, each seat with a line of its own, by what it sees."""
    while not GAME.is_over(state):
        yield state
        seat = GAME.mover(state)
        x = state[0]
        options = lines[seat].options(int(x.hand[seat]), int(x.drawn))
        (option,) = lots.choices(options, [option.probability for option in options])
        code = play_code(option.play, seat, bool(x.protected >> (1 - seat) & 1))
        play = next(play for play in GAME.plays(state) if play.code == code)
        after = GAME.after(state, play)
        for watcher, line in enumerate(lines):
            before, then = (GAME.view(s, watcher).state[0] for s in (state, after))
            assert GAME.is_over(after) or line.go(*what_was_seen(before, code, then, watcher))
        state = after
    yield state


def test_both_see_the_public_state_that_the_table_has(opening: PublicLine) -> None:
    lots = random.Random(4)
    shown = 0
    for _ in range(150):
        lines = [opening.copy(), opening.copy()]
        for state in played(shuffled(lots), lines, lots):
            if GAME.is_over(state):
                continue
            x, positions = state[0], [line.position for line in lines]
            assert (positions[0].state, positions[0].base) == (
                positions[1].state,
                positions[1].base,
            )
            here = positions[0].state
            assert tuple(unseen_in(opening.tree, here)) == unseen(GAME, x)
            protected = opening.tree.states[here]["protected"]
            assert protected == x.protected >> (1 - x.turn) & 1
            shown += int(x.known.any())
    assert shown > 20


def test_plays_that_the_solution_does_not_know(opening: PublicLine) -> None:
    line = opening.copy()
    assert not line.go(8)  # a Priest, who lies face up
    assert line.position == opening.position


def test_idle_words_do_not_lead_away(opening: PublicLine) -> None:
    """Both Priests lie face up. To name one is as if the next card had been named, or the one
    after that if we hold the next."""
    for held, taken_for in ((BARON, HANDMAID), (GUARD, BARON)):
        line, other = opening.copy(), opening.copy()
        assert line.go(PRIEST - 2, held=held)
        assert other.go(taken_for - 2)
        assert line.position == other.position != opening.position


def test_equilibrium_plays_by_the_book_after_an_idle_word() -> None:
    """Else whoever names a card that nobody can hold would make it guess."""
    lots, met = random.Random(3), 0
    for _ in range(12):
        state = shuffled(lots)
        idle = GUARD | 2 << 4 | PRIEST << 8
        play = next((play for play in GAME.plays(state) if play.code == idle), None)
        if play is not None:
            after = GAME.after(state, play)
            past = ((GAME.view(state, 1).state, play),)
            view = View(GAME, 1, GAME.view(after, 1).state, (), past)
            player: Any = make_strategy("equilibrium").sit(GAME, 1, stream(3, 1))
            player.before = None
            assert player.choose(view) in GAME.plays(after)
            met += 1
    assert met > 1


def test_a_match_between_solutions_comes_to_the_value() -> None:
    """Four cards in the deck: 3000 rounds, hands and deck drawn as the position has them."""
    rest = [1, 1, 2, 3, 4, 5, 8]
    seen = "face_up=guard guard guard; discards1=priest baron"
    seen += "; discards2=handmaid prince king countess"
    solver = Solver(Round(unseen_after("published", (1, 1, 1, 2, 3, 4, 5, 6, 7)), lead=5 - 22))
    solution = solver.solve(1e-3)
    lots, won = random.Random(8), []
    for _ in range(3000):
        lots.shuffle(rest)
        names = [NAMES[card] for card in rest]
        state = GAME.parse_position(
            f"{seen}; hand1={names[0]} {names[1]}; hand2={names[2]}; aside={names[3]};"
            f" deck={' '.join(names[4:])}; turn=1"
        )
        lines = [solver.line(), solver.line()]
        *_, end = played(state, lines, lots)
        won.append(GAME.returns(end)[0])
    error = np.std(won) / np.sqrt(len(won))
    assert solution.low - 3.5 * error < np.mean(won) < solution.high + 3.5 * error
    assert error < 0.02


def test_the_rest_of_a_round_is_what_the_view_has() -> None:
    state = GAME.parse_position(
        "face_up=guard guard guard; discards1=priest baron; discards2=handmaid prince;"
        " hand1=guard countess; known=1>2; hand2=king; not1=baron; turn=1; protected=2"
    )
    rest = rest_of(GAME, View(GAME, 0, GAME.view(state, 0).state))
    assert rest.unseen == (2, 1, 1, 1, 1, 1, 1, 1)
    assert (rest.protected, rest.lead) == (True, 5 - 9)
    assert list(rest.ranges[1]) == [0, 0, 0, 0, 0, 1, 0, 0]
    assert rest.ranges[0][2] == 0 and rest.ranges[0][0] == 1


def test_without_a_book_equilibrium_solves_the_rest_and_follows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two of them, from five cards on, against each other: every play is legal."""
    monkeypatch.setattr(equilibrium, "find_book", lambda face_up: None)
    solved = 0
    for seed in range(6):
        state = shuffled(random.Random(seed))
        seats = [
            make_strategy("equilibrium:cards=5").sit(GAME, seat, stream(seed, seat))
            for seat in (0, 1)
        ]
        past: list[list[Any]] = [[], []]
        while not GAME.is_over(state):
            seat = GAME.mover(state)
            views = [GAME.view(state, watcher).state for watcher in (0, 1)]
            play = seats[seat].choose(View(GAME, seat, views[seat], (), tuple(past[seat])))
            for watcher in (0, 1):
                past[watcher].append((views[watcher], play))
            state = GAME.after(state, play)
        solved += sum(getattr(seat, "_solved", None) is not None for seat in seats)
    assert solved > 2
