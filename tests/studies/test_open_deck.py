"""The study of solved shuffles: what plays lose, kinds of mistakes, files, going on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli.commands.study import study as study_command
from kibitz.core.errors import BadText, BadValue
from kibitz.core.game import Play
from kibitz.core.registry import make_strategy
from kibitz.games.tablic.game import Tablic
from kibitz.solvers.tablic.open_deck import LEAST_MEMORY, OpenDeck, Walk
from kibitz.studies.open_deck import measure as open_deck
from kibitz.studies.open_deck import report as open_report
from kibitz.studies.open_deck.losses import KINDS, captures, card_of, deal_of, deals_in, mistake_of
from kibitz.studies.open_deck.measure import (
    RESULTS,
    OpenDeckSize,
    measure,
    open_game,
    played_by_greedy,
)
from kibitz.studies.open_deck.results_file import ResultsFile
from kibitz.table.seeds import GameSeeds, nth_seed
from tests.games.boards import few
from tests.games.tablic.positions import full_state
from tests.oracle import tablic_open as plain
from tests.search.fast.arrays import compiled_only

pytestmark = compiled_only
TINY = OpenDeckSize(6, 3, 8, ("random", "greedy", "pimc:worlds=2"))
COMMAND = "kibitz study tablic --open …"


@pytest.fixture(autouse=True)
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times do not matter here."""
    monkeypatch.setattr(open_deck, "warm_up", lambda: None)


def run(folder: Path, size: OpenDeckSize = TINY) -> list[Path]:
    return open_report.study_open_deck(folder, 3, size, COMMAND, lambda what: None)


def figures(folder: Path) -> Any:
    return json.loads((folder / "figures.json").read_text())


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("open") / "new" / "folder"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(open_deck, "warm_up", lambda: None)
        run(folder)
    return folder


# -- values and losses, against plain minimax ----------------------------------------------------


def test_shuffles_have_the_values_of_plain_minimax(tmp_path: Path) -> None:
    game = open_game()
    study = measure(tmp_path, 3, OpenDeckSize(4, 0, 6, ()), COMMAND, lambda what: None)
    for number, solved in enumerate(study.solved):
        seed = nth_seed(3, number)
        start = played_by_greedy(game, seed, 42).state
        so_far = plain.end_value(game, start, 0)[0]
        assert solved.value == plain.value(game, start, 0)[0] - so_far
        end = played_by_greedy(game, seed, 48).state
        assert game.is_over(end)
        assert solved.greedy == plain.end_value(game, end, 0)[0] - so_far


def test_losses_add_up_and_are_those_of_plain_minimax(tmp_path: Path) -> None:
    game, size = open_game(), OpenDeckSize(3, 3, 6, ("random", "greedy"))
    study = measure(tmp_path, 3, size, COMMAND, lambda what: None)
    assert len(study.played) == 3 * 2 * 2
    for each in study.played:
        assert each.loss == each.value - each.made >= 0
        assert each.value == (1 - 2 * each.seat) * study.solved[each.shuffle].value
        assert each.decisions == 3 and all(m.deal == 4 for m in each.mistakes)
        assert [m.loss for m in each.mistakes] == plain_losses(game, each)
    assert any(each.mistakes for each in study.played)


def plain_losses(game: Tablic, played: Any) -> list[int]:
    """The same game once more, with values by plain recursion."""
    seeds = GameSeeds(3, played.shuffle, shuffle=nth_seed(3, played.shuffle))
    table, strategy, lost = played_by_greedy(game, seeds, 42), make_strategy(played.player), []
    player = strategy.sit(game, played.seat, seeds.seat(played.seat))
    walk = Walk(deck := OpenDeck(game, table.state, LEAST_MEMORY), deck.solve().value)
    while not table.is_over:
        values = plain.play_values(game, table.state)
        if table.mover == played.seat:
            play = player.choose(table.view(played.seat))
            lost.append(max(values.values())[0] - values[play.code][0])
        else:
            play = walk.best()
            assert values[play.code] == max(values.values()), "perfect"
        walk.play(play)
        table.play(play)
    return [loss for loss in lost if loss]


