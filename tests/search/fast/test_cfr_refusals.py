"""What CFR is not made for it refuses, in one line."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kibitz.core.errors import BadText, KibitzError, UnsuitableGame
from kibitz.games.kuhn_poker import kernels as kuhn
from kibitz.games.kuhn_poker.game import KuhnPoker
from kibitz.jit.kernels import kernel
from kibitz.search.fast.cfr import Cfr
from kibitz.search.fast.game_tree import tree_of
from tests.games.boards import compiled_game
from tests.search.plain import Chain


@kernel
def everybody_wins(s: Any, out: Any) -> None:
    out[0] = 1.0
    out[1] = 1.0


@kernel
def more_with_a_king(s: Any) -> int:
    return 1 + (s[0].cards[1 - kuhn.mover(s)] == 3)


class Changed(KuhnPoker):
    """Kuhn poker with one kernel changed."""

    def __init__(self, **changed: Any) -> None:
        super().__init__()
        self.__dict__["kernels"] = SimpleNamespace(**{**vars(KuhnPoker().kernels), **changed})


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("love-letter:players=3", "2 players, not 3"),
        ("love-letter", "too many deals to list; name a position"),
        ("tablic", "tablic does not list its deals"),
        ("pig", "more than 500 plays deep"),
    ],
)
def test_games_whose_tree_can_not_be_built(spec: str, says: str) -> None:
    refused(compiled_game(spec), says)


def test_plain_python() -> None:
    refused(Chain(), "chain is plain Python")


def test_games_that_are_not_zero_sum() -> None:
    refused(Changed(returns=everybody_wins), "not zero-sum")


def test_legal_plays_that_the_view_does_not_show() -> None:
    refused(Changed(count=more_with_a_king), "a view does not tell what plays are legal")


def test_trees_that_are_too_large() -> None:
    refused(compiled_game("kuhn-poker"), "more than 54 nodes", max_nodes=54)
    assert len(tree_of(compiled_game("kuhn-poker"), max_nodes=55).nodes.owner) == 55


def test_unknown_algorithm() -> None:
    with pytest.raises(BadText, match=r"no algorithm 'dcfr'; known: cfr, cfr\+, mccfr"):
        Cfr(tree_of(compiled_game("kuhn-poker")), "dcfr")


def refused(game: Any, says: str, **how: Any) -> None:
    with pytest.raises(UnsuitableGame) as caught:
        tree_of(game, **how)
    assert isinstance(caught.value, KibitzError)
    assert says in str(caught.value) and "\n" not in str(caught.value)
