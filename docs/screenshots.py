"""The pictures of docs/page.md, made anew from the page itself: python docs/screenshots.py [FOLDER].

Needs the extra web, playwright and a chromium, as the browser tests do.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import sync_playwright

from nonproj import example_treebank, read
from nonproj.web import Library
from nonproj.web.app import application

TOKEN = "pictures"
HEARING = "treebank=sample&id=en-hearing"
NEAR = f"{HEARING}&heads=2.3.0.3.2.7.5.3.3"  # today below is: then it is inside 1EC
HEBREW = """# sent_id = he-library
# text = מחר הילדה תקרא בספרייה ספר על ירושלים .
1	מחר	_	ADV	_	_	3	advmod	_	_
2	הילדה	_	NOUN	_	_	3	nsubj	_	_
3	תקרא	_	VERB	_	_	0	root	_	_
4-6	בספרייה	_	_	_	_	_	_	_	_
4	ב	_	ADP	_	_	6	case	_	_
5	ה	_	DET	_	_	6	det	_	_
6	ספרייה	_	NOUN	_	_	3	obl	_	_
7	ספר	_	NOUN	_	_	3	obj	_	_
8	על	_	ADP	_	_	9	case	_	_
9	ירושלים	_	PROPN	_	_	7	nmod	_	_
10	.	_	PUNCT	_	_	3	punct	_	_

"""
# name: where, what to wait for, what to press, dark or not, width, height
SHOTS: dict[str, tuple[str, str, list[str], bool, int, int]] = {
    "treebank": ("#/treebank?treebank=sample", ".plot", [], False, 1200, 1180),
    "sentence": (f"#/sentence?{HEARING}&class=1EC&boxes=2,4", ".arc.shown", [], False, 1200, 860),
    "transitions": (f"#/steps?{HEARING}&system=sort-parse&at=9", ".taken b", [], True, 1200, 900),
    "schema": (
        f"#/steps?{NEAR}&tab=schema&schema=1EC",
        ".items li.now",
        ["End", *["ArrowLeft"] * 6],
        False,
        1200,
        1120,
    ),
    "sorting": (f"#/steps?{HEARING}&tab=sorting&at=3", ".taken b", [], False, 1200, 760),
    "lifting": (f"#/steps?{HEARING}&tab=lifting&at=1", ".taken code", [], False, 1200, 760),
    "grammar": ("#/steps?tab=grammar&treebank=sample&at=5", ".lines li.now", [], False, 1200, 1050),
    "decode": ("#/decode", ".result", [], False, 1200, 1500),
    "learn": ("#/learn?stop=5", ".arc.shown", [], False, 1200, 900),
    "right-to-left": ("#/sentence?treebank=hebrew&boxes=7", ".token", [], False, 1200, 640),
    "narrow": (f"#/sentence?{HEARING}&class=1EC", ".arc.shown", [], True, 420, 1100),
}


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of a page with the sample treebank, and a Hebrew sentence."""
    library = Library([read(HEBREW.encode(), name="hebrew"), example_treebank()])
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listening:
        host = f"127.0.0.1:{listening.getsockname()[1]}"
        app = application(library, token=TOKEN, hosts=[host])
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://{host}/?token={TOKEN}"
        server.should_exit = True
        thread.join(10)


def take(browser: Any, address: str, file: Path, shot: tuple[str, str, list[str], bool, int, int]) -> None:
    """One picture, when what it should show is there."""
    place, wanted, keys, is_dark, width, height = shot
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if is_dark else "light",
        reduced_motion="reduce",
    )
    page.goto(address + place)
    page.wait_for_selector(wanted)
    for key in keys:
        before = page.inner_text(".count")
        page.keyboard.press(key)
        page.wait_for_selector(f".count:not(:text-is('{before}'))")
    page.wait_for_load_state("networkidle")
    page.screenshot(path=file)
    page.close()


def main(folder: Path) -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, shot in SHOTS.items():
            take(browser, address, folder / f"{name}.png", shot)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "page")
