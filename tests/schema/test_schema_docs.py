"""The page on schemata is true."""

import doctest
import pathlib
import re

PAGE = pathlib.Path(__file__).parent.parent.parent / "docs" / "schemata.md"


def test_every_example_runs() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 12
    assert result.failed == 0


def test_the_first_example_fits_one_screen() -> None:
    section = PAGE.read_text(encoding="utf-8").split("## ")[1]
    assert section.startswith("From Figure 1A to running code")
    assert len(section.splitlines()) <= 50


def test_the_steps_shown_are_those_that_run() -> None:
    from nonproj.schema import Step, parsing_schema

    text = PAGE.read_text(encoding="utf-8")
    steps = {step.name: step for step in parsing_schema("WG1").steps}
    (link,) = re.findall(r'^Step\(\s*"Link Ungapped".*?\)$', text, re.MULTILINE | re.DOTALL)
    assert eval(link, {"Step": Step}) == steps["Link Ungapped"]
    assert f'"{steps["Combine Keeping Gap Left"].rule}"' in text
