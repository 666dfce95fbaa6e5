"""Names in tables: short enough, never two alike, and in full in a legend."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz.arena.report.names import ALONE, ROOM, short_names, with_short_names
from kibitz.core.checks import one_line

ENGINE = "bot:./engine --threads=1 --evaluation=material"
ALIKE: dict[str, tuple[list[str], list[str]]] = {
    "at the end": (
        [f"{ENGINE} --depth=10", f"{ENGINE} --depth=12"],
        ["bot:./en…terial --depth=10", "bot:./en…terial --depth=12"],
    ),
    "one goes on": (
        [ENGINE, f"{ENGINE} --book"],
        ["bot:./en…aluation=material", "bot:./en…n=material --book"],
    ),
    "in the middle": (
        [f"{ENGINE[:30]}{n} --evaluation=material --book" for n in (1, 2)],
        ["bot:./en…-eva1 --evaluati…", "bot:./en…-eva2 --evaluati…"],
    ),
    "at the beginning": (
        ["bot:./engine_a --threads=1 --book", "bot:./engine_b --threads=1 --book"],
        ["bot:./engine_a --threads=…", "bot:./engine_b --threads=…"],
    ),
    "options of one": (["ismcts:simulations=1000,rollout=greedy", "greedy"], ["ismcts", "greedy"]),
    "few options of one": (["ismcts:simulations=1000", "pimc"],) * 2,
    "the same player twice": (
        ["ismcts:simulations=1000,reuse=true", "ismcts:simulations=1000,reuse=true#2"],
        ["ismcts:s…s=1000,reuse=true", "ismcts:s…1000,reuse=true#2"],
    ),
    "spaces in a row": (["a  b", "a b"], ["a b (2)", "a b"]),
}


@pytest.mark.parametrize(("names", "short"), ALIKE.values(), ids=ALIKE)
def test_what_differs_is_shown(names: list[str], short: list[str]) -> None:
    assert list(short_names(names).values()) == short


COMMAND = st.text("ab:=, -", min_size=1, max_size=60)


@given(st.lists(COMMAND, min_size=1, max_size=6, unique=True), st.integers(12, 40))
def test_short_names_fit_and_no_two_are_alike(names: list[str], room: int) -> None:
    short = short_names(names, room)
    assert list(short) == names
    assert len(set(short.values())) == len(names)
    for name, own in short.items():
        assert own == one_line(own)
        assert len(own) <= (max(room, ALONE) if own == name else room)
        if len(name) <= room and name == one_line(name):
            assert own == name


@pytest.mark.parametrize("game", ["twenty-one", "love-letter:players=3", "tablic:players=4"])
def test_only_the_names_of_a_comparison_change(game: str) -> None:
    players = kibitz.make_game(game).players
    names = [f"random{'#' * (i > 0)}{i + 1 if i else ''}" for i in range(players)]
    comparison = kibitz.compare(game, ["random"] * players, pairs=2, jobs=1)
    assert with_short_names(comparison) == (comparison, {})
    assert [player.name for player in comparison.players] == names
    changed, legend = with_short_names(comparison, 6)
    assert legend == {own: name for name, own in short_names(names, 6).items() if own != name}
    text = repr(changed.document())
    back = {own: name for own, name in legend.items() if own != "random"}
    for own, name in back.items():
        assert own in text and name not in text
        text = text.replace(own, name)
    assert text == repr(comparison.document())


def test_at_a_prompt_the_legend_stands_below() -> None:
    names = ["first_player_of_a_long_name_a", "first_player_of_a_long_name_b"]
    bots = [type("First", (kibitz.Strategy,), {"name": name, "sit": _sit}) for name in names]
    lines = repr(kibitz.compare("twenty-one", [bot() for bot in bots], pairs=2, jobs=1)).split("\n")
    short = short_names(names)
    assert lines[2].startswith(f"{short[names[0]]} – {short[names[1]]}  ")
    assert lines[-2:] == [f"{own} = {name}" for name, own in short.items()]
    assert all(len(own) <= ROOM for own in short.values())


class _First(kibitz.Player):
    def choose(self, view: kibitz.View[int]) -> object:
        return view.plays()[0]


def _sit(strategy: kibitz.Strategy, game: object, seat: int, rng: object) -> kibitz.Player:
    return _First()