# -- kinds of mistakes ---------------------------------------------------------------------------


JACKS = "table=4s 8c Jd; hand1=Js; hand2=8d; last=2"


@pytest.mark.parametrize(
    ("position", "play", "kind", "loss"),
    [
        (JACKS, "Js x Jd 8c 4s", None, 0),
        (JACKS, "Js x Jd", "wrong-cards", 1),
        (JACKS, "Js", "laid-not-captured", 5),
        ("table=8s Jc; hand1=Jh; hand2=Jd; last=2", "Jh", "laid-not-captured", 6),
        ("table=2s 3c 7s 8c; hand1=8s Js; hand2=Jc Ks; last=2", "8s x 8c", "wrong-captor", 7),
        ("table=6d 7h; hand1=7s; hand2=6s; last=1", "7s x 7h", "captured-not-laid", 1),
        ("table=2h; hand1=Jd Kh; hand2=2s Ks; last=2", "Jd", "wrong-laid", 1),
    ],
)
def test_kinds_on_composed_positions(
    position: str, play: str, kind: str | None, loss: int
) -> None:  # fmt: skip
    game = open_game()
    state = full_state(f"{position}; dealer=2; turn=1", game=game)
    walk = walk_from(game, state)
    mistake = mistake_of(walk, game.parse_play(state, play))
    assert (mistake and mistake.kind) == kind
    assert (mistake.loss if mistake else 0) == loss


def walk_from(game: Tablic, state: Any) -> Walk:
    deck = OpenDeck(game, state, LEAST_MEMORY)
    return Walk(deck, deck.solve().value)


def test_kinds_follow_from_all_best_plays() -> None:
    game, met = open_game(), set()
    for seed in range(few(60, 5)):
        state = played_by_greedy(game, seed, 44).state
        values = plain.play_values(game, state)
        walk = walk_from(game, state)
        best = [p for p in game.plays(state) if values[p.code] == max(values.values())]
        for play in game.plays(state):
            mistake = mistake_of(walk, play)
            assert (mistake is None) == (play in best)
            if mistake:
                met.add(mistake.kind)
                assert mistake.kind == plain_kind(play, best)
    assert met >= set(KINDS) - {"wrong-cards"} or not few(1, 0), "that one is rare"


def plain_kind(play: Play, best: list[Play]) -> str:
    capturing = [card_of(each) for each in best if captures(each)]
    if captures(play):
        if not capturing:
            return "captured-not-laid"
        return "wrong-cards" if card_of(play) in capturing else "wrong-captor"
    return "laid-not-captured" if len(capturing) == len(best) else "wrong-laid"


