"""The application: which request goes where. What it means is in the modules that it names.

Three kinds of guests, each with a key of his own: the host (`/api/`), whoever sits in a seat or
looks on (`/table/TABLE/SEAT/`), and whoever has the unguessable address of a page of results.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from kibitz.core.errors import BadText, KibitzError
from kibitz.version import __version__
from kibitz.web import bodies, history
from kibitz.web.catalogue import advisers, catalogue, web_adviser, web_game
from kibitz.web.compiling import CompileNews
from kibitz.web.errors import Refusal, not_found, not_now
from kibitz.web.guard import Guard, RateLimit
from kibitz.web.job_work import pack_view
from kibitz.web.jobs import Job, Jobs
from kibitz.web.keys import WATCH, Keys
from kibitz.web.live_table import LiveTable, Workers, viewer_of
from kibitz.web.results import Results, solved_rounds
from kibitz.web.tables import Tables
from kibitz.web.workers import Worker

STATIC = Path(__file__).with_name("static")
HOST = "host"
"""The owner of the host's jobs."""
SANDBOX = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline';"
    " script-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'"
)
"""For pages that reports and searches write, whose scripts are in them: they run in an origin of
their own, from which nothing here can be reached."""
PICTURE = "default-src 'none'; style-src 'unsafe-inline'"
NO_ICON = b'<link rel="icon" href="data:,">'


class Files(StaticFiles):
    """The files of the package: a browser keeps them and asks whether they are still the same."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class WebSettings:
    """What a server is told when it starts."""

    data: Path
    """The folder of the user's games."""
    results: Path
    """The folder whose stores and pages are shown."""
    shared: bool = False
    hosts: Sequence[str] = ()
    """More names that it may be called by."""
    warm_up: bool = True


