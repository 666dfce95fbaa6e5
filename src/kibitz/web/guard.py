"""What every request must pass before anything else looks at it, and what every answer says.

Against DNS rebinding the Host must be one of ours, against other sites the Origin; a body must be
JSON and short, and it is read here, in a time that is not endless.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.web.errors import Refusal

MOST_BYTES = 256 << 10
"""Of a body: a record of a long match has less."""
PATIENCE = 10.0
"""Seconds in which a body must have come."""
SAFE_METHODS = ("GET", "HEAD")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer that says nothing else about them."""


@dataclass
class RateLimit:
    """Requests of an address: so many at once, and so many a second from then on. A refused one
    costs more, so that nobody tries tokens for long."""

    at_once: float = 200.0
    a_second: float = 40.0
    refused: float = 10.0
    most: int = 10_000
    """Addresses that are remembered."""
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, who: str, cost: float = 1.0) -> bool:
        """Whether there is enough left; then it is taken."""
        now = time.monotonic()
        left, when = self._left.pop(who, (self.at_once, now))
        left = min(self.at_once, left + (now - when) * self.a_second)
        allowed = left >= 1.0
        self._left[who] = (max(left - cost, 0.0) if allowed else left, now)
        if len(self._left) > self.most:
            self._left.popitem(last=False)
        return allowed


class Guard:
    """Stands before the application."""

    def __init__(
        self, app: ASGIApp, hosts: Collection[str] = (), shared: bool = False,
        rate: RateLimit | None = None,
    ) -> None:  # fmt: skip
        """`hosts`: more names of this server than those of the loopback. One that is shared may
        be called by any address: an address can't be rebound."""
        self.app = app
        self.hosts = {*LOOPBACK, *(host.lower() for host in hosts)}
        self.shared = shared
        self.rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # no web sockets here
        who = (scope.get("client") or ("",))[0]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if self.rate is not None and message["status"] in (401, 403, 421):
                    self.rate.take(who, self.rate.refused)
            await send(message)

        try:
            if self.rate is not None and not self.rate.take(who):
                raise Refusal(429, "too many requests; wait a moment")
            self.check(scope["method"], Headers(scope=scope))
            body = b"" if scope["method"] in SAFE_METHODS else await read_body(scope, receive)
        except Refusal as refusal:
            answer = JSONResponse({"error": str(refusal)}, refusal.status)
            await answer(scope, receive, send_with_headers)
            return
        await self.app(scope, _replay(body, receive), send_with_headers)

    def check(self, method: str, headers: Headers) -> None:
        """Refuse what comes to another host or from another site, and what is no JSON."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.is_ours(_name(hosts[0])):
            raise Refusal(421, "this server is not called so; see --allowed-host")
        origin = headers.get("origin")
        if origin is None and method not in SAFE_METHODS:
            raise Refusal(403, "a request that changes something must say its origin")
        if origin is not None and not self._is_own_origin(origin, hosts[0]):
            raise Refusal(403, "requests from other sites are refused")
        site, mode = headers.get("sec-fetch-site"), headers.get("sec-fetch-mode")
        if site in ("cross-site", "same-site") and mode != "navigate":
            raise Refusal(403, "requests from other sites are refused")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method == "POST" and kind != "application/json":
            raise Refusal(415, "a body must be JSON: Content-Type: application/json")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:10]) > MOST_BYTES:
            raise _too_long()

    def is_ours(self, name: str) -> bool:
        """Whether this server is called so."""
        return name in self.hosts or (self.shared and _is_address(name))

    def _is_own_origin(self, origin: str, host: str) -> bool:
        """The same host with its port; or, behind a proxy that hides its own, an allowed one."""
        try:
            parts = urlsplit(origin)
            named = _name(parts.netloc)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https"):
            return False
        return parts.netloc.lower() == host.lower() or named in self.hosts - {*LOOPBACK}


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """All of it, if it is short enough and comes soon enough."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await _read(receive)
    except TimeoutError:
        raise Refusal(408, "the request did not come to its end") from None


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""  # whoever sent it is gone
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            raise _too_long()
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body that was read, once more; then what else comes."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _too_long() -> Refusal:
    return Refusal(413, f"a request may have {MOST_BYTES >> 10} KB")


def _name(host: str) -> str:
    """Without the port."""
    name = host.lower().strip()
    if name.startswith("["):
        return name[: name.find("]") + 1]
    return name.partition(":")[0].removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
