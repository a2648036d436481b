from __future__ import annotations

import pickle

import numpy as np
import pytest
from conll_texts import DUTCH, SPANISH, VIETNAMESE, words
from hypothesis import given
from hypothesis import strategies as st

from nonproj import FormatError, NonprojError
from nonproj.treebank import Sentence, Treebank, Word, read
from nonproj.trees import Tree


def test_attributes() -> None:
    sentence = read((VIETNAMESE + SPANISH).encode())[1]
    assert len(sentence) == 6
    assert sentence.heads == (0, 1, 5, 5, 1, 1)
    assert sentence.forms == ["Vamos", "nos", "a", "el", "mar", "."]
    assert sentence.lemmas[0] == "ir"
    assert sentence.upos == ["VERB", "PRON", "ADP", "DET", "NOUN", "PUNCT"]
    assert sentence.xpos == ["_"] * 6
    assert sentence.feats[0] == "Mood=Imp|Number=Plur"
    assert sentence.deprels == ["root", "obj", "case", "det", "obl", "punct"]
    assert sentence.deps[4] == "1:obl:a"
    assert sentence.misc[4] == "SpaceAfter=No"
    assert sentence.column("form") == sentence.forms
    assert sentence.sent_id == "mar"
    assert sentence.text == "Vámonos al mar."
    assert sentence.comments == ["# sent_id = mar", "# text = Vámonos al mar."]
    assert (sentence.file, sentence.line, sentence.format) == ("<bytes>", 5, "conllu")
    assert str(sentence) == SPANISH
    assert repr(sentence) == "<Sentence mar: 6 words>"
    with pytest.raises(NonprojError, match="no column 'head', expected one of form"):
        sentence.column("head")


def test_multiword_tokens_and_empty_nodes() -> None:
    for text in (SPANISH, SPANISH.replace("\n", "\r\n")):
        sentence = Sentence.parse(text)
        assert [(t.first, t.last, t.form, t.misc) for t in sentence.multiword_tokens] == [
            (1, 2, "Vámonos", "_"),
            (3, 4, "al", "_"),
        ]
        (node,) = sentence.empty_nodes
        assert (node.id, node.after, node.form, node.upos, node.deps, node.misc) == (
            *("2.1", 2, "visitar", "VERB", "1:xcomp", "Added=Yes"),
        )
    dutch = read(DUTCH.encode())[0]
    assert dutch.multiword_tokens == []
    assert dutch.empty_nodes == []


def test_words() -> None:
    sentence = read((VIETNAMESE + SPANISH).encode())[1]
    found = list(sentence)
    assert all(isinstance(word, Word) for word in found)
    assert [word.id for word in found] == [1, 2, 3, 4, 5, 6]
    assert tuple(word.head for word in found) == sentence.heads
    for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"):
        assert [getattr(word, name) for word in found] == sentence.column(name)
    assert found[4] == (5, "mar", "mar", "NOUN", "_", "_", 1, "obl", "1:obl:a", "SpaceAfter=No")
    unparsed = read(words("_", "_").encode(), unparsed=True)[0]
    assert [word.head for word in unparsed] == [-1, -1]


def test_without_comments() -> None:
    sentence = read((SPANISH + DUTCH).encode())[1]
    assert (sentence.sent_id, sentence.text, sentence.comments) == ("2", "Daar is gekozen", [])
    assert sentence.upos == ["Adv", "V", "V"]
    assert sentence.feats == ["pron|aanw", "hulp|ott", "trans"]


def test_tree() -> None:
    sentence = Sentence.parse(DUTCH)
    tree = sentence.tree
    assert isinstance(tree, Tree)
    assert (tree.heads, tree.forms, tree.deprels) == (
        (3, 0, 2),
        ("Daar", "is", "gekozen"),
        ("pc", "ROOT", "vc"),
    )


def test_parse() -> None:
    assert Sentence.parse(SPANISH) == Sentence.parse(SPANISH.encode()) == read(SPANISH.encode())[0]
    assert Sentence.parse(SPANISH) != Sentence.parse(DUTCH)
    assert len({Sentence.parse(SPANISH), Sentence.parse(SPANISH)}) == 1
    with pytest.raises(NonprojError, match="the text has 2 sentences, expected one"):
        Sentence.parse(DUTCH + DUTCH)
    with pytest.raises(FormatError, match="<text>:1: sentence 1: word 1 is its own head"):
        Sentence.parse(words(1))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("lead", ["", "\ufeff", "\n\n", "# other\n\n"])
