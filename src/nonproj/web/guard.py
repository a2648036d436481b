"""Who may ask: the checks that every request passes before anything is done for it."""

from __future__ import annotations

import hmac
import ipaddress
import json
from collections.abc import Collection
from typing import TYPE_CHECKING

from nonproj.web.limits import Limits

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-nonproj-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


_FAULT = "this is a fault of nonproj, not of the request: what it was stands where 'nonproj serve' runs"


class Refused(Exception):
    """A request that is not answered, with the status and the reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Guard:
    """Looks at Host, Origin and token, counts the bytes of the body, and sets the headers of every answer.

    A page of another site can send requests here, but not under our Host (a name of its own that leads here, "DNS
    rebinding"), not without its Origin, and it does not know the token.
    """

    def __init__(self, app: ASGIApp, *, token: str, hosts: Collection[str], any_address: bool, limits: Limits) -> None:
        self.app, self.token, self.limits = app, token, limits
        self.hosts = {host.lower() for host in hosts}
        self.any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # there are no web sockets here
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        has_begun = False

        async def guarded_send(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                own = [(key.encode(), value.encode()) for key, value in _HEADERS.items()]
                names = {key for key, _ in own}
                message["headers"] = [pair for pair in message.get("headers", []) if pair[0] not in names] + own
            await send(message)

        try:
            self._check(scope["path"], scope["method"], headers)
            await self.app(scope, self._counted(receive, scope["path"], headers), guarded_send)
        except Refused as refused:
            if not has_begun:
                await _answer(guarded_send, refused)
        except Exception:
            if not has_begun:
                await _answer(guarded_send, Refused(500, _FAULT))
            raise  # the server writes what it was to the terminal

    def _check(self, path: str, method: str, headers: dict[str, str]) -> None:
        host = headers.get("host", "").lower()
        if not self._is_ours(host):
            raise Refused(403, "this page is not served under that host name")
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host}":
            raise Refused(403, "requests of other pages are refused")
        if path.startswith("/api/"):
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                raise Refused(403, "requests of other pages are refused")
            if not hmac.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self.token.encode()):
                raise Refused(401, "open the address that 'nonproj serve' printed: it has the token in it")
        if method not in ("GET", "HEAD", "POST"):
            raise Refused(405, f"{method} is not answered here")

    def _is_ours(self, host: str) -> bool:
        if host in self.hosts:
            return True
        if not self.any_address:
            return False
        # Served to other machines: an address cannot be rebound, a name can.
        name = host.rpartition(":")[0] if not host.endswith("]") else host
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True

    def _counted(self, receive: Receive, path: str, headers: dict[str, str]) -> Receive:
        most = self.limits.upload if path == "/api/drop" else self.limits.body
        told = headers.get("content-length", "0")
        if not told.isdigit() or int(told) > most:
            raise Refused(413, f"the page takes at most {most >> 20} MiB here: name large files on the command line")
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > most:
                raise Refused(
                    413, f"the page takes at most {most >> 20} MiB here: name large files on the command line"
                )
            return message

        return counted


async def _answer(send: Send, refused: Refused) -> None:
    body = json.dumps({"error": refused.reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
