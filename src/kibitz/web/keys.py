"""Who may do what: tokens in links, which become cookies.

A token of a seat is a keyed hash (HMAC-SHA-256) of the table and the seat, under a secret that is
stored beside the games: nothing can be guessed, a link stays good when the server starts again, and
nothing has to be remembered. The host's token is drawn anew at each start.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from kibitz.web.errors import Refusal

BYTES = 32
"""Of the secret, and of every token."""
HOST, SEAT = "kibitz_host", "kibitz_seat"
"""The names of the cookies."""
WATCH = "watch"
"""The seat of whoever looks on."""


class Keys:
    """The tokens of a server."""

    def __init__(self, folder: Path) -> None:
        self._secret = _stored_secret(folder / "secret")
        self.host = secrets.token_urlsafe(BYTES)

    def seat(self, table: str, seat: str) -> str:
        """The token of a seat; of `watch` too."""
        return hmac.new(self._secret, f"seat {table}/{seat}".encode(), sha256).hexdigest()

    def link(self, table: str, seat: str) -> str:
        """The door to a seat."""
        return f"/sit/{table}/{seat}/{self.seat(table, seat)}"

    def thing(self, name: str) -> str:
        """An id for something that has a path, which it does not tell."""
        return hmac.new(self._secret, f"thing {name}".encode(), sha256).hexdigest()[:16]

    def check_host(self, request: Request) -> None:
        """Refuse whoever is not the host."""
        _check(request.cookies.get(HOST), self.host)

    def check_seat(self, request: Request) -> None:
        """Refuse whoever does not sit in the seat that the path names."""
        table, seat = request.path_params["table"], request.path_params["seat"]
        _check(request.cookies.get(SEAT), self.seat(table, seat))

    def enter(self, token: str) -> Response:
        """The host comes in."""
        _check(token, self.host)
        return _with_cookie("/", HOST, token, "/")

    def sit(self, table: str, seat: str, token: str) -> Response:
        """Somebody sits down, or looks on. The cookie goes with what lies below the seat's path
        alone, so a browser may have several."""
        _check(token, self.seat(table, seat))
        path = f"/table/{table}/{seat}/"
        return _with_cookie(path, SEAT, token, path)


def _check(given: str | None, right: str) -> None:
    if given is None or not hmac.compare_digest(given.encode(), right.encode()):
        raise Refusal(401, "you have no key to this; open the link that you were given")


def _with_cookie(to: str, name: str, value: str, path: str) -> Response:
    response = RedirectResponse(to, 303)
    response.set_cookie(name, value, path=path, httponly=True, samesite="strict")
    return response


def _stored_secret(path: Path) -> bytes:
    """The same at every start; made at the first, for the user's eyes only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(BYTES))
    except FileExistsError:
        pass
    secret = path.read_bytes()
    if len(secret) != BYTES:
        path.unlink()  # it was not written whole: links of before are lost
        return _stored_secret(path)
    return secret
