"""Tests of the Tablić oracle, with positions made by hand."""

import random
from collections.abc import Sequence
from itertools import combinations, product

import pytest

from .tablic import (
    CARDS,
    Game,
    Match,
    can_capture,
    captures,
    card_points,
    kind,
    kinds,
    next_dealer,
    splits,
)

VALUES = {str(n): n for n in range(2, 11)} | {"J": 12, "Q": 13, "K": 14}


def takes(table: str, card: str) -> set[str]:
    return {" ".join(taken) for taken in captures(table.split(), card)}


def position(table: str, hands: dict[int, str], players: int = 2, **options: object) -> Game:
    """The end of a game: these hands, this table, the other cards nowhere."""
    game = Game(CARDS, players, dealer=players, **options)  # type: ignore[arg-type]
    game.deck = []
    game.table = table.split()
    game.hands = {seat: hands.get(seat, "").split() for seat in game.seats}
    return game


def finished(
    piles: dict[int, str],
    tablas: dict[int, int],
    players: int = 2,
    cards_bonus: str = "always",
) -> Game:
    game = position("", {}, players, cards_bonus=cards_bonus)
    for seat in game.seats:
        game.piles[seat] = piles.get(seat, "").split()
        game.tablas[seat] = tablas.get(seat, 0)
    game.over = True
    return game


# Cards


def test_kind() -> None:
    assert [kind(c) for c in ("10d", "10h", "2c", "2d", "Qh", "As")] == [
        "10d",
        "10",
        "2c",
        "2",
        "Q",
        "A",
    ]
    assert len({kind(c) for c in CARDS}) == 15


def test_card_points() -> None:
    assert sum(map(card_points, CARDS)) == 22
    assert [card_points(c) for c in ("10d", "10c", "2c", "2d", "Ah", "9s")] == [
        2,
        1,
        1,
        0,
        1,
        0,
    ]


# Captures


def test_splits() -> None:
    assert splits((), 8)
    assert splits(("6c", "2d", "8s", "7d", "As"), 8)
    assert splits(("6c", "2d", "8s", "3h", "4h", "As"), 8)
    assert not splits(("6c", "2d", "8s", "7d", "3h", "4h", "As"), 8)
    assert not splits(("4c", "4d", "6h", "2s", "7h"), 8)
    assert not splits(("6h", "6d", "4h"), 8)  # 16, but not 8 and 8
    assert not splits(("Kh",), 13)


def test_groups_share_the_ace() -> None:
    singles = ["2 6", "8", "7 A", "3 4 A"]
    expected = set()
    for n in range(1, 5):
        for groups in combinations(singles, n):
            if not {"7 A", "3 4 A"} <= set(groups):
                expected.add(" ".join(sorted(" ".join(groups).split())))
    assert len(expected) == 11
    # 2 + 6, 8, 7 + A, 3 + 4 + A are all the groups.
    assert takes("6c 2d 8s 7d As 3h 4h", "8h") == expected


def test_queen() -> None:
    assert takes("Jh As 2d", "Qh") == {"A J", "2 A"}
    assert takes("Jh As 2d Ad", "Qh") == {"A J", "2 A", "2 A A J"}
    assert takes("As Ad", "Qh") == set()  # 2, 12, 22


def test_nothing() -> None:
    assert takes("5c 5d 6h", "8h") == set()
    assert takes("", "8h") == set()
    assert takes("9h Jd Kc", "8h") == set()


def test_aces() -> None:
    assert takes("As Ad", "Jh") == {"A A"}  # 11 + 1
    assert takes("As Ad Ah Ac", "Jh") == {"A A", "A A A A"}
    assert takes("As", "Ah") == {"A"}
    assert takes("As Ad", "Ah") == {"A", "A A"}
    assert takes("10s Ad 9h 2h", "Ah") == {"A", "10 A", "2 9", "2 9 A", "10 2 9 A"}
    assert takes("Ac Ad Ah", "Qh") == {"A A A"}  # 11 + 1 + 1
    assert takes("Ac Ad Ah", "Kh") == set()
    assert takes("Ac Ad Ah As", "Kh") == {"A A A A"}  # 11 + 1 + 1 + 1
    assert takes("Ac Ad", "2h") == {"A A"}  # 1 + 1
    assert takes("Ac 3h Qd Ad", "Kh") == {"3 A", "A Q", "3 A A Q"}


def test_kinds_are_distinguished() -> None:
    assert takes("2c 2d 2h", "2s") == {
        "2c",
        "2",
        "2 2c",
        "2 2",
        "2 2 2c",
    }
    assert takes("10d 10c", "10h") == {"10d", "10", "10 10d"}
    assert takes("10d 10c As Ac", "Jh") == {"A A", "10 A A", "10d A A"}


