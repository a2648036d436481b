"""A small treebank as a file, and a parser trained on it."""

import pathlib

import pytest

from nonproj import Parser, example_treebank


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("model") / "sample.model"
    Parser.train(example_treebank(), epochs=1, threads=1, save_as=path)
    return path


@pytest.fixture
def treebank(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "toy.conllu"
    path.write_text(example_treebank().to_text(), encoding="utf-8")
    return path
