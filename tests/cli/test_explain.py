"""`kibitz explain`: its numbers against ones worked out by hand, and what it must not tell."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli.ui.explanations import BAR, bar
from kibitz.core.figures import percent
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Knows
from kibitz.jit.rng import below, stream
from kibitz.strategies.common.beliefs import by_counting
from kibitz.table.record import Record, write_records
from kibitz.table.seeds import GameSeeds
from kibitz.table.situation import in_record
from kibitz.table.table import Table
from tests.processes import assert_refused, complaints, kibitz_here

RECORD = "r.jsonl"
HIDING = [
    "love-letter", "love-letter:players=3", "tablic", "tablic:players=3", "kuhn-poker",
    "leduc-poker", "hidden-paper-rock-scissors",
]  # fmt: skip
QUICK = {
    "love-letter": ["greedy", "random", "flat-mc:worlds=20", "ismcts:simulations=100"],
    "tablic": ["greedy", "human", "pimc:worlds=5"],
    "kuhn-poker": ["random", "ismcts:simulations=100"],
    "leduc-poker": ["pimc:worlds=20", "ismcts:simulations=100"],
    "hidden-paper-rock-scissors": ["ismcts:simulations=100"],
}
"""Fair strategies that do not think for long."""


def explain(home: Path, game: str, *args: str) -> str:
    done = kibitz_here("explain", game, *args, home=home)
    assert (done.returncode, complaints(done)) == (0, []), done.stderr
    return done.stdout


def document(home: Path, game: str, *args: str) -> dict[str, Any]:
    explained: dict[str, Any] = json.loads(explain(home, game, *args, "--json"))
    return explained


def by(strategies: list[str]) -> list[str]:
    return [word for strategy in strategies for word in ("--strategy", strategy)]


def midway(spec: str, seed: int, most: int = 6) -> Table:
    """A table some random plays on, before a decision."""
    game = make_game(spec)
    table, rng = Table(game, seed), stream(seed, 5)
    for _ in range(below(rng, most)):
        plays = game.plays(table.state)
        play = plays[below(rng, len(plays))]
        if not game.is_over(game.after(table.state, play)):
            table.play(play)
    return table


# -- the numbers -----------------------------------------------------------------------

THESIS = "love-letter:deck=thesis"
FIRST_MOVE = "face_up=king prince handmaid; hand1=guard baron"
DECK = "guard guard guard guard priest priest baron baron handmaid handmaid prince prince king"
CONSTANT = {"guard": 0.08, "baron": 0.06}
STRENGTH = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")


def unseen(*seen: str) -> dict[str, Fraction]:
    """The share of each card among those that are not seen."""
    left = Counter([*DECK.split(), "countess", "princess"]) - Counter(seen)
    return {card: Fraction(n, left.total()) for card, n in left.items()}


def test_the_golden_example_of_the_thesis_worked_out_anew(tmp_path: Path) -> None:
    """LL table 3.1: F(guard) = 1 + P + 0.08, F(baron) = 1 + P(lower) − P(higher) + 0.06."""
    explained = document(tmp_path, THESIS, "--position", FIRST_MOVE, *by(["greedy"]))
    (greedy,) = explained["strategies"]
    chance = unseen("king", "prince", "handmaid", "guard", "baron")
    assert chance["guard"] == Fraction(3, 10) and chance["priest"] == Fraction(2, 10)
    (belief,) = greedy["beliefs"]
    assert belief["place"] == "seat 2's hand"
    assert belief["cards"] == {card: pytest.approx(float(p)) for card, p in chance.items()}

    expected = {f"guard>2={card}": 1.08 + float(chance.get(card, 0)) for card in STRENGTH[1:]}
    expected["baron>2"] = 1.06 - float(sum(chance[card] for card in chance if card != "guard"))
    scores = {reason["play"]: reason["score"] for reason in greedy["reasons"]}
    assert scores == {play: pytest.approx(score) for play, score in expected.items()}
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    for reason in greedy["reasons"]:
        assert sum(reason["parts"].values()) == pytest.approx(reason["score"])
        assert reason["parts"]["card"] == CONSTANT[re.split(">", reason["play"])[0]]
    assert greedy["best"] == greedy["reasons"][0]["play"] == "guard>2=priest"
    assert scores["guard>2=priest"] - 0.08 == pytest.approx(1.2)
    assert scores["baron>2"] - 0.06 == pytest.approx(0.3)
    assert "Priest" in greedy["sentence"] and "20%" in greedy["sentence"]


def test_a_bluff_counts_the_own_cards_too(tmp_path: Path) -> None:
    args = ["--position", FIRST_MOVE, *by(["greedy:bluff=true"])]
    (greedy,) = document(tmp_path, THESIS, *args)["strategies"]
    assert greedy["best"] == "guard>2=baron"
    assert greedy["beliefs"][0]["cards"]["baron"] == pytest.approx(2 / 12)


def test_the_text_has_the_same_numbers(tmp_path: Path) -> None:
    out = explain(tmp_path, THESIS, "--position", FIRST_MOVE, *by(["greedy"]))
    (best,) = [line for line in out.splitlines() if "▸ guard" in line]
    assert best.split() == ["▸", "guard>2=priest", "1.28", "1", "0.2", "0.08"]
    (last,) = [line for line in out.splitlines() if "baron>2" in line]
    assert last.split() == ["baron>2", "0.36", "1", "0.06", "-0.7"]
    assert re.search(r"guard +█+ +30%", out)
    assert "F of the thesis" in out
    assert "by counting" not in out, "greedy has a belief of its own"


def test_counting_is_by_the_rules_alone(tmp_path: Path) -> None:
    explained = document(tmp_path, THESIS, "--position", FIRST_MOVE, *by(["random"]))
    assert explained["strategies"][0]["beliefs"] == []
    chance = unseen("king", "prince", "handmaid", "guard", "baron")
    places = {belief["place"]: belief["cards"] for belief in explained["by_counting"]}
    assert places.keys() == {"seat 2's hand", "aside"}
    for cards in places.values():
        assert sum(cards.values()) == pytest.approx(1)
        assert cards == {card: pytest.approx(float(p)) for card, p in chance.items()}
    out = explain(tmp_path, THESIS, "--position", FIRST_MOVE, *by(["random", "greedy"]))
    assert "by counting (not used by random)" in out


def test_tablic_counts_hands_by_rank(tmp_path: Path) -> None:
    """With every other card seen, the hidden hand is certain: 10d and 2c are named."""
    hand = "10d 2c Ks Kh"
    table, own = "9c Jd", "Ah 4d 4c 3s"
    named = [*hand.split(), *table.split(), *own.split()]
    every = [r + s for r in ["A", *map(str, range(2, 11)), *"JQK"] for s in "cdhs"]
    pile = " ".join(card for card in every if card not in named)
    position = f"table={table}; deck=none; hand1={own}; pile1={pile}; pile2=none; last=1; dealer=2"
    explained = document(tmp_path, "tablic", "--position", position, *by(["greedy"]))
    (belief,) = explained["by_counting"]
    assert belief == {
        "place": "seat 2's hand", "cards": {"10d": 1, "2c": 1, "K": 1}, "exact": True,
    }  # fmt: skip


# -- the document ----------------------------------------------------------------------

DOCUMENT = {"game", "position", "seat", "strategies", "by_counting"}
ENTRY = {
    "name", "knows", "best", "score_is", "reasons", "beliefs", "sentence", "why", "equal", "margin",
}  # fmt: skip


@pytest.mark.parametrize("spec", ["tic-tac-toe", "pig", *HIDING])
def test_json_has_every_play_of_the_mover(tmp_path: Path, spec: str) -> None:
    table = midway(spec, 3)
    game, seat = table.game, table.mover
    quick = QUICK.get(game.name, ["mcts:simulations=50", "random"])
    explained = document(tmp_path, spec, "--position", game.position(table.state), *by(quick))
    assert explained.keys() == DOCUMENT
    assert (explained["game"], explained["seat"]) == (spec, seat + 1)
    assert explained["position"] == game.position(table.view(seat).state)
    assert [entry["name"] for entry in explained["strategies"]] == quick
    for entry in explained["strategies"]:
        assert entry.keys() == ENTRY
        assert entry["knows"] == "fair"
        plays = [reason["play"] for reason in entry["reasons"]]
        assert plays[0] == entry["best"]
        assert set(plays) <= {str(play) for play in game.plays(table.state)}
        for belief in entry["beliefs"]:
            assert belief.keys() == {"place", "cards", "exact"}
            assert all(0 < p <= 1 for p in belief["cards"].values())


def test_who_explains_unless_told_is_fair_and_strong(tmp_path: Path) -> None:
    (entry,) = document(tmp_path, "love-letter", "--position", FIRST_MOVE)["strategies"]
    assert (entry["name"], entry["knows"]) == ("flat-mc", "fair")


def test_same_seed_same_explanation(tmp_path: Path) -> None:
    args = ("--position", FIRST_MOVE, *by(["flat-mc:worlds=20"]), "--seed")
    first, again, other = (explain(tmp_path, "love-letter", *args, seed) for seed in "112")
    assert first == again != other


# -- what nobody may see ---------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("spec", HIDING)
def test_hidden_cards_make_no_difference(tmp_path: Path, spec: str, seed: int) -> None:
    table = midway(spec, seed)
    game, seat = table.game, table.mover
    args = by(QUICK[game.name])
    state = game.parse_position(game.position(table.state))
    view = game.view(state, seat)
    # The view itself is a position with things left out, and is as good.
    states = [state, game.redeal(view, stream(seed)), view.state]
    texts = {game.position(one) for one in states}
    given = {explain(tmp_path, spec, "--position", text, *args, "--json") for text in texts}
    assert len(given) == 1
    shown = {explain(tmp_path, spec, "--position", text, *args[:2]) for text in texts}
    assert len(shown) == 1


def hidden_from(spec: str, state: Any, seat: int) -> dict[str, int]:
    """The places that a seat can't look into, and how many cards are there: by the rules."""
    x = state[0]
    name = spec.partition(":")[0]
    others = [s for s in range(make_game(spec).players) if s != seat]
    if name == "love-letter":
        unknown = [s for s in others if x.inside >> s & 1 and not x.known[seat] >> s & 1]
        places = {f"seat {s + 1}'s hand": 1 + (s == x.turn) for s in unknown}
        for s in others:
            if s == x.turn and s not in unknown:
                places[f"seat {s + 1}'s hand"] = 1  # the card that he drew
        return places | ({"aside": 1} if x.aside else {})
    if name == "tablic":
        return {f"seat {s + 1}'s hand": int(x.held[s]) for s in others if x.held[s]}
    if name == "hidden-paper-rock-scissors":
        return {f"seat {s + 1}'s choice": 1 for s in others if x.choice[s] >= 0}
    board = {"board": 1} if name == "leduc-poker" and x.stage == 0 else {}
    return {f"seat {2 - seat}'s hand": 1} | board


