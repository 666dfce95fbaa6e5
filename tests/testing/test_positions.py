"""Games whose positions lose something, each caught with the sentence that names its mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from kibitz.core.errors import BadText
from kibitz.testing import BrokenRule, check_game
from tests.plain import Nim, Tosses
from tests.testing.test_game_kit import Hands, HighOrLow


class ForgetsTheTurn(Nim):
    def position(self, state: Any) -> str:
        return f"left={state[0]}"

    def parse_position(self, text: str) -> Any:
        try:
            return int(text.split("=")[1]), 0
        except (IndexError, ValueError):
            raise BadText("no position") from None


class StumblesOverNonsense(Nim):
    def position(self, state: Any) -> str:
        return f"{state[0]} {state[1]}"

    def parse_position(self, text: str) -> Any:
        left, turn = text.split()
        return int(left), int(turn)


class ReadsNoPositions(Nim):
    def position(self, state: Any) -> str:
        return f"left={state[0]}"


class ForgetsACard(HighOrLow):
    """Writes a six as a five."""

    def position(self, state: Hands) -> str:
        mine, yours, *said = state
        return super().position((min(mine, 5), min(yours, 5), said[0], said[1]))


class TossesLots(Nim):
    """Returns that change."""

    asked = 0

    def returns(self, state: Any) -> tuple[float, ...]:
        self.asked += 1
        return (1.0, -1.0) if self.asked % 2 else (-1.0, 1.0)


class LessThanNothing(Tosses):
    def chances(self, state: Any) -> Sequence[tuple[str, float]]:
        return [("heads", 1.5), ("tails", -0.5)]


BROKEN: dict[Any, str] = {
    ForgetsTheTurn: "a position must hold all of its state: what is read from it must be alike;"
    " mover is 1, and 0 when left=",
    StumblesOverNonsense: "a text that is no position must be refused with BadText in one line;"
    " 'nonsense' raises ValueError",
    ReadsNoPositions: "a game that writes position must read it: write parse_position too; nothing",
    ForgetsACard: "a position must hold all of its state: ",
    TossesLots: "returns must be the same when asked again; (1.0, -1.0) and (-1.0, 1.0) in",
    LessThanNothing: "a probability of chance must lie between 0 and 1; heads has 1.5 in",
}


@pytest.mark.parametrize("cls", BROKEN)
def test_a_game_that_tells_the_wrong_is_caught(cls: Any) -> None:
    with pytest.raises(BrokenRule) as caught:
        check_game(cls())
    line = str(caught.value)
    assert BROKEN[cls] in line
    assert line.startswith(f"{cls.__name__} (derived from ")
