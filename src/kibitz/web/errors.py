"""What is wrong with a request: a status of HTTP and one clear line."""

from __future__ import annotations

from kibitz.core.errors import KibitzError


class Refusal(KibitzError):
    """A request that is not answered as it wants to be."""

    def __init__(self, status: int, reason: str, rule: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.rule = rule


def not_found(what: str) -> Refusal:
    """Also for what is somebody else's: nobody learns whether it is there."""
    return Refusal(404, f"there is no such {what}")


def not_now(reason: str) -> Refusal:
    """Possible at another time; or what the page showed is no longer so."""
    return Refusal(409, reason)


def too_busy() -> Refusal:
    """A queue is full."""
    return Refusal(503, "the server has too much to do; try again in a moment")
