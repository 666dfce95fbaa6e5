"""What holds for the tests of strategies."""

import pytest

from kibitz.strategies.common import beliefs, tree_player, worlds_player


@pytest.fixture(autouse=True)
def few_worlds_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A belief is counted over fewer worlds than a person is shown."""
    monkeypatch.setattr(beliefs, "SAMPLED_WORLDS", 40)
    monkeypatch.setattr(worlds_player, "TIMES", 40)
    monkeypatch.setattr(tree_player, "TIMES", 4)