def test_with_heads_changes_nothing_else(line_end: str, lead: str) -> None:
    text = (lead + SPANISH).replace("\n", line_end)
    sentence = read(text.encode())[0]
    assert bytes(sentence.with_heads(sentence.heads)).decode() == text

    changed = sentence.with_heads([2, 0, 2, 2, 2, 2], ["x"] * 6, ["seen = yes", "# score = 1"])
    assert changed.heads == (2, 0, 2, 2, 2, 2)
    assert changed.deprels == ["x"] * 6
    assert changed.comments == [*sentence.comments, "# seen = yes", "# score = 1"]
    assert (changed.sent_id, changed.file, changed.line) == (sentence.sent_id, sentence.file, sentence.line)
    for old, new in zip(str(sentence).splitlines(), str(changed).splitlines(), strict=False):
        if old.startswith("#"):
            assert old == new
    rows = [line.split("\t") for line in str(changed).split(line_end) if "\t" in line]
    for was, row in zip((line.split("\t") for line in SPANISH.split("\n") if "\t" in line), rows, strict=True):
        assert (was[:6], was[8:]) == (row[:6], row[8:])
        if not was[0].isdigit():
            assert was == row
    assert bytes(changed).count(b"\r\n") == (bytes(changed).count(b"\n") if line_end == "\r\n" else 0)
    assert bytes(changed.with_heads(sentence.heads, sentence.deprels)) != bytes(sentence)
    only_heads = sentence.with_heads(np.array([2, 0, 2, 2, 2, 2]))
    assert only_heads.deprels == sentence.deprels


@pytest.mark.parametrize(
    ("heads", "deprels", "comments", "message"),
    [
        ([2], None, (), "got 1 heads, but the text has more words"),
        ([2, 0, 1], None, (), "got 3 heads, but the text has fewer words"),
        ([2, 1], None, (), "the heads given for sentence 1 are no tree: no word has head 0"),
        ([0, 2], None, (), "are no tree: word 2 is its own head"),
        ([0, 9], None, (), "are no tree: word 2 has head 9, but the sentence has 2 words"),
        ([0, -1], None, (), "are no tree: word 2 has head -1"),
        ([0, 2**40], None, (), "heads must be 0"),
        ([0, 1.5], None, (), "heads must be a flat sequence of integers, got float64"),
        ([[0, 1]], None, (), "heads must be a flat sequence"),
        ([0, 1], ["a"], (), "got 1 relations for 2 heads"),
        ([0, 1], [], (), "got 0 relations for 2 heads"),
        ([0, 1], ["a", "b\tc"], (), "the relation 'b\\\\tc' would break its line"),
        ([0, 1], ["a", "b\n"], (), "would break its line"),
        ([0, 1], ["a", "b"], ["two\nlines"], "the comment '# two\\\\nlines' would break its line"),
    ],
)
def test_with_heads_refuses(heads: list[int], deprels: list[str] | None, comments: list[str], message: str) -> None:
    with pytest.raises(NonprojError, match=message):
        Sentence.parse(words(2, 0)).with_heads(heads, deprels, comments)


def test_pickle() -> None:
    text = ("\ufeff\n" + SPANISH + VIETNAMESE + words(1) + DUTCH).encode()
    tb = read(text, on_error="skip")
    for sentence in tb:
        again = pickle.loads(pickle.dumps(sentence))
        assert again == sentence
        assert bytes(again) == bytes(sentence)
        assert (again.sent_id, again.line, again.file) == (sentence.sent_id, sentence.line, sentence.file)
    assert len(pickle.dumps(tb[0])) < len(text) + 500
    copy = pickle.loads(pickle.dumps(tb))
    assert (bytes(copy), copy.name, copy.skipped) == (bytes(tb), tb.name, tb.skipped)
    assert copy.heads.tolist() == tb.heads.tolist()


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=9), min_size=1, max_size=5), st.booleans())
def test_a_treebank_with_other_heads(choices: list[list[int]], with_deprels: bool) -> None:
    """A head is the word before or the root, so it is a tree."""
    old = read("".join(words(*range(len(heads))) for heads in choices).encode())
    heads = [min(head, i) for sentence in choices for i, head in enumerate(sentence)]
    deprels = [f"r{i}" for i in range(len(heads))] if with_deprels else None
    new = old.with_heads(heads, deprels)
    assert new.heads.tolist() == heads
    assert new.column("deprel") == (deprels or old.column("deprel"))
    assert bytes(new.with_heads(old.heads, old.column("deprel"))) == bytes(old)
    one_by_one = []
    for i, sentence in enumerate(old):
        part = slice(*old.offsets[i : i + 2])
        one_by_one.append(sentence.with_heads(heads[part], deprels[part] if deprels else None))
    assert bytes(Treebank(one_by_one)) == bytes(new)
