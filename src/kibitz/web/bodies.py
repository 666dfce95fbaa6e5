"""What the page may send, checked before anything looks at it."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from kibitz.core.checks import one_line
from kibitz.web.errors import Refusal

Line = Annotated[str, Field(max_length=500)]
Count = Annotated[int, Field(ge=1, le=1_000_000)]
B = TypeVar("B", bound="Body")


class Body(BaseModel):
    """A JSON object with these fields and no other. The simplest has none."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Body):
    """A game, and who sits where."""

    game: Line
    seats: Annotated[list[Line], Field(min_length=1, max_length=8)]
    seed: Annotated[str, Field(max_length=1000)] | None = None


class OpenRecord(Body):
    """The text of a file of records."""

    record: str


class Versioned(Body):
    """What the page had before it: an answer to something older is refused."""

    version: int


class MakePlay(Versioned):
    """A play by its text or by its parts."""

    play: Line | None = None
    parts: dict[str, Any] | None = None


class RunTable(Body):
    """Whether bots go on by themselves, and how fast."""

    on: bool
    seconds: Annotated[float, Field(ge=0.5, le=10, strict=False)] = 1.0


class AskHint(Versioned):
    """A hint, by the strongest adviser or by whom is named."""

    by: Line | None = None


class AskReview(Body):
    """A review of a game of the match; else of the last that is over."""

    game: Count | None = None
    seats: Annotated[list[Count], Field(max_length=8)] | None = None
    precision: Annotated[float, Field(ge=0.001, le=100, strict=False)] | None = None


class AskHindsight(Body):
    """What the cards of a game of the match allowed; else of the last that is over."""

    game: Count | None = None


class AskThoughts(Body):
    """What a bot thought before a play."""

    turn: Count
    game: Count | None = None


class AskGraph(Body):
    """A game as a graph, and a search on it."""

    game: Line
    algorithm: Line | None = None
    merge: bool = False
    depth: Annotated[int, Field(ge=1, le=20)] | None = None
    nodes: Annotated[int, Field(ge=1, le=1000)] = 400
    samples: Annotated[int, Field(ge=1, le=1000)] | None = None
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 0
    position: Annotated[str, Field(max_length=2000)] | None = None


async def read(request: Request, model: type[B]) -> B:
    """The body of a request."""
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        said = one_line(f"{place}: {first['msg']}" if place else first["msg"])
        raise Refusal(400, said[:300]) from None
