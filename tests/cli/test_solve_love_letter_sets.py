"""`kibitz solve love-letter --all-sets`: many rounds into one table. The rounds of these tests are
late positions, each under the name of a set of cards face up."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.love_letter import solved_rounds
from kibitz.arena.love_letter.solved_rounds import NamedRound, RoundOutcome, check_all, solve_all
from kibitz.cli.commands.solve import love_letter_sets as command
from kibitz.core.errors import BadText, KibitzError
from kibitz.solvers.love_letter import book
from kibitz.solvers.love_letter import sizes as love_letter_sizes
from kibitz.solvers.love_letter import solver as love_letter
from kibitz.solvers.love_letter import solver as love_letter_solver
from kibitz.solvers.love_letter.results_table import ResultsTable, Row
from kibitz.solvers.love_letter.sizes import RoundSize
from kibitz.solvers.love_letter.solution_file import solution_folder
from kibitz.solvers.love_letter.solver import Round, Solver
from tests.processes import assert_refused, complaints, kibitz_here, with_own_cache

SETS = ((2, 2, 7), (2, 2, 6), (1, 1, 1))
ROUNDS = [
    NamedRound("priest priest countess", Round((2, 1, 1, 1, 1, 0, 0, 1))),
    NamedRound("priest priest king", Round((1, 1, 1, 1, 1, 0, 0, 0))),
    NamedRound("guard guard guard", Round((1, 1, 1, 1, 0, 0, 0, 0))),
]
NAMES = [each.face_up for each in ROUNDS]
COARSE, FINE = 0.05, 0.001


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KIBITZ_CACHE", with_own_cache(tmp_path)["KIBITZ_CACHE"])
    monkeypatch.setattr(book, "book_folders", lambda: [book.user_books()])  # without Kibitz's own
    yield tmp_path


@pytest.fixture
def table(home: Path) -> ResultsTable:
    return ResultsTable(home / "results" / "solved.csv")


def solved(table: ResultsTable, epsilon: float = COARSE, **how: Any) -> list[RoundOutcome]:
    return list(solve_all(ROUNDS, "published", table, epsilon, **how))


def row(face_up: str, epsilon: float = 0.25, nodes: int = 10) -> Row:
    return Row(
        "published", face_up, 0.0, 2 * epsilon, epsilon, 7, nodes, 20, 1.5, "0.1.0", "1", "2"
    )


# -- solving -----------------------------------------------------------------------------


def test_rounds_are_solved_in_order_and_entered(table: ResultsTable) -> None:
    outcomes = solved(table)
    assert [outcome.face_up for outcome in outcomes] == NAMES
    rows = table.rows("published")
    assert sorted(rows) == sorted(NAMES)
    assert [row.public_nodes for row in rows.values()] == [1, 10, 473]
    for outcome, named in zip(outcomes, ROUNDS, strict=True):
        solution = Solver(named.round).solve(COARSE)
        assert outcome.row == rows[named.face_up]
        assert (outcome.row.low, outcome.row.high) == (solution.low, solution.high)
        assert outcome.row.epsilon == solution.epsilon <= COARSE
        assert outcome.row.iterations == solution.iterations
    assert table.rows("thesis") == {}
    assert [file.name for file in table.file.parent.iterdir()] == [table.file.name]


def test_what_the_table_has_is_not_solved_again(
    table: ResultsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [outcome.face_up for outcome in solved(table, most=2)] == NAMES[:2]
    assert [outcome.face_up for outcome in solved(table)] == NAMES[2:]
    monkeypatch.setattr(solved_rounds, "solve", None)
    assert solved(table) == []


def test_a_coarser_row_is_replaced_and_a_finer_one_is_not(table: ResultsTable) -> None:
    table.enter(row(NAMES[0], 0.25))
    table.enter(row(NAMES[1], 1e-7))
    assert [outcome.face_up for outcome in solved(table, FINE)] == [NAMES[0], NAMES[2]]
    rows = table.rows("published")
    assert rows[NAMES[0]].epsilon <= FINE
    table.enter(row(NAMES[0], 0.25))
    assert table.rows("published") == rows


def test_what_is_stored_is_checked_and_entered(
    table: ResultsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = Solver(ROUNDS[0].round, folder=solution_folder(ROUNDS[0].round)).solve(FINE)
    other = solution_folder(ROUNDS[1].round)
    Solver(ROUNDS[1].round, folder=other).solve(FINE)
    (other / "policy.bin").write_bytes(bytes((other / "policy.bin").stat().st_size))

    def unsolvable(*args: Any) -> None:
        raise KibitzError("not asked for")

    monkeypatch.setattr(Solver, "solve", unsolvable)
    first, second, third = solved(table, FINE)
    assert first.row is not None and (first.row.low, first.row.high) == (stored.low, stored.high)
    assert first.row.seconds == round(stored.seconds, 3)
    assert "the stored solution has the bounds" in second.why
    assert third.why == "not asked for"
    assert list(table.rows("published")) == [NAMES[0]]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_a_run_that_ends_in_the_middle_goes_on(
    table: ResultsTable, error: type[BaseException]
) -> None:
    def stop(which: str, now: Any) -> None:
        if which == NAMES[1] and not isinstance(now, str):
            raise error

    with pytest.raises(error):
        solved(table, report=stop)
    assert list(table.rows("published")) == NAMES[:1]
    assert [outcome.face_up for outcome in solved(table)] == NAMES[1:]


def test_a_round_that_can_not_be_solved_is_reported_and_the_others_go_on(
    table: ResultsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve_or_load = love_letter_solver.solve_or_load

    def short_of_memory(solver: Solver, *args: Any) -> Any:
        if solver.round == ROUNDS[0].round:
            raise MemoryError
        return solve_or_load(solver, *args)

    monkeypatch.setattr(love_letter_solver, "solve_or_load", short_of_memory)
    busy = Solver(ROUNDS[1].round, folder=solution_folder(ROUNDS[1].round))
    assert busy.folder is not None
    with busy.folder.locked():
        first, second, third = solved(table, most=1)  # only what is solved counts
    assert first.row is None and "memory" in first.why
    assert second.row is None and "somebody is solving" in second.why
    assert third.row is not None and third.why == ""
    assert list(table.rows("published")) == [NAMES[2]]


def test_a_file_that_can_not_be_read_is_reported_and_the_others_go_on(table: ResultsTable) -> None:
    solved(table)
    file = solution_folder(ROUNDS[0].round) / "alone.bin"
    file.unlink()
    file.mkdir()
    assert sorted(each.agrees is True for each in check_all(ROUNDS, "published", table)) == [
        False,
        True,
        True,
    ]
    table.file.unlink()
    first, second, third = solved(table)
    assert first.row is None and "alone.bin" in first.why
    assert second.row is not None and third.row is not None


def test_what_another_run_enters_meanwhile_is_not_solved(table: ResultsTable) -> None:
    def another(which: str, now: Any) -> None:
        ResultsTable(table.file).enter(row(NAMES[1], COARSE))

    assert [outcome.face_up for outcome in solved(table, report=another)] == [NAMES[0], NAMES[2]]
    assert len(table.rows("published")) == 3


def test_a_round_that_kills_its_workers_is_reported_and_the_others_go_on(
    table: ResultsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledWorker(Exception):
        """As Dask names it."""

    class Cluster:
        def submit(self, work: Any, deck: str, face_up: str, *args: Any) -> Future[RoundOutcome]:
            done: Future[RoundOutcome] = Future()
            if face_up == NAMES[0]:
                done.set_exception(KilledWorker())
            else:
                done.set_result(work(deck, face_up, *args))
            return done

    monkeypatch.setattr(solved_rounds, "workers", lambda *how: nullcontext((Cluster(), 2)))
    outcomes = {outcome.face_up: outcome for outcome in solved(table, cluster="host:1")}
    assert sorted(outcomes) == sorted(NAMES)
    assert "died" in outcomes[NAMES[0]].why
    assert sorted(table.rows("published")) == sorted(NAMES[1:])


def test_too_large_a_round_is_refused_by_its_size(
    table: ResultsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 10)
    assert ["GB" in outcome.why for outcome in solved(table)] == [True, True, False]
    (checked,) = check_all(ROUNDS, "published", table)
    assert checked.agrees is True
    table.enter(row(NAMES[0]))
    (solution_folder(ROUNDS[0].round) / "solution.json").write_text("{}")
    assert [each.agrees for each in check_all(ROUNDS, "published", table)] == [True, None]


def test_short_of_epsilon_is_entered_and_reported(
    table: ResultsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(love_letter, "MAX_ITERATIONS", 1)
    first = solved(table, 0.0001)[0]
    assert first.row is not None and first.row.epsilon > 0.0001
    assert "was not reached" in first.why
    assert table.rows("published")[NAMES[0]] == first.row


# -- the table ---------------------------------------------------------------------------


def test_several_writers_lose_no_row(table: ResultsTable) -> None:
    rows = [row(f"set {i}", nodes=i) for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda each: ResultsTable(table.file).enter(each), reversed(rows)))
    assert list(table.rows("published").values()) == rows
    assert [file.name for file in table.file.parent.iterdir()] == [table.file.name]


def test_numbers_are_those_that_were_entered(table: ResultsTable) -> None:
    entered = row(NAMES[0])._replace(low=0.1, high=0.1 + 0.2, epsilon=(0.1 + 0.2 - 0.1) / 2)
    table.enter(entered)
    table.enter(entered._replace(deck="thesis"))
    assert table.rows("published") == {NAMES[0]: entered}
    assert len(table.rows("thesis")) == 1


HEADER = ",".join(Row._fields)
GOOD = "published,guard guard guard,0.0,0.5,0.25,7,10,20,1.5,0.1.0,1,2"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"name,value\nx,1\n",
        f"{HEADER}\n{GOOD},3\n".encode(),
        f"{HEADER}\n{GOOD[:-1]}\n".encode(),
        f"{HEADER}\n{GOOD}\n{GOOD}\n".encode(),
        f"{HEADER}\n{GOOD.replace('0.25', '0.2')}\n".encode(),
        f"{HEADER}\n{GOOD.replace('0.5', 'nan')}\n".encode(),
        f"{HEADER}\n{GOOD.replace(',7,', ',-7,')}\n".encode(),
        f"{HEADER}\n{GOOD.replace(',7,', ',7.5,')}\n".encode(),
        f"{HEADER}\n{GOOD.replace('0.0,0.5', '1.0,1.5')}\n".encode(),
        f"{HEADER}\n{GOOD}{'9' * 200_000}\n".encode(),
        f'{HEADER}\n"{GOOD}\n'.encode(),
    ],
)
def test_a_damaged_table_is_refused_and_left_alone(table: ResultsTable, content: bytes) -> None:
    table.file.parent.mkdir()
    table.file.write_text(f"{HEADER}\n{GOOD}\n")
    assert list(table.rows("published")) == ["guard guard guard"]
    table.file.write_bytes(content)
    for use in (table.check, lambda: table.enter(row("guard")), lambda: solved(table)):
        with pytest.raises(BadText, match=r"solved\.csv"):
            use()
    assert table.file.read_bytes() == content


def test_a_table_that_can_not_be_written_is_refused(table: ResultsTable) -> None:
    table.file.parent.write_text("no folder")
    with pytest.raises(KibitzError, match=r"solved\.csv"):
        table.check()


def test_a_folder_that_can_not_be_made_is_reported_before_the_work(
    table: ResultsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.check()
    assert not table.file.parent.exists()
    monkeypatch.setattr("os.access", lambda folder, how: folder != table.file.parent.parent)
    with pytest.raises(KibitzError, match="no folder can be made"):
        table.check()


# -- the command -------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command knows these rounds and no others, and believes the last to be the smallest."""
    sizes = {cards: RoundSize(9 - i, 1) for i, cards in enumerate(SETS)}
    monkeypatch.setattr(command, "_sets", lambda game: ROUNDS)
    monkeypatch.setattr(love_letter_sizes, "face_up_sizes", lambda deck, tell: sizes)


