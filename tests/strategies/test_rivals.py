"""Which plays a tree search may call as good as its best."""

from __future__ import annotations

import re

from kibitz.core.registry import make_game, make_strategy
from kibitz.jit.rng import stream
from kibitz.strategies.common.tree_player import Tried, compare_tried, standard_error
from kibitz.table.table import Table


def test_a_play_that_was_hardly_tried_is_no_rival() -> None:
    """Its interval reaches the best one's mean only because it had 29 of 16 000 visits."""
    best = Tried(15947, 0.746, 0.005)
    king = Tried(29, 0.31, 0.25)
    rivals = compare_tried(0, [best, king], 0.02)
    assert rivals.equal == rivals.unclear == []
    assert rivals.hardly_tried == [1]


def test_a_play_that_was_tried_often_may_be_as_good() -> None:
    tried = [Tried(8000, 0.40, 0.01), Tried(7000, 0.39, 0.01), Tried(1000, 0.1, 0.02)]
    assert compare_tried(0, tried, 0.02).unclear == [1]
    assert compare_tried(0, tried, 0.1).equal == [1]


def test_a_few_equal_results_are_not_certain() -> None:
    """Two plays that won every time, one of them 150 times: that it always wins is not shown."""
    always, sometimes = (Tried(n, 1.0, standard_error(0.0, n, 2.0)) for n in (2800, 150))
    rivals = compare_tried(0, [always, sometimes], 0.02)
    assert rivals.equal == [] and rivals.unclear == [1]


def test_the_sentence_calls_as_good_only_what_was_tried() -> None:
    game = make_game("love-letter")
    hardly = 0
    for seed in range(6):
        table = Table(game, seed)
        player = make_strategy("ismcts:simulations=200").sit(game, table.mover, stream(seed))
        explanation = player.explain(table.view(table.mover))
        visits = {reason.play: reason.parts["visits"] for reason in explanation.reasons}
        assert all(
            visits[play] >= max(100, 0.05 * visits[explanation.best]) for play in explanation.equal
        )
        assert bool(explanation.equal) == bool(
            re.search("as good|equally good", explanation.sentence)
        )
        hardly += "hardly tried, so" in explanation.sentence
    assert hardly
