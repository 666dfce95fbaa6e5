"""A server from its start to its end: where it listens, what it says, whom it lets finish."""

from __future__ import annotations

import socket
import sys
import webbrowser
from dataclasses import replace
from threading import Thread

import uvicorn

from kibitz.core.errors import KibitzError
from kibitz.web.app import Server, WebSettings, make_app

MOST_CONNECTIONS = 1000
GOODBYE = 1
"""Seconds for requests that are not answered yet when it stops."""


class WebServer(uvicorn.Server):
    """Pages keep their streams open: they are closed first when it stops."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self.server = server

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.server.close_streams()
        await super().shutdown(sockets)


def run(settings: WebSettings, port: int, *, open_browser: bool) -> None:
    """Serve until Ctrl-C."""
    listening = listen(port, settings.shared)
    port = listening.getsockname()[1]
    own = local_address() if settings.shared else None
    if settings.shared:
        name = socket.gethostname()
        settings = replace(settings, hosts=(*settings.hosts, name, f"{name}.local"))
    server = Server(settings)
    config = uvicorn.Config(
        make_app(server), http="h11", ws="none", lifespan="on", log_level="error",
        access_log=False, proxy_headers=False, server_header=False,
        limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=GOODBYE,
    )  # fmt: skip
    address = f"http://{own or '127.0.0.1'}:{port}/enter/{server.keys.host}"
    print(f"Kibitz is at {address}", flush=True)
    if settings.shared:
        print("It is shared: give others the links to their seats, not this one.", flush=True)
    print("Ctrl-C ends it; every play is saved.", flush=True)
    if open_browser:
        Thread(target=_open, args=(address,), daemon=True).start()
    WebServer(config, server).run(sockets=[listening])


def listen(port: int, shared: bool) -> socket.socket:
    """The socket, on this machine alone unless it is shared."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("0.0.0.0" if shared else "127.0.0.1", port))
        listening.listen(128)  # who comes before all is loaded waits
    except OSError as error:
        listening.close()
        raise KibitzError(f"port {port} can't be used ({error.strerror}); try --port 0") from None
    return listening


def local_address() -> str:
    """The address of this machine in its network. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _open(address: str) -> None:
    """Whatever a browser says is not for the terminal."""
    try:
        webbrowser.open(address)
    except webbrowser.Error as error:
        print(f"no browser could be opened: {error}", file=sys.stderr)