ALL = ("solve", "love-letter", "--all-sets", "--epsilon", "0.05", "--threads", "1")


@pytest.mark.usefixtures("small")
def test_all_are_solved_smallest_first(home: Path) -> None:
    done = kibitz_here(*ALL, "--sets", "2", home=home)
    assert (done.returncode, complaints(done)) == (0, [])
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:2]] == NAMES[:0:-1]
    assert "public nodes" in lines[0]
    file = str(home / "data" / "kibitz" / "love-letter-solved.csv")
    books = home / "cache" / "books"
    assert lines[-1] == f"1 of 3 sets left to ε 0.05; table: {file}; books: {books}"
    assert len(list(books.iterdir())) == 2
    assert not list((home / "cache" / "equilibria").glob("*/policy.bin"))  # the book is enough
    document = json.loads(kibitz_here(*ALL, "--json", home=home).stdout)
    assert (document["left"], document["table"], document["failed"]) == (0, file, {})
    assert [each["face_up"] for each in document["rounds"]] == NAMES[::-1]
    for each, (_, row) in zip(
        document["rounds"], ResultsTable(home / file).rows("published").items(), strict=True
    ):
        assert each["value"] == [row.low, row.high]
        assert each["epsilon"] == row.epsilon <= 0.05
        assert (each["game"], each["regrets"]) == ("love-letter", row.regrets)
        assert (each["kibitz"], each["numba"], each["numpy"]) == row[-3:]


