"""The server and its guard: who is answered, how much is taken, what is never sent."""

import asyncio
import contextlib
import io
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from nonproj import example_treebank
from nonproj.web.library import Library
from nonproj.web.limits import Limits

pytest.importorskip("starlette", reason="needs the extra web: make test-web")
pytest.importorskip("uvicorn", reason="needs the extra web: make test-web")

from served import TOKEN, Client, served

from nonproj.web.guard import Refused
from nonproj.web.views import VIEWS
from nonproj.web.workers import Workers


@pytest.fixture(scope="module")
def ours() -> Iterator[Client]:
    with served(Library([example_treebank()])) as client:
        yield client


def test_the_page_and_its_parts_are_sent_and_nothing_else(ours: Client) -> None:
    assert "<title>nonproj</title>" in ours.get("/").text
    assert ours.get("/main.js").headers["content-type"].startswith("text/javascript")
    for path in (
        "/nothing.js",
        "/../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/static/main.js",
        "/api/",
        "/etc/passwd",
    ):
        assert ours.get(path).status == 404


def test_every_answer_has_a_policy_without_inline_script(ours: Client) -> None:
    for path in ("/", "/main.js", "/api/library", "/api/none", "/none"):
        policy = ours.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
    page = ours.get("/").text
    assert "style=" not in page
    assert page.count("<script") == page.count('<script type="module" src=') == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"x-nonproj-token": ""}, 401),
        ({"x-nonproj-token": TOKEN[:-1]}, 401),
        ({"x-nonproj-token": "ü"}, 401),
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1:9999"}, 403),
        ({"host": "127.0.0.1:OURS.evil.example"}, 403),
        ({"host": ""}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://127.0.0.1:OURS"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://127.0.0.1:OURS"}, 200),
        ({"host": "localhost:OURS", "origin": "http://localhost:OURS"}, 200),
    ],
)
def test_host_origin_and_token(ours: Client, headers: dict[str, str], status: int) -> None:
    headers = {name: value.replace("OURS", str(ours.port)) for name, value in headers.items()}
    assert ours.get("/api/library", headers).status == status
    assert ours.post("/api/decode", b'{"scores": [[0, 1], [0, 0]]}', headers).status == status


def test_a_name_is_refused_also_where_other_machines_are_let_in() -> None:
    with served(Library([example_treebank()]), any_address=True) as client:
        assert client.get("/api/library", {"host": f"192.168.7.7:{client.port}"}).status == 200
        assert client.get("/api/library", {"host": f"rebound.example:{client.port}"}).status == 403


def test_methods_and_bodies_are_bounded() -> None:
    with served(Library([example_treebank()], limits=Limits(body=1000, upload=2000))) as client:
        assert client.send("DELETE", "/api/library").status == 405
        assert client.post("/api/decode", b"x" * 1001).status == 413
        assert client.post("/api/drop", b"x" * 2001).status == 413
        assert client.post("/api/decode", [b"x" * 600] * 3).status == 413  # of no told length
        assert client.post("/api/decode", b"[1]").status == 400
        assert client.post("/api/decode", b"[" * 900).status == 400
        assert client.get("/api/library").status == 200


def test_errors_are_json_with_a_reason(ours: Client) -> None:
    for path, status in {
        "/api/sentence?treebank=none": 404,
        "/api/sentence?treebank=sample&number=x": 422,
        "/api/sentence?treebank=sample&number=-1": 422,
        "/api/sentence?treebank=sample&heads=1.1.1": 422,
        "/api/sentences?treebank=sample&outside=nothing": 422,
        "/api/sentences?treebank=sample&size=1000000": 422,
        "/api/transitions?treebank=sample&system=nothing": 422,
        "/api/schema?treebank=sample&schema=MH99": 422,
        "/api/play?treebank=sample&system=arc-eager&done=LA": 422,
        "/api/none": 404,
    }.items():
        answer = ours.get(path)
        assert answer.status == status, path
        assert answer.json()["error"]


def test_a_dropped_file_is_there_and_a_broken_one_says_why(ours: Client) -> None:
    text = bytes(example_treebank()[:3])
    dropped = ours.post("/api/drop?name=three.conllu", text).json()
    assert dropped["sentences"] == 3
    assert ours.get(f"/api/coverage?treebank={dropped['treebank']}").json()["trees"] == 3
    broken = ours.post("/api/drop?name=broken.conllu", b"1\tonly\n\n")
    assert broken.status == 422
    assert "broken.conllu" in broken.json()["error"]


