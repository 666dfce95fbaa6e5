"""A game from another package has all that ours have: levels, greedy rules, models of the others,
reasons. The package is `tests/packages/high_card`; `kibitz` runs with it on the path."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.processes import ROOT, assert_refused, complaints, environment, kibitz, run

PACKAGES = ROOT / "tests" / "packages"
POSITION = "hand1=2 5 9; led=4; played=4; turn=1"


def with_package(
    home: Path, *args: str, given: str = "", interpreted: bool = False
) -> CompletedProcess[str]:
    """What is played a few times only is quicker interpreted than compiled."""
    env = {"NUMBA_DISABLE_JIT": "1"} if interpreted else {}
    return kibitz(*args, given=given, home=home, PYTHONPATH=str(PACKAGES), **env)


def test_its_levels_and_strategies_are_listed(tmp_path: Path) -> None:
    done = with_package(tmp_path, "games", "high-card", "--json")
    assert (done.returncode, complaints(done)) == (0, [])
    entry = json.loads(done.stdout)
    assert entry["levels"] == {"easy": "random", "medium": "greedy", "hard": "pimc:worlds=20"}
    names = {one if isinstance(one, str) else one["name"] for one in entry["strategies"]}
    assert {"greedy", "pimc", "ismcts", "flat-mc", "random"} == names


@pytest.mark.parametrize(
    ("level", "strategy"), {"easy": "random", "medium": "greedy", "hard": "pimc:worlds=20"}.items()
)
def test_it_is_played_at_every_level_and_with_hints(
    tmp_path: Path, level: str, strategy: str
) -> None:
    """The hints are the same at all levels: one is enough, compiled."""
    args = ["play", "high-card", "--level", level, "--seed", "1", "--record", "r.jsonl"]
    args += ["--hints"] * (level == "hard")
    any_card = "".join(f"{card}\n" for card in range(1, 10))
    done = with_package(tmp_path, *args, given=any_card * 3, interpreted=level != "hard")
    assert (done.returncode, complaints(done)) == (0, [])
    record = json.loads((tmp_path / "r.jsonl").read_text())
    assert record["players"][1] == strategy
    assert record["returns"] is not None
    hint = "Hint by pimc:worlds=20; score: chance to take two tricks"
    assert (hint in done.stdout) == (level == "hard")


def test_its_own_rules_models_and_reasons_are_used(tmp_path: Path) -> None:
    args = ("explain", "high-card", "--position", POSITION, "--json")
    by = [text for name in ("greedy", "pimc:worlds=20") for text in ("--strategy", name)]
    done = with_package(tmp_path, *args, *by)
    assert (done.returncode, complaints(done)) == (0, [])
    document = json.loads(done.stdout)
    greedy, pimc = document["strategies"]
    assert greedy["best"] == "5" and greedy["sentence"] == "The 5 takes the trick."
    assert pimc["score_is"] == "chance to take two tricks"
    assert "The 5 is higher than the 4." in greedy["why"]
    (belief,) = document["by_counting"]
    assert belief["exact"] and belief["cards"]["1"] == pytest.approx(2 / 5)


def test_everybody_is_compared_at_quick_settings(tmp_path: Path) -> None:
    done = with_package(
        tmp_path, "compare", "high-card", "--pairs", "1", "--json", interpreted=True
    )
    assert (done.returncode, complaints(done)) == (0, [])
    names = {player["name"] for player in json.loads(done.stdout)["players"]}
    assert names == {
        "flat-mc:worlds=20", "greedy", "ismcts:simulations=200", "pimc:worlds=10", "random",
    }  # fmt: skip


def test_a_model_of_the_others_may_have_a_name_of_its_own(tmp_path: Path) -> None:
    args = ("compare", "high-card", "pimc:worlds=5,belief=strict", "random", "--pairs", "1")
    done = with_package(tmp_path, *args, "--json", interpreted=True)
    assert (done.returncode, complaints(done)) == (0, [])
    assert json.loads(done.stdout)["players"][0]["name"] == "pimc:worlds=5,belief=strict"


def test_what_it_does_not_declare_is_refused_by_name(tmp_path: Path) -> None:
    for strategy, reason in {
        "human": "human plays tablic, not high-card",
        "ismcts:belief=taker": "is for tablic; allowed with high-card: auto, none, greedy, strict",
        "pimc:belief=lower": "belief=lower is not possible; allowed with high-card: auto, none, ",
        "pimc:reply=greedy": "the others play their best",
        "greedy:bluff=true": "high-card knows no bluff",
    }.items():
        done = with_package(tmp_path, "compare", "high-card", strategy, "random", "--pairs", "1")
        assert reason in assert_refused(done)


def test_listing_the_games_loads_none_of_its_modules(tmp_path: Path) -> None:
    code = (
        "import sys, kibitz\nfrom kibitz.core.registry import strategies_for\n"
        "strategies_for(kibitz.make_game('high-card'))\n"
        "print(sorted(name for name in sys.modules if name.startswith('high_card')))"
    )
    done = run(["-c", code], environment(PYTHONPATH=str(PACKAGES)))
    assert done.stdout == "['high_card', 'high_card.game']\n"


def test_it_is_solved_by_its_own_solver(tmp_path: Path) -> None:
    """Seat 1 leads with hand 7 8 9 against 1 2 6: every card takes."""
    args = ("solve", "high-card", "--position", "hand1=7 8 9; hand2=1 2 6; turn=1")
    done = with_package(tmp_path, *args, "--all-plays", "--json", interpreted=True)
    assert (done.returncode, complaints(done)) == (0, [])
    assert json.loads(done.stdout) == {"value": 1.0, "plays": {"7": 1.0, "8": 1.0, "9": 1.0}}
    refused = assert_refused(with_package(tmp_path, *args, "--face-up", "1 1 1"))
    own = "--position, --seed, --all-plays, --open-hands, --json"
    assert f"high-card takes {own}, not --face-up: that is for love-letter" in refused
    refused = assert_refused(with_package(tmp_path, "solve", "twenty-one", "--open-hands"))
    assert "not --open-hands: that is for high-card" in refused
    shown = with_package(tmp_path, "solve", "high-card", "--help").stdout
    assert "Every card's value." in shown and "--memory" not in shown
