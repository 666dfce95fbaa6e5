"""Games that take what they must refuse, each caught with the sentence that names its mistake."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.testing import BrokenRule, check_game
from tests.plain import Nim


class AppliesAnything(Nim):
    def apply(self, state: Any, play: Any) -> Any:
        return self.after(state, int(play))


class ChecksNothing(Nim):
    def check(self, state: Any, play: Any) -> None:
        return None


class MatchesOtherPlays(Nim):
    def match_play(self, state: Any, play: Any) -> int:
        return play if type(play) is int else super().match_play(state, play)


class ParsesOtherPlays(Nim):
    def parse_play(self, state: Any, text: str) -> int:
        return int(text) if text.strip() in {"1", "2", "3"} else super().parse_play(state, text)


BROKEN: dict[Any, str] = {
    AppliesAnything: "a play that is not legal must be refused; apply takes '",
    ChecksNothing: "a play that is not legal must be refused; check takes '",
    MatchesOtherPlays: "a play that is not legal must be refused; match_play takes '",
    ParsesOtherPlays: "a play that is not legal must be refused; match_play reads '",
}


@pytest.mark.parametrize("cls", BROKEN)
def test_a_game_that_takes_illegal_plays_is_caught(cls: Any) -> None:
    with pytest.raises(BrokenRule) as caught:
        check_game(cls())
    assert BROKEN[cls] in str(caught.value)
