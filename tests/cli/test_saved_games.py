"""Games that a person has left: offered, listed, resumed; and the seeds that `play` draws."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from kibitz.table.record import read_records
from tests.processes import ROOT, assert_refused, complaints, kibitz, kibitz_here


def folder(home: Path) -> Path:
    return home / "data" / "kibitz"


def run(home: Path, *args: str, given: str = "") -> str:
    done = kibitz_here(*args, given=given, home=home)
    assert (done.returncode, complaints(done)) == (0, []), done.stderr
    return done.stdout


def leave(home: Path, *args: str, given: str = "", ago: float = 0) -> Path:
    """Play and stop, some time ago; where it is recorded."""
    before = set(folder(home).glob("*"))
    run(home, "play", *args, "--against", "random", given=given)
    (path,) = set(folder(home).glob("*")) - before
    saved = path.rename(path.with_name(f"{len(before)}-{path.name}"))  # two in one second
    os.utime(saved, (time.time() - ago,) * 2)
    return saved


def test_a_drawn_seed_has_63_bits(tmp_path: Path) -> None:
    for _ in range(12):
        leave(tmp_path, "tic-tac-toe", given="")
    seeds = [read_records(path)[0].seed for path in folder(tmp_path).iterdir()]
    assert len(set(seeds)) == 12
    assert all(0 <= seed < 1 << 63 for seed in seeds)
    assert max(seeds) >= 1 << 59, "once in 10^14 all of them are smaller"


def test_resume_alone_takes_the_latest(tmp_path: Path) -> None:
    old = leave(tmp_path, "connect-four", given="1\n", ago=100)
    new = leave(tmp_path, "tic-tac-toe", given="1\n", ago=10)
    out = run(tmp_path, "play", "--resume")
    assert str(new) in out.replace("\n", "") and "against the strategy random" in out
    # Of a game; and options may follow.
    assert str(old) in run(tmp_path, "play", "connect-four", "--resume").replace("\n", "")
    hinted = run(tmp_path, "play", "--resume", "--hints", "--hint-by", "alpha-beta")
    assert "Hint by alpha-beta" in hinted
    refused = kibitz_here("play", "pig", "--resume", home=tmp_path)
    assert "no unfinished game of pig" in assert_refused(refused)


def test_nothing_to_resume(tmp_path: Path) -> None:
    assert "no unfinished game" in assert_refused(kibitz_here("play", "--resume", home=tmp_path))
    assert "give a game to play" in assert_refused(kibitz_here("play", home=tmp_path))
    assert list(tmp_path.iterdir()) == []
    assert run(tmp_path, "games", "--mine") == "You have left no game unfinished.\n"


def test_play_offers_what_was_left(tmp_path: Path) -> None:
    old = leave(tmp_path, "tic-tac-toe", given="1\n", ago=100)
    new = leave(tmp_path, "love-letter", given="", ago=10)
    assert len(read_records(old)[0].plays) == 2
    out = run(tmp_path, "play", given="2\n2\n")
    assert "1) love-letter, round 1, nothing played yet, against the strategy random" in out
    assert "2) tic-tac-toe, 2 plays made" in out
    assert len(read_records(old)[0].plays) > 2, "the second was chosen, and went on"
    assert read_records(new)[0].plays == []
    # Enter takes the first: by now the one that was played just now.
    assert "Tic-tac-toe" in run(tmp_path, "play", given="\n")
    # With a game, those of that game; nothing else is offered.
    assert "tic-tac-toe" not in run(tmp_path, "play", "love-letter", given="q\n")
    assert "You have left" not in run(tmp_path, "play", "connect-four", given="")
    assert "You have left" not in run(tmp_path, "play", "love-letter:players=3", given="")


def test_a_new_game_all_the_same(tmp_path: Path) -> None:
    old = leave(tmp_path, "tic-tac-toe", given="1\n")
    text = old.read_text()
    out = run(tmp_path, "play", "tic-tac-toe", given="what\n7\nn\n1\n")
    assert out.count("n for a new game") == 3, "asked again until it is clear"
    assert old.read_text() == text
    assert len(list(folder(tmp_path).iterdir())) == 2
    # Who says how he wants to play is not asked.
    assert "You have left" not in run(tmp_path, "play", "tic-tac-toe", "--seed", "1")


def test_a_game_that_is_over_is_not_offered(tmp_path: Path) -> None:
    leave(tmp_path, "tic-tac-toe", given="1\n2\n3\n4\n5\n" * 5)
    assert "no game unfinished" in run(tmp_path, "games", "--mine")


def test_a_match_between_two_rounds_is_unfinished(tmp_path: Path) -> None:
    for seed in range(50):
        path = leave(tmp_path, "love-letter", "--seed", str(seed), given="1\n1\n1\n1\n")
        if len(read_records(path)) > 1:
            break
    assert "love-letter, round 2" in run(tmp_path, "games", "--mine")


def test_the_list_of_what_was_left(tmp_path: Path) -> None:
    path = leave(tmp_path, "tablic:players=3", given="1\n", ago=3600)
    (folder(tmp_path) / "broken.jsonl").write_text("{\n")
    out = run(tmp_path, "games", "--mine")
    assert "tablic:players=3, game 1, 3 plays made, against the strategy random; 2" in out
    assert f"kibitz play --resume {path}" in out
    (entry,) = json.loads(run(tmp_path, "games", "--mine", "--json"))["unfinished"]
    assert entry["record"] == str(path)
    assert (entry["game"], entry["number"], entry["plays"]) == ("tablic:players=3", 1, 3)
    assert (entry["against"], round(time.time() - entry["when"], -2)) == ("random", 3600)
    assert "leave out" in assert_refused(kibitz_here("games", "pig", "--mine", home=tmp_path))


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    own = str(tmp_path / "own")
    done = kibitz("play", "pig", "--seed", "1", home=tmp_path, KIBITZ_DATA=own)
    assert done.returncode == 0
    assert [file.suffix for file in (tmp_path / "own").iterdir()] == [".jsonl"]
    assert not folder(tmp_path).exists()


@pytest.mark.parametrize("given", ["", "q\n"])
def test_stopping_at_the_offer_changes_nothing(tmp_path: Path, given: str) -> None:
    leave(tmp_path, "tic-tac-toe", given="1\n")
    before = {path: path.read_text() for path in folder(tmp_path).iterdir()}
    run(tmp_path, "play", "tic-tac-toe", given=given)
    assert {path: path.read_text() for path in folder(tmp_path).iterdir()} == before


def test_a_game_in_a_file_is_not_what_resume_takes_first(tmp_path: Path) -> None:
    """A record opens no file: such a game is shown with its command, and the next one goes on."""
    file = tmp_path / "own.py"
    file.write_text((ROOT / "examples" / "take_away.py").read_text())
    kibitz_here("play", "pig", "--seed", "1", given="q\n", home=tmp_path)
    kibitz_here("play", file, "--seed", "1", given="q\n", home=tmp_path)
    offered = kibitz_here("play", given="q\n", home=tmp_path).stdout
    assert f"go on with: kibitz play {file} --resume" in offered
    assert "1) pig" in offered
    done = kibitz_here("play", "--resume", given="q\n", home=tmp_path)
    assert (done.returncode, complaints(done)) == (0, [])
    assert "Pig" in done.stdout


def test_a_game_against_a_file_goes_on_if_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(view):\n    return view.plays()[0]\n")
    kibitz_here("play", "pig", "--against", "bot.py", "--seed", "1", given="q\n", home=tmp_path)
    (path,) = folder(tmp_path).iterdir()
    leave(tmp_path, "tic-tac-toe", given="1\n")
    command = f"kibitz play --resume {path} --against bot.py"
    assert f"  {command}" in run(tmp_path, "games", "--mine").splitlines()
    latest = ("play", "--resume", "--against", "bot.py")
    for words in (command.split()[1:], latest):
        done = kibitz_here(*words, given="q\n", home=tmp_path)
        assert (done.returncode, complaints(done)) == (0, [])
        assert "pig" in done.stdout
    (tmp_path / "other.py").write_text("def choose(view):\n    return view.plays()[0]\n")
    refused = kibitz_here("play", "--resume", "--against", "other.py", home=tmp_path)
    assert "no unfinished game against other.py" in assert_refused(refused)
