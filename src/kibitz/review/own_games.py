"""Many games of one player: what a decision lost on average, game by game. For training."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadText, BadType
from kibitz.core.shown import Sheet, Shown
from kibitz.review.judgement import ZERO, Estimate, amount
from kibitz.review.review import Review, review
from kibitz.table.played import PlayedGame
from kibitz.table.record import Record, read_records

OPTIONS = ("precision", "seed", "luck", "game", "hindsight")
"""What `review` takes that means the same for every game."""


@dataclass(frozen=True, repr=False)
class ReviewedGames(Shown):
    """Reviews of many games in the order in which they were played.

    Examples
    --------
    >>> import kibitz
    >>> games = [kibitz.play("twenty-one", ["random", "random"], seed=n) for n in range(3)]
    >>> reviewed = kibitz.review_games(games)
    >>> len(reviewed.reviews), reviewed.mean_loss.value >= 0
    (3, True)
    """

    reviews: tuple[Review, ...]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each game and seat: its mean loss a decision, and the mean of all up to it."""
        rows, lost, decisions = [], 0.0, 0
        for number, one in enumerate(self.reviews, 1):
            for seat in one.seats:
                lost, decisions = lost + seat.loss.value, decisions + seat.decisions
                rows.append(
                    {
                        "game": number, "player": seat.player, "seat": seat.seat + 1,
                        "decisions": seat.decisions, "mean_loss": seat.mean_loss,
                        "mean_so_far": lost / decisions if decisions else 0.0,
                        "luck": seat.parts[1] if seat.parts else None,
                        "result": one.played.returns[seat.seat],
                    }
                )  # fmt: skip
        return rows

    @property
    def mean_loss(self) -> Estimate:
        """A decision, over all games; the error is that of the games, which differ."""
        means = [(seat.loss.value, seat.decisions) for one in self.reviews for seat in one.seats]
        decisions = sum(number for _, number in means)
        if not decisions:
            return ZERO
        mean = sum(loss for loss, _ in means) / decisions
        off = sum((loss - mean * number) ** 2 for loss, number in means)
        n = len(means)
        spread = math.sqrt(off * n / (n - 1)) if n > 1 else 0.0
        return Estimate(mean, spread / decisions)

    def sheet(self) -> Sheet:
        """The games, and the mean below."""
        chance = bool(self.reviews) and self.reviews[0].is_chance
        head = ("game", "player", "seat", "decisions", "lost a decision", "so far", "result")
        rows = [
            [
                str(row["game"]), row["player"], str(row["seat"]), str(row["decisions"]),
                amount(Estimate(row["mean_loss"]), chance),
                amount(Estimate(row["mean_so_far"]), chance), f"{row['result']:g}",
            ]
            for row in self.rows()
        ]  # fmt: skip
        mean = f"Mean loss a decision: {amount(self.mean_loss, chance)}."
        return Sheet("Games that were reviewed", head, rows, [mean], words=(1,))


def review_games(
    records: Iterable[Record | PlayedGame] | str | Path,
    *,
    player: str | None = None,
    **options: Any,
) -> ReviewedGames:
    """Review many games, or all games of a file that are over.

    Parameters
    ----------
    records
        Records, games that were played, or a file of records.
    player
        Whose decisions, as records name players, such as `person`; else the persons', or all.
    **options
        As `kibitz.review` takes them: `precision`, `seed`, `luck`, `game`, `hindsight`.

    Returns
    -------
    ReviewedGames
        The reviews, the mean loss a decision, and rows for a data frame.

    Examples
    --------
    >>> import kibitz
    >>> game = kibitz.play("twenty-one", ["random", "random"], seed=1)
    >>> kibitz.review_games([game]).reviews[0].decisions[0].play
    '4'
    """
    if isinstance(records, (str, Path)):
        records = [one for one in read_records(Path(records)) if one.returns is not None]
    elif isinstance(records, (Record, PlayedGame)) or not isinstance(records, Iterable):
        wanted = "a list of records, or of games that were played, or a file of records"
        raise BadType(f"{wanted} is wanted, not {checks.brief(records)}")
    if player is not None:
        checks.text(player, "a player")
    for name in options:
        if name not in OPTIONS:
            raise BadText(f"a review of many games takes {', '.join(OPTIONS)}, not {name}")
    found = []
    for one in records:
        checks.one_of(one, (Record, PlayedGame), "a record")
        seats = None
        if player is not None:
            seats = [seat for seat, name in enumerate(one.players) if name == player]
            if not seats:
                continue
        found.append(review(one, seats=seats, **options))
    if not found:
        raise BadText("there is no game to review in it")
    return ReviewedGames(tuple(found))