def brute_splits(cards: Sequence[str], value: int) -> bool:
    """Over all values of the aces and all ways to group the first card."""
    values = [(1, 11) if c[:-1] == "A" else (VALUES[c[:-1]],) for c in cards]
    return any(brute_groups(numbers, value) for numbers in product(*values))


def brute_groups(numbers: Sequence[int], value: int) -> bool:
    if not numbers:
        return True
    if sum(numbers) % value:
        return False
    others = range(1, len(numbers))
    for size in range(len(numbers)):
        for group in combinations(others, size):
            if numbers[0] + sum(numbers[i] for i in group) == value:
                rest = [numbers[i] for i in others if i not in group]
                if brute_groups(rest, value):
                    return True
    return False


@pytest.mark.parametrize("seed", range(60))
def test_captures_against_all_subsets(seed: int) -> None:
    rng = random.Random(seed)
    low = [c for c in CARDS if c[:-1] in ("A", "2", "3", "4", "5", "6")]
    for source in (list(CARDS), low):
        card, *table = rng.sample(source, 1 + rng.randint(0, 9))
        if source is low:
            card = rng.choice([c for c in CARDS if c not in table])
        value = 11 if card[:-1] == "A" else VALUES[card[:-1]]
        expected = set()
        for size in range(1, len(table) + 1):
            for subset in combinations(table, size):
                good = brute_splits(subset, value)
                assert splits(subset, value) == good
                if good:
                    expected.add(tuple(sorted(map(kind, subset))))
        assert captures(table, card) == expected
        assert can_capture(table, card) == bool(expected)


# Dealing


def test_deal_two() -> None:
    game = Game(CARDS)
    assert game.table == list(CARDS[:4])
    assert game.hands[1] == [*CARDS[4:7], *CARDS[10:13]]
    assert game.hands[2] == [*CARDS[7:10], *CARDS[13:16]]
    assert game.deck == list(CARDS[16:])
    assert game.mover == 1
    other = Game(CARDS, dealer=1)
    assert (other.mover, other.hands[2]) == (2, game.hands[1])


def test_deal_three() -> None:
    game = Game(CARDS, players=3, dealer=1)
    assert game.mover == 2
    assert game.hands[2] == [*CARDS[4:7], *CARDS[13:16]]
    assert game.hands[3] == [*CARDS[7:10], *CARDS[16:19]]
    assert game.hands[1] == [*CARDS[10:13], *CARDS[19:22]]
    sizes = []
    movers = []
    while not game.over:
        if len({len(hand) for hand in game.hands.values()}) == 1:
            sizes.append(len(game.hands[1]))
            movers.append(game.mover)
            if len(game.deck) == 0 and len(game.hands[1]) == 4:
                assert game.hands[2] == [*CARDS[40:42], *CARDS[46:48]]
                assert game.hands[1] == [*CARDS[44:46], *CARDS[50:52]]
        game.play(game.hands[game.mover][-1])
    assert sizes == [6, 5, 4, 3, 2, 1, 6, 5, 4, 3, 2, 1, 4, 3, 2, 1]
    assert set(movers) == {2}
    assert len(game.piles[1]) == 52  # 5.2


def test_deal_four() -> None:
    game = Game(CARDS, players=4, dealer=3)
    assert game.mover == 4
    assert game.hands[4] == [*CARDS[4:7], *CARDS[16:19]]
    assert game.hands[3] == [*CARDS[13:16], *CARDS[25:28]]
    assert game.sides() == [[1, 3], [2, 4]]


def test_bad_arguments() -> None:
    for deck, players, dealer in (
        (CARDS[1:], 2, 2),
        (("As", *CARDS[1:]), 2, 2),
        (CARDS, 5, 2),
        (CARDS, 2, 3),
    ):
        with pytest.raises(ValueError):
            Game(deck, players, dealer)
    with pytest.raises(ValueError):
        Game(CARDS, cards_bonus="Tie")
    with pytest.raises(ValueError):
        Game(CARDS, leftovers="last")


# Turns


def test_legal() -> None:
    game = position("5c 3d 9h", {1: "8h 8d 10d", 2: "As Kd 2c"})
    assert game.legal() == {
        ("8", ()),
        ("8", ("3", "5")),
        ("10d", ()),
    }
    assert not game.is_legal(("8", ("5", "3")))  # not sorted
    assert not game.is_legal(("8", ("3",)))
    assert not game.is_legal(("8", ("8",)))
    assert not game.is_legal(("10", ()))
    assert not game.is_legal(("A", ()))


