"""Treebanks with their words in projective order, and back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.order import projective_order

import nonproj as npj
from nonproj import NonprojError
from nonproj.transition import sort_treebank, unsort_treebank

# A multiword token whose words are torn apart, empty nodes before all words and after the second, enhanced heads.
TORN = """# sent_id = torn
# text = zum Haus geht er .
0.1\tpro\t_\t_\t_\t_\t_\t_\t3:nsubj\t_
1-2\tzum\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tzu\tzu\tADP\t_\t_\t4\tcase\t4:case|0.1:x\tA=1|B=2
2\tdem\tder\tDET\t_\t_\t5\tdet\t5:det\t_
2.1\tleer\t_\t_\t_\t_\t_\t_\t3:conj\t_
2.2\tleer\t_\t_\t_\t_\t_\t_\t3:conj\t_
3-4\tam\t_\t_\t_\t_\t_\t_\t_\t_
3\tgeht\tgehen\tVERB\t_\t_\t0\troot\t0:root\t_
4\tHaus\tHaus\tNOUN\t_\t_\t3\tobl\t3:obl|5:nmod:von\t_
5\ter\ter\tPRON\t_\t_\t3\tnsubj\t3:nsubj\tSpaceAfter=No
"""


def test_words_are_moved_and_heads_follow() -> None:
    found = sort_treebank(npj.read(TORN.encode()))
    (sentence,) = found
    assert sentence.forms == ["zu", "geht", "Haus", "dem", "er"] or sentence.tree.is_projective
    order = projective_order([4, 5, 0, 3, 3])
    assert [sentence.forms[at] for at in range(5)] == [["zu", "dem", "geht", "Haus", "er"][word - 1] for word in order]
    assert [misc.split("=")[-1] for misc in sentence.misc] == [str(word) for word in order]
    place = {word: at for at, word in enumerate(order, 1)}
    assert sentence.deps[place[4] - 1] == f"{place[3]}:obl|{place[5]}:nmod:von"
    assert sentence.deps[place[1] - 1] == f"{place[4]}:case|0.1:x"
    assert sentence.misc[place[1] - 1] == "A=1|B=2|SortedFrom=1"
    assert bytes(unsort_treebank(found)) == TORN.encode()


@pytest.mark.parametrize(
    "text",
    [
        TORN + "\n", (TORN + "\n").replace("\n", "\r\n"), "\ufeff" + TORN + "\n\n\n" + TORN, "\n\n" + TORN.rstrip("\n"),
        TORN + "\n# a comment without words\n\n" + TORN + "\n", "",
    ],
    ids=["plain", "windows", "mark", "no end", "comment", "empty"],
)  # fmt: skip
def test_every_byte_comes_back(text: str) -> None:
    treebank = npj.read(text.encode())
    assert bytes(unsort_treebank(sort_treebank(treebank))) == text.encode()


@given(st.lists(st.integers(1, 7), min_size=7, max_size=7), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_any_tree_is_sorted_and_any_other_is_put_back(attached: list[int], rng: object) -> None:
    heads = [0, *(1 + at % word for word, at in enumerate(attached, 1))]
    order = list(range(1, 9))
    rng.shuffle(order)  # type: ignore[attr-defined]
    place = {0: 0, **dict(enumerate(order, 1))}
    tree = [0] * 8
    for word, head in enumerate(heads, 1):
        tree[place[word] - 1] = place[head]
    lines = "".join(f"{w}\tw{w}\t_\tX\t_\t_\t{head}\tr{head}\t_\t_\n" for w, head in enumerate(tree, 1))
    given_ = npj.read(f"# a\n{lines}\n".encode())
    found = sort_treebank(given_)
    assert found[0].tree.is_projective
    assert [int(form[1:]) for form in found[0].forms] == projective_order(tree)
    # What a parser makes of the sorted sentence goes back with its words: here all hangs on the first of them.
    parsed = unsort_treebank(found.with_heads([0, *[1] * 7]))
    first = projective_order(tree)[0]
    assert list(parsed[0].heads) == [0 if word == first else first for word in range(1, 9)]
    assert parsed[0].forms == given_[0].forms


def test_what_cannot_be_sorted_says_why() -> None:
    with pytest.raises(NonprojError, match="sentence torn: MISC has SortedFrom: the words are sorted already"):
        sort_treebank(sort_treebank(npj.read(TORN.encode())))
    with pytest.raises(NonprojError, match="sentence torn: MISC of its words does not say"):
        unsort_treebank(npj.read(TORN.encode()))
    damaged = bytes(sort_treebank(npj.read(TORN.encode()))).replace(b"# unsorted = 3-4", b"# unsorted = 9-10")
    with pytest.raises(NonprojError, match="a comment that begins with '# unsorted = ' has no place"):
        unsort_treebank(npj.read(damaged))
    with pytest.raises(NonprojError, match="only CoNLL-U can say"):
        sort_treebank(npj.read(b"1\tDar\tdar\tAdv\tAdv\t_\t0\tROOT\t_\t_\n\n"))
    with pytest.raises(NonprojError, match="some words have no head"):
        sort_treebank(npj.read(b"# x\n1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n", unparsed=True))


DATA = Path(os.environ.get("NONPROJ_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
FILES = [path for name in ("nl_alpino-ud-dev", "hu_szeged-ud-dev", "en_ewt-ud-dev", "grc_perseus-ud-test")
         if (path := DATA / f"ud/{name}.conllu.gz").exists()]  # fmt: skip


@pytest.mark.skipif(not FILES, reason=f"no treebanks in {DATA}: set NONPROJ_DATA")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_real_treebanks_come_back(path: Path) -> None:
    treebank = npj.read(path)
    found = sort_treebank(treebank)
    assert all(npj.tree_class("Pr").holds(npj.trees.profile_trees(found.heads, found.offsets)) == 1)
    assert bytes(unsort_treebank(found)) == bytes(treebank)