@pytest.mark.parametrize("spec", HIDING)
def test_hidden_places_are_those_that_a_view_does_not_show(spec: str) -> None:
    for seed in range(6):
        table = midway(spec, seed, 12)
        game = table.game
        for seat in range(game.players):
            view = table.view(seat)
            for world in (table.state, game.redeal(view, stream(seed))):
                hidden = game.hidden_cards(view, world)
                sizes = {place: len(cards) for place, cards in hidden.items()}
                assert sizes == hidden_from(spec, table.state, seat)
            assert {belief.place for belief in by_counting(view)} == sizes.keys()


def test_open_hands_hide_no_hand() -> None:
    table = midway("tablic", 2)
    assert table.game.hidden_cards(table.view(table.mover, Knows.OPEN_HANDS), table.state) == {}


def test_an_open_strategy_needs_what_it_sees(tmp_path: Path) -> None:
    position = "table=Jd Ac 2s; hand1=Qh 9s; deck=none; dealer=2; turn=1"
    args = ["explain", "tablic", "--position", position, *by(["backtrack"])]
    line = assert_refused(kibitz_here(*args, home=tmp_path))
    assert "open-hands" in line and line.endswith("leaves out: hand2")
    complete = position.replace("deck", "hand2=3c Kd; deck")
    (entry,) = document(tmp_path, "tablic", "--position", complete, *by(["backtrack"]))[
        "strategies"
    ]
    assert (entry["knows"], entry["best"]) == ("open-hands", "Qh x 2s Ac")


