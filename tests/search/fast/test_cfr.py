"""CFR: known values, a plain twin that learns the same, best responses by brute force."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from kibitz.core.game import CHANCE
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.love_letter.cards import NAMES
from kibitz.search.fast.cfr import Cfr, PolicyProfile, equilibrium
from kibitz.search.fast.game_tree import GameTree, tree_of
from kibitz.search.textbook.expectiminimax import Expectiminimax
from tests.games.boards import compiled_game, few
from tests.oracle import cfr as plain
from tests.oracle.hidden_trees import dealt, kuhn_tree, love_letter_tree
from tests.search.fast.arrays import compiled_only

KUHN_VALUE = -1 / 18
RANKS = " JQK"

UNSEEN = ("guard", "guard", "priest", "baron", "prince", "princess")
DISCARDS = (("guard", "handmaid", "priest"), ("guard", "handmaid", "baron", "guard"))
LATE = (
    "face_up=prince king countess; discards1=guard handmaid priest;"
    " discards2=guard handmaid baron guard"
)
"""Love Letter with two cards in the deck, and all that is not hidden."""


@cache
def tree(spec: str, position: str = "") -> GameTree:
    game = compiled_game(spec)
    return tree_of(game, game.parse_position(position) if position else None)


def learned(tree: GameTree, algorithm: str, iterations: int, seed: int = 0) -> Cfr:
    cfr = Cfr(tree, algorithm, seed)
    cfr.run(iterations)
    return cfr


def by_view(profile: PolicyProfile) -> dict[str, dict[str, float]]:
    return {
        profile.tree.game.position(view.state): {str(play): p for play, p in plays.items()}
        for view, plays in profile.information_sets()
    }


# -- known values ------------------------------------------------------------------------


@pytest.mark.parametrize(("algorithm", "within"), [("cfr", 2e-3), ("cfr+", 1e-5)])
@compiled_only
def test_value_of_kuhn_poker(algorithm: str, within: float) -> None:
    profile = learned(tree("kuhn-poker"), algorithm, 20_000).average_policy
    assert 0 <= profile.exploitability < within
    # Both the value of the profile and that of the game lie between what the best responses leave.
    assert abs(profile.value - KUHN_VALUE) <= 2 * profile.exploitability


@compiled_only
def test_equilibrium_of_kuhn_poker() -> None:
    """Kuhn 1950: seat 1 may bluff as often as it likes up to 1/3, the rest follows."""
    plays = by_view(learned(tree("kuhn-poker"), "cfr+", 20_000).average_policy)

    def bets(view_text: str) -> float:
        return plays[f"{view_text}; first=1"]["bet"]

    bluff = bets("hand1=J")
    assert 0 <= bluff <= 1 / 3 + 1e-3
    expected = {
        "hand1=Q": 0,
        "hand1=K": 3 * bluff,
        "hand1=J; bets=pass bet": 0,
        "hand1=Q; bets=pass bet": bluff + 1 / 3,
        "hand1=K; bets=pass bet": 1,
        "hand2=J; bets=pass": 1 / 3,
        "hand2=Q; bets=pass": 0,
        "hand2=K; bets=pass": 1,
        "hand2=J; bets=bet": 0,
        "hand2=Q; bets=bet": 1 / 3,
        "hand2=K; bets=bet": 1,
    }
    assert {view_text: bets(view_text) for view_text in expected} == pytest.approx(
        expected, abs=5e-3
    )


@pytest.mark.parametrize(("algorithm", "expected"), [("cfr", 0.095716), ("cfr+", 0.013416)])
def test_leduc_poker_is_as_exploitable_as_after_open_spiels_iterations(
    algorithm: str, expected: float
) -> None:
    """OpenSpiel 2.0.2: CFRSolver and CFRPlusSolver, 100 iterations, exploitability."""
    profile = learned(tree("leduc-poker"), algorithm, 100).average_policy
    assert profile.exploitability == pytest.approx(expected, abs=5e-7)


def test_hidden_paper_rock_scissors_is_played_evenly() -> None:
    profile = learned(tree("hidden-paper-rock-scissors"), "cfr+", few(2000, 200)).average_policy
    assert len(profile.policy) == 6
    assert profile.policy == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "mccfr"])
def test_chance_during_play(algorithm: str) -> None:
    """Nothing is hidden, so the value is that of expectiminimax."""
    game = compiled_game("coin-game")
    profile = learned(tree("coin-game"), algorithm, few(20_000, 500)).average_policy
    value = Expectiminimax(game).run(game.deal(0)).value
    assert profile.value == pytest.approx(value, abs=0.05)
    assert value - 1e-9 <= profile.best_response(0)[0] <= value + 0.05


# -- a plain twin ------------------------------------------------------------------------


def kuhn_deal(state: Any) -> tuple[str, ...]:
    return tuple(RANKS[card] for card in state[0].cards[:2])


def love_letter_deal(state: Any) -> tuple[str, ...]:
    x = state[0]
    deck = [int(x.deck) >> 4 * i & 15 for i in range(int(x.left))]
    return tuple(NAMES[card] for card in (x.hand[0], x.drawn, x.hand[1], x.aside, *deck))


@cache
def twins(name: str) -> tuple[GameTree, plain.ChanceNode, dict[int, plain.Decision]]:
    """A compiled tree, the plain one, and for the first slot of each set the same decision there.
    Walked side by side: every deal, play, mover, end and information set must be the same."""
    ours = tree("kuhn-poker") if name == "kuhn" else tree("love-letter", LATE)
    deals: Any = kuhn_tree() if name == "kuhn" else love_letter_tree(UNSEEN, DISCARDS)
    deal_of = kuhn_deal if name == "kuhn" else love_letter_deal
    game, kernels = ours.game, ours.game.kernels
    same: dict[int, plain.Decision] = {}
    slots: dict[Any, int] = {}

    def walk(i: int, state: Any, node: plain.Node) -> None:
        nodes = ours.nodes
        owner, children = int(nodes.owner[i]), int(nodes.children[i])
        first, slot = int(nodes.first_child[i]), int(nodes.slot[i])
        if isinstance(node, plain.End):
            assert children == 0 and nodes.payoff[i] == node.value
            return
        assert isinstance(node, plain.Decision) and owner == node.seat
        assert same.setdefault(slot, node).info_set == node.info_set
        assert slots.setdefault(node.info_set, slot) == slot
        texts = [game._play_text(int(code)) for code in kernels.legal(state)]
        assert sorted(texts) == sorted(node.branches) and len(texts) == children
        for k, text in enumerate(texts):
            after = state.copy()
            kernels.apply(after, kernels.nth(state, k))
            walk(first + k, after, node.branches[text])

    assert {deal_of(ours.deals[k : k + 1]) for k in range(len(ours.deals))} == set(deals)
    for k in range(len(ours.deals)):
        assert ours.nodes.chance_reach[1 + k] == pytest.approx(1 / len(deals))
        walk(1 + k, ours.deals[k : k + 1], deals[deal_of(ours.deals[k : k + 1])])
    assert sorted(same) == sorted(ours.sets.start)
    return ours, dealt(deals), same


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
@pytest.mark.parametrize(
    ("name", "iterations"),
    [("kuhn", 100), pytest.param("love-letter", 10, marks=compiled_only)],
)
def test_plain_twin_learns_the_same(name: str, algorithm: str, iterations: int) -> None:
    ours, root, same = twins(name)
    cfr = learned(ours, algorithm, iterations)
    twin = plain.PlainCfr(root, plus=algorithm == "cfr+")
    for _ in range(iterations):
        twin.iterate()
    policy, average = cfr.average_policy.policy, twin.average_policy()
    assert cfr.average_policy.value == pytest.approx(plain.value(root, average), abs=1e-12)
    texts = [[str(play) for play in plays] for _, plays in cfr.average_policy.information_sets()]
    for start, plays in zip(ours.sets.start.tolist(), texts, strict=True):
        seen = same[start].info_set
        for slot, play in enumerate(plays, start):
            assert cfr.regrets[slot] == pytest.approx(twin.regrets[seen][play], abs=1e-11)
            assert policy[slot] == pytest.approx(average[seen][play], abs=1e-9)


# -- best responses ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seat", [0, 1])
def test_best_response_is_the_best_of_all_pure_strategies(seed: int, seat: int) -> None:
    ours, root, same = twins("kuhn")
    source = np.random.default_rng(seed)
    policy = np.concatenate([source.dirichlet([0.5] * plays) for plays in ours.sets.plays.tolist()])
    profile = PolicyProfile(ours, policy)
    twin = {}
    for start in ours.sets.start.tolist():
        decision = same[start]
        chances = policy[start : start + 2].tolist()
        twin[decision.info_set] = dict(zip(("pass", "bet"), chances, strict=True))
    won, response = profile.best_response(seat)
    assert profile.value == pytest.approx(plain.value(root, twin), abs=1e-12)
    assert won == pytest.approx(plain.best_response(root, twin, seat), abs=1e-12)
    assert (response.value if seat == 0 else -response.value) == pytest.approx(won, abs=1e-12)


@pytest.mark.parametrize("spec", ["leduc-poker", "love-letter"])
@compiled_only
def test_best_response_wins_what_it_says(spec: str) -> None:
    profile = learned(tree(spec, LATE if spec == "love-letter" else ""), "cfr", 5).average_policy
    for seat, sign in ((0, 1), (1, -1)):
        won, response = profile.best_response(seat)
        assert sign * response.value == pytest.approx(won, abs=1e-12)
        assert won > sign * profile.value
        others = np.repeat(profile.tree.sets.seat, profile.tree.sets.plays) != seat
        assert (response.policy[others] == profile.policy[others]).all()
        assert set(response.policy[~others]) == {0.0, 1.0}


# -- sampling ----------------------------------------------------------------------------


@compiled_only
def test_sampled_regrets_are_right_on_average() -> None:
    """In the first iteration seat 0 is the traverser against even play, in both kinds."""
    ours = tree("leduc-poker")
    mine = np.repeat(ours.sets.seat, ours.sets.plays) == 0
    exact = learned(ours, "cfr", 1).regrets[mine]
    samples = np.array([learned(ours, "mccfr", 1, seed).regrets[mine] for seed in range(20_000)])
    error = samples.std(axis=0) / np.sqrt(len(samples))
    assert (error > 0).all()
    assert (abs(samples.mean(axis=0) - exact) / error).max() < 5


@compiled_only
def test_sampling_comes_near_an_equilibrium() -> None:
    """The bound of Lanctot and others (theorem 5) holds with a probability of 0.99; the error
    falls as one over the square root of the iterations, here by 10 up to chance."""
    ours = tree("kuhn-poker")
    sets, spread, plays = 6, 4, 2
    few_, many = 10_000, 1_000_000
    means = {}
    for iterations in (few_, many):
        profiles = [learned(ours, "mccfr", iterations, seed).average_policy for seed in range(5)]
        bound = (1 + np.sqrt(2 / 0.01)) * sets * spread * np.sqrt(plays / iterations)
        for profile in profiles:
            assert profile.exploitability < bound
            assert abs(profile.value - KUHN_VALUE) <= 2 * profile.exploitability
        means[iterations] = np.mean([profile.exploitability for profile in profiles])
    assert means[many] < means[few_] / 5
    assert means[many] < 0.002


def test_sampling_is_a_function_of_the_seed() -> None:
    ours = tree("kuhn-poker")
    one, again, other = (learned(ours, "mccfr", 50, seed).regrets for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).any()


# -- the tree ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "nodes", "sets"), [("kuhn-poker", 55, 12), ("leduc-poker", 2041, 288)]
)
def test_size_of_the_tree(spec: str, nodes: int, sets: int) -> None:
    """Leduc by ranks: 24 deals of 85 nodes; 3 cards × 6 nodes in the first round, and
    3 × 3 × 5 × 6 in the second."""
    assert len(tree(spec).nodes.owner) == nodes
    assert len(tree(spec).sets.seat) == sets


@compiled_only
@pytest.mark.parametrize("spec", ["kuhn-poker", "leduc-poker", "love-letter"])
def test_perfect_recall(spec: str) -> None:
    """All nodes of an information set lie equally deep, and behind the same play of its seat."""
    ours = tree(spec, LATE if spec == "love-letter" else "")
    before: dict[tuple[int, int], int] = {}
    met = Counter[int]()
    nodes, sets = ours.nodes, ours.sets
    set_of = {start: i for i, start in enumerate(sets.start.tolist())}
    depths: dict[int, int] = {}
    columns = (nodes.owner, nodes.children, nodes.first_child, nodes.slot)
    for i, (owner, children, first, slot) in enumerate(np.stack(columns, 1).tolist()):
        for seat in (0, 1):
            for k in range(children):
                came = slot + k if owner == seat else before.get((i, seat), -1)
                before[first + k, seat] = came
        if owner >= 0:
            met[slot] += 1
            assert depths.setdefault(slot, nodes.depth[i]) == nodes.depth[i]
            assert sets.previous[set_of[slot]] == before[i, owner]
            assert sets.seat[set_of[slot]] == owner and sets.plays[set_of[slot]] == children
        elif owner == CHANCE:
            assert slot == -1
    assert len(met) == len(ours.sets.seat) < sum(met.values())


def test_iterations_go_on_where_they_ended() -> None:
    for algorithm in ("cfr", "cfr+", "mccfr"):
        at_once, in_parts = (Cfr(tree("kuhn-poker"), algorithm, 3) for _ in range(2))
        at_once.run(30)
        for part in (10, 1, 19):
            in_parts.run(part)
        assert at_once.iterations == in_parts.iterations == 30
        assert (at_once.regrets == in_parts.regrets).all()
        assert (at_once.average_policy.policy == in_parts.average_policy.policy).all()


@compiled_only
def test_love_letter_late_in_a_round() -> None:
    ours = tree("love-letter", LATE)
    early, late = (learned(ours, "cfr+", n).average_policy for n in (10, 300))
    assert late.exploitability < 0.005 < early.exploitability
    assert -late.best_response(1)[0] <= late.value <= late.best_response(0)[0]


def test_last_turn_of_love_letter() -> None:
    """Only the mover decides: for every hand the play that is best on average."""
    game = compiled_game("love-letter")
    position = game.parse_position(
        "face_up=prince king countess; discards1=guard handmaid priest priest;"
        " discards2=guard handmaid baron guard guard"
    )
    hands: dict[tuple[int, int], dict[str, float]] = {}
    for state, chance in game.every_deal(position):
        hand = hands.setdefault((int(state[0].hand[0]), int(state[0].drawn)), {})
        for play in game.plays(state):
            won = game.returns(game.after(state, play))[0]
            hand[str(play)] = hand.get(str(play), 0.0) + chance * won
    value = sum(max(plays.values()) for plays in hands.values())
    profile = equilibrium(game, 100, position=position)
    assert len(profile.tree.sets.seat) == len(hands) == 12
    assert profile.best_response(0)[0] == pytest.approx(value, abs=1e-12)
    assert profile.value == pytest.approx(value, abs=1e-3)


@compiled_only
def test_known_deal_is_played_as_with_open_cards() -> None:
    game = compiled_game("love-letter")
    position = LATE + "; hand1=guard priest; hand2=baron; deck=prince princess; aside=guard; turn=1"
    state = game.parse_position(position)
    profile = equilibrium(game, 300, position=state)
    assert profile.value == pytest.approx(open_value(game, state), abs=0.01)


def open_value(game: CompiledGame, state: Any) -> float:
    """Minimax."""
    if game.is_over(state):
        return game.returns(state)[0]
    values = [open_value(game, game.after(state, play)) for play in game.plays(state)]
    return max(values) if game.mover(state) == 0 else min(values)
