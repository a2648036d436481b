"""Connections that bring no request: they are given some seconds, and make room for those that do."""

from __future__ import annotations

import asyncio
from typing import Any

from nonproj.web.limits import Limits


def protocol(limits: Limits) -> type[asyncio.Protocol]:
    """uvicorn's protocol, which by itself waits for ever for the rest of a half-sent header.

    A connection on which no request is being answered is closed after ``header_seconds``, or when there are more than
    ``silent_connections`` of them and it has waited longest: no matter how many there are, a request is answered.
    """
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    silent: dict[Any, asyncio.TimerHandle] = {}  # those that wait, the oldest first, each with what will close it

    class Protocol(AutoHTTPProtocol):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            super().connection_lost(exc)

        def _watch(self) -> None:
            is_answering = self.cycle is not None and not self.cycle.response_complete
            if is_answering or self.transport.is_closing():
                self._forget()
            elif self not in silent:  # a byte now and then does not buy more time
                silent[self] = self.loop.call_later(limits.header_seconds, self._drop)
                if len(silent) > limits.silent_connections:
                    next(iter(silent))._drop()

        def _drop(self) -> None:
            self._forget()
            self.transport.abort()

        def _forget(self) -> None:
            if timer := silent.pop(self, None):
                timer.cancel()

    return Protocol
