"""Games as trees with chance nodes: where cards fall, what seats are told, other worlds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import BadValue, IllegalPlay, UnsuitableGame
from kibitz.core.game import CHANCE
from kibitz.core.position import Position
from kibitz.core.registry import make_game
from kibitz.interop import extensive_form
from kibitz.interop.extensive_form import ExtensiveForm, FormNode, turns_to
from kibitz.interop.resampling import Resampler
from kibitz.jit.rng import stream
from tests.games.boards import SPECS, compiled_game, few

every_game = pytest.mark.parametrize("spec", SPECS)
LOTTERY = ["love-letter:tie=random", "love-letter:players=3,tie=random"]
HIDDEN = [spec for spec in SPECS if compiled_game(spec).traits.hidden]
TIED = 119
"""Among the first random games of this seed one is tied."""


def courses(form: ExtensiveForm, games: int, seed: int = 0) -> Iterator[list[FormNode]]:
    """The nodes of random games."""
    source = random.Random(seed)
    for _ in range(games):
        nodes = [form.root]
        while nodes[-1].mover is not None:
            nodes.append(nodes[-1].child(source.choice(nodes[-1].actions)))
        yield nodes


def some(nodes: list[FormNode], spec: str) -> list[FormNode]:
    """Of a game of Tablić, which is long, not all nodes are looked at."""
    return nodes[::7] if "tablic" in spec else nodes


@every_game
def test_probabilities_add_up_and_games_are_no_longer_than_said(spec: str) -> None:
    form = ExtensiveForm(compiled_game(spec))
    for nodes in courses(form, few(10, 2)):
        chance = [node for node in nodes if node.mover == CHANCE]
        for node in chance:
            assert sum(p for _, p in node.outcomes()) == pytest.approx(1)
            assert all(0 <= outcome < form.most_outcomes for outcome, _ in node.outcomes())
            names = [node.name(CHANCE, outcome) for outcome in node.actions]
            assert len(set(names)) == len(names)
        assert len(chance) <= form.longest_chance
        assert len(nodes) - 1 - len(chance) <= form.longest
        turns = nodes[-1].turns
        assert not form.rows or (turns is not None and turns.number <= form.rows)


@pytest.mark.parametrize(
    ("spec", "plays", "actions"),
    [
        ("kuhn-poker", 3, 3), ("leduc-poker", 8, 8), ("coin-game", 2, 2), ("tic-tac-toe", 9, 9),
        ("divisible-by-four", 3, 3), ("twenty-one", 6, 6), ("paper-rock-scissors", 2, 2),
        ("hidden-paper-rock-scissors", 2, 2), ("connect-four", 42, 42), ("love-letter", 10, 10),
        ("love-letter:deck=thesis", 9, 9), ("love-letter:players=4", 11, 11), ("tablic", 48, 148),
    ],
)  # fmt: skip
def test_how_long_a_game_may_be(spec: str, plays: int, actions: int) -> None:
    assert ExtensiveForm(spec).codec.longest == (plays, actions)


@pytest.mark.parametrize(
    "spec", ["kuhn-poker", "leduc-poker", "coin-game", "divisible-by-four", "twenty-one"]
)
def test_the_longest_game_is_as_long_as_is_said(spec: str) -> None:
    form = ExtensiveForm(spec)

    def depth(node: FormNode) -> int:
        below = max((depth(node.child(action)) for action in node.actions), default=0)
        return below + (node.mover is not None and node.mover != CHANCE)

    assert depth(form.root) == form.longest


# -- where cards fall --------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["love-letter", "love-letter:players=3", "tablic"])
def test_a_course_is_the_game_that_is_dealt_so(spec: str) -> None:
    """All cards put down in the order in which they fell, and the same plays made."""
    form = ExtensiveForm(spec)
    game: Any = form.game
    for nodes in courses(form, few(10, 2)):
        end = nodes[-1]
        state = form.dealer.deal(end.fallen)
        for turn in turns_to(end.turns):
            assert game.view(state, turn.mover).state == game.view(turn.state, turn.mover).state
            state = game.after(state, game.name_play(state, turn.play.code))
        assert game.returns(state) == end.returns


def test_a_card_falls_where_it_is_drawn() -> None:
    """Love Letter for two: three face up, two hands and the first draw; then one with each play,
    and one more for a Prince who makes somebody draw."""
    form = ExtensiveForm("love-letter")
    for nodes in courses(form, few(50, 10), seed=3):
        fell = 0
        for node in nodes:
            if node.mover == CHANCE:
                fell += 1
            elif node.turns is None:
                assert fell == 6
                fell = 0
            elif node.mover is not None:
                play = str(node.turns.play)
                x, before = node.state[0], node.turns.state[0]
                assert fell == int(before.left) - int(x.left)
                assert fell == 1 or (fell == 2 and play.startswith("prince"))
                fell = 0


def test_cards_fall_as_often_as_they_are_left() -> None:
    form = ExtensiveForm("love-letter")
    assert dict(form.root.outcomes()) == {
        0: 5 / 16, 1: 2 / 16, 2: 2 / 16, 3: 2 / 16, 4: 2 / 16, 5: 1 / 16, 6: 1 / 16, 7: 1 / 16,
    }  # fmt: skip
    after = form.root.child(7).child(0)
    assert dict(after.outcomes())[0] == 4 / 14
    assert 7 not in after.actions
    fixed = ExtensiveForm("love-letter:face_up=priest priest countess")
    assert dict(fixed.root.outcomes()) == {
        0: 5 / 13, 2: 2 / 13, 3: 2 / 13, 4: 2 / 13, 5: 1 / 13, 7: 1 / 13,
    }  # fmt: skip


def test_ties_are_decided_by_the_lot_that_fell() -> None:
    form = ExtensiveForm("love-letter:tie=random")
    assert [form.root.name(CHANCE, lot) for lot in form.root.actions] == ["lot 1", "lot 2"]
    ends = (nodes[-1] for nodes in courses(form, 10, seed=TIED))
    tied = next(end for end in ends if end.state[0].best == 3)
    lot, *cards = tied.fallen
    node = form.root.child(1 - lot)
    for actions in [(), *(turn.actions for turn in turns_to(tied.turns))]:
        for action in actions:
            node = node.child(action)
        while node.mover == CHANCE:
            node = node.child(cards.pop(0))
    assert sorted([tied.returns, node.returns]) == [(-1.0, 1.0), (1.0, -1.0)]
    assert (tied if lot == 0 else node).returns == (1.0, -1.0)


def test_a_game_that_lists_its_deals_has_one_chance_node() -> None:
    form = ExtensiveForm("kuhn-poker")
    assert [p for _, p in form.root.outcomes()] == pytest.approx([1 / 6] * 6)
    assert form.root.name(CHANCE, 1) == "hand1=J; hand2=K; first=1"
    assert all(form.root.child(deal).mover == 0 for deal in form.root.actions)


def test_a_game_that_does_not_say_how_it_is_dealt_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = make_game("love-letter")
    monkeypatch.setattr(type(game), "card_by_card", "")
    with pytest.raises(UnsuitableGame, match="has no tree: love-letter has too many deals to list"):
        ExtensiveForm(game)


def test_a_tree_that_grows_too_large_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extensive_form, "KEPT", 5)
    form = ExtensiveForm("twenty-one")
    root = form.root
    for nodes in courses(form, 5):
        assert nodes[-1].mover is None
    assert form.root is not root


# -- what seats are told -----------------------------------------------------------------------


@every_game
def test_information_states_are_those_of_the_codec(spec: str) -> None:
    """Put together turn by turn, they are the same as from the view of a position."""
    form = ExtensiveForm(compiled_game(spec))
    game: Any = form.game
    for nodes in courses(form, few(3, 1), seed=1):
        for node in some(nodes, spec):
            if node.falling or node.picked:
                continue
            position = Position(game, node.state, turns=past(node))
            if game.traits.chance.value == "play":  # what chance did stands in no position's turns
                continue
            for seat in range(game.players):
                view = position.view(seat)
                assert form.info_text(node, seat) == form.codec.info_string(view)
                assert (
                    form.observation(node, seat).tolist() == form.codec.observation(view).tolist()
                )


def past(node: FormNode) -> tuple[tuple[Any, Any], ...]:
    """The turns to a node as a position has them."""
    return tuple((turn.state, turn.play) for turn in turns_to(node.turns))


@pytest.mark.parametrize("spec", HIDDEN)
def test_an_earlier_information_state_is_the_beginning_of_a_later_one(spec: str) -> None:
    form = ExtensiveForm(compiled_game(spec))
    for nodes in courses(form, few(5, 1), seed=2):
        before = [""] * form.game.players
        for node in nodes:
            if not node.picked:
                texts = [form.info_text(node, seat) for seat in range(form.game.players)]
                assert all(map(str.startswith, texts, before))
                before = texts


@pytest.mark.parametrize("spec", [spec for spec in HIDDEN if "tablic" not in spec])
def test_numbers_recall_as_much_as_texts(spec: str) -> None:
    """Two nodes have the same numbers where they have the same text. In Tablić, whose numbers tell
    kinds of cards and not suits, fewer do."""
    form = ExtensiveForm(compiled_game(spec))
    texts: dict[bytes, str] = {}
    for nodes in courses(form, few(40, 4), seed=4):
        for node in nodes:
            if node.mover in (CHANCE, None):
                continue
            for seat in range(form.game.players):
                rows = form.rows_so_far(node, seat)
                key = bytes([seat]) + form.observation(node, seat).tobytes() + rows.tobytes()
                text = form.info_text(node, seat)
                assert texts.setdefault(key, text) == text
    assert len(texts) == len(set(texts.values()))


def test_nobody_sees_the_others_choice_before_the_play_is_whole() -> None:
    form = ExtensiveForm("tablic")
    for nodes in courses(form, few(3, 1)):
        for node, after in pairwise(nodes):
            if after.picked:
                other = 1 - node.mover  # type: ignore[operator]
                assert form.info_text(after, other) == form.info_text(node, other)
                assert form.info_text(after, node.mover) != form.info_text(node, node.mover)  # type: ignore[arg-type]


def test_what_is_not_possible_is_refused() -> None:
    form = ExtensiveForm("love-letter")
    with pytest.raises(IllegalPlay):
        form.root.child(8)
    with pytest.raises(BadValue, match="cards fall here"):
        form.view(form.root, 0)
    with pytest.raises(BadValue, match="where somebody is to move"):
        Resampler(form).draw(form.root, 0, stream(1))


# -- worlds that look alike --------------------------------------------------------------------


@pytest.mark.parametrize("spec", [*HIDDEN, *LOTTERY])
def test_worlds_are_drawn_from_what_is_seen_alone(spec: str) -> None:
    """A world looks the same to the seat, and from it the same lots lead to the same world."""
    form = ExtensiveForm(make_game(spec))
    resampler = Resampler(form)
    source, others = random.Random(6), 0
    for nodes in courses(form, 1 if "tablic" in spec else few(8, 2), seed=7):
        for node in some(nodes, spec):
            if node.mover in (CHANCE, None):
                continue
            seat, lots = source.randrange(form.game.players), source.randrange(1 << 40)
            course = resampler.draw(node, seat, stream(lots))
            world = at(form, course)
            assert form.info_text(world, seat) == form.info_text(node, seat)
            assert world.mover == node.mover
            assert np.array_equal(form.observation(world, seat), form.observation(node, seat))
            assert np.array_equal(form.rows_so_far(world, seat), form.rows_so_far(node, seat))
            assert Resampler(form).draw(world, seat, stream(lots)) == course
            others += at(form, course).fallen != node.fallen or world.turns is not node.turns
    assert others


def at(form: ExtensiveForm, course: tuple[int, ...]) -> FormNode:
    node = form.root
    for action in course:
        node = node.child(action)
    return node


def test_each_world_is_as_likely_as_its_deal() -> None:
    """Leduc at the first decision: by how many copies there are of each card."""
    form = ExtensiveForm("leduc-poker")
    resampler = Resampler(form)
    deal = form.root.child(0)
    assert form.root.name(CHANCE, 0).startswith("hand1=J; hand2=J")
    drawn = Counter(resampler.draw(deal, 0, stream(seed)) for seed in range(few(4000, 500)))
    total = drawn.total()
    chances = {
        (outcome,): p * 3  # a third of the deals give a Jack
        for outcome, p in form.root.outcomes()
        if form.root.name(CHANCE, outcome).startswith("hand1=J")
    }
    assert drawn.keys() == chances.keys()
    for course, chance in chances.items():
        assert abs(drawn[course] / total - chance) < 5 * (chance / total) ** 0.5


def test_worlds_of_love_letter_are_those_of_the_game() -> None:
    """The hands that are drawn are as likely as those that `redeal` deals."""
    form = ExtensiveForm("love-letter:players=3")
    resampler = Resampler(form)
    (nodes,) = courses(form, 1, seed=31)
    node = next(n for n in nodes if n.turns is not None and n.turns.number == 3 and not n.falling)
    assert node.mover is not None
    seat = node.mover
    view = form.game.view(node.state, seat)
    n = few(1500, 200)
    drawn = Counter(
        tuple(at(form, resampler.draw(node, seat, stream(i))).state[0].hand) for i in range(n)
    )
    dealt = Counter(tuple(form.game.redeal(view, stream(i, 1))[0].hand) for i in range(n))
    assert len(drawn) > 3
    for hands in drawn | dealt:
        spread = (drawn[hands] + dealt[hands] + 1) ** 0.5
        assert abs(drawn[hands] - dealt[hands]) < 5 * spread
