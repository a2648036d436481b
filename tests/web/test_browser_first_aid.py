"""What one meets first on the page: where a view begins, what it says while it works, and what does not fit it."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from nonproj import example_treebank, tree_class

pytest.importorskip("starlette", reason="needs the extra web: make test-web")
pytest.importorskip("uvicorn", reason="needs the extra web: make test-web")
pytest.importorskip("playwright.sync_api", reason="needs playwright: make test-web")

from browsing import CHROMIUM, Page, until
from served import Client

from nonproj.web.views import POSTED, VIEWS

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: sh .ci/chromium.sh installs it")


@pytest.fixture(params=[1400, 420])
def sized(request: pytest.FixtureRequest, browser: Any, server: Client) -> Iterator[Page]:
    page = Page(browser, server, viewport={"width": request.param, "height": 900})
    yield page
    page.close()


def test_a_sentence_opens_at_its_top_and_the_list_where_it_was_left(sized: Page) -> None:
    page = sized.open("#/treebank")
    sentence = page.locator("ol.sentences a").nth(14)
    sentence.scroll_into_view_if_needed()
    left = page.evaluate("scrollY")
    assert left > 300
    sentence.click()
    page.wait_for_selector(".sentence .picture")
    until(page, "scrollY === 0")
    page.click("text=Step through it")
    page.wait_for_selector(".steps .taken")
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.wait_for_selector(".sentence .picture")
    page.go_back()
    page.wait_for_selector("ol.sentences")
    until(page, f"scrollY === {left}")
    page.go_forward()
    page.wait_for_selector(".sentence .picture")
    until(page, "scrollY === 0")
    # A link to the list is no way back: it begins at its top.
    page.click("text=All sentences")
    page.wait_for_selector("ol.sentences")
    until(page, "scrollY === 0")


def test_pages_of_the_list_are_not_scrolled(opened: Page) -> None:
    page = opened.open("#/treebank")
    button = page.locator(".pager button[aria-label='next page']").first
    button.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 0
    button.click()
    page.wait_for_selector(".total:has-text('page 2')")
    assert page.evaluate("scrollY") == before


@pytest.mark.parametrize("schema", ["MH4", "M0I", "Eisner"])
def test_a_tree_outside_the_schema_is_told_why(opened: Page, schema: str) -> None:
    (tree,) = [sentence.tree for sentence in example_treebank() if sentence.sent_id == "x-inherit-1"]
    page = opened.open(f"#/steps?treebank=sample&id=x-inherit-1&tab=schema&schema={schema}")
    page.wait_for_selector(".items li.now")
    told = page.inner_text(".task")
    name = "Pr" if schema == "Eisner" else schema
    assert f"outside {name}: " in told
    assert str(tree_class(name).explain(tree)) in told
    # The items that there are can be stepped through all the same.
    page.keyboard.press("End")
    last = page.locator(".items li").count() - 1
    page.wait_for_selector(f".count:text-is('step {last} of {last}')")


def test_cards_of_decode_show_whole_trees(sized: Page) -> None:
    page = sized.open("#/decode")
    page.wait_for_selector(".result .tree svg")
    clipped = page.evaluate(
        """() => [...document.querySelectorAll(".result .tree")].filter((tree) =>
            tree.scrollWidth > tree.clientWidth + 1
            || tree.querySelector("svg").getBoundingClientRect().right > tree.getBoundingClientRect().right + 1
        ).length"""
    )
    assert page.locator(".result .tree").count() == 10
    assert clipped == 0


def test_a_late_answer_of_decode_replaces_nothing(opened: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, go = POSTED["decode"], threading.Event()

    def slow(library: Any, query: Any) -> Any:
        if query.text("within") == "WG1":
            go.wait(20)
        return answer(library, query)

    monkeypatch.setitem(POSTED, "decode", slow)
    page = opened.open("#/decode")
    page.wait_for_selector(".result")
    try:
        page.select_option("select[name=within]", "WG1")
        page.wait_for_selector("[role=status].working")
        page.select_option("select[name=within]", "Pr")
        page.wait_for_selector("h2:has-text('within Pr')")
        with page.expect_response(lambda found: "decode" in found.url):
            go.set()
    finally:
        go.set()
    page.wait_for_timeout(200)
    assert page.locator("h2:has-text('within Pr')").count() == 2
    assert page.locator("h2:has-text('within WG1')").count() == 0


def test_decode_shows_what_there_is(opened: Page) -> None:
    """Scores that leave no projective tree: that class says so, and the others have theirs."""
    page = opened.open("#/decode")
    page.wait_for_selector(".result")
    table = [["-inf"] * 5 for _ in range(5)]
    for word, head in enumerate([3, 4, 0, 3], 1):
        table[head][word] = "1"
    page.fill("textarea[name=scores]", "\n".join(" ".join(row) for row in table))
    page.fill("input[name=words]", "a b c d")
    page.click("button.main")
    page.wait_for_selector(".result:has-text('no Pr tree')")
    assert page.locator(".result .badge.good").count() == 8


def test_another_schema_clears_the_old_one_at_once(opened: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, go = VIEWS["schema"], threading.Event()

    def slow(library: Any, query: Any) -> Any:
        if query.text("schema") == "WG2":
            go.wait(20)
        return answer(library, query)

    monkeypatch.setitem(VIEWS, "schema", slow)
    page = opened.open("#/steps?treebank=sample&id=en-hearing&tab=schema&schema=1EC")
    page.wait_for_selector(".items li.now")
    try:
        page.select_option("select[name=schema]", "WG2")
        page.wait_for_selector("[role=status].working:has-text('WG2')")
        assert page.locator("input[type=range]").count() == 0
        assert "derives WG2" in page.inner_text(".steps .controls")
        assert page.locator(".items").count() == 0
        # One need not wait for it, and its late answer replaces nothing.
        page.select_option("select[name=schema]", "MH4")
        page.wait_for_selector(".items li.now")
    finally:
        go.set()
    page.wait_for_timeout(500)
    assert page.input_value("select[name=schema]") == "MH4"
    assert "derives MH4" in page.inner_text(".steps .controls >> nth=0")
    assert page.locator(".working").count() == 0
    assert "schema=MH4" in page.url
