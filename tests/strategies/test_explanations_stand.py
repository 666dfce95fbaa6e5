"""What an explanation says must stand: other random numbers, other bounds, other positions."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.game import View
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.love_letter.cards import NAMES
from kibitz.jit.rng import below, stream
from kibitz.search.fast.sample_size import batches, compare_plays
from kibitz.strategies.common.beliefs import by_counting
from kibitz.strategies.common.measures import measure_of
from kibitz.strategies.common.reasons import why
from kibitz.table.situation import at_position
from kibitz.table.table import Table
from tests.processes import ROOT, kibitz_here

FIRST_MOVE = "face_up=king prince handmaid; hand1=guard baron"


def views(spec: str, rounds: int) -> Iterator[View[Any]]:
    """What movers see in random play."""
    for seed in range(rounds):
        table, rng = Table(make_game(spec), seed), stream(seed, 3)
        while not table.is_over:
            yield table.view(table.mover)
            plays = table.game.plays(table.state)
            table.play(plays[below(rng, len(plays))])


# -- a recommendation that stands ----------------------------------------------------------


def test_other_random_numbers_give_the_same_advice() -> None:
    """Or one of those that each of them calls as good."""
    game = make_game("love-letter")
    situation = at_position(game, game.parse_position(FIRST_MOVE))
    explanations = [situation.explain(make_strategy("flat-mc"), seed) for seed in range(6)]
    assert {str(one.best) for one in explanations} == {"guard>2=priest"}
    for one in explanations:
        assert one.equal == ()
        top, *others = one.reasons
        assert top.interval is not None and top.interval[0] < top.score < top.interval[1]
        assert all(top.score > other.score for other in others)


def test_of_two_plays_that_are_the_same_neither_is_better() -> None:
    """The two names that nobody can hold are the same play; the sentence says so."""
    game = make_game("love-letter")
    position = (
        "face_up=king countess princess; hand1=guard handmaid; discards1=handmaid; not2=priest"
    )
    situation = at_position(game, game.parse_position(position))
    for seed in range(3):
        explanation = situation.explain(make_strategy("flat-mc"), seed)
        nothing = {f"guard>2={card}" for card in ("king", "countess", "princess", "handmaid")}
        scores = {str(r.play): r.score for r in explanation.reasons}
        if str(explanation.best) in nothing:
            assert {str(play) for play in explanation.equal} >= nothing - {str(explanation.best)}
            assert "equally good" in explanation.sentence
        else:
            assert max(scores[play] for play in nothing) < scores[str(explanation.best)]


def drawn(means: list[float], seed: int) -> Any:
    """Values of plays with these means, in worlds that they share."""
    rng = np.random.default_rng(seed)

    def look(alive: Any, worlds: int) -> Any:
        shared = rng.normal(0, 1, (worlds, 1))
        return shared + np.array(means)[alive] + rng.normal(0, 1, (worlds, len(alive)))

    return look


def test_the_best_play_is_rarely_missed_and_equal_ones_are_reported() -> None:
    missed = clear = 0
    for seed in range(200):
        compared = compare_plays(4, 20_000, 0.05, drawn([0.0, 0.15, 0.1, -0.5], seed))
        missed += compared.best != 1 and 1 not in (*compared.equal, *compared.open)
        clear += compared.best == 1 and not compared.equal and not compared.open
        assert 3 not in (*compared.equal, *compared.open), "far below"
    assert missed <= 10, "5 % of 200"
    assert clear >= 100, "0.05 is seen in 20 000 worlds"
    even = [compare_plays(3, 50_000, 0.1, drawn([0.2, 0.2, 0.2], seed)) for seed in range(100)]
    assert sum(len(one.equal) < 2 for one in even) <= 5, "5 % of 100"
    assert compare_plays(2, 400, 0.001, drawn([0.2, 0.2], 1)).worlds.max() == 400


def test_every_look_doubles_what_there_is() -> None:
    assert batches(100, 1000) == [100, 100, 200, 400, 200]
    assert batches(50, 50) == [50]
    assert sum(batches(100, 10_000)) == 10_000


# -- counted, not sampled ------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    ["love-letter", "love-letter:players=3", "love-letter:players=4", "tablic", "tablic:players=3"],
)
def test_beliefs_are_the_shares_of_all_worlds(spec: str) -> None:
    """Against many worlds that the rules deal: within five standard errors of each share."""
    n = 600
    for view in islice(views(spec, 6), 0, 40, 5):
        counted = {belief.place: belief for belief in by_counting(view)}
        seen: dict[str, Counter[str]] = {place: Counter() for place in counted}
        rng = stream(5)
        for _ in range(n):
            world = view.game.redeal(view, rng)
            for place, cards in view.game.hidden_cards(view, world).items():
                seen[place].update(set(cards))
        for place, belief in counted.items():
            assert belief.exact
            assert set(seen[place]) <= set(belief.cards)
            for card, p in belief.cards.items():
                error = (p * (1 - p) / n) ** 0.5
                assert abs(seen[place][card] / n - p) <= 5 * error + 1e-9


def test_the_chart_of_the_first_move_is_counted() -> None:
    game = make_game("love-letter")
    situation = at_position(game, game.parse_position(FIRST_MOVE))
    hand, _ = situation.explain(make_strategy("flat-mc"), 1).beliefs
    assert hand.cards["priest"] == pytest.approx(2 / 11)


# -- values, not bounds --------------------------------------------------------------------


def test_losing_plays_do_not_look_as_good_as_the_best(tmp_path: Path) -> None:
    """Five matches left: taking one wins, all else loses."""
    game = make_game(str(ROOT / "examples" / "take_away.py"))
    for seat in (0, 1):
        view = game.view((5, seat), seat)
        for name in ("alpha-beta", "minimax", "alpha-beta:depth=7"):
            explanation = make_strategy(name).sit(game, seat, stream(1)).explain(view)
            assert {r.play: r.score for r in explanation.reasons} == {1: 1, 2: -1, 3: -1}
            assert explanation.best == 1 and explanation.equal == ()
            assert "value 1 (won)" in explanation.sentence


def test_an_even_choice_is_called_even() -> None:
    """With four left every play loses."""
    game = make_game(str(ROOT / "examples" / "take_away.py"))
    explanation = make_strategy("alpha-beta").sit(game, 0, stream(1)).explain(game.view((4, 0), 0))
    assert [r.score for r in explanation.reasons] == [-1, -1, -1]
    assert len(explanation.equal) == 2 and "2 more plays are as good" in explanation.sentence


@pytest.mark.parametrize("depth", [1, 2])
def test_a_short_look_ahead_has_values_of_all_plays_too(depth: int) -> None:
    game = make_game("tic-tac-toe")
    state = game.deal(1)
    from kibitz.search.textbook.algorithms import Settings, run

    minimax = run("minimax", game, state, Settings(depth=depth))
    from kibitz.strategies.common.textbook_strategy import TextbookPlayer

    explanation = TextbookPlayer("alpha-beta", depth).explain(game.view(state, 0))
    assert {r.play: r.score for r in explanation.reasons} == {
        play: known.value for play, known in minimax.values.items()
    }


# -- what the numbers are ------------------------------------------------------------------

NUMBERS = {
    ("love-letter", "flat-mc"): "chance to win the round",
    ("tablic", "pimc"): "points ahead at the end of this deal (a card counts a quarter)",
    ("tablic", "pimc:card=0"): "points ahead at the end of this deal",
    ("tablic", "flat-mc:worlds=2"): "points ahead at the end of the game",
    ("leduc-poker", "ismcts"): "chips won",
    ("connect-four", "mcts:simulations=50"): "chance to win the game",
    ("tic-tac-toe", "alpha-beta"): "result if both play their best (won 1, drawn 0, lost -1)",
    ("connect-four", "alpha-beta:depth=3"): "looking 3 plies ahead",
}


@pytest.mark.parametrize(("spec", "name"), NUMBERS)
def test_the_score_says_what_it_is(spec: str, name: str) -> None:
    view = Table(make_game(spec), 4).view(0)
    explanation = make_strategy(name).sit(view.game, 0, stream(1)).explain(view)
    assert NUMBERS[spec, name] in explanation.score
    if explanation.chance:
        assert all(0 <= r.score <= 1 for r in explanation.reasons)


def test_a_chance_to_win_is_that() -> None:
    """Who always wins has 1, who never does 0, whatever the number of players."""
    for players in (2, 3, 4):
        measure = measure_of(make_game(f"love-letter:players={players}"))
        assert measure.of(1.0) == pytest.approx(1)
        assert measure.of(-1 / (players - 1)) == pytest.approx(0)


# -- reasons -------------------------------------------------------------------------------


def reasons_at(spec: str, position: str, play: str) -> str:
    game = make_game(spec)
    situation = at_position(game, game.parse_position(position))
    return " ".join(why(situation.view(), game.parse_play(situation.state, play)))


@pytest.mark.parametrize(
    ("position", "play", "says"),
    [
        ("hand1=countess prince", "countess", "beside the Prince (rule 4.7)"),
        ("hand1=countess king", "countess", "beside the King (rule 4.7)"),
        ("hand1=princess guard", "guard>2=priest", "The Princess must stay"),
        ("hand1=guard guard", "guard>2=priest", "Both your cards are Guards"),
        ("hand1=guard baron; discards2=handmaid; protected=2", "guard", "has no effect (rule 5.4)"),
        ("hand1=guard baron", "guard>2=priest", "2 are Priests (18%), and no card"),
        ("hand1=guard baron", "guard>2=king", "can't hold the King"),
        ("hand1=guard baron", "guard>2=baron", "1 is a Baron (9%)."),
        ("hand1=guard baron", "baron>2", "Guard beats seat 2's card with 0%"),
        ("hand1=guard handmaid; hand2=baron; known=1>2", "guard>2=baron", "surely holds the Baron"),
    ],
)
def test_other_positions_have_other_reasons(position: str, play: str, says: str) -> None:
    up = "priest prince handmaid" if "king" in position else "king prince handmaid"
    assert says in reasons_at("love-letter", f"face_up={up}; {position}", play)


SURELY = re.compile(r"Seat (\d) surely holds the (\w+):")
HAS_NO = re.compile(r"(?:that seat|^Seat) (\d) (?:has|played|won).*\bno ([\w, ]+) \(rule")
CARD = "|".join(name.capitalize() for name in NAMES if name)
OF_THE = re.compile(
    rf"Of the (\d+) unseen cards that seat (\d) may hold, (\d+) (?:is a|are) ({CARD})s? \("
)


@pytest.mark.parametrize("spec", ["love-letter", "love-letter:players=3", "love-letter:players=4"])
def test_what_is_said_of_a_hand_is_so_in_every_world(spec: str) -> None:
    rules: Counter[str] = Counter()
    for view in views(spec, 150):
        rng = stream(7)
        for sentence in why(view, view.plays()[0]):
            sure, without = SURELY.match(sentence), HAS_NO.search(sentence)
            if not sure and not without:
                continue
            worlds = [view.game.redeal(view, rng)[0] for _ in range(30)]
            if sure:
                hands = {NAMES[int(w.hand[int(sure[1]) - 1])] for w in worlds}
                assert hands == {sure[2].lower()}, sentence
            elif without:
                hands = {NAMES[int(w.hand[int(without[1]) - 1])] for w in worlds}
                assert not hands & set(without[2].lower().split(", ")), sentence
            rules[sentence.rpartition("(")[2]] += 1
    assert sum(rules.values()) > 30 and len(rules) >= 4, rules


def test_what_is_counted_is_counted() -> None:
    checked = 0
    for view in views("love-letter", 100):
        for play in view.plays():
            for sentence in why(view, play):
                if counted := OF_THE.match(sentence):
                    rng = stream(3)
                    n, seat, copies, card = counted.groups()
                    hands = Counter(
                        NAMES[int(view.game.redeal(view, rng)[0].hand[int(seat) - 1])]
                        for _ in range(150)
                    )
                    p = int(copies) / int(n)
                    assert (
                        abs(hands[card.lower()] / 150 - p) < 5 * (p * (1 - p) / 150) ** 0.5 + 1e-9
                    )
                    checked += 1
        if checked > 60:
            break
    assert checked > 60


def test_tablic_says_what_is_taken_and_who_can_clear_the_rest() -> None:
    position = "table=3s 9c 10d Jd; hand1=Ah 4d 5d 6d 10h Qs"
    reasons = reasons_at("tablic", position, "10h x 10d")
    assert "takes 2 cards with 3 points, two of them for 10♦ (rule 6.2)" in reasons
    assert "3 of the 42 unseen cards are J, which would clear 3♠ 9♣ J♦" in reasons
    assert "38%" in reasons
    reasons = reasons_at("tablic", "table=9c; hand1=9h Qs; deck=none; dealer=2", "9h x 9c")
    assert "clears the table, a tabla" in reasons


def test_tablic_knows_the_last_hand() -> None:
    """In the last deal, with all else seen, the other's cards are certain."""
    checked = 0
    for view in views("tablic", 3):
        for sentence in why(view, view.plays()[0]):
            if "surely holds" in sentence:
                world = view.game.redeal(view, stream(1))
                other = 1 - view.seat
                assert sentence.count("♠") + sentence.count("♥") + sentence.count(
                    "♦"
                ) + sentence.count("♣") == bin(int(world[0].hand[other])).count("1")
                checked += 1
    assert checked > 5


def test_the_document_has_the_interval_and_the_reasons(tmp_path: Path) -> None:
    done = kibitz_here("explain", "love-letter", "--position", FIRST_MOVE, "--json", home=tmp_path)
    (entry,) = json.loads(done.stdout)["strategies"]
    low, high = entry["reasons"][0]["ci95"]
    assert low < entry["reasons"][0]["score"] < high
    assert entry["equal"] == [] and entry["margin"] == 0.01
    assert any("Priests" in sentence for sentence in entry["why"])
