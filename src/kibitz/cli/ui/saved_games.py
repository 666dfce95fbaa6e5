"""The games that a person has left: where they are saved, and which they are."""

from __future__ import annotations

import os
import shlex
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.cli.ui.trusted_files import same_strategy
from kibitz.core import registry
from kibitz.core.code_file import is_file
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.folders import data_folder
from kibitz.core.game import Game
from kibitz.core.strategy import Strategy

if TYPE_CHECKING:
    from kibitz.table.record import Record

MOST_OFFERED = 9
"""Games that are offered at once."""


def new_path(game: Game[Any, Any]) -> Path:
    """Where a new game is recorded, if nobody says."""
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    return data_folder() / f"{Path(game.name).name}-{stamp}.jsonl"


@dataclass(frozen=True)
class SavedGame:
    """A game, or a match, that goes on."""

    path: Path
    record: Record
    """Of the game that was left."""
    number: int
    """Which game of the match it is."""
    when: float
    """Seconds of the clock when the last play was made."""

    @property
    def opponent(self) -> str:
        from kibitz.table.record import PERSON

        return next((name for name in self.record.players if name != PERSON), "nobody")

    @property
    def spec(self) -> str:
        """The game with the options that are not the usual ones. Its own file is not opened."""
        cls = registry.game_class(self.record.game)
        if cls is not None and cls.rest:
            return f"{self.record.game}:{self.record.options.get(cls.rest, '')}"
        usual = {option.name: option.default for option in cls.options} if cls else {}
        own = [f"{k}={v}" for k, v in self.record.options.items() if usual.get(k) != v]
        return ":".join(filter(None, [self.record.game, ",".join(own)]))

    @property
    def resume_command(self) -> str:
        """The command that goes on with it. A record opens no file: they must be named."""
        named = [self.record.game] if is_file(self.record.game) else []
        command = ["kibitz", "play", *named, "--resume", str(self.path)]
        if self._opponent_in_file:
            command += ["--against", self.opponent]
        return shlex.join(command)

    @property
    def needs_file(self) -> bool:
        return is_file(self.record.game) or self._opponent_in_file

    @property
    def _opponent_in_file(self) -> bool:
        try:
            return bool(registry.files_named_by(self.opponent))
        except KibitzError:  # a strategy that there is no more
            return False

    def is_against(self, strategy: Strategy) -> bool:
        """Whether it is against this strategy, whose file may have moved."""
        try:
            return same_strategy(str(strategy), self.opponent)
        except BadText:  # a strategy that there is no more
            return False

    def is_of(self, game: Game[Any, Any]) -> bool:
        return (self.record.game, self.record.options) == (game.name, game.settings)

    def __str__(self) -> str:
        cls = registry.game_class(self.record.game)
        match = cls is not None and cls.traits.match
        round_ = f", {cls.traits.unit} {self.number}" if cls is not None and match else ""
        made = len(self.record.plays)
        plays = f"{made} play{'' if made == 1 else 's'} made" if made else "nothing played yet"
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.when))
        return f"{self.spec}{round_}, {plays}, against the strategy {self.opponent}; {day}"


def unfinished_games() -> list[SavedGame]:
    """The games in the folder that go on, the latest first. What can't be read is left out."""
    from kibitz.table.record import PERSON
    from kibitz.table.saved_records import saved_records

    return [
        SavedGame(one.path, one.records[-1], len(one.records), one.when)
        for one in saved_records(data_folder())
        if one.records[-1].returns is None and PERSON in one.records[-1].players
    ]


def in_catalogue(left: list[SavedGame]) -> tuple[list[SavedGame], list[SavedGame]]:
    """Those that can go on at once, and those whose game or opponent is in a file."""
    return [one for one in left if not one.needs_file], [one for one in left if one.needs_file]


def latest_record(name: str | None, against: str | None = None) -> Path:
    """The record of the game that was left last; of a game, and against a strategy, if they are
    named."""
    left = unfinished_games()
    if against is not None:
        opponent = registry.make_strategy(against)
        left = [one for one in left if one.is_against(opponent)]
    if name is not None:
        game = registry.make_game(name)
        left = [one for one in left if one.is_of(game)]
    elif against is None:
        left, in_files = in_catalogue(left)
        if in_files and not left:
            raise BadText(
                "its game or its strategy is in a file; if you trust it:"
                f" {in_files[0].resume_command}"
            )
    if not left:
        of = (f" of {name}" if name else "") + (f" against {against}" if against else "")
        raise BadText(f"there is no unfinished game{of} in {data_folder()}")
    return left[0].path
