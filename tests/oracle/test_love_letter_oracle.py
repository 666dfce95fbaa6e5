"""Tests of the oracle itself: hand-made decks, then random play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.oracle.love_letter import FULL_DECK, NAMES, THESIS_DECK, Match, Round

LETTERS = {
    "g": "guard",
    "p": "priest",
    "b": "baron",
    "h": "handmaid",
    "r": "prince",
    "k": "king",
    "c": "countess",
    "s": "princess",
}


def deal(cards: str, players: int = 2, tie: str = "all", length: int | None = None) -> Round:
    """A tracked round. `cards`: the hands from seat 1 on, then the draws.

    The other places get the cards left over. With `length`, the deck is cut to
    that many cards after the first draw.
    """
    first = [LETTERS[letter] for letter in cards]
    rest = list((Counter(FULL_DECK) - Counter(first)).elements())
    before = 4 if players == 2 else 1
    round_ = Round(rest[:before] + first + rest[before:], players, tie=tie, track=True)
    if length is not None:
        del round_.deck[length:]
    return round_


def run(round_: Round, *texts: str) -> Round:
    for text in texts:
        round_.play(text)
    return round_


# --- set-up ---


def test_deal_two_players() -> None:
    deck = ["king", "guard", "guard", "priest", "prince", "baron", "guard"]
    deck += (Counter(FULL_DECK) - Counter(deck)).elements()
    r = Round(deck, 2, starter=2)
    assert (r.aside, r.face_up) == ("king", ["guard", "guard", "priest"])
    assert r.hands == {2: ["prince", "guard"], 1: ["baron"]}
    assert (r.mover, r.deck) == (2, deck[7:])


def test_deal_four_players_from_starter_to_the_left() -> None:
    deck = ["king", "guard", "priest", "baron", "handmaid", "prince"]
    deck += (Counter(FULL_DECK) - Counter(deck)).elements()
    r = Round(deck, 4, starter=3)
    assert r.face_up == []
    assert r.hands[3] == ["guard", "prince"]
    assert (r.hands[4], r.hands[1], r.hands[2]) == (["priest"], ["baron"], ["handmaid"])


def test_thesis_deck_and_bad_arguments() -> None:
    assert len(Round(THESIS_DECK).deck) == 8
    for deck, players, starter, tie in [
        (FULL_DECK[2:], 2, 1, "all"),
        (FULL_DECK, 5, 1, "all"),
        (FULL_DECK, 2, 3, "all"),
        (FULL_DECK, 2, 1, "some"),
    ]:
        with pytest.raises(ValueError):
            Round(deck, players, starter, tie)


# --- legal plays ---


def test_legal_texts() -> None:
    guesses = [f"guard>{s}={n}" for s in (2, 3) for n in NAMES if n != "guard"]
    assert deal("gbhg", 3).legal() == sorted(guesses)
    assert deal("rgh").legal() == ["handmaid", "prince>1", "prince>2"]
    assert deal("kgp").legal() == ["king>2", "priest>2"]
    assert deal("sgb").legal() == ["baron>2", "princess"]
    with pytest.raises(ValueError):
        deal("rgh").play("king>2")


@pytest.mark.parametrize("cards", ["cgr", "rgc", "cgk", "kgc"])
def test_forced_countess(cards: str) -> None:
    assert deal(cards).legal() == ["countess"]


def test_countess_is_free_beside_other_cards() -> None:
    r = deal("cgs")
    assert r.legal() == ["countess", "princess"]
    r.play("countess")
    assert (r.hands[1], r.discards[1], r.mover) == (["princess"], ["countess"], 2)


def test_protection() -> None:
    r = run(deal("hrgkpbr"), "handmaid")
    assert r.protected == {1}
    assert r.legal() == ["king", "prince>2"]
    r.play("king")  # bare: nothing happens
    assert r.hands[2] == ["prince"]
    assert r.protected == set()  # seat 1's turn has begun
    r = run(deal("hrgpbg", 3), "handmaid")
    assert r.legal() == ["baron>3", "prince>2", "prince>3"]


# --- effects ---


def test_guard() -> None:
    r = run(deal("gbp"), "guard>2=baron")
    assert r.over and r.winners() == [1]
    assert r.discards == {1: ["guard"], 2: ["baron"]} and r.hands[2] == []
    r = run(deal("gbpg"), "guard>2=king")
    assert not r.over
    assert ("king",) not in r.possible(1) and ("baron",) in r.possible(1)


def test_out_players_are_passed_over() -> None:
    r = run(deal("gbhgg", 3), "guard>2=baron")
    assert r.mover == 3 and r.still_in() == [1, 3]


def test_priest_and_forgetting() -> None:
    r = run(deal("pkghbg"), "priest>2")
    assert r.knows(1, 2) and not r.knows(2, 1)
    assert r.possible(1) == {("king",): 1}
    r.play("handmaid")  # another card: still known
    assert r.knows(1, 2) and r.possible(1) == {("king",): 1}
    r = run(deal("phghbg"), "priest>2", "handmaid")  # of the same name
    assert not r.knows(1, 2)
    assert r.possible(1)[("handmaid",)] == 1 and len(r.possible(1)) > 1


def test_baron() -> None:
    r = run(deal("bhkp"), "baron>2")
    assert r.over and r.winners() == [1]
    r = run(deal("bkghp", 3), "baron>2")  # handmaid 4 against king 6
    assert r.discards[1] == ["baron", "handmaid"] and r.mover == 2
    assert r.possible(3) == {
        ("prince",): 2,
        ("king",): 1,
        ("countess",): 1,
        ("princess",): 1,
    }


def test_baron_tie() -> None:
    r = run(deal("bhghkr", 3), "baron>2")
    assert r.still_in() == [1, 2, 3]
    assert r.knows(1, 2) and r.knows(2, 1) and not r.knows(3, 1)
    assert {key[0] for key in r.possible(1)} == {"handmaid"}
    assert all(a == b for a, b in r.possible(3))
    assert r.possible(3)[("guard", "guard")] == 4 * 3
    r.play("king>3")  # the known card moves with the trade
    assert r.knows(1, 3) and not r.knows(1, 2) and r.knows(2, 3) and r.knows(3, 2)
    assert all(key[1] == "handmaid" for key in r.possible(1))


def test_prince_after_baron_tie_shows_the_other_card() -> None:
    r = run(deal("bhrhgk", 3), "baron>2", "guard>3=countess")
    assert len({key[1] for key in r.possible(3)}) > 1
    r.play("prince>1")  # seat 1 lays down a handmaid, so seat 2 has the other
    assert {key[1] for key in r.possible(3)} == {"handmaid"}


def test_handmaid_for_one_round_of_turns() -> None:
    r = run(deal("hgbgpp", 3), "handmaid")
    assert "guard>1=king" not in r.legal() and "guard>3=king" in r.legal()


def test_prince() -> None:
    r = run(deal("rpghb"), "prince>2")
    assert r.discards[2] == ["priest"] and r.hands[2] == ["handmaid", "baron"]
    assert len(r.possible(1)) > 1
    r = run(deal("rpgh"), "prince>1")
    assert r.discards[1] == ["prince", "guard"] and r.hands[1] == ["handmaid"]
    r = run(deal("rsg"), "prince>2")
    assert r.over and r.winners() == [1] and r.discards[2] == ["princess"]
    r = run(deal("rgs"), "prince>1")
    assert r.over and r.winners() == [2] and r.discards[1] == ["prince", "princess"]


def test_prince_with_empty_deck_takes_the_card_aside() -> None:
    r = deal("rpg", length=0)
    aside = r.aside
    assert aside is not None
    r.play("prince>2")
    assert r.hands[2] == [aside] and r.aside is None and r.over
    r = run(deal("rsg", length=0), "prince>2")  # out: draws nothing
    assert r.aside == aside and r.over


def test_king() -> None:
    r = run(deal("kpgb"), "king>2")
    assert r.hands == {1: ["priest"], 2: ["guard", "baron"]}
    assert r.knows(1, 2) and r.knows(2, 1)
    assert set(r.possible(1)) == {("guard",)} and set(r.possible(2)) == {("priest",)}


def test_known_card_moves_with_the_king() -> None:
    r = run(deal("pbhgk", 3), "priest>2", "king>3")
    assert not r.knows(1, 2) and r.knows(1, 3)
    assert r.knows(2, 3) and r.knows(3, 2)
    assert {key[1] for key in r.possible(1)} == {"baron"}


def test_princess() -> None:
    r = run(deal("sgb"), "princess")
    assert r.over and r.winners() == [2] and r.discards[1] == ["princess", "baron"]


def test_prince_player_does_not_hold_the_countess() -> None:
    r = run(deal("rpgh", 3), "prince>2")
    assert all(key[0] != "countess" for key in r.possible(3))
    assert any(key[1] == "countess" for key in r.possible(3))


def test_failed_guess() -> None:
    r = run(deal("gbphg"), "guard>2=handmaid", "handmaid")  # must have drawn it
    assert ("handmaid",) not in r.possible(1)
    r = run(deal("gbppg"), "guard>2=handmaid", "priest>1")  # may have drawn one
    assert ("handmaid",) in r.possible(1)


# --- showdown ---


def test_showdown() -> None:
    r = run(deal("hbgp", length=1), "handmaid", "priest")
    assert r.over and r.tied() == [2] and r.winners() == [2]


@pytest.mark.parametrize(("tie", "winners"), [("all", [1, 2]), ("none", []), ("random", [1, 2])])
def test_showdown_tie(tie: str, winners: list[int]) -> None:
    r = run(deal("hggh", tie=tie, length=1), "handmaid", "handmaid")
    assert r.over and r.tied() == [1, 2] and r.winners() == winners
    assert Match(2, tie).starters(r) == [1, 2]


def test_showdown_higher_discards() -> None:
    r = run(deal("hggc", tie="none", length=1), "handmaid", "countess")
    assert r.tied() == [2] and r.winners() == [2]


def test_not_over() -> None:
    with pytest.raises(ValueError):
        deal("hgg").tied()
    with pytest.raises(ValueError):
        Round(FULL_DECK).possible(1)


# --- match ---


def test_match() -> None:
    assert [Match(n).target for n in (2, 3, 4)] == [7, 5, 4]
    m = Match(4)
    for _ in range(3):
        m.add([1, 2])
    m.add([])
    assert m.winner is None and not m.over
    m.add([1, 2])  # both at the target: another round
    assert m.winner is None and not m.over
    m.add([2, 3])
    assert m.over and m.winner == 2 and m.score == {1: 4, 2: 5, 3: 1, 4: 0}
    with pytest.raises(ValueError):
        m.add([1])


# --- random play ---


def pick(rng: random.Random, round_: Round) -> str:
    """A card by lot, then one of its plays by lot."""
    plays = round_.legal()
    card = rng.choice(sorted({text.partition(">")[0] for text in plays}))
    return rng.choice([text for text in plays if text.partition(">")[0] == card])


def check(round_: Round) -> None:
    """Conservation of the cards, and the truth is possible."""
    cards = round_.face_up + round_.deck
    cards += [] if round_.aside is None else [round_.aside]
    for seat in round_.seats:
        cards += round_.hands[seat] + round_.discards[seat]
        drawn = not round_.over and seat == round_.mover
        assert len(round_.hands[seat]) == 2 if drawn else len(round_.hands[seat]) <= 1
    assert sorted(cards) == sorted(round_.all_cards)
    assert round_.over or round_.mover not in round_.protected
    for viewer in round_.seats:
        others = [seat for seat in round_.still_in() if seat != viewer]
        truth = tuple(round_.hands[seat][0] for seat in others)
        possible = round_.possible(viewer)
        assert possible[truth] > 0
        for place, seat in enumerate(others):
            if round_.knows(viewer, seat):
                assert {key[place] for key in possible} == {truth[place]}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("cards", [FULL_DECK, THESIS_DECK])
def test_random_play(players: int, cards: list[str]) -> None:
    rng = random.Random(players)
    for _ in range(10 if players == 4 else 60):
        deck = rng.sample(cards, len(cards))
        r = Round(deck, players, rng.randint(1, players), track=True)
        check(r)
        while not r.over:
            r.play(pick(rng, r))
            check(r)
        assert r.legal() == [] and set(r.winners()) <= set(r.still_in())


# --- possible() against all courses of draws, replayed ---

Seen = list[object]


def replay(round_: Round, texts: list[str], viewer: int) -> Seen | None:
    """All that the viewer sees of these plays; None if one is not legal."""
    seen: Seen = [list(round_.face_up), list(round_.hands[viewer])]
    for text in texts:
        if round_.over or text not in round_.legal():
            return None
        if text.startswith("priest>") and round_.mover == viewer:
            seen.append(round_.hands[int(text[7:])][0])
        round_.play(text)
        seen.append(
            (
                round_.over,
                [list(round_.discards[seat]) for seat in round_.seats],
                list(round_.hands[viewer]),
                sorted(round_.protected),
                len(round_.deck),
            )
        )
    return seen


def fillings(places: list[int], left: Counter[str]) -> Iterator[dict[int, str]]:
    """All ways to put names of the cards left on these places."""
    if not places:
        yield {}
        return
    for name in NAMES:
        if left[name]:
            rest = left - Counter([name])
            for filling in fillings(places[1:], rest):
                yield {places[0]: name, **filling}


def other_hands(round_: Round, viewer: int) -> tuple[str, ...]:
    return tuple(round_.hands[seat][0] for seat in round_.still_in() if seat != viewer)


def drawn_places(round_: Round, texts: list[str]) -> dict[int, int]:
    """Who drew the card at each place of the deck; starter 1, no empty deck."""
    size = len(round_.all_cards)
    first = 4 if round_.players == 2 else 1
    places = {first + seat - 1: seat for seat in round_.seats}
    places[first + round_.players] = 1
    for text in texts:
        start = size - len(round_.deck)
        round_.play(text)
        new = list(range(start, size - len(round_.deck)))
        if not round_.over:
            places[new.pop()] = round_.mover
        if new:  # a Prince
            places[new.pop()] = int(text.partition(">")[2])
    return places


def reachable(deck: list[str], players: int, texts: list[str], viewer: int) -> set[tuple[str, ...]]:
    """The others' hands over all decks that look the same to the viewer."""
    real = Round(deck, players)
    places = drawn_places(real, texts)
    if not real.over and real.mover != viewer:
        del places[max(places)]  # not yet of any effect
    hidden = [place for place, seat in places.items() if seat != viewer]
    seen = [place for place, seat in places.items() if seat == viewer]
    seen += [1, 2, 3] if players == 2 else []
    left = Counter(deck) - Counter(deck[place] for place in seen)
    sight = replay(Round(deck, players), texts, viewer)
    hands: set[tuple[str, ...]] = set()
    for filling in fillings(hidden, left):
        rest = list((left - Counter(filling.values())).elements())
        trial = [
            deck[place] if place in seen else filling.get(place) or rest.pop()
            for place in range(len(deck))
        ]
        round_ = Round(trial, players)
        if replay(round_, texts, viewer) == sight:
            hands.add(other_hands(round_, viewer))
    return hands


@pytest.mark.parametrize(
    ("players", "plays", "rounds"), [(2, 2, 15), (2, 4, 15), (2, 6, 3), (3, 3, 3)]
)
def test_possible_is_exact(players: int, plays: int, rounds: int) -> None:
    rng = random.Random(10 * players + plays)
    done = 0
    while done < rounds:
        deck = rng.sample(FULL_DECK, len(FULL_DECK))
        r = Round(deck, players, track=True)
        texts: list[str] = []
        while not r.over and len(texts) < plays:
            texts.append(pick(rng, r))
            r.play(texts[-1])
        if len(texts) < plays or not r.deck:
            continue
        done += 1
        for viewer in r.seats:
            expected = reachable(deck, players, texts, viewer)
            assert set(r.possible(viewer)) == expected, (deck, texts, viewer)
