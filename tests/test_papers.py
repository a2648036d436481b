"""The examples of the pages that are written by hand and run as doctests."""

import doctest
import pathlib

import pytest

DOCS = pathlib.Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("page", ["papers.md"])
def test_examples(page: str) -> None:
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert tried > 5
    assert failed == 0
