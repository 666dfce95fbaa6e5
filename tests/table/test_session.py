"""A session without a screen: nobody is asked again, and a game goes on as it would have."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kibitz.core.errors import BadText, BadValue, IllegalPlay, KibitzError
from kibitz.core.explanation import Explanation
from kibitz.core.game import Game, View
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Player, Strategy
from kibitz.jit.kernels import jit_enabled
from kibitz.jit.rng import below, stream
from kibitz.table.record import Record, read_records, replay
from kibitz.table.session import OpponentFailed, Session
from kibitz.table.table import Table
from tests.arena.failing import Failing


class Counting(Strategy):
    """Draws lots, and counts how often it sits down and is asked."""

    name: ClassVar[str] = "counting"
    title: ClassVar[str] = "any play"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[int, int]] = []
        """The seat, and how many turns it has seen."""
        self.sat = 0

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.sat += 1
        return CountingPlayer(self, seat, rng)


class CountingPlayer(Player):
    def __init__(self, strategy: Counting, seat: int, rng: Any) -> None:
        self.strategy, self.seat, self.rng = strategy, seat, rng

    def choose(self, view: View[Any]) -> Any:
        self.strategy.asked.append((self.seat, len(view.past)))
        return view.plays()[below(self.rng, len(view.plays()))]


def session(spec: str, against: str | Strategy, me: int = 0, seed: int = 5, **more: Any) -> Session:
    game = make_game(spec)
    opponent = make_strategy(against) if isinstance(against, str) else against
    players = [None if seat == me else opponent for seat in range(game.players)]
    return Session(game, players, seed, **more)


def let_opponents_play(going: Session) -> None:
    while not going.table.is_over and not going.is_persons_turn:
        going.step()


def first_choice(going: Session) -> Any:
    return going.view(going.table.mover).plays()[0]


def play_on(going: Session, most: int = 1000) -> list[Record]:
    """First choices to the end of the match, or so many; then the records."""
    for _ in range(most):
        let_opponents_play(going)
        if going.is_over:
            break
        if going.table.is_over:
            going.next_game()
        else:
            going.play(first_choice(going))
    return going.records()


SEED_OF_A_LONG_ROUND = 3
"""With it nobody is out of a round of Love Letter in the first turns of these tests."""


# -- nobody is asked again -----------------------------------------------------------------


@pytest.mark.parametrize("spec", ["love-letter", "love-letter:players=4", "tablic", "pig"])
def test_nobody_is_asked_again(spec: str) -> None:
    counting = Counting()
    going = session(spec, counting, me=1, seed=SEED_OF_A_LONG_ROUND)
    for _ in range(2):
        let_opponents_play(going)
        going.play(first_choice(going))
    let_opponents_play(going)
    asked, plays = list(counting.asked), list(going.table.plays)
    whole = going.records()
    assert asked and len(set(asked)) == len(asked)
    assert going.undo()
    assert counting.asked == asked
    resumed = Session.resume(going.records(), players=going.players)
    assert resumed.table.plays == going.table.plays
    assert counting.asked == asked
    # The same play again: what was answered then stands, and is not asked for again.
    going.play(plays[len(going.table.plays)])
    let_opponents_play(going)
    assert (going.table.plays, counting.asked) == (plays, asked)
    # So it does after resuming: the record has the answer.
    resumed = Session.resume(whole, players=going.players)
    assert resumed.undo()
    resumed.play(plays[len(resumed.table.plays)])
    let_opponents_play(resumed)
    assert (resumed.table.plays, counting.asked) == (plays, asked)


def test_opponents_get_up_when_a_choice_is_taken_back() -> None:
    """What they remember of it they must not use."""
    counting = Counting()
    going = session("connect-four", counting)
    for play in "34":
        going.play(play)
        going.step()
    assert (counting.sat, len(counting.asked)) == (1, 2)
    going.undo()
    going.play("7")
    going.step()
    assert (counting.sat, len(counting.asked)) == (2, 3)


# -- a game goes on as it would have -------------------------------------------------------

WITHOUT_MEMORY = [
    ("love-letter", "random"), ("love-letter", "probabilistic"), ("love-letter", "greedy"),
    ("love-letter", "flat-mc:worlds=20"), ("love-letter", "ismcts:simulations=50"),
    ("love-letter:players=3", "pimc:worlds=5"), ("tablic:players=2", "human"),
    ("tablic", "pimc:worlds=5"), ("pig:target=20", "mcts:simulations=50"),
    ("tic-tac-toe", "alpha-beta"), ("tic-tac-toe", "minimax"), ("leduc-poker", "random"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "against"), WITHOUT_MEMORY)
def test_a_resumed_game_goes_on_as_it_would_have(spec: str, against: str) -> None:
    in_one_go = play_on(session(spec, against, me=1), most=12)
    last = in_one_go[-1] if in_one_go[-1].plays else in_one_go[-2]
    earlier = in_one_go[: in_one_go.index(last)]
    for made in range(len(last.plays)):
        begun = last.model_copy(update={"plays": last.plays[:made], "returns": None})
        resumed = Session.resume([*earlier, begun])
        while len(resumed.table.plays) < len(last.plays):
            if resumed.is_persons_turn:
                resumed.play(last.plays[len(resumed.table.plays)])
            else:
                resumed.step()
        assert resumed.table.plays == last.plays


def test_the_equilibrium_without_a_book_goes_on_too() -> None:
    """It has solved the rest of the round some turns ago: who sits down later finds that again."""
    in_one_go = session("love-letter:deck=thesis", "equilibrium:cards=4", seed=11)
    while not in_one_go.table.is_over:
        let_opponents_play(in_one_go)
        if not in_one_go.table.is_over:
            in_one_go.play(_safest_of(in_one_go.view(0)))
    record = in_one_go.finished[0]
    answers = [i for i, seat in enumerate(in_one_go.table.movers) if seat == 1]
    for made in answers[-2:]:
        begun = record.model_copy(update={"plays": record.plays[:made], "returns": None})
        resumed = Session.resume([begun])
        assert resumed.step() == record.plays[made]


def test_the_equilibrium_looks_back_for_what_it_would_have_solved() -> None:
    """Whoever sits down now explains the turn as one who has sat there all along: by the rest of
    the round as solved some turns ago, not as it would be solved now."""
    game, strategy = make_game("love-letter:deck=thesis"), make_strategy("equilibrium:cards=4")
    followed = 0
    for seed in range(40):
        table = Table(game, seed)
        sitting = [strategy.sit(game, seat, stream(seed)) for seat in range(2)]
        asked: set[int] = set()
        while not table.is_over:
            seat, view = table.mover, table.view(table.mover)
            if view.state[0].left + 1 <= 4:  # before, nothing is solved
                now = strategy.sit(game, seat, stream(seed))
                assert mix_of(now.explain(view)) == mix_of(sitting[seat].explain(view))
                followed += seat in asked
                asked.add(seat)
            table.play(_safest_of(view))
    assert followed > 3, "else nothing was looked back for"


def mix_of(explanation: Explanation) -> dict[Any, float]:
    return {reason.play: reason.score for reason in explanation.reasons}


def _safest_of(view: View[Any]) -> Any:
    order = ("handmaid", "countess", "priest", "guard", "prince", "king", "baron", "princess")
    return min(view.plays(), key=lambda play: order.index(str(play).split(">")[0]))


@pytest.mark.parametrize(
    ("spec", "against"),
    [
        ("love-letter", "ismcts:simulations=50,reuse=true"),
        ("connect-four", "mcts:simulations=50,reuse=true"),
        ("tablic:cards_bonus=none", "full-backtrack:width=5"),
    ],
)
def test_who_remembers_sits_down_in_mid_game(spec: str, against: str) -> None:
    """And answers as before when the same is played again."""
    going = next(filter(None, (two_turns(spec, against, seed) for seed in range(100))))
    plays = list(going.table.plays)
    going.undo()
    going.play(plays[len(going.table.plays)])
    let_opponents_play(going)
    assert going.table.plays == plays
    resumed = Session.resume(going.records())
    resumed.play(first_choice(resumed))
    let_opponents_play(resumed)
    assert len(resumed.table.plays) > len(plays)


def two_turns(spec: str, against: str, seed: int) -> Session | None:
    """A session in which the person has played twice and goes on; None if it is over."""
    going = session(spec, against, seed=seed)
    for _ in range(2):
        if not going.table.is_over:
            going.play(first_choice(going))
            let_opponents_play(going)
    return None if going.table.is_over else going


def test_after_another_play_the_opponent_thinks_anew() -> None:
    counting = Counting()
    going = session("connect-four", counting)
    going.play("3")
    going.step()
    going.undo()
    going.play("4")
    going.step()
    assert len(counting.asked) == 2
    going.undo()
    going.play("3")
    going.step()
    assert len(counting.asked) == 2, "this was answered before"


# -- a match, its record -------------------------------------------------------------------


def test_a_match_to_its_end(tmp_path: Path) -> None:
    going = session("love-letter", "random", path=tmp_path / "r.jsonl")
    records = play_on(going)
    assert going.is_over and going.match is not None and going.match.winners
    assert len(records) == going.match.played == len(going.finished)
    assert read_records(tmp_path / "r.jsonl") == records
    for record in records:
        assert replay(record).plays == record.plays
    with pytest.raises(BadValue, match="match is over"):
        going.next_game()
    again = Session.resume(records)
    assert again.is_over and again.records() == records


def test_the_end_of_a_game_can_be_taken_back() -> None:
    going = session("love-letter", "random")
    while not going.table.is_over:
        going.play(first_choice(going)) if going.is_persons_turn else going.step()
    assert going.match is not None
    ended, score = list(going.table.plays), list(going.match.score)
    assert [len(record.plays) > 0 for record in going.records()] == [True, False]
    assert going.undo() and not going.table.is_over
    assert (going.finished, going.match.score, len(going.records())) == ([], [0.0, 0.0], 1)
    while not going.table.is_over:
        going.play(first_choice(going)) if going.is_persons_turn else going.step()
    assert (going.table.plays, going.match.score) == (ended, score)


def test_the_record_is_on_disk_after_every_play(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    going = session("tablic", "random", path=file, hints="greedy")
    for _ in range(6):
        (record,) = read_records(file)
        assert (record.plays, record.hints) == (going.table.plays, "greedy")
        going.play(first_choice(going)) if going.is_persons_turn else going.step()
    going.undo()
    assert read_records(file) == going.records()
    resumed = Session.resume(read_records(file), file)
    assert (resumed.names, resumed.hints) == (["person", "random"], "greedy")


def test_several_persons_at_one_table() -> None:
    game = make_game("love-letter:players=3")
    going = Session(game, [None, make_strategy("random"), None], seed=2)
    assert going.persons == [0, 2]
    play_on(going, most=9)
    assert Session.resume(going.records()).persons == [0, 2]
    for seat in going.persons:
        assert going.view(seat).seat == seat
    with pytest.raises(BadValue, match="seat 2 is not a person's"):
        going.view(1)


def test_a_person_sees_what_may_be_seen() -> None:
    going = session("tablic", "random")
    assert going.game.position(going.view(0).state) == going.game.position(
        going.game.view(going.table.state, 0).state
    )
    while not going.table.is_over:
        going.play(first_choice(going)) if going.is_persons_turn else going.step()
    view = going.view(0)
    assert len(view.log) == len(view.past) == len(going.table.plays)


@pytest.mark.skipif(not jit_enabled(), reason="what NumPy ignores, it ignores in one thread")
def test_sessions_in_threads_are_those_by_themselves() -> None:
    wanted = [(spec, seed) for spec in ("love-letter", "tablic", "pig") for seed in range(3)]

    def played(which: tuple[str, int]) -> Sequence[Record]:
        return play_on(session(which[0], "random", seed=which[1]), most=40)

    alone = [played(which) for which in wanted]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(played, wanted)) == alone


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    play_on(session("love-letter", "greedy"), most=10)
    assert capfd.readouterr().out == ""


# -- what is refused -----------------------------------------------------------------------


def test_whose_turn_it_is_not() -> None:
    going = session("tic-tac-toe", "random", me=1)
    with pytest.raises(BadValue, match="no person's turn"):
        going.play("b2")
    going.step()
    with pytest.raises(BadValue, match="no opponent's turn"):
        going.step()
    with pytest.raises(BadValue, match="not over yet"):
        going.next_game()
    before = list(going.table.plays)
    with pytest.raises((IllegalPlay, BadText)):
        going.play(before[0])
    assert going.table.plays == before
    assert not going.undo(), "the person has not played"


@pytest.mark.parametrize(("players", "reason"), [([None], "2 players, not 1"), ([None] * 3, "2")])
def test_a_wrong_number_of_players(players: list[None], reason: str) -> None:
    with pytest.raises(BadValue, match=reason):
        Session(make_game("pig"), players, seed=1)


def test_an_unsuitable_opponent_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match="open cards"):
        session("love-letter", "minimax", path=tmp_path / "r.jsonl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", ["raise", "raise,where=sit", "exit", "illegal", "none", "lucky"])
def test_an_opponent_that_fails_changes_nothing(how: str) -> None:
    options = dict(part.split("=") for part in f"how={how}".split(","))
    going = session("tic-tac-toe", Failing(**options))
    going.play("b2")
    for _ in range(2):
        with pytest.raises(OpponentFailed, match="the strategy failing") as caught:
            going.step()
        assert (caught.value.seat, going.table.plays) == (1, ["b2"])


class Refusing(Strategy):
    name: ClassVar[str] = "refusing"
    title: ClassVar[str] = "says why it can't"

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        raise BadText("the book is damaged")


def test_an_opponent_that_says_why_it_can_not_has_failed_too() -> None:
    going = session("tic-tac-toe", Refusing())
    going.play("b2")
    with pytest.raises(OpponentFailed, match="the strategy refusing failed: the book is damaged"):
        going.step()


@pytest.mark.parametrize(
    "named", ["genetic:genome=g.json", "{evil}", "full-backtrack:against={evil}"]
)
def test_a_record_opens_no_file(named: str, tmp_path: Path) -> None:
    evil, trace = tmp_path / "evil.py", tmp_path / "trace"
    evil.write_text(f"open({str(trace)!r}, 'w')\ndef choose(view): return view.plays()[0]\n")
    going = session("tablic", "random")
    players = ["person", named.format(evil=evil)]
    forged = going.records()[0].model_copy(update={"players": players})
    with pytest.raises(BadText, match="is in a file, reads one or runs one"):
        Session.resume([forged])
    assert not trace.exists()


def test_players_of_another_record_are_refused() -> None:
    records = session("tablic", "random").records()
    with pytest.raises(BadText, match="it is of person, random"):
        Session.resume(records, players=[make_strategy("random"), None])
    with pytest.raises(BadText, match="no game in it"):
        Session.resume([])