# -- recorded games --------------------------------------------------------------------


def recorded(home: Path, spec: str, seed: int, players: str = "random greedy") -> Record:
    """A game to its end, in the file of records."""
    game = make_game(spec)
    table, rng = Table(game, seed), stream(seed, 7)
    while not table.is_over:
        plays = game.plays(table.state)
        table.play(plays[below(rng, len(plays))])
    record = Record.of(table, players.split())
    write_records(home / RECORD, [record])
    return record


@pytest.mark.parametrize("spec", ["love-letter", "tablic", "pig:target=15", "leduc-poker"])
def test_a_turn_of_a_record_is_what_the_player_saw(tmp_path: Path, spec: str) -> None:
    record = recorded(tmp_path, spec, 4)
    game = record.make_game()
    table = Table(game, record.seed)
    turns = []
    while not table.is_over:
        n = len(table.plays)
        turn, situation = in_record(record, "r", n + 1)
        turns.append(turn)
        assert (turn, situation.seat, situation.played) == (n + 1, table.mover, record.plays[n])
        seen, there = situation.view(), table.view(table.mover)
        assert game.position(seen.state) == game.position(there.state)
        assert (seen.log, len(seen.past)) == (there.log, len(there.past))
        table.play(game.parse_play(table.state, record.plays[n]))
    assert in_record(record, "r")[0] == turns[-1], "the last decision by default"
    assert in_record(record, "r", seat=0)[1].seat == 0
    explained = document(tmp_path, game.name, "--record", RECORD, "--turn", "1", *by(["random"]))
    assert explained["played"] == record.plays[0]
    out = explain(tmp_path, spec, "--record", RECORD, "--turn", "1", *by(["random"]))
    assert f"turn 1: seat 1 (the strategy random) played {record.plays[0]}" in " ".join(out.split())
    assert f"{record.plays[0]} (played)" in out


