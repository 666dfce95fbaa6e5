"""Numbers as a person reads them."""

from __future__ import annotations

import pytest

from kibitz.core.figures import percent, rounded


@pytest.mark.parametrize("tenths", range(5, 995, 10))
def test_every_half_percent_is_rounded_up(tenths: int) -> None:
    """Python's own formatting makes 86% of 0.865, and 55% of 0.545."""
    assert percent(tenths / 1000) == f"{tenths // 10 + 1}%"


@pytest.mark.parametrize("thousandths", range(0, 1001))
def test_one_decimal_is_the_number_itself(thousandths: int) -> None:
    assert percent(thousandths / 1000, 1) == f"{thousandths // 10}.{thousandths % 10}%"


def test_something_is_not_nothing_and_not_all() -> None:
    assert [percent(p) for p in (0.0, 0.0049, 0.005, 0.994, 0.996, 1.0)] == [
        "0%", "<1%", "1%", "99%", ">99%", "100%",
    ]  # fmt: skip


def test_nothing_is_never_negative() -> None:
    assert [rounded(x, 1) for x in (-0.04, -0.05, 0.05, 12.874)] == ["0.0", "-0.1", "0.1", "12.9"]