class Server:
    """All that the handlers share."""

    def __init__(self, settings: WebSettings) -> None:
        self.settings = settings
        self.keys = Keys(settings.data / "tables")
        names = ("persons", "opponents", "seating", "reading")
        self.workers = Workers(*(Worker(name) for name in names))
        self.tables = Tables(settings.data, self.keys, self.workers)
        self.results = Results(settings.results, self.keys)
        self.news = CompileNews(self.tables)
        self.jobs = Jobs(self.news.tell)

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """From the start to the end."""
        self.news.begin(self.settings.warm_up)
        yield
        self.close_streams()
        self.news.end()
        self.jobs.stop()
        self.workers.stop()

    def close_streams(self) -> None:
        """Pages come back by themselves, when there is a server again."""
        for table in self.tables.live.values():
            table.close()
        self.news.streams.close()

    # -- doors and pages -----------------------------------------------------------------------

    async def enter(self, request: Request) -> Response:
        return self.keys.enter(request.path_params["token"])

    async def sit(self, request: Request) -> Response:
        where = request.path_params
        return self.keys.sit(where["table"], where["seat"], where["token"])

    async def lobby_page(self, _: Request) -> Response:
        return _shell("index.html")

    async def table_page(self, _: Request) -> Response:
        return _shell("table.html")

    async def results_page(self, _: Request) -> Response:
        return _shell("results.html")

    # -- the host ------------------------------------------------------------------------------

    async def catalogue(self, _: Request) -> Response:
        games = await self.workers.reading.run(catalogue)
        shared = self.settings.shared
        return JSONResponse({"version": __version__, "shared": shared, "games": games})

    async def compiling(self, _: Request) -> Response:
        return self.news.streams.answer(*self.news.events())

    async def list_tables(self, _: Request) -> Response:
        return JSONResponse({"tables": await self.tables.listed()})

    async def create_table(self, request: Request) -> Response:
        wanted = await bodies.read(request, bodies.NewTable)
        return self._created(await self.tables.create(wanted))

    async def open_record(self, request: Request) -> Response:
        wanted = await bodies.read(request, bodies.OpenRecord)
        return self._created(await self.tables.open_record(wanted.record))

    def _created(self, table: LiveTable) -> Response:
        doors = self.tables.doors(table.id, table.session.names)
        return JSONResponse({"id": table.id, **doors}, 201)

    async def delete_table(self, request: Request) -> Response:
        id_ = request.path_params["table"]
        await self.tables.delete(id_)
        self.jobs.cancel_of(f"{id_}/")
        return Response(status_code=204)

    async def make_graph(self, request: Request) -> Response:
        wanted = await bodies.read(request, bodies.AskGraph)
        task = {"kind": "graph", **wanted.model_dump(), "game": str(web_game(wanted.game))}
        return _accepted(self.jobs.add(HOST, task))

    async def host_job(self, request: Request) -> Response:
        return self._job(HOST, request, "/api/jobs")

    async def host_job_file(self, request: Request) -> Response:
        return self._job_file(HOST, request)

    async def list_results(self, _: Request) -> Response:
        return JSONResponse(await self.workers.reading.run(self.results.listed))

    async def show_run(self, request: Request) -> Response:
        where = request.path_params
        run = await self.workers.reading.run(self.results.run, where["store"], where["run"])
        return JSONResponse(run)

    async def draw_run(self, request: Request) -> Response:
        where = request.path_params
        await bodies.read(request, bodies.Body)
        path = self.results.store(where["store"])
        await self.workers.reading.run(self.results.run, where["store"], where["run"])
        task = {"kind": "pictures", "store": str(path), "run": where["run"]}
        return _accepted(self.jobs.add(HOST, task))

    async def solved(self, _: Request) -> Response:
        return JSONResponse(await self.workers.reading.run(solved_rounds))

    async def result_page(self, request: Request) -> Response:
        where = request.path_params
        kind, content = await self.workers.reading.run(
            self.results.page, where["id"], where["beside"]
        )
        return _document(kind, content)

    # -- a seat --------------------------------------------------------------------------------

    async def events(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        viewer = viewer_of(table, seat, request.query_params.get("look"))
        return await table.open_stream(viewer, *self.news.events())

    async def play(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        wanted = await bodies.read(request, bodies.MakePlay)
        await table.play(_number(seat), wanted)
        return Response(status_code=204)

    async def undo(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        wanted = await bodies.read(request, bodies.Versioned)
        await table.undo(_number(seat), wanted.version)
        return Response(status_code=204)

    async def next_game(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        wanted = await bodies.read(request, bodies.Versioned)
        if table.session.persons:
            _number(seat)
        await table.next_game(wanted.version)
        return Response(status_code=204)

    async def step(self, request: Request) -> Response:
        table, _ = await self._seat(request)
        wanted = await bodies.read(request, bodies.Versioned)
        await table.step(wanted.version)
        return Response(status_code=204)

    async def run(self, request: Request) -> Response:
        table, _ = await self._seat(request)
        await table.set_run(await bodies.read(request, bodies.RunTable))
        return Response(status_code=204)

    async def advisers(self, request: Request) -> Response:
        table, _ = await self._seat(request)
        return JSONResponse({"advisers": advisers(table.session.game)})

    async def rules(self, request: Request) -> Response:
        table, _ = await self._seat(request)
        told = table.session.game.presenter.rules()
        rows = [{"number": number, "about": about, "text": text} for number, about, text in told]
        return JSONResponse({"rules": rows})

    async def hint(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        wanted = await bodies.read(request, bodies.AskHint)
        owner, session, me = _owner(table, seat), table.session, _number(seat)
        self.jobs.check(owner)
        adviser = web_adviser(wanted.by, session.game)

        def task() -> dict[str, Any]:
            if not session.is_persons_turn or session.table.mover != me:
                raise not_now("a hint is for your turn")
            view, stream = pack_view(session.view(me)), int(session.hint_stream()[0])
            return {"kind": "hint", "view": view, "by": str(adviser), "stream": stream}

        return _accepted(self.jobs.add(owner, await table.look(task)))

    async def review(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        wanted = await bodies.read(request, bodies.AskReview)
        _, record = history.finished_record(table.session, wanted.game)
        seats = None if wanted.seats is None else [one - 1 for one in wanted.seats]
        if seats is not None and max(seats, default=0) >= table.session.game.players:
            raise BadText(f"there are {table.session.game.players} seats")
        task = {
            "kind": "review", "record": record.model_dump_json(), "seats": seats,
            "precision": wanted.precision,
        }  # fmt: skip
        return _accepted(self.jobs.add(_owner(table, seat), task))

    async def hindsight(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        wanted = await bodies.read(request, bodies.AskHindsight)
        _, record = history.finished_record(table.session, wanted.game)
        task = {"kind": "hindsight", "record": record.model_dump_json()}
        return _accepted(self.jobs.add(_owner(table, seat), task))

    async def thoughts(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        wanted = await bodies.read(request, bodies.AskThoughts)
        _, record = history.finished_record(table.session, wanted.game)
        task = {
            "kind": "thoughts", "record": record.model_dump_json(), "turn": wanted.turn,
            "stream": wanted.turn,
        }  # fmt: skip
        return _accepted(self.jobs.add(_owner(table, seat), task))

    async def seat_job(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        return self._job(_owner(table, seat), request, f"/table/{table.id}/{seat}/jobs")

    async def seat_job_file(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        return self._job_file(_owner(table, seat), request)

    async def turns(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        text = request.query_params.get("game")
        if text is not None and not (text.isascii() and text.isdecimal() and len(text) < 6):
            raise BadText("game is the number of a game")
        viewer = viewer_of(table, seat, request.query_params.get("look"))
        number = None if text is None else int(text)
        told = await self.workers.reading.run(history.turns, table.session, number, viewer)
        return JSONResponse(told)

    async def record(self, request: Request) -> Response:
        table, _ = await self._seat(request)
        text = history.record_text(table.session)
        headers = {"Content-Disposition": f'attachment; filename="{table.id}.jsonl"'}
        return Response(text, media_type="application/x-ndjson", headers=headers)

    async def _seat(self, request: Request) -> tuple[LiveTable, str]:
        """The table, for whoever has the key to this seat of it."""
        self.keys.check_seat(request)
        return await self.tables.get(request.path_params["table"]), request.path_params["seat"]

    # -- jobs ----------------------------------------------------------------------------------

    def _job(self, owner: str, request: Request, base: str) -> Response:
        id_ = request.path_params["job"]
        if request.method == "DELETE":
            self.jobs.cancel(owner, id_)
            return Response(status_code=204)
        job = self.jobs.get(owner, id_)
        document = job.document()
        if job.result is not None:
            document["result"] = _with_links(job, f"{base}/{id_}")
        return JSONResponse(document)

    def _job_file(self, owner: str, request: Request) -> Response:
        job = self.jobs.get(owner, request.path_params["job"])
        if request.path_params["name"] not in job.files:
            raise not_found("file")
        return _document(*job.files[request.path_params["name"]])


def make_app(server: Server) -> ASGIApp:
    """The application of a server, behind its guard."""
    app = Starlette(
        routes=[*_open_routes(server), *_host_routes(server), *_seat_routes(server)],
        exception_handlers={
            KibitzError: _refused, HTTPException: _http_error, Exception: _broken,
        },
        lifespan=server.lifespan,
    )  # fmt: skip
    app.router.redirect_slashes = False  # an address is right or it is wrong
    settings = server.settings
    rate = RateLimit() if settings.shared else None
    return Guard(app, settings.hosts, settings.shared, rate)


def _open_routes(server: Server) -> list[Any]:
    """What nobody needs a cookie for: doors, pages without data, files of the package."""
    return [
        Route("/enter/{token}", server.enter),
        Route("/sit/{table}/{seat}/{token}", server.sit),
        Route("/", server.lobby_page),
        Route("/results/", server.results_page),
        Route("/results/{id}/{beside:path}", server.result_page),
        Mount("/static", Files(directory=STATIC, check_dir=False)),
    ]


def _host_routes(server: Server) -> list[Route]:
    routes: list[tuple[str, str, Handler]] = [
        ("GET", "catalogue", server.catalogue),
        ("GET", "compiling", server.compiling),
        ("GET", "tables", server.list_tables),
        ("POST", "tables", server.create_table),
        ("POST", "tables/open", server.open_record),
        ("DELETE", "tables/{table}", server.delete_table),
        ("POST", "graphs", server.make_graph),
        ("GET", "jobs/{job}", server.host_job),
        ("DELETE", "jobs/{job}", server.host_job),
        ("GET", "jobs/{job}/{name}", server.host_job_file),
        ("GET", "results", server.list_results),
        ("GET", "results/{store}/{run:int}", server.show_run),
        ("POST", "results/{store}/{run:int}/pictures", server.draw_run),
        ("GET", "solved", server.solved),
    ]

    def guarded(handler: Handler) -> Handler:
        async def call(request: Request) -> Response:
            server.keys.check_host(request)
            return await handler(request)

        return call

    return [
        Route(f"/api/{path}", guarded(handler), methods=[method])
        for method, path, handler in routes
    ]


def _seat_routes(server: Server) -> list[Route]:
    routes: list[tuple[str, str, Handler]] = [
        ("GET", "", server.table_page),
        ("GET", "events", server.events),
        ("POST", "play", server.play),
        ("POST", "undo", server.undo),
        ("POST", "next", server.next_game),
        ("POST", "step", server.step),
        ("POST", "run", server.run),
        ("GET", "advisers", server.advisers),
        ("GET", "rules", server.rules),
        ("POST", "hint", server.hint),
        ("POST", "review", server.review),
        ("POST", "hindsight", server.hindsight),
        ("POST", "thoughts", server.thoughts),
        ("GET", "jobs/{job}", server.seat_job),
        ("DELETE", "jobs/{job}", server.seat_job),
        ("GET", "jobs/{job}/{name}", server.seat_job_file),
        ("GET", "turns", server.turns),
        ("GET", "record", server.record),
    ]
    return [
        Route(f"/table/{{table}}/{{seat}}/{path}", handler, methods=[method])
        for method, path, handler in routes
    ]


# -- answers -------------------------------------------------------------------------------------


def _shell(name: str) -> Response:
    """A page without any data: whoever may see them fetches them."""
    if not (STATIC / name).is_file():
        raise not_found("page")
    return FileResponse(STATIC / name, media_type="text/html")


def _document(kind: str, content: bytes) -> Response:
    """A page or picture. A page names no icon, so that it needs nothing beside it; here the
    browser would ask the server for one, which the sandbox refuses."""
    policy = PICTURE
    if kind.startswith("text/html"):
        policy, content = SANDBOX, content.replace(b"<head>", b"<head>" + NO_ICON, 1)
    return Response(content, media_type=kind, headers={"Content-Security-Policy": policy})


def _accepted(job: Job) -> Response:
    return JSONResponse({"job": job.id}, 202)


def _with_links(job: Job, base: str) -> dict[str, Any]:
    """The result of a job, with the addresses of its files."""
    result = dict(job.result)
    if "pictures" in result:
        result["pictures"] = [{"name": n, "href": f"{base}/{n}"} for n in result["pictures"]]
    for name in ("page", "picture"):
        if name in job.files:
            result[name] = f"{base}/{name}"
    return result


def _owner(table: LiveTable, seat: str) -> str:
    return f"{table.id}/{seat}"


def _number(seat: str) -> int:
    """A person's seat, from 0."""
    if seat == WATCH:
        raise Refusal(403, "who looks on does not play")
    return int(seat) - 1


async def _refused(_: Request, error: Exception) -> Response:
    """What a user did wrong, in one line."""
    status = error.status if isinstance(error, Refusal) else 400
    answer = {"error": str(error)[:1000]}
    if isinstance(error, Refusal) and error.rule:
        answer["rule"] = error.rule
    return JSONResponse(answer, status)


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _broken(_: Request, error: Exception) -> Response:
    """A mistake of ours: what it was is nobody's business on the other side."""
    return JSONResponse({"error": "something went wrong in the server"}, 500)