def test_a_record_lets_strategies_conclude_from_earlier_plays(tmp_path: Path) -> None:
    """Who names the Priest holds none, if he plays like greedy: the position can't tell."""
    game = make_game("love-letter")
    table = Table(game, 1)
    for seed in range(200):
        table = Table(game, seed)
        table.play(game.plays(table.state)[0])
        if not table.is_over:
            greedy = make_strategy("greedy").sit(game, 1, stream(1))
            table.play(greedy.choose(table.view(1)))
            if not table.is_over and table.plays[1] == "guard>1=priest":
                break
    write_records(tmp_path / RECORD, [Record.of(table, ["random", "greedy"])])
    args = by(["flat-mc:worlds=20"])
    record = document(tmp_path, "love-letter", "--record", RECORD, *args)
    position = document(tmp_path, "love-letter", "--position", record["position"], *args)
    assert record["position"] == position["position"]
    holds = [
        next(b["cards"].get("priest", 0) for b in explained["strategies"][0]["beliefs"])
        for explained in (record, position)
    ]
    assert holds[0] < holds[1] / 2
    # The same as asking the player at the table.
    strategy = make_strategy(args[1])
    there = strategy.sit(game, 0, GameSeeds.alone(0).seat(0)).explain(table.view(0))
    assert record["strategies"][0]["best"] == str(there.best)
    assert record["strategies"][0]["sentence"] == there.sentence


def test_while_a_person_plays_nobody_sees_more(tmp_path: Path) -> None:
    game = make_game("tablic")
    table = Table(game, 3)
    for _ in range(3):
        table.play(game.plays(table.state)[0])
    write_records(tmp_path / RECORD, [Record.of(table, ["person", "random"])])
    args = ("tablic", "--record", RECORD, "--strategy")
    line = assert_refused(kibitz_here("explain", *args, "greedy", "--turn", "2", home=tmp_path))
    assert "only the turns of seat 1" in line
    line = assert_refused(kibitz_here("explain", *args, "backtrack", home=tmp_path))
    assert "open-hands" in line
    # The last decision is the person's own; it is the other's turn now.
    assert document(tmp_path, *args, "greedy")["seat"] == 1


def test_a_record_of_a_match_has_several_games(tmp_path: Path) -> None:
    records = [recorded(tmp_path, "love-letter", seed) for seed in (1, 2)]
    write_records(tmp_path / RECORD, records)
    last = document(tmp_path, "love-letter", "--record", RECORD, *by(["greedy"]))
    first = document(tmp_path, "love-letter", "--record", RECORD, "--game", "1", *by(["greedy"]))
    assert last["played"] == records[1].plays[-1]
    assert first["played"] == records[0].plays[-1]


# -- the screen ------------------------------------------------------------------------

MANY_PLAYS = "table=Ac Ad 2s 3s 4s 5s 6s 7s; hand1=Ah 10h Qs 9d 8d Kd; dealer=2; deck=none"


def test_many_plays_are_cut_short(tmp_path: Path) -> None:
    args = ("--position", MANY_PLAYS, *by(["greedy"]))
    (entry,) = document(tmp_path, "tablic", *args)["strategies"]
    out = explain(tmp_path, "tablic", *args)
    listed = [reason["play"] for reason in entry["reasons"]]
    assert len(listed) > 20
    assert f"… and {len(listed) - 12} more" in out
    assert listed[11] in out
    every = explain(tmp_path, "tablic", *args, "--all")
    assert "more (--all" not in every
    assert all(play in every for play in listed)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("spec", ["love-letter", "tablic"])
def test_the_screen_is_no_wider_than_the_terminal(tmp_path: Path, spec: str, columns: int) -> None:
    table = midway(spec, 5)
    done = kibitz_here(
        "explain", spec, "--position", table.game.position(table.state), *by(QUICK[spec]),
        home=tmp_path, columns=columns,
    )  # fmt: skip
    assert (done.returncode, complaints(done)) == (0, [])
    assert "\x1b" not in done.stdout
    assert columns - 1 <= max(map(len, done.stdout.splitlines())) <= columns
    assert f"seat {table.mover + 1} (you)" in done.stdout, "the table as the mover sees it"


def test_bars() -> None:
    assert bar(0) == " " * BAR
    assert bar(1) == "█" * BAR
    assert bar(0.5) == "█" * (BAR // 2) + " " * (BAR - BAR // 2)
    assert bar(0.0001).strip() == "▏", "what is possible is seen"
    lengths = [len(bar(i / 1000)) for i in range(1001)]
    assert set(lengths) == {BAR}
    assert (percent(0.001), percent(0.456), percent(1.0)) == ("<1%", "46%", "100%")
