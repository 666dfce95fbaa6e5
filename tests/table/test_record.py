"""Records: written whole, read strictly, replayed to the same end."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.errors import BadText, KibitzError
from kibitz.core.registry import make_game, make_strategy
from kibitz.table.record import Record, read_records, replay, write_records
from kibitz.table.table import play_out

KEYS = st.sampled_from([*Record.model_fields, "other"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
)


def a_record(spec: str = "love-letter", seed: int = 3) -> Record:
    game = make_game(spec)
    table = play_out(game, [make_strategy("random")] * game.players, seed)
    return Record.of(table, ["random"] * game.players)


def test_a_file_of_records_reads_back(tmp_path: Path) -> None:
    records = [a_record(), a_record("tablic:players=4,cards_bonus=tie"), a_record("pig")]
    write_records(tmp_path / "new" / "games.jsonl", records)
    assert read_records(tmp_path / "new" / "games.jsonl") == records
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["games.jsonl"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"plays": ["guard>2=guard"]}, "can't name the guard"),
        ({"returns": [0.5, 0.5]}, "but the plays lead to"),
        ({"returns": None}, "but the plays lead to"),
        ({"game": "bridge"}, "there is no game"),
        ({"options": {"players": 7}}, "allowed: 2, 3, 4"),
        ({"options": {"colour": "red"}}, "no option"),
        ({"players": ["random"]}, "players"),
        ({"first": 3}, "first"),
    ],
)
def test_a_record_that_is_not_true_is_refused(change: dict[str, Any], reason: str) -> None:
    fields = {**a_record().model_dump(), **change}
    with pytest.raises(KibitzError, match=reason):
        replay(Record.model_validate(fields))


def test_plays_after_the_end_are_refused() -> None:
    fields = a_record().model_dump()
    fields["plays"] = [*fields["plays"], "handmaid"]
    with pytest.raises(BadText, match="more follow"):
        replay(Record.model_validate(fields))


def test_outcomes_of_chance_are_those_recorded() -> None:
    """So a record replays whichever way chance went from its seed when it was written."""
    fields = a_record("pig").model_dump()
    begun = fields["plays"][: fields["plays"].index("roll") + 1]

    def rolled(outcome: str) -> Record:
        return Record.model_validate({**fields, "plays": [*begun, outcome], "returns": None})

    assert [replay(rolled(outcome)).plays[-1] for outcome in "23"] == ["2", "3"]
    with pytest.raises(BadText, match="'7' is not possible"):
        replay(rolled("7"))


@pytest.mark.parametrize(
    "text",
    ["", "\n", "{}", "[]", "null", "12", '"x"', "{", '{"game": "pig"}', "\x00", "PK\x03\x04"],
)
def test_a_foreign_file_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text(text)
    with pytest.raises(BadText) as caught:
        read_records(path)
    assert "\n" not in str(caught.value)


def test_the_line_of_a_bad_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    write_records(path, [a_record(), a_record()])
    path.write_text(path.read_text() + json.dumps({"kibitz": 1}) + "\n")
    with pytest.raises(BadText, match="line 3"):
        read_records(path)


@given(
    st.one_of(st.binary(), st.text().map(str.encode), JSON.map(lambda v: json.dumps(v).encode()))
)
def test_no_file_breaks_the_reader(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.jsonl"
        path.write_bytes(content)
        with pytest.raises(BadText) as caught:
            read_records(path)
        assert "\n" not in str(caught.value)