@pytest.mark.usefixtures("small")
def test_ctrl_c_is_one_line_and_the_same_command_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(deck: str, face_up: str, *args: Any) -> RoundOutcome:
        if face_up == NAMES[1]:
            raise KeyboardInterrupt
        return solve(deck, face_up, *args)

    solve = solved_rounds.solve
    monkeypatch.setattr(solved_rounds, "solve", interrupted)
    stopped = kibitz_here(*ALL, "--table", "t.csv", home=home)
    assert stopped.returncode == 130
    assert ["goes on from what is stored" in line for line in complaints(stopped)] == [True]
    monkeypatch.undo()
    monkeypatch.setenv("KIBITZ_CACHE", str(home / "cache"))
    assert list(ResultsTable(home / "t.csv").rows("published")) == NAMES[2:]


@pytest.mark.usefixtures("small")
def test_what_was_not_solved_is_reported_and_the_exit_code_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 10)
    done = kibitz_here(*ALL, "--json", home=home)
    assert done.returncode == 1
    assert [line.split(": ")[:2] for line in complaints(done)] == [
        ["kibitz", NAMES[1]],
        ["kibitz", NAMES[0]],
    ]
    document = json.loads(done.stdout)
    assert document["left"] == 2
    assert sorted(document["failed"]) == sorted(NAMES[:2])


