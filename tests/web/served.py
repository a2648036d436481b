"""A server in a thread, and a client that sends what it is told to, byte for byte."""

import contextlib
import http.client
import json
import socket
import threading
import time
import urllib.parse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from nonproj.web.library import Library

TOKEN = "a-token-of-the-tests"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    port: int
    headers: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.headers = {"host": self.host, "x-nonproj-token": TOKEN}

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{self.host}/?token={TOKEN}"

    def send(
        self,
        method: str,
        path: str,
        headers: dict[str, Any] | None = None,
        content: bytes | Iterable[bytes] | None = None,
        **values: Any,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        path += "?" + urllib.parse.urlencode(values) if values else ""
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {**self.headers, **(headers or {})}.items():
                connection.putheader(name, value)
            if isinstance(content, bytes) and "content-length" not in (headers or {}):
                connection.putheader("content-length", str(len(content)))
            elif content is not None and not isinstance(content, bytes):
                connection.putheader("transfer-encoding", "chunked")
            connection.endheaders()
            with contextlib.suppress(ConnectionError):  # the answer may come before all is sent
                if isinstance(content, bytes):
                    connection.send(content)
                elif content is not None:
                    for block in content:
                        connection.send(b"%x\r\n%s\r\n" % (len(block), block))
                    connection.send(b"0\r\n\r\n")
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())

    def get(self, path: str, headers: dict[str, Any] | None = None, **values: Any) -> Answer:
        return self.send("GET", path, headers, **values)

    def post(self, path: str, content: Any, headers: dict[str, Any] | None = None, **values: Any) -> Answer:
        return self.send("POST", path, headers, content, **values)


@contextlib.contextmanager
def served(library: Library, *, any_address: bool = False) -> Iterator[Client]:
    from nonproj.web.app import application
    from nonproj.web.serving import server_of

    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
        hosts = [f"127.0.0.1:{port}", f"localhost:{port}"]
        app = application(library, token=TOKEN, hosts=hosts, any_address=any_address)
        server = server_of(app, library.limits)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield Client(port)
        finally:
            server.should_exit = True
            thread.join(10)