def test_deals_count_from_one() -> None:
    game = open_game()
    numbers = [deal_of(played_by_greedy(game, 5, plies).state) for plies in range(48)]
    assert numbers == [1 + plies // 12 for plies in range(48)]
    assert list(deals_in(48)) == [1, 2, 3, 4] and list(deals_in(24)) == [3, 4]
    assert list(deals_in(8)) == [4]


# -- files and going on --------------------------------------------------------------------------


def test_it_writes_all_its_files(done: Path) -> None:
    plots = {f"{plot}.{kind}" for plot in open_report.PLOTS for kind in ("svg", "png")}
    names = {"report.md", "report.html", "figures.json", RESULTS, *plots}
    assert {path.name for path in done.iterdir()} == names
    text = (done / "report.md").read_text()
    for plot in open_report.PLOTS:
        assert f"]({plot}.svg)" in text
    for expected in (*TINY.players, *KINDS.values(), "the last 8 plays", "not of whole games"):
        assert expected in text
    document = figures(done)
    assert len(document["shuffles"]) == 6 and len(document["measured"]["seconds"]) == 6
    for loser in document["losses"]:
        assert loser["games"] == 6 and loser["decisions"] == 24
        parts = sum(each["mean"] for each in loser["kinds"].values())
        assert parts == pytest.approx(loser["loss"]["mean"])


def test_started_again_nothing_is_solved(
    done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    before = {path.name: path.read_bytes() for path in done.iterdir()}
    monkeypatch.setattr(open_deck, "OpenDeck", lambda *given: pytest.fail("it is all there"))
    run(done)
    assert {path.name: path.read_bytes() for path in done.iterdir()} == before


def test_interrupted_anywhere_it_goes_on_to_the_same_figures(
    done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, file = ResultsFile.add, tmp_path / RESULTS

    def killed(self: ResultsFile, *key: Any, result: Any) -> Any:
        """Every third result; some of them are half written by then."""
        counted.append(key)
        if len(counted) % 3 == 0:
            if len(counted) % 2:
                with file.open("ab") as out:
                    out.write(b'{"about": {"kibitz": "0.')
            raise KeyboardInterrupt
        return real(self, *key, result=result)

    counted: list[Any] = []
    monkeypatch.setattr(ResultsFile, "add", killed)
    stops = 0
    while not (tmp_path / "report.md").exists():
        try:
            run(tmp_path)
        except KeyboardInterrupt:
            stops += 1
            assert {path.name for path in tmp_path.iterdir()} == {RESULTS}
    assert stops > 5
    ours, undisturbed = figures(tmp_path), figures(done)
    assert len(ours.pop("measured")["seconds"]) == len(undisturbed.pop("measured")["seconds"])
    assert ours == undisturbed
    keys = [tuple(json.loads(line)["key"]) for line in file.read_text().splitlines()]
    assert len(keys) == len(set(keys)) == 6 + 3 * 2 * 3


def test_another_seed_and_size_in_the_same_folder(done: Path, tmp_path: Path) -> None:
    (tmp_path / RESULTS).write_bytes((done / RESULTS).read_bytes())
    messages: list[str] = []
    study = measure(tmp_path, 4, OpenDeckSize(2, 0, 6, ()), COMMAND, messages.append)
    assert len(study.solved) == 2
    assert (tmp_path / RESULTS).read_bytes().startswith((done / RESULTS).read_bytes())
    run(tmp_path)
    assert figures(tmp_path) == figures(done)


def test_it_tells_what_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "kibitz.solvers.tablic.open_deck.SLICE", 1000
    )  # so few plies are solved in a moment
    messages: list[str] = []
    measure(tmp_path, 3, OpenDeckSize(2, 1, 26, ("greedy",)), COMMAND, messages.append)
    assert any(each.startswith("shuffle 1 of 2: ") and "nodes" in each for each in messages)
    assert "shuffle 1 of 2: greedy in seat 2" in messages


# -- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"mine", b"mine\n", b"[1]\n", b'{"about": 1}\n'])
def test_a_file_of_something_else_is_refused_untouched(content: bytes, tmp_path: Path) -> None:
    (tmp_path / RESULTS).write_bytes(content)
    with pytest.raises(BadText, match=rf"{RESULTS}: damaged"):
        run(tmp_path)
    assert (tmp_path / RESULTS).read_bytes() == content


def test_what_the_command_refuses(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with pytest.raises(BadText, match="--open is for tablic, not for search"):
        study_command("search", folder, is_open=True)
    with pytest.raises(BadText, match="one process"):
        study_command("tablic", folder, is_open=True, jobs=2)
    with pytest.raises(BadText, match="--shuffles is for tablic --open"):
        study_command("tablic", folder, shuffles=2)
    with pytest.raises(BadValue, match="shuffles must be at least 2, not 1"):
        study_command("tablic", folder, is_open=True, shuffles=1)
    assert not folder.exists()
    (folder / "kinds.png").mkdir(parents=True)
    with pytest.raises(BadText, match=r"kinds\.png: not a file"):
        study_command("tablic", folder, is_open=True)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_deck, "QUICK", replace(TINY, shuffles=9))
    study_command("tablic", tmp_path, 3, quick=True, is_open=True, shuffles=6)
    document = figures(tmp_path)
    assert document["command"].endswith("--open -o FOLDER --seed 3 --quick --shuffles 6")
    assert len(document["shuffles"]) == 6
