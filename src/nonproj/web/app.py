"""The server: routes to views and static files, behind the guard."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Collection
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from nonproj.errors import NonprojError
from nonproj.web.decode_view import uploaded_scores
from nonproj.web.guard import Guard, Refused
from nonproj.web.library import Library
from nonproj.web.query import NotFound, Query
from nonproj.web.views import POSTED, VIEWS, View
from nonproj.web.workers import Workers

if TYPE_CHECKING:  # met only when an application is made: the extra may not be installed
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def static_files() -> dict[str, bytes]:
    """The files of the page by name; nothing else is ever sent."""
    folder = files("nonproj.web").joinpath("static")
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name.endswith(tuple(_TYPES))}


class App:
    """What the routes need: the library, and threads to work in."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.limits = library.limits
        self.workers = Workers(self.limits.at_once, self.limits.waiting)
        self.static = static_files()

    async def page(self, request: Request) -> Response:
        """The page itself and what it is made of."""
        name = request.path_params.get("name") or "index.html"
        content = self.static.get(name)
        if content is None:
            return _json({"error": f"there is no {name[:80]} here"}, 404)
        return _response(content, 200, _TYPES["." + name.rpartition(".")[2]])

    async def get(self, request: Request) -> Response:
        """A view by its name."""
        view = VIEWS.get(request.path_params["view"])
        if view is None:
            return _json({"error": "there is no such view"}, 404)
        return await self._answer(self.limits.seconds, _viewed, view, self.library, Query(dict(request.query_params)))

    async def post(self, request: Request) -> Response:
        """A view that takes JSON, or a file."""
        from starlette.requests import ClientDisconnect

        name = request.path_params["view"]
        try:
            content = await asyncio.wait_for(request.body(), self.limits.upload_seconds)
        except ClientDisconnect:
            return _response(b"", 499)
        except asyncio.TimeoutError:
            raise Refused(408, "the request did not come to its end in time") from None
        title = request.query_params.get("name", "file")[:200]
        if name == "drop":
            return await self._answer(self.limits.upload_seconds, _dropped, self.library, title, content)
        if name == "npz":
            most = self.limits.scored_words
            return await self._answer(self.limits.seconds, _npz, title, content, most)
        view = POSTED.get(name)
        if view is None:
            return _json({"error": "there is no such view"}, 404)
        try:
            values = json.loads(content)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            return _json({"error": "expected a JSON object"}, 400)
        return await self._answer(self.limits.seconds, _viewed, view, self.library, Query(values))

    async def _answer(self, seconds: float, job: Any, *arguments: Any) -> Response:
        try:
            return _response(await self.workers.run(seconds, job, *arguments))
        except NotFound as error:
            return _json({"error": str(error)}, 404)
        except NonprojError as error:
            return _json({"error": str(error)}, 422)
        except MemoryError:
            return _json({"error": "there is not enough memory for this"}, 503)


def _viewed(view: View, library: Library, query: Query) -> bytes:
    return encoded(view(library, query))


def _dropped(library: Library, name: str, content: bytes) -> bytes:
    shelf = library.drop(name, content)
    skipped = [str(one) for one in shelf.treebank.skipped[:20]]
    return encoded({"treebank": shelf.name, "sentences": len(shelf.treebank), "skipped": skipped})


def _npz(name: str, content: bytes, most_words: int) -> bytes:
    return encoded(uploaded_scores(name, content, most_words))


def encoded(value: Any) -> bytes:
    """JSON as it is sent: UTF-8, nothing that JSON has not, lone surrogates replaced."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def _json(value: Any, status: int) -> Response:
    return _response(encoded(value), status)


def _response(content: bytes, status: int = 200, kind: str = "application/json") -> Response:
    from starlette.responses import Response

    return Response(content, status_code=status, media_type=kind)


def application(library: Library, *, token: str, hosts: Collection[str], any_address: bool = False) -> Starlette:
    """The whole server as an ASGI application; ``hosts`` are the values of Host that it answers to."""
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.routing import Route

    app = App(library)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        app.workers.close()

    guard = Middleware(Guard, token=token, hosts=hosts, any_address=any_address, limits=library.limits)
    routes = [
        Route("/", app.page, methods=["GET"]),
        Route("/{name}", app.page, methods=["GET"]),
        Route("/api/{view}", app.get, methods=["GET"]),
        Route("/api/{view}", app.post, methods=["POST"]),
    ]
    served = Starlette(routes=routes, middleware=[guard], lifespan=lifespan)
    served.router.redirect_slashes = False
    return served
