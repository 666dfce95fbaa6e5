"""Reviews of games with known blunders, as objects, on the screen, as JSON and as a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kibitz
from kibitz.core.errors import BadText
from kibitz.core.registry import make_game
from kibitz.review.judgement import Estimate, figure
from kibitz.review.words import PlayVerdict, luck_in_words, total_in_words, verdict_on
from kibitz.table.record import Record, write_records
from kibitz.table.table import Table
from tests.processes import complaints, kibitz_here
from tests.review.playing import record_of


def princess_thrown_away() -> Record:
    """A person who holds the Princess lays her."""
    game = make_game("love-letter")
    for seed in range(200):
        table = Table(game, seed)
        if "princess" in map(str, table.view(0).plays()) and len(table.view(0).plays()) > 1:
            table.play("princess")
            assert table.is_over
            return Record.of(table, ["person", "greedy"])
    raise AssertionError


def test_a_princess_thrown_away_is_a_blunder_that_loses_all() -> None:
    review = kibitz.review(princess_thrown_away())
    (one,) = review.decisions
    assert (one.verdict, one.chance.value) == (PlayVerdict.BLUNDER, 0.0)
    assert one.loss.value == pytest.approx(one.judgement.values[0].value.value)
    assert review.mattered == (one,)
    assert "Princess" in one.why
    assert one.best != "princess"
    (seat,) = review.seats
    assert (seat.player, seat.decisions) == ("person", 1)
    assert seat.loss == one.loss
    start, draw, hidden, skill, result = seat.parts
    assert start + draw + hidden + skill == pytest.approx(result, abs=1e-9)
    assert skill < -0.2
    assert "blunder" in repr(review)
    assert "<table" in review._repr_html_()


def test_the_seats_of_a_review() -> None:
    record = record_of("love-letter", ["greedy", "greedy"], 3)
    both = kibitz.review(record, luck=False, precision=0.05)
    assert {one.seat for one in both.decisions} == {0, 1}
    second = kibitz.review(record, seats=[1], luck=False, precision=0.05)
    assert {one.seat for one in second.decisions} == {1}
    assert second.rows() == [row for row in both.rows() if row["seat"] == 2]
    assert second.luck is None
    assert all(one.verdict is PlayVerdict.OBVIOUS or one.counted for one in both.decisions)


def test_an_unfinished_game_is_not_reviewed() -> None:
    table = Table(make_game("love-letter"), 1)
    with pytest.raises(BadText, match="not over"):
        kibitz.review(Record.of(table, ["person", "greedy"]))


def test_many_games_of_a_player(tmp_path: Path) -> None:
    records = [record_of("love-letter", ["random", "greedy"], seed) for seed in range(6)]
    path = tmp_path / "games.jsonl"
    write_records(path, records)
    games = kibitz.review_games(path, player="random", luck=False, precision=0.05)
    assert len(games.reviews) == len(games.rows()) == 6
    assert {row["player"] for row in games.rows()} == {"random"}
    assert games.rows()[-1]["mean_so_far"] == pytest.approx(games.mean_loss.value)
    other = kibitz.review_games(path, player="greedy", luck=False, precision=0.05)
    assert other.mean_loss.value < games.mean_loss.value
    assert "Mean loss" in repr(games)
    with pytest.raises(BadText, match="no game"):
        kibitz.review_games(path, player="ismcts")


# -- words: fed with other figures, they say other things --------------------------------------


@pytest.mark.parametrize(
    ("loss", "error", "chance", "verdict"),
    [
        (0.20, 0.01, True, "blunder"), (0.20, 0.10, True, "unclear"), (0.10, 0.01, True, "mistake"),
        (0.04, 0.005, True, "inaccuracy"), (0.00, 0.005, True, "good"),
        (0.02, 0.01, True, "unclear"),
        (4.0, 0.2, False, "blunder"), (2.0, 0.2, False, "mistake"), (0.8, 0.1, False, "inaccuracy"),
        (0.0, 0.0, False, "good"), (0.5, 0.3, False, "unclear"),
    ],
)  # fmt: skip
def test_a_verdict_is_what_the_interval_supports(
    loss: float, error: float, chance: bool, verdict: str
) -> None:
    assert verdict_on(Estimate(loss, error), chance) == verdict


def test_totals_and_luck_in_words() -> None:
    assert total_in_words(Estimate(0.3, 0.01), 4, True).startswith("lost 30.0% (28.0% … 32.0%)")
    assert "no more than chance" in total_in_words(Estimate(0.01, 0.02), 4, True)
    assert "no more than chance" not in total_in_words(Estimate(0.3, 0.01), 4, True)
    assert total_in_words(Estimate(0.0), 0, True) == "had nothing to decide"
    words = luck_in_words((0.5, 0.2, -0.1, 0.4, 1.0), True)
    assert "+20.0% by the cards that came" in words
    assert "−10.0% by what nobody could know" in words
    assert figure(-1.234, False) == "−1.23"


@pytest.mark.parametrize("spec", ["love-letter", "tablic"])
def test_why_tells_what_follows_until_the_next_turn(spec: str) -> None:
    precision = 0.02 if spec == "love-letter" else 1.0
    review = kibitz.review(
        record_of(spec, ["random", "greedy"], 4), luck=False, precision=precision
    )
    told = " ".join(one.why for one in review.decisions)
    assert "With it" in told
    assert "as played" in told


def test_a_person_is_offered_a_review(tmp_path: Path) -> None:
    args = ("play", "love-letter", "--against", "random", "--seed", "3", "--record", "p.jsonl")
    out = ""
    for plays in range(1, 9):  # until the round is over: then r is asked for
        (tmp_path / "p.jsonl").unlink(missing_ok=True)
        out = kibitz_here(*args, given="1\n" * plays + "r\nq\n", home=tmp_path).stdout
        if "Judged" in out:
            break
    assert "Type r for a review" in out
    assert "Seat 1 (person)" in out


# -- the command --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("review")
    records = [record_of("love-letter", ["random", "greedy"], 4), princess_thrown_away()]
    write_records(folder / "r.jsonl", records)
    return folder


def test_the_command_prints_one_json_document(reviewed: Path) -> None:
    done = kibitz_here("review", "r.jsonl", "--game", "1", "--json", home=reviewed)
    assert (done.returncode, complaints(done)) == (0, [])
    document = json.loads(done.stdout)
    assert {"game", "judge", "decisions", "seats"} <= set(document)
    for one in document["decisions"]:
        assert {"turn", "seat", "play", "best", "loss", "ci95", "chance"} <= set(one)
        assert one["ci95"][0] <= one["loss"] <= one["ci95"][1]
    for seat in document["seats"]:
        parts = seat["luck"] + seat["hidden"] + seat["skill"]
        assert seat["start"] + parts == pytest.approx(seat["result"], abs=1e-9)
        losses = [
            one["loss"] for one in document["decisions"]
            if one["seat"] == seat["seat"] and one["counted"]
        ]  # fmt: skip
        assert seat["loss"] == pytest.approx(sum(losses))


def test_the_screen_and_the_page(reviewed: Path) -> None:
    done = kibitz_here("review", "r.jsonl", "-o", "review.html", home=reviewed)
    assert (done.returncode, complaints(done)) == (0, [])
    assert "Turn 1, a blunder." in done.stdout
    assert "Seat 1 (person) lost" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    page = (reviewed / "review.html").read_text()
    assert page.count("<svg") == 2
    assert '<details id="turn-1" class="wrong" open>' in page
    assert "Luck and skill" in page
    assert "@media (max-width: 40rem) { details td { white-space: normal; } }" in page  # a phone
    assert "src=" not in page.replace('src="data:', ""), "nothing is fetched"


def test_turns_are_whole_numbers() -> None:
    from kibitz.review.plots import curve, parts_of_luck

    found = kibitz.review(princess_thrown_away(), precision=0.05)
    for drawn in (curve(found), parts_of_luck(found)):
        ticks = drawn.axes[0].get_xticks()
        assert all(float(tick).is_integer() for tick in ticks)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("r.jsonl", "--game", "3"), "there is no game 3"),
        (("r.jsonl", "--seat", "3"), "seat 3 is not possible"),
        (("r.jsonl", "--precision", "0"), "precision must be"),
        (("r.jsonl", "-o", "review.txt"), "a review is a page"),
        (("r.jsonl", "--hindsight"), "two players' Tablić"),
        (("none.jsonl",), "No such file"),
    ],
)
def test_bad_input_is_one_line(reviewed: Path, args: tuple[str, ...], reason: str) -> None:
    done = kibitz_here("review", *args, home=reviewed)
    assert done.returncode == 2
    (line,) = complaints(done)
    assert reason in line


def test_values_of_a_match() -> None:
    from kibitz.review.match_value import match_chances, value_in_match

    game = make_game("love-letter")
    table = match_chances(game)
    assert table[(0, 0), 0].sum() == pytest.approx(1)
    assert table[(6, 0), 0][0] > table[(5, 0), 0][0] > table[(0, 0), 0][0] > 0.45
    assert table[(6, 6), 0][0] == pytest.approx(table[(6, 6), 1][1], abs=0.03)
    record = princess_thrown_away()
    alone = kibitz.review(record, luck=False)
    first = kibitz.review(record, match=[], luck=False)
    assert first.decisions[0].loss.value < alone.decisions[0].loss.value / 2
    assert "match" in first.measure
    assert value_in_match(game, [record] * 6, 0).score == (0, 6)
    last = kibitz.review(record, match=[record] * 6)
    assert last.decisions[0].chance.value == 0.0
    assert 0 < last.decisions[0].loss.value < 0.05  # six behind, there was little to lose
    with pytest.raises(BadText, match="over before"):
        kibitz.review(record, match=[record] * 7)


def test_hindsight_ends_with_the_result_and_never_rises() -> None:
    from kibitz.review.hindsight import hindsight_of
    from kibitz.review.turns import recorded_turns
    from kibitz.solvers.tablic.open_deck import OpenDeck, Walk

    record = record_of("tablic:cards_bonus=none", ["greedy", "random"], 6)
    played = kibitz.replay(record)
    late = list(recorded_turns(played))[30:]
    found = hindsight_of(played, late)
    assert all(one.change <= 0 for one in found.turns)
    deck = OpenDeck(played.rules, late[0].state)  # type: ignore[arg-type]
    walk = Walk(deck, deck.value())
    for turn, one in zip(late, found.turns, strict=True):
        assert one.value == walk.value.points * (1 if late[0].seat == 0 else -1)
        walk.play(turn.play)
