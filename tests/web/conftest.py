"""The server and the browser of the tests of the page."""

from collections.abc import Iterator
from typing import Any

import pytest

from nonproj import example_treebank
from nonproj.web.library import Library


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    from served import served

    with served(Library([example_treebank()])) as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from browsing import CHROMIUM
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture
def opened(browser: Any, server: Any) -> Iterator[Any]:
    from browsing import Page

    page = Page(browser, server)
    yield page
    page.close()