@pytest.mark.usefixtures("small")
def test_the_table_is_checked_by_what_is_stored(home: Path) -> None:
    def check(*more: str) -> tuple[int, list[Any]]:
        done = kibitz_here(
            "solve", "love-letter", "--all-sets", "--check", "--json", *more, home=home
        )
        return done.returncode, [each["agrees"] for each in json.loads(done.stdout)["rounds"]]

    assert kibitz_here(*ALL, "--keep", home=home).returncode == 0
    assert check() == (0, [True, True, True])
    shown = kibitz_here("solve", "love-letter", "--all-sets", "--check", home=home)
    assert shown.stdout.splitlines()[-1].startswith("3 of 3 sets")
    file = home / "data" / "kibitz" / "love-letter-solved.csv"
    rows = ResultsTable(file).rows("published")
    other = rows[NAMES[0]]._replace(low=-0.01, high=0.01, epsilon=0.01)
    copy = ResultsTable(home / "copy.csv")
    for each in (*list(rows.values())[:2], other):
        copy.enter(each)
    assert check("--table", "copy.csv") == (1, [True, True, False])
    shutil.rmtree(solution_folder(ROUNDS[1].round))
    assert check() == (0, [True, None, True])  # only its book is left, and agrees
    file = book.user_books() / "2-2-6.book"
    file.write_bytes(file.read_bytes()[:-1])
    assert check() == (1, [True, False, True])
    file.unlink()
    assert check() == (0, [True, None, True])
    again = kibitz_here(*ALL, home=home).stdout.splitlines()
    assert [line.partition(":")[0] for line in again[:1]] == [NAMES[1]]  # it has no book
    assert file.exists()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("content", ["foreign", f"{HEADER}\n{GOOD.replace('guard', 'jack')}\n"])
@pytest.mark.parametrize("check", [(), ("--check",)])
def test_a_foreign_table_is_refused_in_one_line(
    home: Path, content: str, check: Sequence[str]
) -> None:
    (home / "t.csv").write_text(content)
    assert "t.csv" in assert_refused(kibitz_here(*ALL, *check, "--table", "t.csv", home=home))
    assert (home / "t.csv").read_text() == content


def test_one_round_is_entered_if_a_table_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "kibitz.solvers.love_letter.solution.unseen", lambda deck, cards: ROUNDS[0].round.unseen
    )
    one = ("solve", "love-letter", "--face-up", "2 7 2", "--threads", "1", "--json")
    document = json.loads(kibitz_here(*one, "--table", "t.csv", home=home).stdout)
    (entered,) = ResultsTable(home / "t.csv").rows("published").values()
    assert entered.face_up == NAMES[0]
    assert [entered.low, entered.high] == document["value"]
    assert entered.public_nodes == 473, "the small round"
    assert kibitz_here(*one, home=home).returncode == 0
    assert not (home / "data").exists()


@pytest.mark.usefixtures("small")
def test_a_damaged_table_of_the_user_is_refused_where_it_is_written_and_else_passed_over(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "data" / "kibitz" / "love-letter-solved.csv"
    file.parent.mkdir(parents=True)
    file.write_text(f"{HEADER}\n{GOOD[:-1]}\n")
    before = file.read_bytes()
    refused = assert_refused(kibitz_here(*ALL, home=home))
    assert refused == f"kibitz: {file}: line 2 is damaged; correct or delete it"
    monkeypatch.setattr(
        "kibitz.solvers.love_letter.solution.unseen", lambda deck, cards: ROUNDS[0].round.unseen
    )
    one = ("solve", "love-letter", "--face-up", "2 7 2", "--threads", "1", "--json")
    done = kibitz_here(*one, home=home)
    assert json.loads(done.stdout)["public_nodes"] == 473
    assert done.returncode == 0
    passed_over = f"kibitz: passed over: {file}: line 2 is damaged; correct or delete it"
    assert passed_over in complaints(done)
    assert file.read_bytes() == before


@pytest.mark.usefixtures("small")
def test_a_cluster_that_is_not_there_is_refused(home: Path) -> None:
    pytest.importorskip("distributed")
    refused = kibitz_here(*ALL, "--cluster", "nonsense", "--table", "new/t.csv", home=home)
    assert "tcp://host:8786" in assert_refused(refused)
    assert not (home / "new").exists()
