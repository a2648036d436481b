"""Start the server, say where it is, open a browser, stop with Ctrl-C."""

from __future__ import annotations

import contextlib
import ipaddress
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING

from nonproj.errors import NonprojError
from nonproj.web.library import Library
from nonproj.web.limits import Limits

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

PORT = 8642
_TRIED = 20  # ports after the first one, when it is taken and none was asked for


def _say_nothing(address: str) -> None:
    pass


def serve(
    library: Library,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    open_browser: bool = False,
    started: Callable[[str], None] = _say_nothing,
) -> None:
    """Serve the page until Ctrl-C; ``started`` is called with its address, which has a token in it.

    Without a ``port`` the first free one from 8642 on is taken. A ``host`` other than this machine's own lets others in
    who know the token; what they see and send is not encrypted.
    """
    need_web()
    listening = _listening(host, port)
    with contextlib.closing(listening):
        taken = listening.getsockname()[1]
        token = secrets.token_urlsafe(24)
        server = _server(library, host, taken, token)
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{taken}/?token={token}"
        started(address)
        if open_browser:
            threading.Timer(0.4, webbrowser.open, [address]).start()
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


def need_web() -> None:
    """Raise unless the packages of the extra are there."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise NonprojError("the page needs starlette and uvicorn: pip install 'nonproj[web]'") from None


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens: on the port asked for, or on the first free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    first = PORT if port is None else port
    for candidate in [first] if port is not None else [*range(first, first + _TRIED), 0]:
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
        except OSError as error:
            listening.close()
            if port is not None or not isinstance(error, OSError) or isinstance(error, socket.gaierror):
                raise NonprojError(f"{host}:{candidate}: {error.strerror or error}: choose another --port") from None
            continue
        listening.listen(128)
        return listening
    raise NonprojError(f"{host}: no free port was found: choose one with --port")


def _server(library: Library, host: str, port: int, token: str) -> uvicorn.Server:
    from nonproj.web.app import application

    names = ["127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host]
    if not is_loopback(host):
        names.append(socket.gethostname())
    hosts = [f"{name}:{port}" for name in names] + (names if port == 80 else [])
    return server_of(application(library, token=token, hosts=hosts, any_address=not is_loopback(host)), library.limits)


def server_of(app: Starlette, limits: Limits) -> uvicorn.Server:
    """A server for an application, which holds connections to the limits."""
    import uvicorn

    from nonproj.web.connections import protocol

    config = uvicorn.Config(
        app,
        http=protocol(limits),
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="on",
        limit_concurrency=limits.connections,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)
