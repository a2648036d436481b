"""Pages made from the code are what the code would make now."""

import importlib
import inspect
import pathlib
import runpy
from collections import Counter
from typing import Any

import pytest

import nonproj

DOCS = pathlib.Path(__file__).parent.parent / "docs"
GENERATE = runpy.run_path(str(DOCS / "generate.py"))
NAMES = [name for _, _, names in GENERATE["GROUPS"] for name in names.split()]
ROOMS = ("treebank", "trees", "decode", "schema", "transition", "lifting", "grammar", "parser", "report", "draw")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("docs")
    GENERATE["main"](folder)
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
    core = DOCS.parent / "cpp" / "nonproj" / "decode" / "one_endpoint_crossing" / "rules.hpp"
    page = (DOCS / "decoding.md").read_text(encoding="utf-8")
    shown = [line.strip() for line in page.splitlines() if line.startswith("    ") and ",j,x]" in line]
    rules = core.read_text(encoding="utf-8").split("unique_rules")[0]
    assert len(shown) > 20
    assert shown == [line for line in rules.splitlines() if "<-" in line and ",j,x]" in line and "//" not in line]


def test_every_public_name_has_one_place_on_the_page() -> None:
    assert [name for name, times in Counter(NAMES).items() if times > 1] == []
    alone = [name for name in NAMES if "." not in name]
    assert sorted(alone) == sorted(set(nonproj.__all__) - {"__version__"})
    for room in ROOMS:
        module = importlib.import_module(f"nonproj.{room}")
        named = [name for name in module.__all__ if is_function_or_class(getattr(module, name))]
        missing = [name for name in named if name not in alone and f"{room}.{name}" not in NAMES]
        assert missing == [], f"give these names of nonproj.{room} a place in GROUPS of docs/generate.py"


def is_function_or_class(thing: Any) -> bool:
    return inspect.isclass(thing) or inspect.isfunction(inspect.unwrap(thing) if callable(thing) else thing)


def test_whatever_a_function_or_method_gives_is_on_the_page() -> None:
    documented = {GENERATE["public"](name) for name in NAMES}
    for thing in documented:
        if inspect.isclass(thing):
            given = [(m.name, m.annotation, m.owner.__module__) for m in GENERATE["members"](thing)]
        else:
            function = inspect.unwrap(thing)
            given = [("", function.__annotations__["return"], function.__module__)]
        for name, annotation, module in given:
            for kind in GENERATE["own_types"](annotation, module):
                assert kind in documented, f"{thing.__name__} {name} gives {kind.__name__}, which is not on the page"


def test_types_are_found_in_annotations_of_every_kind() -> None:
    given = {
        member.name: {kind.__name__ for kind in GENERATE["own_types"](member.annotation, member.owner.__module__)}
        for cls in (nonproj.Sentence, nonproj.Evaluation, nonproj.Tree, nonproj.Coverage)
        for member in GENERATE["all_members"](cls)
    }
    expected = {"__iter__": "Word", "tree": "Tree", "lengths": "Ratio", "arcs": "Arc", "compare": "Difference"}
    assert {name: given[name] for name in expected} == {name: {kind} for name, kind in expected.items()}
    assert given["document"] == {"Document"}  # which no room exports:
    assert "document" not in [member.name for member in GENERATE["members"](nonproj.Sentence)]
