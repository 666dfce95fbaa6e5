"""What holds for the tests of strategies."""

import pytest

from kibitz.strategies import imagined


@pytest.fixture(autouse=True)
def few_worlds_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A belief is counted over fewer worlds than a person is shown."""
    monkeypatch.setattr(imagined, "LOOKED_AT", 40)
