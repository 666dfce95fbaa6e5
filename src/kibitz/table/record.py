"""Records: a game in one line of JSON, which replays to the same end.

A file of records is JSON Lines. The rounds of a match stand one after the other, and the
last line may be a game that is not over yet.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from kibitz.core import checks
from kibitz.core.code_file import is_file
from kibitz.core.errors import BadText, IllegalPlay
from kibitz.core.files import atomic_write, read_file
from kibitz.core.game import Game
from kibitz.core.registry import catalogue_game
from kibitz.table.table import Table
from kibitz.version import __version__

MOST = 64 << 20
"""Bytes of a file of records that is read."""
PERSON = "person"
"""The name of a player who is no strategy."""


def _printed(text: str) -> str:
    if not text.isprintable():
        raise ValueError("there is a letter in it that can't be printed")
    return text


Text = Annotated[str, AfterValidator(_printed)]
"""It gets to a terminal, which would obey some letters."""


def called(player: str) -> str:
    """A player in a sentence: one of the strategies is named `human`."""
    return "a person" if player == PERSON else f"the strategy {player}"


class Record(BaseModel):
    """One game: what it takes to play it again.

    Examples
    --------
    >>> import kibitz
    >>> record = kibitz.play("twenty-one", [lambda view: "6", lambda view: "5"]).record
    >>> record
    <Record of twenty-one, seed 0: lambda, lambda; 4 plays, result [1.0, -1.0]>
    >>> kibitz.replay(record.model_dump_json()).plays == tuple(record.plays)
    True
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    kibitz: Text
    """The version that wrote it."""
    game: Text
    options: dict[Text, bool | int | float | Text] = {}
    seed: int
    match_seed: int
    """The seed of the match that it is a game of; its own seed if it stands alone."""
    first: int = Field(default=1, ge=1)
    players: list[Text]
    plays: list[Text]
    returns: list[float] | None = None
    """None while the game goes on."""
    hints: Text | None = None
    """Who gives the person a hint before every choice, if anybody does."""

    @classmethod
    def of(cls, table: Table, players: Sequence[str], match_seed: int | None = None) -> Record:
        """The record of a table as it stands."""
        game = table.game
        return cls(
            kibitz=__version__,
            game=game.name,
            options=dict(game.settings),
            seed=table.seed,
            match_seed=table.seed if match_seed is None else match_seed,
            first=table.first + 1,
            players=list(players),
            plays=list(table.plays),
            returns=list(game.returns(table.state)) if table.is_over else None,
        )

    def __repr__(self) -> str:
        result = "not over yet" if self.returns is None else f"result {self.returns}"
        return (
            f"<Record of {self.game}, seed {self.seed}: {', '.join(self.players)};"
            f" {len(self.plays)} plays, {result}>"
        )

    __str__ = __repr__

    @property
    def file(self) -> str | None:
        """The file that its game is in, if it is not of the catalogue."""
        return self.game if is_file(self.game) else None

    def make_game(self, own: Game[Any, Any] | None = None) -> Game[Any, Any]:
        """The game, with the options of the record. A record may come from anybody, so a file
        that it names is not opened: whoever trusts that file gives the game in it."""
        if own is None:
            if self.file is not None:
                raise BadText(f"its game is in a file, {self.file}: give the game itself")
            return catalogue_game(self.game, self.options)
        checks.one_of(own, Game, "a game")
        if Path(own.name).name != Path(self.game).name:
            raise BadText(f"it is of {self.game}, not of {own.name}")
        made = own if own.settings == self.options else type(own)(**self.options)
        if own.spec != own.name and made.spec != own.spec:
            raise BadText(f"it is of {made.spec}, not of {own.spec}")
        return made


def replay(record: Record, where: str = "record", own: Game[Any, Any] | None = None) -> Table:
    """Play a record again, every play and every outcome of chance checked, to the same end.
    `own`: see Record.make_game."""
    try:
        game = record.make_game(own)
    except BadText as error:
        raise BadText(f"{where}: {error}") from error
    if record.first > game.players or len(record.players) != game.players:
        raise BadText(f"{where}: {game.players} players and a first among them are needed")
    plays = record.plays
    try:
        table = Table(game, record.seed, record.first - 1, plays)
    except (IllegalPlay, BadText) as error:
        raise BadText(f"{where}: what chance did first: {error}") from error
    while len(table.plays) < len(plays):
        n = len(table.plays)
        if table.is_over:
            raise BadText(f"{where}: the game is over after {n} plays, but more follow")
        try:
            table.play(game.parse_play(table.state, plays[n]))
        except (IllegalPlay, BadText) as error:
            raise BadText(f"{where}: play {n + 1}, {plays[n]!r}: {error}") from error
    ends = list(game.returns(table.state)) if table.is_over else None
    if record.returns != ends:
        raise BadText(f"{where}: it says {record.returns}, but the plays lead to {ends}")
    return table


def read_records(path: Path) -> list[Record]:
    """All records of a file; nothing else may be in it."""
    try:
        lines = read_file(path, MOST).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise BadText(f"{checks.one_line(str(path))}: {reason}") from error
    except ValueError as error:  # half a letter, or a zero, in its name
        raise BadText(f"{checks.one_line(str(path))}: no name of a file") from error
    records = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        records.append(read_record(line, f"{path}, line {number}"))
    if not records:
        raise BadText(f"{path}: no record in it")
    return records


def read_record(line: str, where: str) -> Record:
    """A record from its line of JSON."""
    try:
        data = json.loads(line)
        json.dumps(data, ensure_ascii=False).encode()  # half a character can't be printed
    except (ValueError, RecursionError) as error:
        raise BadText(f"{where}: not a line of JSON") from error
    try:
        return Record.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "record"
        raise BadText(f"{where}: not a record: {field}: {first['msg'].lower()}") from error


def write_records(path: Path, records: Sequence[Record]) -> None:
    """Replace a file by these records, one a line."""
    atomic_write({path: records_text(records).encode()})


def records_text(records: Sequence[Record]) -> str:
    """Records as a file has them, one a line."""
    # Hints are for a person only: else the key is left out.
    unused = [{"hints"} if record.hints is None else set() for record in records]
    lines = [one.model_dump_json(exclude=x) + "\n" for one, x in zip(records, unused, strict=True)]
    return "".join(lines)