def test_text_of_a_treebank_is_never_html(ours: Client) -> None:
    attack = "<img src=x onerror=alert(1)>"
    row = f"1\t{attack}\t_\tNOUN\t_\t_\t0\t<script>alert(2)</script>\t_\t_\n\n"
    name = ours.post("/api/drop?name=%3Cb%3Ex", f"# sent_id = {attack}\n{row}".encode()).json()["treebank"]
    for path in ("sentence", "sentences", "coverage", "transitions"):
        answer = ours.get(f"/api/{path}", treebank=name)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    picture = ours.get("/api/copy", treebank=name, format="svg").json()["text"]
    assert "<img" not in picture
    assert "<script" not in picture


def test_too_many_jobs_are_refused_and_long_ones_are_stopped() -> None:
    ended = threading.Event()

    def for_ever() -> None:
        try:
            while True:
                time.sleep(0.01)
        finally:
            ended.set()

    async def scene() -> None:
        workers = Workers(at_once=1, waiting=1)
        first = asyncio.create_task(workers.run(0.3, for_ever))
        second = asyncio.create_task(workers.run(5, lambda: "done"))
        await asyncio.sleep(0.05)
        with pytest.raises(Refused) as refused:
            await workers.run(1, lambda: "never")
        assert refused.value.status == 503
        with pytest.raises(Refused):
            await first
        assert await second == "done"  # the thread was given back
        assert ended.is_set()
        workers.close()

    asyncio.run(scene())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server as the command starts it."""
    command = [sys.executable, "-m", "nonproj", "serve", "--sample", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
        process.terminate()
        process.wait(10)


def ask(address: str, view: str, **headers: str) -> int:
    base, token = address.split("/?token=")
    request = urllib.request.Request(f"{base}/api/{view}", headers={"x-nonproj-token": token, **headers})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            answer.read()
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_hundred_requests_at_once_are_all_answered(address: str) -> None:
    views = ["library", "sentence?treebank=sample&id=en-hearing", "coverage?treebank=sample"]
    with ThreadPoolExecutor(100) as pool:
        found = list(pool.map(lambda place: ask(address, views[place % 3]), range(100)))
    assert found == [200] * 100


def test_browsers_that_go_away_do_no_harm(address: str) -> None:
    base, token = address.removeprefix("http://").split("/?token=")
    host, port = base.split(":")
    for rest in (
        b"",
        b"POST /api/drop HTTP/1.1\r\nHost: x\r\n",
        b"GET /api/schema?treebank=sample&schema=MH5 HTTP/1.1\r\n",
    ):
        for length in (b"", b"Content-Length: 100000\r\n\r\nabc"):
            with socket.create_connection((host, int(port))) as gone:
                gone.sendall(rest + f"Host: {base}\r\nX-Nonproj-Token: {token}\r\n".encode() * bool(rest) + length)
    assert ask(address, "library") == 200
    assert ask(address, "library", Host="evil.example") == 403


def test_ctrl_c_ends_it() -> None:
    import signal

    command = [sys.executable, "-m", "nonproj", "serve", "--sample", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "token=" in process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=15)
        assert process.returncode == 0, error
        assert out.endswith("ended\n")
        assert "Traceback" not in error


def test_other_machines_need_a_second_flag(tmp_path: Any) -> None:
    def serve(*options: str) -> Any:
        command = [sys.executable, "-m", "nonproj", "serve", *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    refused = serve("--sample", "--host", "0.0.0.0")
    assert refused.returncode == 2
    assert "--i-know-others-can-see" in refused.stderr
    assert serve("--sample", "some.conllu").returncode == 2
    assert serve(str(tmp_path / "missing.conllu"), "--no-browser").returncode == 2


@pytest.mark.parametrize(
    "body",
    [
        b'{"scores": [[0, 1%s], [0, 0]]}' % (b"0" * 400),
        b'{"scores": "[[0, 1%s], [0, 0]]"}' % (b"0" * 400),
        b'{"scores": "%s"}' % (b"[" * 200_000),
        b'{"scores": [[0, 1], [0, 0]], "words": 5}',
        b'{"scores": [[0, 1], [0, 0]], "words": {"a": 1}}',
        b'{"scores": [[0, [1]], [0, 0]]}',
        b'{"scores": [[0, 1], [0, 0]], "k": 1%s}' % (b"0" * 400),
    ],
)
def test_scores_that_are_none_are_refused_with_a_reason(ours: Client, body: bytes) -> None:
    answer = ours.post("/api/decode", body)
    assert answer.status == 422
    assert len(answer.json()["error"]) > 20


def archive(**changes: Any) -> bytes:
    """An .npz file with other numbers in the headers of its one member: flag_bits, method, version; or other bytes."""
    member = io.BytesIO()
    np.save(member, np.zeros((3, 3)))
    content = changes.get("content", member.getvalue())
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("a.npy", content)
    found = bytearray(file.getvalue())
    central = found.rindex(b"PK\x01\x02")
    for name, in_local, in_central in (("version", 4, 6), ("flag_bits", 6, 8), ("method", 8, 10)):
        if name in changes:
            found[in_local : in_local + 2] = found[central + in_central : central + in_central + 2] = struct.pack(
                "<H", changes[name]
            )
    if changes.get("deflated") == "broken":
        found[35:45] = b"\xff" * 10
    return bytes(found)


@pytest.mark.parametrize(
    "changes",
    [
        {"flag_bits": 1},
        {"method": 1},
        {"method": 93},
        {"method": 99},
        {"method": 14},
        {"version": 99},
        {"deflated": "broken"},
        {"content": b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': (((('<f8', " + b" " * 96 + b"\n" + b"\0" * 72},
        {"content": b"\x93NUMPY\x07\x07\x76\x00"},
    ],
)
def test_broken_archives_are_refused_with_a_reason(ours: Client, changes: dict[str, Any]) -> None:
    assert len(ours.post("/api/npz?name=a.npz", archive()).json()["sentences"]) == 1
    answer = ours.post("/api/npz?name=a.npz", archive(**changes))
    assert answer.status == 422
    assert answer.json()["error"].startswith("a.npz: not an .npz file of arrays that can be read (")


def test_a_fault_of_ours_is_json_with_all_headers_and_is_told_to_the_terminal(
    ours: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any) -> Any:
        raise ZeroDivisionError("a fault that nobody has foreseen")

    monkeypatch.setitem(VIEWS, "coverage", fails)
    answer = ours.get("/api/coverage?treebank=sample")
    assert answer.status == 500
    assert "fault of nonproj" in answer.json()["error"]
    sound = ours.get("/api/library").headers
    assert sound.keys() - {"date"} == answer.headers.keys() - {"date"}
    assert answer.headers["content-security-policy"] == sound["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "a fault that nobody has foreseen" in caplog.text


def half_open(port: int, sent: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(sent)
    return connection


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: a\r\nX-", b"POST /api/decode HTTP/1.1\r\n"])
def test_half_a_header_is_waited_for_only_some_time(sent: bytes) -> None:
    with served(Library([example_treebank()], limits=Limits(header_seconds=0.5))) as client:
        with half_open(client.port, sent) as connection:
            assert connection.recv(100) == b""  # closed
        # So is the second request of a connection whose first was answered.
        with half_open(client.port, f"GET /none HTTP/1.1\r\nHost: {client.host}\r\n\r\n".encode()) as connection:
            assert connection.recv(100).startswith(b"HTTP/1.1 404")
            connection.sendall(sent)
            while connection.recv(10_000):
                pass


def test_a_header_that_comes_byte_by_byte_does_not_buy_time() -> None:
    def drip(connection: socket.socket) -> None:
        for _ in range(1000):
            connection.sendall(b"X")
            time.sleep(0.02)

    limits = Limits(header_seconds=0.3)
    with (
        served(Library([example_treebank()], limits=limits)) as client,
        half_open(client.port, b"GET / HTTP/1.1\r\n") as connection,
        pytest.raises(ConnectionError),
    ):
        drip(connection)


def test_a_request_longer_than_the_time_for_a_header_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: Any) -> dict[str, str]:
        time.sleep(1)
        return {"answer": "late"}

    monkeypatch.setitem(VIEWS, "coverage", slow)
    with served(Library([example_treebank()], limits=Limits(header_seconds=0.4))) as client:
        assert client.get("/api/coverage").json() == {"answer": "late"}


def test_half_open_connections_shut_nobody_out() -> None:
    limits = Limits(header_seconds=60, connections=24, silent_connections=12)
    with served(Library([example_treebank()], limits=limits)) as client, contextlib.ExitStack() as opened:
        for _ in range(60):
            opened.enter_context(half_open(client.port, b"GET / HTTP/1.1\r\nHost: a\r\nX-"))
        assert [client.get("/api/library").status for _ in range(3)] == [200] * 3
