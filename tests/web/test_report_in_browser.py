"""The page to share in a real browser: it opens without errors, sorts, and lays out what is written right to left."""

import pathlib
import shutil

import pytest

from nonproj import example_treebank, read, report_page

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: make test-web")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: sh .ci/chromium.sh installs it")

HEBREW = "".join(
    f"{w}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n" for w, form, head in [(1, "כתב", 3), (2, "ילד", 0), (3, "ספר", 2)]
)


def test_the_page_opens_sorts_and_links(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "report.html"
    treebank = example_treebank() + read(f"# sent_id = שלום\n{HEBREW}\n# sent_id = {'long_' * 40}\n{HEBREW}\n".encode())
    path.write_text(report_page(treebank, "Pr 1EC WG1", count=80), encoding="utf-8")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        table = page.locator("#unusual table")
        bits = "rows => Array.from(rows).map(row => parseFloat(row.cells[1].textContent))"
        falling = table.locator("tbody tr").evaluate_all(bits)
        assert falling == sorted(falling, reverse=True)
        table.locator("th button", has_text="bits").click()
        assert table.locator("tbody tr").evaluate_all(bits) == sorted(falling)
        assert table.locator("th").nth(1).get_attribute("aria-sort") == "ascending"
        table.locator("tbody a").first.click()
        assert page.url.split("#")[1].startswith("tree-")
        # Words of the Hebrew tree run from right to left.
        hebrew = page.locator("#trees figure", has_text="שלום")
        words = "all => all.map(word => [word.textContent, word.getBoundingClientRect().x])"
        places = dict(hebrew.locator("svg text.word").evaluate_all(words))
        assert places["כתב"] > places["ילד"] > places["ספר"]
        # Nothing is wider than the window but what scrolls by itself.
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        # A long id is broken rather than that columns are out of sight.
        assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
        assert page.locator("svg.plot").count() == 3
        assert page.screenshot(full_page=False)[:4] == b"\x89PNG"
        browser.close()
    assert faults == []
    assert [url for url in asked if not url.startswith("file:")] == []
