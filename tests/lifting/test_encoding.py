"""Encodings: what is lowered is a tree with plain labels, and with gold labels nearly always the tree it was."""

import os
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_lifts import random_trees

import nonproj as npj
from nonproj import NonprojError, Tree
from nonproj.lifting import SCHEMES, Encoding, is_lift, plain_label

DATA = pathlib.Path(os.environ.get("NONPROJ_DATA") or pathlib.Path(__file__).parents[3] / "shared" / "data")
LABELS = st.sampled_from(["obj", "nsubj:pass", "ccomp", "punct"])
encodings = st.builds(Encoding, st.sampled_from(SCHEMES), st.sampled_from(["keep", "left", "right", "head"]))


@given(st.data(), random_trees(), encodings)
def test_encoded_trees_are_projective_and_lowered_labels_plain(data: st.DataObject, tree: Tree, code: Encoding) -> None:
    labels = data.draw(st.lists(LABELS, min_size=len(tree), max_size=len(tree)))
    heads, encoded = code.encode(tree.heads, labels)
    assert Tree(heads).is_projective
    assert [plain_label(label) for label in encoded] == labels
    if code.covered_roots == "keep":
        assert is_lift(tree, Tree(heads))
    lowered, plain = code.decode(heads, encoded)
    assert plain == labels
    Tree(lowered)
    if tree.is_projective and code.covered_roots == "keep":
        assert (lowered, encoded) == (list(tree.heads), labels)


@given(st.data(), random_trees(), st.sampled_from(SCHEMES))
def test_any_labels_lower_to_a_tree_with_plain_labels(data: st.DataObject, tree: Tree, scheme: str) -> None:
    wild = st.text(alphabet="ab↑↓⇑", min_size=1, max_size=5)
    labels = data.draw(st.lists(wild, min_size=len(tree), max_size=len(tree)))
    heads, plain = Encoding(scheme).decode(tree.heads, labels)  # type: ignore[arg-type]
    Tree(heads)
    assert all(label and not set(label) & set("↑↓⇑") for label in plain)


@given(random_trees(9), st.sampled_from(["head", "head+path"]))
def test_labels_that_tell_words_apart_restore_every_tree(tree: Tree, scheme: str) -> None:
    labels = [f"r{word}" for word in range(len(tree))]
    assert Encoding(scheme).decode(*Encoding(scheme).encode(tree.heads, labels)) == (  # type: ignore[arg-type]
        list(tree.heads),
        labels,
    )


def test_covered_roots_come_back() -> None:
    heads, labels = [2, 0, 0, 2], ["det", "root", "punct", "obj"]
    code = Encoding(covered_roots="head")
    lifted, encoded = code.encode(heads, labels)
    assert (lifted, encoded) == ([2, 0, 2, 2], ["det", "root", "punct⇑", "obj"])
    assert code.decode(lifted, encoded) == (heads, labels)
    assert Encoding().encode(heads, labels)[0] == [2, 0, 0, 0]


def test_trees_sentences_and_treebanks() -> None:
    treebank = npj.example_treebank()
    lifted = npj.lift(treebank)
    assert all(sentence.tree.is_projective for sentence in lifted)
    assert [npj.lift(sentence).heads for sentence in treebank] == [sentence.heads for sentence in lifted]
    lowered = npj.lower(lifted)
    assert lowered.column("deprel") == treebank.column("deprel")
    assert [npj.lower(sentence).heads for sentence in lifted] == [sentence.heads for sentence in lowered]
    assert npj.lower(npj.lift(treebank[0].tree)).heads == treebank[0].heads
    assert npj.lift(Tree([3, 0, 2])).heads == (2, 0, 2)


def test_errors() -> None:
    with pytest.raises(NonprojError, match="no encoding is called 'tail'"):
        Encoding("tail")  # type: ignore[arg-type]
    with pytest.raises(NonprojError, match="covered_roots is 'up'"):
        Encoding("head", "up")  # type: ignore[arg-type]
    with pytest.raises(NonprojError, match="lower the treebank first"):
        Encoding().encode([0], ["obj↑root"])
    with pytest.raises(NonprojError, match="no relations"):
        npj.lower(Tree([0]))


@pytest.mark.parametrize(
    ("name", "spacy"), [("ud/nl_alpino", 93.46), ("ud/grc_perseus", 75.80), ("ud/got_proiel", 94.16)]
)
def test_the_default_restores_three_points_more_than_the_head_scheme_of_spacy(name: str, spacy: float) -> None:
    files = sorted(DATA.glob(f"{name}-ud-*"))
    if not files:
        pytest.skip(f"no treebank {name} in {DATA}: set NONPROJ_DATA")
    treebank = npj.read(files)
    lowered = npj.lower(npj.lift(treebank))
    pairs = [(a.heads, b.heads) for a, b in zip(treebank, lowered, strict=True) if not a.tree.is_projective]
    assert 100 * sum(a == b for a, b in pairs) / len(pairs) >= spacy + 3
