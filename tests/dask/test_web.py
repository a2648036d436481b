"""Files of a web server: with ranges they are read in pieces, without them whole."""

import functools
import http.server
import os
import pathlib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import pytest

pytest.importorskip("aiohttp", reason="the extra dask is not installed")
pytest.importorskip("fsspec", reason="the extra dask is not installed")

import nonproj as npj
from nonproj import NonprojError, distributed, example_treebank

TEXT = bytes(example_treebank())


class Whole(http.server.SimpleHTTPRequestHandler):
    """Sends whole files."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Ranged(Whole):
    """Sends what is asked for."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Send a range of a file, or all of it."""
        wanted = self.headers.get("Range")
        path = self.translate_path(self.path)
        if wanted is None or not os.path.isfile(path):
            super().do_GET()
            return
        self.asked.append(wanted)
        data = pathlib.Path(path).read_bytes()
        first, last = wanted.removeprefix("bytes=").split("-")
        part = data[int(first) : int(last or len(data)) + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


@pytest.fixture(params=[Whole, Ranged])
def server(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[tuple[str, bool]]:
    (tmp_path / "a.conllu").write_bytes(TEXT * 5)
    (tmp_path / "b.conllu").write_bytes(TEXT)
    handler = functools.partial(request.param, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{found.server_address[1]}", request.param is Ranged
        found.shutdown()
        thread.join()


def test_coverage_over_the_web(server: tuple[str, bool]) -> None:
    url, has_ranges = server
    Ranged.asked.clear()
    done: list[int] = []
    with ThreadPoolExecutor(2) as executor:
        found = distributed.coverage(
            [f"{url}/a.conllu", f"{url}/b.conllu"],
            executor=executor,
            by="total",
            megabytes=0.02,
            progress=lambda finished, tasks, sentences: done.append(tasks),
        )
    assert found.treebanks[0].outside == npj.coverage(TEXT * 6, by="total", keep=False).treebanks[0].outside
    assert found.trees == 6 * len(example_treebank())
    assert (done[-1] > 5) == has_ranges
    assert bool(Ranged.asked) == has_ranges


def test_what_is_not_there_is_an_error_with_its_name(server: tuple[str, bool]) -> None:
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(NonprojError, match=r"http://127.0.0.1:\d+/none.conllu: cannot be read"),
    ):
        distributed.coverage(f"{server[0]}/none.conllu", executor=executor)
