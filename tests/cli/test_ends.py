"""The end of a game at the terminal: hands, counts, discards in order, undoing; and replays."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.game import View
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.love_letter.cards import PRINCE
from kibitz.games.love_letter.fields import discards
from kibitz.table.record import read_records, replay
from kibitz.table.table import Table
from tests.processes import complaints, kibitz_here

RECORD = "r.jsonl"


def run(home: Path, *args: str, given: str = "") -> str:
    done = kibitz_here(*args, given=given, home=home)
    assert (done.returncode, complaints(done)) == (0, []), done.stderr
    return done.stdout


def play(home: Path, *args: str, given: str) -> str:
    (home / RECORD).unlink(missing_ok=True)
    return run(home, "play", *args, "--against", "random", "--record", RECORD, given=given)


def plain(view: View[Any]) -> str:
    return view.game.presenter.text(view)


def played(spec: str, seed: int) -> Table:
    table = Table(make_game(spec), seed)
    table.play_out([make_strategy("random")] * table.game.players)
    return table


def first_round(home: Path, wanted: Any, seats: int = 2) -> tuple[list[str], list[str]]:
    """A round that ends as it is wanted after first choices: the arguments, and what was typed."""
    for seed in range(300):
        for choices in range(1, 6):
            args = [f"love-letter:players={seats}", "--seed", str(seed)]
            play(home, *args, given="1\n" * choices)
            record = read_records(home / RECORD)[0]
            if record.returns is not None:
                if wanted(replay(record)):
                    return args, ["1"] * choices
                break
    raise AssertionError("no such round")


# -- Love Letter -----------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_discards_are_in_the_order_of_play(players: int) -> None:
    """As the log tells them: what is played, discarded for a Prince, or laid down at the end."""
    for seed in range(30):
        table = Table(make_game(f"love-letter:players={players}"), seed)
        laid: list[list[int]] = [[] for _ in range(players)]
        while not table.is_over:
            before, mover = table.state[0], table.mover
            plays = table.view(mover).plays()
            made = plays[seed % len(plays)]
            card, target = made.code & 15, (made.code >> 4 & 15) - 1
            hands = [int(hand) for hand in before.hand[:players]]
            hands[mover] = int(before.drawn) if card == hands[mover] else hands[mover]
            inside = int(before.inside)
            table.play(made)
            laid[mover].append(card)
            for seat in range(players):
                out = inside >> seat & 1 and not table.state[0].inside >> seat & 1
                if out or (card == PRINCE and seat == target):
                    laid[seat].append(hands[seat])
            for seat in range(players):
                seen = [discards(table.view(viewer), seat) for viewer in range(players)]
                assert seen == [laid[seat]] * players


def test_what_lay_there_before_comes_first() -> None:
    game = make_game("love-letter")
    text = "face_up=king prince handmaid; hand1=guard baron; discards1=priest guard"
    view = game.view(game.parse_position(text), 0)
    assert discards(view, 0) == [1, 2]
    assert "played: Guard, Priest" in plain(view)


@pytest.mark.parametrize("players", [2, 4])
def test_the_winner_shows_the_hand_after_a_knock_out(tmp_path: Path, players: int) -> None:
    def knocked_out(end: Table) -> bool:
        return int(end.state[0].inside).bit_count() == 1 and not end.state[0].inside & 1

    args, typed = first_round(tmp_path, knocked_out, players)
    out = play(tmp_path, *args, given="\n".join(typed))
    end = replay(read_records(tmp_path / RECORD)[0])
    (winner,) = [s for s in range(players) if end.state[0].hand[s]]
    hand = end.game.presenter.held(end.state, winner)
    shown = [line for line in out.splitlines() if line.strip().startswith(f"seat {winner + 1}  ")]
    assert f" {hand} " in shown[-1], out
    assert "▒▒" not in shown[-1]
    # Whoever plays does not get to see it.
    assert end.game.presenter.held(end.view(0).state, winner) == ""


def test_poker_hands_stay_hidden_after_a_fold(tmp_path: Path) -> None:
    """Who folds does not see the other card at a table."""
    for seed in range(100):
        out = play(tmp_path, "kuhn-poker", "--seed", str(seed), given="1\n1\n1\n")
        (record,) = read_records(tmp_path / RECORD)
        if record.plays[-2:] == ["bet", "pass"] or record.plays == ["pass", "bet", "pass"]:
            break
    assert re.search(r"seat 2 +▒▒ ", out) and not re.search(r"seat 2 +[JQK] ", out)


# -- Tablić ----------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["tablic", "tablic:players=3", "tablic:players=4",
                                  "tablic:cards_bonus=tie", "tablic:cards_bonus=none"])  # fmt: skip
def test_the_final_count_adds_up(spec: str) -> None:
    bonuses = 0
    for seed in range(25):
        table = played(spec, seed)
        game = table.game
        assert isinstance(game, CompiledGame)
        view = game.view_at_the_end(table.state, 0)
        (count,) = [line for line in plain(view).splitlines() if line.startswith("Final count")]
        totals = game.points(table.state)
        sides = count.removeprefix("Final count").split(";")
        teams = [game.team(seat) for seat in range(game.players) if seat == game.team(seat)[0]]
        for team, side in zip(teams, sides, strict=True):
            assert all(("you" if s == 0 else f"seat {s + 1}") in side for s in team)
            own = [
                int(line.partition("cards, ")[2].split()[0])
                for s in team
                for line in plain(view).splitlines()
                if line.strip().startswith(f"seat {s + 1}")
            ]
            printed = re.search(r"(\d+)(?: \+ (\d+) for more cards = (\d+))?$", side)
            assert printed is not None
            assert int(printed[1]) == sum(own), "what the lines above show"
            assert int(printed[3] or printed[1]) == totals[team[0]]
            assert sum(own) + int(printed[2] or 0) == totals[team[0]]
            bonuses += printed[2] == "3"
    assert (bonuses == 0) == (spec.endswith("none"))


def test_partners_are_marked(tmp_path: Path) -> None:
    args = ("tablic:players=4,target=1", "--seed", "3", "--seat", "2")
    out = play(tmp_path, *args, given="1\n" * 100)
    assert "You are seat 2, with seat 4 as your partner, against the strategy random" in out
    assert "seat 4 (your partner)" in out and "seat 3 (your partner)" not in out
    assert re.search(r"Match to 1: seat 1 and seat 3 \d+, you and seat 4 \d+", out)
    assert "partner" not in play(tmp_path, "tablic:players=3", "--seed", "3", given="")


# -- undoing an end --------------------------------------------------------------------


def test_the_play_that_ended_a_round_can_be_taken_back(tmp_path: Path) -> None:
    args, typed = first_round(tmp_path, lambda end: len(end.plays) > 3)
    play(tmp_path, *args, given="\n".join(typed[:-1]))
    before = (tmp_path / RECORD).read_text()
    out = play(tmp_path, *args, given="\n".join([*typed, "u"]))
    assert "u to take back your last choice" in out and "Taken back" in out
    assert (tmp_path / RECORD).read_text() == before
    # Once more the same, and the match goes on as if nothing had been.
    play(tmp_path, *args, given="1\n" * 60)
    straight = (tmp_path / RECORD).read_text()
    play(tmp_path, *args, given="\n".join([*typed, "u", *["1"] * 60]))
    assert (tmp_path / RECORD).read_text() == straight


def test_the_score_is_taken_back_too(tmp_path: Path) -> None:
    args, typed = first_round(tmp_path, lambda end: end.state[0].won == 1)
    out = play(tmp_path, *args, given="\n".join([*typed, "u", typed[-1]]))
    assert out.count("Match to 7: you 1, seat 2 0") == 2


def test_rounds_before_still_count(tmp_path: Path) -> None:
    """The second round is taken back, and the first stays in the score."""
    for seed, choices in product(range(20), range(2, 12)):
        args = ("love-letter", "--seed", str(seed))
        out = play(tmp_path, *args, given="1\n" * choices)
        over = len(read_records(tmp_path / RECORD)) == 3 and out.count("Enter for the next") == 2
        if over and out.count("u to take back") == 2:
            break
    straight = (tmp_path / RECORD).read_text()
    score = re.findall("Match to 7: .*", out)[-1]
    out = play(tmp_path, *args, given="\n".join([*["1"] * choices, "u", "1"]))
    assert "Taken back" in out
    assert re.findall("Match to 7: .*", out)[-2:] == [score, score]
    assert (tmp_path / RECORD).read_text() == straight


@pytest.mark.parametrize("spec", ["tic-tac-toe", "tablic:target=1"])
def test_the_last_play_of_all_can_be_taken_back(tmp_path: Path, spec: str) -> None:
    wanted = ["1", "2", "3", "4", "5"] * 30 if spec == "tic-tac-toe" else ["1"] * 60
    args = (spec, "--seed", "3")
    # In Tablić everybody plays 24 cards.
    for count in range(1 if spec == "tic-tac-toe" else 23, len(wanted)):
        out = play(tmp_path, *args, given="\n".join(wanted[:count]))
        if "Enter to end" in out:
            break
    over = (tmp_path / RECORD).read_text()
    out = play(tmp_path, *args, given="\n".join([*wanted[:count], "u"]))
    assert "Taken back" in out
    assert json.loads((tmp_path / RECORD).read_text().splitlines()[-1])["returns"] is None
    play(tmp_path, *args, given="\n".join([*wanted[:count], "u", wanted[count - 1]]))
    assert (tmp_path / RECORD).read_text() == over


# -- a number that is a card too -------------------------------------------------------


def test_a_number_is_a_choice_and_says_so_where_it_is_a_card_too(tmp_path: Path) -> None:
    for seed in range(200):
        game = make_game("tablic")
        args = ("tablic", "--seed", str(seed))
        play(tmp_path, *args, given="")
        (record,) = read_records(tmp_path / RECORD)
        state = game.deal(record.seed)
        plays = [str(play) for play in game.plays(state)]
        if 5 <= len(plays) <= 14 and any(text[0] == "5" for text in plays):
            chosen = plays[4]
            if chosen[0] != "5":
                break
    out = " ".join(play(tmp_path, *args, given="5\n").split())
    assert "5 is choice 5: " in out
    assert re.search(r"If you meant the card: u, then 5[cdhs]", out)
    assert read_records(tmp_path / RECORD)[0].plays[0] == chosen
    assert "If you meant" not in play(tmp_path, *args, given="1\n")


# -- replays ---------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["love-letter", "tablic:target=1", "pig:target=20", "kuhn-poker"])
def test_a_replay_tells_the_result_once_and_shows_the_hands(tmp_path: Path, spec: str) -> None:
    play(tmp_path, spec, "--seed", "5", given="1\n2\n" * 300)
    output = run(tmp_path, "replay", RECORD).lower()
    games = output.split("game ")[1:]
    records = read_records(tmp_path / RECORD)
    for text, record in zip(games, records, strict=True):
        end = replay(record)
        assert text.count(end.game.presenter.outcome(end.state).lower()) == 1
        again = Table(end.game, record.seed, record.first - 1)
        for line in text.splitlines():
            if line.strip().startswith("seat") and " holds " in line and not again.is_over:
                hand = again.game.presenter.held(again.state, again.mover).lower()
                assert line.strip() == f"seat {again.mover + 1} holds {hand}"
                again.play(again.game.parse_play(again.state, end.plays[len(again.plays)]))
        assert again.is_over or not end.game.traits.hidden


def test_a_replay_of_a_game_that_goes_on_shows_the_persons_hand_only(tmp_path: Path) -> None:
    play(tmp_path, "tablic", "--seed", "5", "--seat", "2", given="1\n1\n")
    output = run(tmp_path, "replay", RECORD)
    assert "seat 2 holds " in output and "seat 1 holds" not in output


def test_explain_takes_the_game_from_the_record(tmp_path: Path) -> None:
    play(tmp_path, "love-letter:players=3", "--seed", "5", given="1\n")
    output = run(tmp_path, "explain", "--record", RECORD, "--strategy", "greedy")
    assert output.startswith("love-letter:players=3, game ")
    assert output == run(
        tmp_path, "explain", "love-letter", "--record", RECORD, "--strategy", "greedy"
    )
    refused = kibitz_here("explain", "--position", "hand1=guard baron", home=tmp_path)
    assert refused.returncode == 2 and "name the game" in refused.stderr


@pytest.mark.parametrize("name", ["love-letter", "tablic", "pig"])
def test_only_love_letter_has_a_princess(tmp_path: Path, name: str) -> None:
    output = run(tmp_path, "games", name)
    assert ("never the Princess" in output) == (name == "love-letter")
