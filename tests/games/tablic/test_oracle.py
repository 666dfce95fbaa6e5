"""Tablić's kernels against the independent oracle, on random play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kibitz.games.tablic.captures import GROUPS, GROUPS_FROM, fits, splits
from kibitz.games.tablic.cards import NAMES, cards_of
from kibitz.games.tablic.game import TablicPlay
from kibitz.jit.rng import below, stream
from kibitz.table.match import Match
from tests.games.boards import compiled_game, few
from tests.oracle import tablic as oracle

FULL = sum(4 << 4 * rank for rank in range(13))
SMALL = 12
"""Up to so many table cards the oracle lists all captures in a few milliseconds."""


def in_oracle_form(play: TablicPlay) -> tuple[str, tuple[str, ...]]:
    taken = sorted(oracle.kind(NAMES[card]) for card in cards_of(play.taken))
    return oracle.kind(NAMES[play.card]), tuple(taken)


BITS = {name: 1 << card for card, name in enumerate(NAMES)}


def mask(cards: list[str]) -> int:
    return sum(BITS[card] for card in cards)


def assert_same(x: Any, other: oracle.Game) -> None:
    assert bool(x.over) == other.over
    assert x.table == mask(other.table)
    assert 52 - x.dealt == len(other.deck)
    hands, piles, held = x.hand.tolist(), x.pile.tolist(), x.held.tolist()
    for seat in range(other.players):
        assert hands[seat] == mask(other.hands[seat + 1])
        assert piles[seat] == mask(other.piles[seat + 1])
        assert held[seat] == len(other.hands[seat + 1])
    assert x.tablas.tolist()[: other.players] == list(other.tablas.values())
    assert x.last + 1 == (other.last_captor or 0)
    assert other.over or x.turn + 1 == other.mover


@pytest.mark.parametrize(
    ("spec", "games"),
    [
        ("tablic", few(1500, 100)),
        ("tablic:cards_bonus=tie,leftovers=dealer", few(400, 25)),
        ("tablic:forced_capture=true,cards_bonus=none", few(400, 25)),
        ("tablic:players=3", few(400, 25)),
        ("tablic:players=4,cards_bonus=tie", few(400, 25)),
    ],
)
def test_random_games_agree_with_the_oracle(spec: str, games: int) -> None:
    """Every transition of every game; all legal plays at one random turn of each."""
    game = compiled_game(spec)
    kernels = game.kernels
    rng = stream(2026)
    full_lists = 0
    for seed in range(games):
        state = game.deal(seed, seed % game.players)
        deck = [NAMES[card] for card in state[0].deck]
        other = oracle.Game(
            deck,
            game.players,
            dealer=int(state[0].dealer) + 1,
            cards_bonus=game.settings["cards_bonus"],
            forced_capture=game.settings["forced_capture"],
            leftovers=game.settings["leftovers"],
        )
        listed = below(rng, 48)
        turn = 0
        while not other.over:
            play = game.name_play(state, int(kernels.pick(state, rng)))
            assert isinstance(play, TablicPlay)
            if turn >= listed and len(other.table) <= SMALL:
                listed = 99  # once in each game is enough: the oracle is slow
                full_lists += 1
                plays = [in_oracle_form(p) for p in game.plays(state)]  # type: ignore[arg-type]
                assert len(plays) == len(set(plays))
                assert set(plays) == other.legal()
            kernels.move_cards(state, play.card, play.taken)
            other.play(NAMES[play.card], [NAMES[card] for card in cards_of(play.taken)])
            assert_same(state[0], other)
            turn += 1
        points = other.points()
        assert list(game.points(state)) == [points[seat + 1] for seat in range(game.players)]
    assert full_lists > games // 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_matches_agree_with_the_oracle(players: int) -> None:
    game = compiled_game(f"tablic:players={players},target=51")
    rng = stream(5)
    for seed in range(few(20, 1)):
        match = Match(game, seed)
        other = oracle.Match(players, target=51)
        dealer = players
        while not match.is_over:
            assert not other.over
            state = game.deal(match.next_seeds.shuffle, match.first)
            assert int(state[0].dealer) + 1 == dealer
            while not game.is_over(state):
                game.kernels.apply(state, game.kernels.pick(state, rng))
            match.add(state)
            other.add({seat + 1: int(p) for seat, p in enumerate(game.points(state))})
            dealer = oracle.next_dealer(dealer, players)
            assert [int(p) for p in match.score] == [other.score[s + 1] for s in range(players)]
        assert other.over
        assert [seat + 1 for seat in match.winners] == other.winners


def test_is_legal_is_being_among_the_legal_plays() -> None:
    game = compiled_game("tablic")
    rng = stream(8)
    for seed in range(few(60, 4)):
        state = game.deal(seed)
        while not game.is_over(state):
            legal = set(game.kernels.legal(state).tolist())
            for code in legal:
                assert game.kernels.is_legal(state, code)
            # Plays of other hands and tables: most of them are not legal here.
            other = game.deal(seed + 1000)
            for _ in range(below(rng, 40)):
                game.kernels.apply(other, game.kernels.pick(other, rng))
            for code in game.kernels.legal(other).tolist()[:50]:
                assert bool(game.kernels.is_legal(state, code)) == (code in legal)
            game.kernels.apply(state, game.kernels.pick(state, rng))


def splits_recursively(counts: int, rank: int) -> bool:
    """Whether a set divides into groups: try each that has a card of the highest rank."""
    if counts == 0:
        return True
    top = max(i for i in range(13) if counts >> 4 * i & 15)
    groups = GROUPS[GROUPS_FROM[rank] : GROUPS_FROM[rank + 1]].tolist()
    return any(
        group >> 4 * top & 15
        and all(counts >> 4 * i & 15 >= group >> 4 * i & 15 for i in range(13))
        and splits_recursively(counts - group, rank)
        for group in groups
    )


def test_sets_divide_as_by_recursion() -> None:
    """Sets of any size, and unions of groups, which divide in one way at least."""
    random = Random(14)
    divided = 0
    for _ in range(few(2000, 100)):
        rank = random.randrange(13)
        counts = sum(random.choice((0, 0, 0, 0, 0, 1, 1, 2)) << 4 * i for i in range(13))
        groups = GROUPS[GROUPS_FROM[rank] : GROUPS_FROM[rank + 1]].tolist()
        union = 0
        for group in random.choices(groups, k=random.randrange(1, 8)):
            union = union + group if fits(FULL - union, group) else union
        assert bool(splits(counts, rank)) == splits_recursively(counts, rank)
        assert splits(union, rank)
        changed = union ^ 1 << 4 * random.randrange(13)
        if fits(FULL, changed):
            answer = bool(splits(changed, rank))
            assert answer == splits_recursively(changed, rank)
            divided += answer
    assert divided > 0


def test_the_cards_score_22_and_none_is_lost() -> None:
    game = compiled_game("tablic:cards_bonus=none")
    rng = stream(9)
    for seed in range(few(500, 10)):
        state = game.deal(seed)
        while not game.is_over(state):
            game.kernels.apply(state, game.kernels.pick(state, rng))
        piles = [int(pile) for pile in state[0].pile[:2]]
        assert piles[0] & piles[1] == 0 and piles[0] | piles[1] == (1 << 52) - 1
        assert sum(game.points(state)) - int(state[0].tablas.sum()) == 22
