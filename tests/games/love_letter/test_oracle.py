"""Love Letter's kernels against the independent oracle, on random play."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from scipy.stats import chisquare

from kibitz.games.compiled_game import CompiledGame
from kibitz.games.love_letter.cards import NAMES
from kibitz.games.love_letter.knowledge import is_possible
from kibitz.games.love_letter.views import unseen
from kibitz.jit.rng import below, stream
from kibitz.table.match import Match
from tests.games.boards import compiled_game, few
from tests.oracle import love_letter as oracle

UNKNOWN = 15
TIED = (
    "face_up=king countess princess; aside=guard; deck=none; hand1=prince guard; hand2=prince; "
    "discards1=handmaid baron priest guard; discards2=handmaid baron priest guard guard; "
    "protected=2; turn=1"
)


def cards(counts: int) -> list[str]:
    return [NAMES[c] for c in range(1, 9) for _ in range(counts >> 4 * (c - 1) & 15)]


def deck_of(game: CompiledGame, state: Any) -> list[str]:
    """The shuffled deck in dealing order, read off the first state. Rule 2.4."""
    x = state[0]
    n = game.players
    hands = [int(x.hand[(int(x.first) + i) % n]) for i in range(n)]
    rest = [int(x.deck) >> 4 * i & 15 for i in range(int(x.left))]
    return [
        NAMES[x.aside],
        *cards(int(x.face_up)),
        *(NAMES[card] for card in [*hands, int(x.drawn), *rest]),
    ]


def assert_same(game: CompiledGame, state: Any, other: oracle.Round) -> None:
    x = state[0]
    assert bool(x.over) == other.over
    assert (NAMES[x.aside] or None) == other.aside
    assert [NAMES[int(x.deck) >> 4 * i & 15] for i in range(int(x.left))] == other.deck
    for seat in range(game.players):
        hand = [NAMES[x.hand[seat]]] if x.hand[seat] else []
        if not other.over:
            if seat == x.turn:
                assert other.mover == seat + 1
                hand.append(NAMES[x.drawn])
            assert bool(x.protected >> seat & 1) == (seat + 1 in other.protected)
        assert hand == other.hands[seat + 1]
        assert cards(int(x.spent[seat])) == sorted(other.discards[seat + 1], key=NAMES.index)
        for viewer in range(game.players):
            if viewer != seat and x.hand[seat] and x.hand[viewer]:
                assert bool(x.known[viewer] >> seat & 1) == other.knows(viewer + 1, seat + 1)


def possible_hands(game: CompiledGame, state: Any, viewer: int) -> dict[tuple[str, ...], int]:
    """The other hands that a view allows, with the number of ways: straight from the bits."""
    view = game.view(state, viewer).state
    x = view[0]
    counts = int(unseen(x, viewer))
    others = [(viewer + 1 + i) % game.players for i in range(game.players - 1)]
    inside = [seat for seat in others if x.hand[seat]]
    # The oracle counts a card that was shown among the unseen ones; here it is not.
    counts += sum(1 << 4 * (int(x.hand[s]) - 1) for s in inside if x.hand[s] != UNKNOWN)
    ways_by_hands: dict[tuple[str, ...], int] = {}
    for held in product(range(1, 9), repeat=len(inside)):
        by_seat = dict(zip(inside, held, strict=True))
        combination = sum((by_seat.get(s, 1) - 1) << (3 * i) for i, s in enumerate(others))
        left = counts
        ways = 1
        for seat, card in by_seat.items():
            if x.hand[seat] not in (UNKNOWN, card):
                ways = 0
            ways *= left >> 4 * (card - 1) & 15
            if not ways:
                break
            left -= 1 << 4 * (card - 1)
        if ways and is_possible(x, viewer, combination):
            key = tuple(NAMES[by_seat[seat]] for seat in sorted(inside))
            ways_by_hands[key] = ways
    return ways_by_hands


@pytest.mark.parametrize(
    ("spec", "rounds", "tracked"),
    [
        ("love-letter", few(2500, 110), few(300, 10)),
        ("love-letter:deck=thesis,tie=none", few(1200, 30), few(50, 5)),
        ("love-letter:players=3", few(1000, 30), few(150, 5)),
        ("love-letter:players=4,tie=random", few(700, 30), few(20, 2)),
    ],
)
def test_random_rounds_agree_with_the_oracle(spec: str, rounds: int, tracked: int) -> None:
    game = compiled_game(spec)
    kernels = game.kernels
    rng = stream(2026)
    for seed in range(rounds):
        first = seed % game.players
        state = game.deal(seed, first)
        track = seed < tracked
        other = oracle.Round(
            deck_of(game, state),
            game.players,
            starter=first + 1,
            tie=game.settings["tie"],
            track=track,
        )
        while True:
            assert_same(game, state, other)
            if track:
                for viewer in range(game.players):
                    if state[0].hand[viewer] and not other.over:
                        assert possible_hands(game, state, viewer) == other.possible(viewer + 1)
            if other.over:
                break
            codes = kernels.legal(state)
            texts = [game._play_text(int(code)) for code in codes]
            assert sorted(texts) == other.legal()
            chosen = below(rng, len(codes))
            kernels.apply(state, codes[chosen])
            other.play(texts[chosen])
        won = [seat + 1 for seat in range(game.players) if state[0].won >> seat & 1]
        if game.settings["tie"] == "random":
            assert len(won) == 1 and won[0] in other.tied()
        else:
            assert won == other.winners()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_matches_agree_with_the_oracle(players: int) -> None:
    game = compiled_game(f"love-letter:players={players}")
    rng = stream(7)
    for seed in range(few(40, 3)):
        match = Match(game, seed)
        other = oracle.Match(players)
        assert match.target == other.target
        while not match.is_over:
            assert not other.over
            state = game.deal(match.next_seeds.shuffle, match.first)
            same = oracle.Round(deck_of(game, state), players, starter=match.first + 1)
            while not game.is_over(state):
                code = game.kernels.pick(state, rng)
                game.kernels.apply(state, code)
                same.play(game._play_text(int(code)))
            match.add(state)
            other.add(same.winners())
            assert match.first + 1 in other.starters(same)
            assert [int(points) for points in match.score] == list(other.score.values())
        assert other.over and match.winners == [(other.winner or 0) - 1]


def test_lots_decide_evenly() -> None:
    """Rule 7.4: with tie=random each of the tied wins as often."""
    game = compiled_game("love-letter:tie=random")
    wins = [0, 0]
    for seed in range(4000):
        state = game.parse_position(TIED)
        state[0].lot = below(stream(seed), 12)
        game.kernels.apply(state, game.parse_play(state, "guard").code)
        wins[int(state[0].won) - 1] += 1
    assert chisquare(wins).pvalue > 0.001


@pytest.mark.parametrize("players", [2, 3, 4])
def test_redeal_gives_every_world_the_same_probability(players: int) -> None:
    """Chi-square of the dealt worlds against all that the oracle's rules allow."""
    game = compiled_game(f"love-letter:players={players}")
    rng = stream(11)
    tested = 0
    seed = 0
    while tested < few(6 if players == 4 else 12, 1):
        seed += 1
        state = game.deal(seed)
        other = oracle.Round(deck_of(game, state), players, track=True)
        for _ in range(2 + seed % (3 * players)):
            if not other.over:
                code = game.kernels.pick(state, rng)
                game.kernels.apply(state, code)
                other.play(game._play_text(int(code)))
        viewer = other.mover - 1
        if other.over:
            continue
        ways = other.possible(viewer + 1)
        if len(ways) < 2:
            continue
        tested += 1
        draws = 60 * len(ways) if players < 4 else 20000
        seen = dict.fromkeys(ways, 0)
        view = game.view(state, viewer)
        for _ in range(min(draws, few(20000, 500))):
            world = game.redeal(view, rng)[0]
            inside = [s for s in range(players) if s != viewer and world.hand[s]]
            seen[tuple(NAMES[world.hand[s]] for s in inside)] += 1
        total = sum(seen.values())
        expected = [ways[key] / sum(ways.values()) * total for key in ways]
        assert chisquare(list(seen.values()), expected).pvalue > 1e-5


def test_redeal_shuffles_the_deck_and_the_card_aside_evenly() -> None:
    game = compiled_game("love-letter")
    state = game.parse_position(
        "face_up=guard guard guard; aside=baron; deck=countess princess; hand1=guard prince; "
        "hand2=king; discards1=priest priest guard; discards2=handmaid baron handmaid prince; "
        "turn=1"
    )
    view = game.view(state, 0)
    orders: dict[tuple[int, ...], int] = {}
    rng = stream(3)
    draws = few(24000, 2400)
    for _ in range(draws):
        x = game.redeal(view, rng)[0]
        key = (int(x.hand[1]), int(x.aside), int(x.deck) & 15, int(x.deck) >> 4)
        orders[key] = orders.get(key, 0) + 1
    assert len(orders) == 24  # four unseen cards, all different, in every order
    assert chisquare(list(orders.values())).pvalue > 0.001
