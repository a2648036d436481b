"""Pages made from the code are what the code would make now."""

import pathlib
import runpy

import pytest

DOCS = pathlib.Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("docs")
    runpy.run_path(str(DOCS / "generate.py"))["main"](folder)
    return folder


def test_generated_pages_are_up_to_date(fresh: pathlib.Path) -> None:
    for made in sorted(path for path in fresh.rglob("*") if path.is_file()):
        committed = DOCS / made.relative_to(fresh)
        assert committed.exists(), f"{committed.name} is missing: run make docs"
        assert committed.read_text(encoding="utf-8") == made.read_text(encoding="utf-8"), (
            f"{committed.name} is out of date: run make docs"
        )


def test_no_picture_is_left_over(fresh: pathlib.Path) -> None:
    committed = {path.name for path in (DOCS / "pictures").iterdir()}
    assert committed == {path.name for path in (fresh / "pictures").iterdir()}


def test_the_rules_for_1ec_are_those_of_the_chart() -> None:
    core = DOCS.parent / "cpp" / "nonproj" / "decode" / "one_endpoint_crossing_rules.hpp"
    page = (DOCS / "decoding.md").read_text(encoding="utf-8")
    shown = [line.strip() for line in page.splitlines() if line.startswith("    ") and ",j,x]" in line]
    rules = core.read_text(encoding="utf-8").split("unique_rules")[0]
    assert len(shown) > 20
    assert shown == [line for line in rules.splitlines() if "<-" in line and ",j,x]" in line and "//" not in line]
