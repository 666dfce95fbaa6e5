"""A strategy in a user's file is trained as ours are: by any number of processes, on a cluster,
killed at any moment, and judged on fresh shuffles."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.arena.compare import compare
from kibitz.core.errors import KibitzError
from kibitz.core.folders import cache_folder
from kibitz.core.registry import make_game, make_strategy
from kibitz.table.seeds import nth_seed
from kibitz.training.games import TrainingGames
from kibitz.training.run import Crew, crew_for, train
from kibitz.training.task import FRESH_KEY, Task
from kibitz.training.validation import say_validation
from tests.processes import LIMIT, assert_refused, environment, kibitz_here
from tests.training.bots import FAILING, KEEPER, keeper, task


def test_a_users_file_is_trained(tmp_path: Path) -> None:
    """Who keeps the higher card wins more; a chance above all means the same as all."""
    result = train(task(keeper(tmp_path), generations=8, population=10, games=40, fresh=400))
    numbers = dict(zip(result.numbers, result.genome, strict=True))
    assert numbers.keys() == {"lower", "shift"}
    assert numbers["lower"] + numbers["shift"] > 0.7
    assert result.fresh is not None and result.fresh["gain95"][0] > 0
    assert make_strategy(result.trained).settings == {**numbers, "deep": 3}
    assert result.trained == f"{tmp_path}/keeper.py:lower={numbers['lower']}" + (
        f",shift={numbers['shift']}" if numbers["shift"] else ""
    )


def test_what_is_given_stays(tmp_path: Path) -> None:
    file = keeper(tmp_path)
    result = train(task(f"{file}:shift=-0.25", numbers=("lower",)))  # type: ignore[arg-type]
    assert result.numbers == ("lower",)
    assert make_strategy(result.trained).settings["shift"] == -0.25


def test_one_and_two_processes_find_the_same(tmp_path: Path) -> None:
    wanted = task(keeper(tmp_path))
    here = train(wanted)
    for jobs in (1, 2):
        with crew_for(wanted, jobs) as crew:
            assert train(wanted, crew=crew) == here


@pytest.mark.parametrize("pieces", [1, 3, 50])
def test_so_do_parts_of_any_size(tmp_path: Path, pieces: int) -> None:
    from kibitz.arena.workers import Inline

    seats = task(keeper(tmp_path)).seats()
    tried = [seats.with_genome((gene, 0.5)) for gene in (0.1, 0.5, 0.9)]
    whole = TrainingGames(seats, 5, Inline(), 1).play(tried, 7, 11)
    cut = TrainingGames(seats, 5, Inline(), pieces).play(tried, 7, 11)
    assert all((a == b).all() for a, b in zip(whole, cut, strict=True))
    alone = TrainingGames(seats, 5, Inline(), 1).play(tried[1:2], 9, 4)
    assert (alone[0] == whole[1][2:6]).all(), "every pair by its number"


def test_the_fresh_figures_are_those_of_a_comparison(tmp_path: Path) -> None:
    wanted = task(keeper(tmp_path))
    result = train(wanted)
    assert result.fresh is not None
    before, trained = (make_strategy(text) for text in (wanted.strategy, result.trained))
    seed = nth_seed(wanted.seed, FRESH_KEY)
    game, rival = make_game("love-letter"), make_strategy("random")
    for player, mean, ends in ((trained, "score", "ci95"), (before, "before", "before95")):
        (match,) = compare(game, [player, rival], wanted.fresh, seed=seed).matches
        assert match.score == pytest.approx(result.fresh[mean])
        assert match.ci95 == pytest.approx(result.fresh[ends])
    gain = result.fresh["score"] - result.fresh["before"]
    assert result.fresh["gain"] == pytest.approx(gain)
    low, high = result.fresh["gain95"]
    assert low < gain < high and (low + high) / 2 == pytest.approx(gain)


GAINS = {
    "better": [0.01, 0.05],
    "worse": [-0.06, -0.02],
    "not clearly different": [-0.02, 0.03],
}


@pytest.mark.parametrize(("word", "ends"), GAINS.items(), ids=GAINS)
def test_the_words_follow_the_figures(word: str, ends: list[float]) -> None:
    mean = sum(ends) / 2
    said = say_validation(
        {
            "pairs": 500, "score": 0.6 + mean, "ci95": [0.57, 0.66], "before": 0.6,
            "before95": [0.58, 0.62], "gain": mean, "gain95": ends,
        },
        "greedy",
    )  # fmt: skip
    assert f": {word}, " in said and "On 500 fresh shuffles" in said
    assert f"{0.6 + mean:.1%} (57.0–66.0%) against greedy" in said
    for others in GAINS.keys() - {word}:
        assert f": {others}," not in said


def test_who_fails_ends_the_training_with_one_line(tmp_path: Path) -> None:
    keeper(tmp_path, FAILING)
    done = kibitz_here("train", "love-letter", "keeper.py", "--opponent", "random", home=tmp_path)
    line = assert_refused(done)
    assert "keeper.py fails" in line and "no idea" in line
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".checkpoint") == [
        "keeper.py"
    ]


def test_a_failure_in_another_process_is_told_too(tmp_path: Path) -> None:
    """It plays well as it is, and fails with any other numbers."""
    picky = KEEPER.replace("view.plays()\n", "view.plays() if self.lower == 0.3 else None\n")
    wanted = task(keeper(tmp_path, picky))
    with crew_for(wanted, 2) as crew, pytest.raises(KibitzError, match=r"keeper.py:lower=.* fails"):
        train(wanted, crew=crew)


def test_after_a_change_of_the_file_it_is_another_training(tmp_path: Path) -> None:
    file = keeper(tmp_path)
    args = ("train", "love-letter", "keeper.py", "--opponent", "random", *SIZE)
    process = start(args, tmp_path)
    wait_for_checkpoint(process, tmp_path)
    process.kill()
    process.communicate()
    file.write_text(KEEPER + "# another\n")
    line = assert_refused(kibitz_here(*args, home=tmp_path))
    assert "keeper.py has changed" in line


SIZE = ("--generations", "6", "--population", "8", "--games", "30", "--fresh", "60", "--seed", "3")


def start(args: tuple[str, ...], home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "kibitz", *args],
        env=environment(HOME=home, KIBITZ_CACHE=cache_folder()), cwd=home,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for_checkpoint(process: subprocess.Popen[str], home: Path) -> None:
    until = time.monotonic() + LIMIT
    while not (home / "keeper.json.checkpoint").exists() and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.005)


def test_killed_at_any_moment_it_ends_the_same(tmp_path: Path) -> None:
    """With two processes, and also while it plays the fresh games."""
    homes = [tmp_path / name for name in ("whole", "killed")]
    for home in homes:
        home.mkdir()
        keeper(home)
    args = ("train", "love-letter", "keeper.py", "--opponent", "random", *SIZE, "--jobs", "2")
    whole, killed = homes
    assert kibitz_here(*args, home=whole).returncode == 0
    for _ in range(4):
        process = start(args, killed)
        wait_for_checkpoint(process, killed)
        time.sleep(random.uniform(0, 1.0))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    if not (killed / "keeper.json").exists():
        assert kibitz_here(*args, home=killed).returncode == 0
    for name in ("keeper.json", "keeper.svg"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert not (killed / "keeper.json.checkpoint").exists()
    document = json.loads((whole / "keeper.json").read_text())
    assert document["settings"]["opponent"] == "random" and document["optimizer"] == "cma"
    assert document["fresh"]["pairs"] == 60


def test_stopped_before_the_fresh_games_only_these_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = task(keeper(tmp_path))
    saved: list[Any] = []
    result = train(wanted, save=lambda done: saved.append(list(done)))
    played: list[int] = []
    play = TrainingGames.play

    def counting(games: TrainingGames, strategies: Any, start: int, pairs: int, *more: Any) -> Any:
        played.append(pairs * len(strategies))
        return play(games, strategies, start, pairs, *more)

    monkeypatch.setattr(TrainingGames, "play", counting)
    assert train(wanted, saved[-1]) == result
    assert played == [1, 2 * wanted.fresh], "the one that compiles, and both on fresh shuffles"


def test_progress_is_told_within_a_generation(tmp_path: Path) -> None:
    steps: list[Any] = []
    train(task(keeper(tmp_path)), progress=steps.append)
    assert [step.generation for step in steps] == sorted(step.generation for step in steps)
    for generation in range(1, steps[0].of + 2):
        shares = [step.share for step in steps if step.generation == generation]
        assert shares[0] == 0 and shares[-1] == 1 and len(shares) > 2
    games = [step.games for step in steps]
    assert games == sorted(games) and steps[0].best is None and steps[-1].best is not None


def test_ours_are_trained_in_other_games(tmp_path: Path) -> None:
    done = kibitz_here(
        "train", "love-letter", "ismcts:simulations=5", "--opponent", "random", "--generations",
        "2", "--population", "4", "--games", "20", "--fresh", "20", "--json", home=tmp_path,
    )  # fmt: skip
    document = json.loads(done.stdout)
    assert document["numbers"] == ["c"] and 0 <= document["genome"][0] <= 2
    assert document["trained"].startswith("ismcts:simulations=5")
    assert (tmp_path / "ismcts.json").exists()


def test_a_file_with_several_is_named_by_itself(tmp_path: Path) -> None:
    keeper(tmp_path, KEEPER + "\n\nclass Other(Keeper):\n    pass\n")
    args = ("train", "love-letter", "--opponent", "random", *SIZE)
    done = kibitz_here(*args, "keeper.py::Other:shift=0.1", home=tmp_path)
    assert done.returncode == 0 and "lower = " in done.stdout and "shift = " not in done.stdout
    assert "kibitz compare love-letter keeper.py::Other:lower=" in done.stdout
    assert (tmp_path / "keeper.json").exists()


def test_strategies_that_cannot_be_repeated_are_refused(tmp_path: Path) -> None:
    text = KEEPER.replace(
        "class Keeper(Strategy):", "class Keeper(Strategy):\n    reproducible = False"
    )
    with pytest.raises(KibitzError, match="does not always play the same"):
        train(task(keeper(tmp_path, text)))


def test_numbers_are_told_to_a_millionth_of_their_range(tmp_path: Path) -> None:
    wide = KEEPER.replace("least=-3, most=3, train=(-0.5, 0.5)", "train=(-5000, 5000)")
    seats = task(keeper(tmp_path, wide)).seats()
    assert seats.numbers((0.123456789, 0.5000123456)) == pytest.approx(
        {"lower": 0.123456789, "shift": 0.123456}
    )
    assert seats.rounded((0.123456789, 0.5000123456)) == {"lower": 0.123457, "shift": 0.12}
    assert seats.rounded((1.0, 0.0)) == {"lower": 1.0, "shift": -5000.0}


@pytest.mark.parametrize(
    ("declared", "tells"),
    [
        ({"default": 1, "train": (0, 1)}, "whose default is like 0.5"),
        ({"default": True, "train": (0, 1)}, "whose default is like 0.5"),
        ({"default": 0.5, "train": 1}, "train is two numbers"),
        ({"default": 0.5, "train": (0,)}, "train is two numbers"),
        ({"default": 0.5, "train": (0, "1")}, "train is two numbers"),
        ({"default": 0.5, "train": (1, 0)}, "train must rise, within 0 and 2"),
        ({"default": 0.5, "train": (-1, 1)}, "train must rise, within 0 and 2"),
        ({"default": 0.5, "train": (0, float("nan"))}, "train must rise"),
    ],
)
def test_a_wrong_range_is_refused_where_it_stands(declared: dict[str, Any], tells: str) -> None:
    with pytest.raises(KibitzError, match=tells):
        kibitz.Option("x", declared["default"], "", least=0, most=2, train=declared["train"])


def test_a_crew_of_processes_replaces_one_that_dies(tmp_path: Path) -> None:
    wanted = task(keeper(tmp_path), generations=8, population=10, games=40)
    here = train(wanted)
    with crew_for(wanted, 2) as crew:
        killed = _killing(crew)
        assert train(wanted, crew=killed) == here


def _killing(crew: Crew) -> Crew:
    """The same crew; one of its processes is killed in the middle."""
    executor, width = crew
    submit, sent = executor.submit, [0]

    def submitting(work: Any, *args: Any) -> Any:
        sent[0] += 1
        future = submit(work, *args)
        if sent[0] == 20:
            os.kill(next(iter(executor._pool._processes)), signal.SIGKILL)
        return future

    executor.submit = submitting
    return executor, width


def test_the_same_task_is_the_same_training(tmp_path: Path) -> None:
    file = keeper(tmp_path)
    results = [train(task(file)), train(task(file)), train(task(file, seed=2))]
    assert results[0] == results[1] and results[0].genome != results[2].genome
    assert replace(results[0], seed=2) != results[2]
    assert isinstance(task(file), Task) and np.isfinite(results[0].genome).all()
