from __future__ import annotations

import sys

import conllu
import networkx
import numpy as np
import pandas
import pyarrow
import pytest
from conll_texts import DUTCH, SPANISH, VIETNAMESE, words

from nonproj import FormatError, NonprojError
from nonproj.treebank import Sentence, Treebank, example_treebank, read

COLUMNS = (
    "sentence",
    "sent_id",
    "id",
    "form",
    "lemma",
    "upos",
    "xpos",
    "feats",
    "head",
    "deprel",
    "deps",
    "misc",
)
TREEBANKS = {
    "conllu": read((SPANISH + VIETNAMESE + words(2, 0)).encode()),
    "conllx": read((DUTCH + DUTCH).encode()),
    "parts": example_treebank()[3:30:2] + read((SPANISH + words(1) + VIETNAMESE).encode(), on_error="skip"),
    "empty": read(b""),
}


@pytest.fixture(params=TREEBANKS)
def tb(request: pytest.FixtureRequest) -> Treebank:
    return TREEBANKS[request.param]


def words_of(treebank: Treebank) -> list[list[object]]:
    names = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
    return [[s.sent_id, s.heads, *(s.column(name) for name in names)] for s in treebank]


def test_conllu_gives_back_the_text() -> None:
    token_lists = TREEBANKS["conllu"].to_conllu()
    assert all(isinstance(tokens, conllu.TokenList) for tokens in token_lists)
    assert Treebank.from_conllu(token_lists).to_text() == TREEBANKS["conllu"].to_text()
    assert words_of(Treebank.from_conllu(example_treebank().to_conllu())) == words_of(example_treebank())


def test_conllu_reads_conllx() -> None:
    token_lists = TREEBANKS["conllx"].to_conllu()
    assert [token["form"] for token in token_lists[0]] == ["Daar", "is", "gekozen"]
    assert Treebank.from_conllu(token_lists).heads.tolist() == [3, 0, 2, 3, 0, 2]


def test_conllu_with_a_fault() -> None:
    with pytest.raises(FormatError, match="<mine>:1: sentence 1: word 1 is its own head"):
        Treebank.from_conllu(conllu.parse(words(1)), name="mine")


def test_arrow(tb: Treebank) -> None:
    table = tb.to_arrow()
    table.validate(full=True)
    assert tuple(table.column_names) == COLUMNS
    assert table.num_rows == len(tb.heads)
    assert table.column("head").to_pylist() == tb.heads.tolist()
    assert table.column("form").to_pylist() == tb.column("form")
    again = Treebank.from_arrow(table, name="again")
    assert words_of(again) == words_of(tb)
    assert again.name == "again"


def test_pandas(tb: Treebank) -> None:
    frame = tb.to_pandas()
    assert tuple(frame.columns) == COLUMNS
    assert frame["head"].tolist() == tb.heads.tolist()
    assert frame["sentence"].tolist() == np.repeat(np.arange(len(tb)), np.diff(tb.offsets)).tolist()
    assert words_of(Treebank.from_pandas(frame)) == words_of(tb)


def test_tables_with_few_columns() -> None:
    frame = pandas.DataFrame({"id": [1, 2, 1], "form": ["a", None, "c"], "head": [0, 1, 0]})
    expected = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\t_\t_\t_\t_\t_\t1\t_\t_\t_\n\n1\tc\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    assert Treebank.from_pandas(frame).to_text() == expected
    assert Treebank.from_arrow(pyarrow.Table.from_pandas(frame)).to_text() == expected
    with pytest.raises(NonprojError, match="the table has no column 'head': it needs id, form, head"):
        Treebank.from_pandas(frame[["id", "form"]])
    with pytest.raises(NonprojError, match=r"form 'a\\tb' would break its line"):
        Treebank.from_pandas(frame.assign(form="a\tb"))
    with pytest.raises(FormatError, match=r"<pandas>:2: sentence 1: ID is '3', expected 2"):
        Treebank.from_pandas(frame.assign(id=[1, 3, 1]))


def test_networkx() -> None:
    for sentence in [*TREEBANKS["conllu"], *TREEBANKS["conllx"], *example_treebank()]:
        graph = sentence.to_networkx()
        assert networkx.is_arborescence(graph)
        assert sorted(graph.edges) == sorted((head, i) for i, head in enumerate(sentence.heads, 1))
        assert [graph.nodes[i]["form"] for i in range(1, len(sentence) + 1)] == sentence.forms
        assert graph.graph == {"sent_id": sentence.sent_id, "text": sentence.text}
        again = Sentence.from_networkx(graph)
        assert words_of(Treebank([again])) == words_of(Treebank([sentence]))
        assert again.text == sentence.text


def test_networkx_refuses_what_is_no_tree() -> None:
    with pytest.raises(NonprojError, match="word 2 has 2 arcs coming in"):
        Sentence.from_networkx(networkx.DiGraph([(0, 1), (0, 2), (1, 2)]))
    with pytest.raises(NonprojError, match=r"the nodes of the graph must be 0 .* and 1 to 2"):
        Sentence.from_networkx(networkx.DiGraph([(0, 1), (1, 3)]))
    with pytest.raises(NonprojError, match="the nodes of the graph must be"):
        Sentence.from_networkx(networkx.DiGraph([(0, "a"), (0, 1)]))
    with pytest.raises(FormatError, match="no word has head 0"):
        Sentence.from_networkx(networkx.DiGraph([(1, 2), (2, 1)]))
    assert Sentence.from_networkx(networkx.DiGraph([(0, 2), (2, 1)])).heads == (2, 0)


@pytest.mark.parametrize(
    ("package", "convert"),
    [
        ("conllu", lambda tb: tb.to_conllu()),
        ("conllu", lambda tb: Treebank.from_conllu([])),
        ("pyarrow", lambda tb: tb.to_arrow()),
        ("pyarrow", lambda tb: Treebank.from_arrow(None)),
        ("pandas", lambda tb: tb.to_pandas()),
        ("pandas", lambda tb: Treebank.from_pandas(None)),
        ("networkx", lambda tb: tb[0].to_networkx()),
        ("networkx", lambda tb: Sentence.from_networkx(None)),
    ],
)
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, package: str, convert: object) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(NonprojError, match=f"needs the package {package}: pip install {package}"):
        convert(TREEBANKS["conllu"])  # type: ignore[operator]