def test_forced_capture() -> None:
    game = position("5c 3d 8s", {1: "8h 10d", 2: "As Kd"}, forced_capture=True)
    assert game.legal() == {
        ("8", ("3", "5")),
        ("8", ("8",)),
        ("8", ("3", "5", "8")),
        ("10d", ()),
    }
    assert not game.is_legal(("8", ()))
    with pytest.raises(ValueError):
        game.play("8h")
    game.play("10d")
    assert game.table == ["5c", "3d", "8s", "10d"]


def test_illegal_plays() -> None:
    game = position("5c 3d 9h", {1: "8h 10d", 2: "As Kd"})
    for card, captured in (
        ("8d", ()),
        ("As", ()),
        ("8h", ("5c",)),
        ("8h", ("5h", "3d")),
        ("8h", ("5c", "5c", "3d", "3d")),
        ("10d", ("9h",)),
    ):
        with pytest.raises(ValueError):
            game.play(card, captured)
    assert (game.mover, game.table) == (1, ["5c", "3d", "9h"])


def test_play() -> None:
    game = position("5c 3d 9h", {1: "8h 10d", 2: "As Kd"})
    game.play("8h", ("3d", "5c"))
    assert game.table == ["9h"]
    assert sorted(game.piles[1]) == ["3d", "5c", "8h"]
    assert (game.mover, game.last_captor, game.tablas) == (2, 1, {1: 0, 2: 0})
    game.play("Kd")
    assert game.table == ["9h", "Kd"]
    assert (game.mover, game.last_captor) == (1, 1)


# Tabla and the end


def test_tabla() -> None:
    game = position("5c 3d", {1: "8h 10d", 2: "As Kd"})
    game.play("8h", ("3d", "5c"))
    assert (game.table, game.tablas) == ([], {1: 1, 2: 0})
    game.play("Kd")
    assert game.table == ["Kd"]


def test_tabla_with_the_last_card() -> None:
    game = position("5c 3d", {1: "8h"})
    game.play("8h", ("3d", "5c"))
    assert game.over
    assert (game.table, game.tablas) == ([], {1: 1, 2: 0})
    assert (game.legal(), game.is_legal(("8", ()))) == (set(), False)
    with pytest.raises(ValueError):
        game.play("8h")


@pytest.mark.parametrize("leftovers", ["last-captor", "dealer"])
def test_leftovers(leftovers: str) -> None:
    game = position("5c 3d 9h", {1: "8h", 2: "Kd"}, leftovers=leftovers)
    game.play("8h", ("3d", "5c"))
    assert not game.over
    game.play("Kd")
    assert game.over
    assert game.table == []
    taker = 1 if leftovers == "last-captor" else 2
    assert set(game.piles[taker]) >= {"9h", "Kd"}
    assert game.cards() == ({1: 5, 2: 0} if taker == 1 else {1: 3, 2: 2})
    assert game.tablas == {1: 0, 2: 0}  # 5.1


def test_leftovers_without_a_captor() -> None:
    game = position("5c 3d 9h", {1: "8h", 2: "Kd"})
    game.play("8h")
    game.play("Kd")
    assert game.cards() == {1: 0, 2: 5}
    assert game.tablas == {1: 0, 2: 0}


# Points


@pytest.mark.parametrize(
    "piles, tablas, always, tie, none",
    [
        # 3 and 3 card points, 3 and 4 cards
        ({1: "10d As 3c", 2: "Ac Jc Qc 4c"}, {}, (3, 6), (3, 6), (3, 3)),
        # a tabla breaks the tie
        ({1: "10d As 3c", 2: "Ac Jc Qc 4c"}, {1: 1}, (4, 6), (4, 3), (4, 3)),
        # a tabla makes the tie
        ({1: "10d As 3c", 2: "Ac 2c"}, {2: 1}, (6, 3), (6, 3), (3, 3)),
        # equal cards
        ({1: "10d As 3c", 2: "Ac Jc Qc"}, {}, (3, 3), (3, 3), (3, 3)),
    ],
)
def test_bonus_two(
    piles: dict[int, str],
    tablas: dict[int, int],
    always: tuple[int, int],
    tie: tuple[int, int],
    none: tuple[int, int],
) -> None:
    for bonus, expected in (("always", always), ("tie", tie), ("none", none)):
        points = finished(piles, tablas, cards_bonus=bonus).points()
        assert points == dict(enumerate(expected, 1))


