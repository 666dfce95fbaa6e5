"""`kibitz train` as a process of its own: killed, interrupted, and what it refuses."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.folders import cache_folder
from kibitz.strategies.common.genome import read_genome
from kibitz.strategies.genetic import GENES
from kibitz.training.run import Checkpoint, TrainingFiles, train
from kibitz.training.task import Task
from tests.processes import LIMIT, assert_refused, complaints, environment, kibitz, kibitz_here

SMALL = (
    "--optimizer",
    "thesis",
    "--fresh",
    "20",
    "--generations",
    "3",
    "--population",
    "6",
    "--games",
    "8",
    "--seed",
    "5",
)


def command(optimizer: str, size: tuple[int, int, int]) -> tuple[Task, list[str]]:
    """A training, and its arguments."""
    names = ("generations", "population", "games")
    settings = dict(zip(names, size, strict=True))
    fixed = {"game": "tablic", "strategy": "genetic", "opponent": "greedy", "seed": 5, "fresh": 50}
    fixed |= {"numbers": GENES.names}
    wanted = Task.model_validate({**fixed, **settings, "optimizer": optimizer})
    numbers = [text for name in names for text in (f"--{name}", str(settings[name]))]
    fixed_args = ["train", "tablic", "genetic", "--optimizer", optimizer, "--seed", "5"]
    return wanted, [*fixed_args, "--fresh", "50", *numbers]


def start(args: list[str], home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "kibitz", *args],
        env=environment(HOME=home, KIBITZ_CACHE=cache_folder()), cwd=home,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def generations_saved(home: Path) -> int:
    try:
        return len(
            Checkpoint.model_validate_json((home / "genetic.json.checkpoint").read_bytes()).done
        )
    except FileNotFoundError:
        return 0


def wait_for(process: subprocess.Popen[str], home: Path, generations: int) -> None:
    until = time.monotonic() + LIMIT
    while generations_saved(home) < generations and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.005)


@pytest.mark.parametrize("optimizer", ["thesis", "cma"])
def test_killed_and_interrupted_it_ends_the_same(tmp_path: Path, optimizer: str) -> None:
    wanted, args = command(optimizer, (40, 16, 30))
    genome_file = train(wanted)
    for stop in (signal.SIGKILL, signal.SIGINT):
        before = generations_saved(tmp_path)
        process = start(args, tmp_path)
        wait_for(process, tmp_path, before + 2)
        time.sleep(random.uniform(0, 0.1))
        process.send_signal(stop)
        out, err = process.communicate()
        if process.returncode == 0:
            break  # it was quicker
        saved = generations_saved(tmp_path)
        assert out == "" and 2 <= saved < len(genome_file.curve)
        assert not (tmp_path / "genetic.json").exists()
        if stop == signal.SIGINT:
            assert process.returncode == 130
            assert err.splitlines()[-1] == (
                f"kibitz: stopped after generation {saved}; the same command goes on from there"
            )
    if not (tmp_path / "genetic.json").exists():
        assert kibitz(*args, home=tmp_path).returncode == 0
    assert (tmp_path / "genetic.json").read_text() == genome_file.text()
    assert not (tmp_path / "genetic.json.checkpoint").exists()


def test_what_is_written_and_printed(tmp_path: Path) -> None:
    done = kibitz(
        "train", "tablic", "genetic", *SMALL, "-o", "new/one.json", "--json", home=tmp_path
    )
    assert (done.returncode, complaints(done)) == (0, [])
    files = sorted((tmp_path / "new").iterdir())
    assert [path.name for path in files] == ["one.json", "one.svg"]
    assert files[0].read_text() == done.stdout
    document = json.loads(done.stdout)
    assert document.keys() == {
        "kibitz", "game", "strategy", "optimizer", "settings", "seed", "numbers", "genome",
        "trained", "fitness", "curve", "fresh",
    }  # fmt: skip
    assert (document["game"], document["optimizer"], document["seed"]) == ("tablic", "thesis", 5)
    assert read_genome(files[0], GENES) == tuple(document["genome"])
    assert [step["games"] for step in document["curve"]] == [48, 96, 144]
    assert "<svg" in files[1].read_text()


def test_the_file_is_taken_by_compare(tmp_path: Path) -> None:
    done = kibitz_here("train", "tablic", "genetic", *SMALL, home=tmp_path)
    assert done.returncode == 0
    weights = ",".join(
        f"g{i}={gene}" for i, gene in enumerate(read_genome(tmp_path / "genetic.json", GENES))
    )
    assert f"kibitz compare tablic genetic:{weights} greedy" in done.stdout
    matches = []
    for strategy in ("genetic:genome=genetic.json", f"genetic:{weights}"):
        compared = kibitz_here(
            "compare", "tablic", strategy, "greedy", "--pairs", "30", "--json", home=tmp_path
        )
        report = json.loads(compared.stdout)
        assert report["players"][0]["name"] == report["matches"][0]["a"] == strategy
        matches.append({**report["matches"][0], "a": ""})
    assert matches[0] == matches[1]


@pytest.mark.parametrize("name", ["genetic.json", "genetic.svg"])
def test_what_is_there_is_not_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    args = ("train", "tablic", "genetic", *SMALL)
    assert f"{name} is there already; --force" in assert_refused(kibitz_here(*args, home=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"
    assert kibitz_here(*args, "--force", home=tmp_path).returncode == 0
    assert (tmp_path / name).read_text() != "mine"


def test_killed_before_its_checkpoint_was_removed(tmp_path: Path) -> None:
    wanted, args = command("thesis", (3, 6, 8))
    files = TrainingFiles(tmp_path / "genetic.json")
    done = files.open(wanted, force=False)
    genome_file = train(wanted, done)
    files.close(genome_file)
    files.save(wanted, done)
    files.picture.unlink()
    assert kibitz_here(*args, home=tmp_path).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["genetic.json", "genetic.svg"]
    assert files.output.read_text() == genome_file.text()


@pytest.mark.parametrize(
    ("option", "value", "tells"),
    [
        ("--seed", "6", "seed 5, not 6"),
        ("--games", "10", "games 8, not 10"),
        ("--optimizer", "cma", "optimizer thesis, not cma"),
        ("--opponent", "random", "opponent greedy, not random"),
    ],
)
def test_a_checkpoint_of_another_training(
    tmp_path: Path, option: str, value: str, tells: str
) -> None:
    wanted, args = command("thesis", (3, 6, 8))
    TrainingFiles(tmp_path / "genetic.json").open(wanted, force=False)
    before = (tmp_path / "genetic.json.checkpoint").read_bytes()
    assert tells in assert_refused(kibitz_here(*args, option, value, home=tmp_path))
    assert (tmp_path / "genetic.json.checkpoint").read_bytes() == before


def test_a_checkpoint_of_other_versions(tmp_path: Path) -> None:
    wanted, args = command("thesis", (3, 6, 8))
    files = TrainingFiles(tmp_path / "genetic.json")
    files.open(wanted, force=False)
    document = json.loads(files.checkpoint.read_text())
    document["versions"]["numpy"] = "1.0"
    files.checkpoint.write_text(json.dumps(document))
    assert "numpy 1.0, not" in assert_refused(kibitz_here(*args, home=tmp_path))


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"done": 1', "\0", '{"task": null}'])
def test_what_is_no_checkpoint(tmp_path: Path, text: str) -> None:
    (tmp_path / "genetic.json.checkpoint").write_text(text)
    done = kibitz_here("train", "tablic", "genetic", *SMALL, home=tmp_path)
    assert "genetic.json.checkpoint: not a checkpoint" in assert_refused(done)


BAD = {
    "another game": (["love-letter", "genetic"], "genetic plays tablic, not love-letter"),
    "no numbers": (["tablic", "greedy"], "greedy has no numbers to train; these have: genetic"),
    "unknown strategy": (["tablic", "genetics"], "genetic"),
    "all given": (["tablic", "genetic:g0=1,g1=1,g2=0,g3=0"], "leave out what training is to find"),
    "not in this game": (["love-letter", "pimc:worlds=2"], "plays love-letter alike whatever card"),
    "a genome": (["tablic", "genetic:genome=g.json"], "plays tablic alike whatever g0"),
    "three players": (["tablic:players=3", "genetic"], "for two players"),
    "unknown optimizer": (["tablic", "genetic", "--optimizer", "best"], "cma, thesis"),
    "few fresh pairs": (["tablic", "genetic", "--fresh", "5"], "0, or at least 10"),
    "too many processes": (["tablic", "genetic", "--jobs", "9999"], "jobs must be at most"),
    "no cluster": (["tablic", "genetic", "--cluster", "here"], "tcp://host:8786, not 'here'"),
    "no generations": (["tablic", "genetic", "--generations", "0"], "at least 1"),
    "odd games": (["tablic", "genetic", "--games", "7"], "even"),
    "unknown opponent": (["tablic", "genetic", "--opponent", "gredy"], "greedy"),
    "opponent of another game": (["tablic", "genetic", "--opponent", "probabilistic"], "tablic"),
    "too few games": (
        ["tablic", "genetic", "--optimizer", "cma", "--generations", "1", "--population", "2"],
        "more games",
    ),
    "a name for the picture": (["tablic", "genetic", "-o", "x.svg"], "picture"),
    "no name": (["tablic", "genetic", "-o", ""], "name"),
    "a folder": (["tablic", "genetic", "-o", "."], "name"),
    "nothing": ([], "GAME"),
}


@pytest.mark.parametrize(("args", "tells"), BAD.values(), ids=BAD)
def test_bad_input(tmp_path: Path, args: list[str], tells: str) -> None:
    few = ["--games", "2"] if "cma" in args else []
    genome = {"strategy": "genetic", "genome": [0.1, 0.2, 0.3, 0.4]}
    (tmp_path / "g.json").write_text(json.dumps(genome))
    assert tells in assert_refused(kibitz_here("train", *args, *few, home=tmp_path))
    # Imported for the first time, matplotlib makes hidden folders of its own there.
    seen = [path for path in tmp_path.iterdir() if not path.name.startswith(".")]
    assert seen == [tmp_path / "g.json"], "nothing half-written"


@pytest.mark.parametrize("path", ["folder", "file/below.json"])
def test_output_that_cannot_be_written(tmp_path: Path, path: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    args = ("train", "tablic", "genetic", *SMALL, "--force", "-o", path)
    assert path.partition("/")[0] in assert_refused(kibitz_here(*args, home=tmp_path))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder"]


GENOMES: dict[str, Any] = {
    "empty": "",
    "no JSON": "{genome",
    "a list": [0.1, 0.2, 0.3, 0.4],
    "too deep": "[" * 100_000,
    "of another strategy": {"strategy": "greedy", "genome": [0.1, 0.2, 0.3, 0.4]},
    "no genome": {"strategy": "genetic"},
    "three genes": {"strategy": "genetic", "genome": [0.1, 0.2, 0.3]},
    "a text": {"strategy": "genetic", "genome": [0.1, 0.2, 0.3, "0.4"]},
    "a truth": {"strategy": "genetic", "genome": [0.1, 0.2, 0.3, True]},
    "no number": {"strategy": "genetic", "genome": [0.1, 0.2, 0.3, float("nan")]},
    "endless": {"strategy": "genetic", "genome": [0.1, 0.2, 0.3, float("inf")]},
    "too much": {"strategy": "genetic", "genome": [0.1, 0.2, 0.3, 10**400]},
}


@pytest.mark.parametrize("content", GENOMES.values(), ids=GENOMES)
def test_bad_files_are_refused(tmp_path: Path, content: Any) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (tmp_path / "bad.json").write_text(text)
    done = kibitz_here("compare", "tablic", "genetic:genome=bad.json", "greedy", home=tmp_path)
    assert assert_refused(done).startswith("kibitz: bad.json: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{}")
    os.mkdir(tmp_path / "folder")
    for name in ("bytes.json", "folder", "none.json"):
        done = kibitz_here("compare", "tablic", f"genetic:genome={name}", "greedy", home=tmp_path)
        assert name in assert_refused(done)


def test_an_interrupt_after_a_checkpoint_tells_what_the_checkpoint_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = TrainingFiles.save

    def save_and_interrupt(files: TrainingFiles, task: Task, done: list[Any]) -> None:
        save(files, task, done)
        if len(done) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(TrainingFiles, "save", save_and_interrupt)
    done = kibitz_here("train", "tablic", "genetic", *SMALL, home=tmp_path)
    assert done.returncode == 130 and generations_saved(tmp_path) == 2
    assert "stopped after generation 2;" in done.stderr
