"""The worst inputs that strangers could give, made small: each is refused by name or done within its bounds."""

import gzip
import json
import pathlib
import sys
import time
import unicodedata
import zipfile
from collections.abc import Iterator

import click.testing
import numpy as np
import pytest

import nonproj as npj
from nonproj import _core
from nonproj.cli import cli
from nonproj.decode import parse_within
from nonproj.decode.graded import chain
from nonproj.lifting import Expression
from nonproj.schema.condition import Condition
from nonproj.text.tokenizer import Tokenizer
from nonproj.treebank import inputs, reading
from nonproj.treebank.query import Query

ROW = "{}\t{}\t_\tN\t_\t_\t{}\tdep\t_\t_\n"


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    """What takes the square of its time here would take minutes."""
    started = time.process_time()
    yield
    assert time.process_time() - started < 20


def word(form: str) -> bytes:
    return (ROW.format(1, form, 0) + "\n").encode()


# Treebanks


def test_empty_lines_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 2 MB that unpacks to 2 GB of them took 4 GB."""
    monkeypatch.setattr(reading, "LONGEST_SENTENCE", 1 << 22)
    bomb = gzip.compress(b"\n" * (1 << 24))
    with pytest.raises(npj.NonprojError, match="no sentence ends within the next 4 MiB"):
        list(npj.stream(bomb))
    assert len(list(npj.stream(gzip.compress(b"\n" * (1 << 21) + word("a"))))) == 1


def test_bombs_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MOST_UNPACKED", 1 << 22)
    with pytest.raises(npj.NonprojError, match="unpacks to more than 200 times"):
        npj.read(gzip.compress(b"\n" * (1 << 24), 9))
    plain = b"".join(word(f"w{i * i}") for i in range(200000))
    assert len(npj.read(gzip.compress(plain, 1))) == 200000


def test_long_sentences_and_lines() -> None:
    many = "".join(ROW.format(i, "w", i - 1) for i in range(1, 200001)) + "\n"
    treebank = npj.read(many.encode())
    assert npj.coverage(treebank).treebanks[0].trees == 1
    long = b"# text = " + b"a" * 10**7 + b"\n" + word("b" * 10**7)
    assert [len(sentence.forms[0]) for sentence in npj.stream(long)] == [10**7]


# Raw text and models


def test_an_endless_word() -> None:
    """A tokenizer that knows multiword tokens looked at every end of it: 600,000 letters took minutes."""
    rows = "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n" + ROW.format(1, "zu", 0) + ROW.format(2, "dem", 1) + "\n"
    tokenizer = Tokenizer.train(npj.read(rows.encode() * 20), epochs=1)
    text = "zum " + "zum" * 200000
    found = npj.read(tokenizer.cut(text), unparsed=True)
    assert "".join("".join(sentence.forms) for sentence in found).startswith("zudemzum")


def test_endless_words_are_learnt() -> None:
    """The longest common part of a form and a lemma took the product of their lengths."""
    row = f"1\t{'ab' * 100000}\t{'ba' * 100000}\tN\t_\t_\t0\troot\t_\t_\n\n"
    pipeline = npj.Pipeline.train(npj.read(row.encode()), steps=("tags",), epochs=1, threads=1)
    assert pipeline.tagger is not None


@pytest.mark.parametrize(
    "rule", ["=a\nb", "=a\tb", "0\t0\t\t0\ta\nb", "=a\0", "0\t0\ta", "3\t0\t\t0\t", "0\t-1\t\t0\t"]
)
def test_rules_that_would_break_rows(rule: str) -> None:
    with pytest.raises(npj.NonprojError, match="a rule for lemmas is damaged"):
        _core.TagModel(["N\t_\t_"], [rule], 16, True)


@pytest.mark.parametrize("tag", ["N\t_\t_\n", "N\0\t_\t_", "N\t_", "N\t_\t_\t_"])
def test_tags_that_would_break_rows(tag: str) -> None:
    with pytest.raises(npj.NonprojError, match="a tag of the model is damaged"):
        _core.TagModel([tag], [], 16, True)


@pytest.mark.parametrize("rule", ["a\tb\tc\nd", "a\tb\tc\0", "a\tb", "a\tb\t"])
def test_words_that_would_break_rows(rule: str) -> None:
    with pytest.raises(npj.NonprojError, match="a multiword token of the model is damaged"):
        _core.TokenModel([rule], 16, 0.0)


def test_arrays_that_are_not_there(tmp_path: pathlib.Path) -> None:
    """A header of a few bytes that promises 300 GB."""
    path = tmp_path / "liar.npz"
    header = repr({"descr": "<f8", "fortran_order": False, "shape": (200000, 200000)}).encode().ljust(117) + b"\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(100))
    result = click.testing.CliRunner().invoke(cli, ["decode", str(path)])
    assert result.exit_code != 0
    assert "liar.npz" in result.output + str(result.exception)


# Notations


@pytest.mark.parametrize(
    "text",
    ["(" * 100000 + "upos", "!" * 100000 + "upos", "head." * 20000 + "upos", "upos=A," * 20000, "a" * 10**6,
     'form~"' + "(" * 5000 + ")" * 5000 + '"', 'form~"a{99999999999999}"', " " * 10**6 + "(", '"' * 100001],
    ids=["parentheses", "nots", "places", "values", "name", "expression", "repetition", "spaces", "quotes"],
)  # fmt: skip
def test_queries_are_refused(text: str) -> None:
    with pytest.raises(npj.NonprojError):
        Query(text)


def test_wildcards_take_one_pass() -> None:
    """As an expression, each * would try every place for all that follow it."""
    treebank = npj.read(word("a" * 30000))
    assert not len(treebank.where("form=" + "*a" * 50 + "*b"))
    assert len(treebank.where("form=" + "*a" * 50 + "*"))
    for pattern, form, is_found in (
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("*b*", "abc", True),
        ("a*", "ba", False),
    ):
        assert len(npj.read(word(form)).where(f"form={pattern}")) == is_found
    assert len(npj.read(word("a*b")).where('form="a*b"')) == 1


def test_deep_and_long_notations() -> None:
    for read, text in (
        (Expression.parse, "(" * 20000 + "N" + ")" * 20000),
        (Condition, "(" * 20000 + "i<j" + ")" * 20000),
        (Condition, "not " * 20000 + "i<j"),
        (npj.tree_class, "MH" + "9" * 10000),
    ):
        with pytest.raises(npj.NonprojError):
            read(text)
    assert len(chain(parse_within(",".join(f"MH{k}:{k}" for k in range(3, 5000))))) == 4997


def test_states_with_deep_nests() -> None:
    with pytest.raises(npj.NonprojError, match="no state"):
        list(npj.state.states_in(b"[" * 100000, "a.state"))
    huge = json.dumps({"nonproj": "coverage", "version": 1, "classes": ["MH" + "9" * 5000]}).encode()
    for _, content in npj.state.states_in(huge, "a.state"):
        with pytest.raises(npj.NonprojError):
            npj.Coverage.from_state(content)


# Letters


def test_letters_are_those_of_unicode() -> None:
    """Python's table is of another version than ours where Python is: only what both know is compared there."""
    kinds = {"Z": 0, "L": 1, "M": 1, "N": 2, "P": 3, "S": 4, "C": 5}
    table = unicodedata if unicodedata.unidata_version == "14.0.0" else unicodedata.ucd_3_2_0
    wrong = []
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        if table.category(letter) in ("Cn", "Cs", "Co"):
            continue
        small = letter.lower()
        expected = 0 if letter.isspace() else kinds[table.category(letter)[0]]
        if _core.letter(code) != (expected, ord(small) if len(small) == 1 else code):
            wrong.append((hex(code), table.category(letter), _core.letter(code)))
    assert not wrong


def test_scores_with_edges_are_refused_or_done() -> None:
    for value in (np.nan, np.inf, 1e308):
        scores = np.full((4, 4), value)
        with pytest.raises(npj.NonprojError):
            npj.decode(scores, within="1EC")
