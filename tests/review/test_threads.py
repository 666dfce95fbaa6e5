"""Work in threads: in order, whatever the number of them, and what fails is told."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.review import luck, threads
from kibitz.review.threads import in_threads
from tests.review.playing import record_of


def test_results_stand_in_the_order_of_the_items() -> None:
    for number in (1, 3):
        assert in_threads(lambda n: n * n, range(40), number) == [n * n for n in range(40)]
    assert in_threads(str, []) == []


def test_what_fails_is_told() -> None:
    for items in ([0, 1], [1, 0]):
        with pytest.raises(ZeroDivisionError):
            in_threads(lambda n: 1 / n, items)


@pytest.mark.parametrize("spec", ["love-letter", "tablic"])
def test_a_review_is_the_same_with_any_number_of_threads(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = record_of(spec, ["random", "greedy"], 8)
    monkeypatch.setattr(luck, "WORLDS", dict.fromkeys(luck.WORLDS, 10))
    documents = []
    for number in (1, 3):
        monkeypatch.setattr(threads, "cores", lambda number=number: number)
        documents.append(kibitz.review(record, precision=3.0).document())
    assert documents[0] == documents[1]
