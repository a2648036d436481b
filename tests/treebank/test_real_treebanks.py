"""Real treebanks, when they are there: all come back byte for byte and say what a plain reader says."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from conll_texts import read_plainly

from nonproj.treebank import read, read_many, stream

DATA = Path(os.environ.get("NONPROJ_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
FILES = sorted(DATA.glob("**/*.gz"))

pytestmark = pytest.mark.skipif(not FILES, reason=f"no treebanks in {DATA}: set NONPROJ_DATA")


def test_every_file_comes_back() -> None:
    for path, tb in zip(FILES, read_many(DATA), strict=True):
        text = gzip.decompress(path.read_bytes())
        assert bytes(tb) == text, path
        assert tb.format == ("conllu" if ".conllu" in path.name else "conllx"), path
        assert tb.name in path.name
        assert not tb.skipped


@pytest.mark.parametrize("path", [path for path in FILES if "test" in path.name], ids=lambda path: path.name)
def test_small_files_agree_with_the_plain_reader(path: Path) -> None:
    plain = read_plainly(gzip.decompress(path.read_bytes()).decode())
    tb = read(path)
    assert tb.heads.tolist() == [head for sentence in plain for head in sentence.heads]
    assert tb.column("form") == [form for sentence in plain for form in sentence.columns[1]]
    for sentence, expected in zip(stream(path), plain, strict=True):
        assert sentence.heads == expected.heads
        assert sentence.comments == expected.comments
        assert sentence.deprels == expected.columns[7]
    assert tb.with_heads(tb.heads, tb.column("deprel")).to_text() == tb.to_text()
