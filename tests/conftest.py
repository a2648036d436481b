"""How property tests run: the same in every `make test`, fewer with sanitizers, new examples in `make fuzz`.

And a small treebank as a file with a parser trained on it, for the tests of commands.
"""

import os
import pathlib
import signal

import pytest
from hypothesis import settings

from nonproj import Parser, example_treebank

settings.register_profile("test", derandomize=True, database=None, deadline=None)
settings.register_profile("sanitize", derandomize=True, database=None, deadline=None, max_examples=8)
settings.register_profile("fuzz", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("NONPROJ_PROFILE", "test"))

# Jobs in the background of a shell ignore Ctrl-C, which tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)


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
