"""`kibitz serve`: the table in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.core.errors import BadText, KibitzError

PORT = 8300


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = PORT,
    no_open: Annotated[bool, typer.Option("--no-open", help="Don't open a browser.")] = False,
    share: Annotated[
        bool,
        typer.Option("--share", help="For other devices too: bound to all addresses of this one."),
    ] = False,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            help="A name that the server may be called by, as behind a proxy; may be repeated.",
            show_default=False,
        ),
    ] = None,
    results: Annotated[
        Path, typer.Option(help="The folder whose stores and pages can be looked at.")
    ] = Path("."),
) -> None:
    """Play in the browser: against strategies, or with others on their own devices."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise KibitzError(
            "kibitz serve needs starlette and uvicorn: pip install 'kibitz[web]'"
        ) from None
    if not results.is_dir():
        raise BadText(f"there is no folder {results}")
    for name in allowed_host or ():
        if not name.strip() or any(letter in name for letter in "/: \t@"):
            raise BadText(
                f"--allowed-host is the name alone, such as cards.example.org, not {name}"
            )
    from kibitz.core.folders import data_folder
    from kibitz.web.app import WebSettings
    from kibitz.web.serving import run

    settings = WebSettings(data_folder(), results.resolve(), share, tuple(allowed_host or ()))
    run(settings, port, open_browser=not no_open)