@pytest.mark.parametrize(
    "piles, always, tie",
    [
        # all share the score, 1 has most cards
        ({1: "As 3c 4c", 2: "Ac 3d", 3: "Ad"}, (4, 1, 1), (4, 1, 1)),
        # all share the score, 1 and 2 the cards
        ({1: "As 3c", 2: "Ac 3d", 3: "Ad"}, (1, 1, 1), (1, 1, 1)),
        # 1 and 2 share the score, 3 has most cards, 1 more than 2
        ({1: "As 3c", 2: "Ac", 3: "4c 4d 4h"}, (1, 1, 3), (4, 1, 0)),
        # 1 and 2 share the score and the cards
        ({1: "As 3c", 2: "Ac 3d", 3: "4d"}, (1, 1, 0), (1, 1, 0)),
        # 2 and 3 share the lower score only
        ({1: "10d", 2: "Ac", 3: "Ad 4d"}, (2, 1, 4), (2, 1, 1)),
        # 1 and 3 share most cards, 1 has the score alone
        ({1: "10d 4c", 2: "Ac", 3: "Ad 4d"}, (2, 1, 1), (2, 1, 1)),
    ],
)
def test_bonus_three(piles: dict[int, str], always: tuple[int, ...], tie: tuple[int, ...]) -> None:
    for bonus, expected in (("always", always), ("tie", tie)):
        points = finished(piles, {}, players=3, cards_bonus=bonus).points()
        assert points == dict(enumerate(expected, 1))


def test_partners() -> None:
    piles = {1: "As 3c", 2: "Ac 3d 4d", 3: "10d 4c", 4: ""}
    game = finished(piles, {1: 1, 3: 1, 4: 1}, players=4)
    assert game.cards() == {1: 4, 2: 3, 3: 4, 4: 3}
    assert game.points() == {1: 8, 2: 2, 3: 8, 4: 2}


# Match


def test_match() -> None:
    match = Match()
    match.add({1: 100, 2: 90})
    assert (match.over, match.winners) == (False, [])
    match.add({1: 3, 2: 13})
    assert match.score == {1: 103, 2: 103}
    assert (match.over, match.winners) == (False, [])
    match.add({1: 5, 2: 20})
    assert (match.over, match.winners) == (True, [2])


def test_match_three_and_four() -> None:
    match = Match(players=3, target=51)
    match.add({1: 52, 2: 55, 3: 55})
    assert (match.over, match.winners) == (False, [])
    match.add({1: 10, 2: 2, 3: 2})
    assert match.winners == [1]
    partners = Match(players=4)
    partners.add({1: 60, 2: 101, 3: 60, 4: 101})
    assert (partners.over, partners.winners) == (True, [2, 4])


def test_next_dealer() -> None:
    assert [next_dealer(d, 3) for d in (1, 2, 3)] == [2, 3, 1]


# Whole games


def pick(cards: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Cards of the wanted kinds."""
    left = list(cards)
    picked = []
    for name in wanted:
        card = next(c for c in left if kind(c) == name)
        left.remove(card)
        picked.append(card)
    return picked


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(15))
def test_random_game(seed: int, players: int, forced: bool) -> None:
    rng = random.Random(f"{seed} {players} {forced}")
    dealer = rng.randint(1, players)
    leftovers = rng.choice(["last-captor", "dealer"])
    bonus = rng.choice(["always", "tie", "none"])
    deck = rng.sample(CARDS, 52)
    game = Game(deck, players, dealer, bonus, forced, leftovers)
    turns = 0
    while not game.over:
        legal = game.legal()
        assert all(game.is_legal(play) for play in legal)
        for name in kinds(game.hands[game.mover]):
            sample = rng.sample(game.table, rng.randint(0, len(game.table)))
            play = (name, kinds(sample))
            assert game.is_legal(play) == (play in legal)
        taking = sorted(play for play in legal if play[1])
        name, taken = rng.choice(taking or sorted(legal))
        if taking and rng.random() < 0.1:  # sometimes lay a card, if there is one to
            name, taken = rng.choice(sorted(p for p in legal if not p[1]) or taking)
        hand = game.hands[game.mover]
        game.play(pick(hand, [name])[0], pick(game.table, taken))
        turns += 1
        everything = [*game.deck, *game.table]
        everything += [c for hand in game.hands.values() for c in hand]
        everything += [c for pile in game.piles.values() for c in pile]
        assert sorted(everything) == sorted(CARDS)
        if not game.over:
            assert game.mover == (dealer + turns) % players + 1
    assert turns == 48
    assert game.table == [] and game.deck == []
    points = game.points()
    cards = game.cards()
    firsts = [side[0] for side in game.sides()]
    assert sum(cards[s] for s in firsts) == 52
    plain = sum(points[s] for s in firsts) - sum(game.tablas.values())
    assert plain in ((22,) if bonus == "none" else (22, 25))
    if bonus == "always":
        most = max(cards.values())
        alone = [cards[s] for s in firsts].count(most) == 1
        assert plain == (25 if alone else 22)
    if players == 4:
        assert (points[1], points[2]) == (points[3], points[4])
