"""Queries against a plain reading of them, word by word; errors that point at their place; filters."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.enumeration import trees
from reference.lifts import ancestors

from nonproj import Tree, example_treebank, tree_class
from nonproj.treebank import Filter, Treebank, read
from nonproj.treebank.query import Query, QueryError
from nonproj.treebank.words import Words

TAGS = ("NOUN", "VERB", "PUNCT")
TREES = {n: list(trees(n)) for n in range(1, 6)}


@st.composite
def treebanks(draw: st.DrawFn) -> Treebank:
    text = ""
    for _ in range(draw(st.integers(1, 4))):
        heads = draw(st.sampled_from(TREES[draw(st.integers(1, 5))]))
        for number, head in enumerate(heads, 1):
            tag, case = draw(st.sampled_from(TAGS)), draw(st.sampled_from(["_", "Case=Nom", "A=b|Case=Acc,Nom"]))
            text += f"{number}\tw{number}\t_\t{tag}\t_\t{case}\t{head}\t{tag.lower()}:x\t_\t_\n"
        text += "\n"
    return read(text.encode())


class Plain:
    """One word, asked in the plainest way."""

    def __init__(self, treebank: Treebank, index: int, word: int) -> None:
        self.treebank, self.index, self.word = treebank, index, word
        self.sentence = treebank[index]
        self.heads, self.tag = self.sentence.heads, self.sentence.upos[word - 1]
        self.head, self.feats = self.heads[word - 1], self.sentence.feats[word - 1]

    def other(self, word: int) -> Plain:
        return Plain(self.treebank, self.index, word)

    @property
    def all(self) -> list[Plain]:
        return [self.other(word) for word in range(1, len(self.heads) + 1)]

    @property
    def children(self) -> list[Plain]:
        return [other for other in self.all if other.head == self.word]

    @property
    def above(self) -> list[Plain]:
        return [self.other(word) for word in ancestors(self.heads, self.word) if word]

    @property
    def crossers(self) -> list[Plain]:
        low, high = sorted((self.head, self.word))
        ends = {other.word: sorted((other.head, other.word)) for other in self.all}
        return [self.other(w) for w, (a, b) in ends.items() if a < low < b < high or low < a < high < b]

    @property
    def is_nonprojective(self) -> bool:
        between = range(min(self.head, self.word) + 1, max(self.head, self.word))
        return any(self.head and self.head not in ancestors(self.heads, word) for word in between)


ASKED: dict[str, Callable[[Plain], bool]] = {
    "upos=VERB": lambda w: w.tag == "VERB",
    "upos!=VERB,NOUN": lambda w: w.tag == "PUNCT",
    "deprel=verb*": lambda w: w.tag == "VERB",
    'deprel="verb*"': lambda w: False,
    "deprel~'x'": lambda w: False,
    "deprel~[nv].*:x": lambda w: w.tag != "PUNCT",
    "feats.Case=Nom": lambda w: "Nom" in w.feats,
    "feats.Case!=Nom": lambda w: "Nom" not in w.feats,
    "feats.A": lambda w: "A=" in w.feats,
    "not feats": lambda w: w.feats == "_",
    "length>=2 & direction=left": lambda w: w.head - w.word >= 2,
    "root | leaf": lambda w: w.head == 0 or not w.children,
    "children>1": lambda w: len(w.children) > 1,
    "depth=2,3": lambda w: len(w.above) + 1 in (2, 3),
    "crossings=2": lambda w: len(w.crossers) == 2,
    "crossing": lambda w: bool(w.crossers),
    "nonprojective": lambda w: w.is_nonprojective,
    "head.upos=NOUN": lambda w: w.head > 0 and w.other(w.head).tag == "NOUN",
    "head(!upos=NOUN)": lambda w: w.head > 0 and w.other(w.head).tag != "NOUN",
    "child.child.upos=VERB": lambda w: any(c.tag == "VERB" for child in w.children for c in child.children),
    "ancestor.upos=VERB": lambda w: any(a.tag == "VERB" for a in w.above),
    "descendant.upos=VERB": lambda w: any(o.tag == "VERB" and w.word in ancestors(w.heads, o.word) for o in w.all),
    "crosser(upos=VERB & root)": lambda w: any(c.tag == "VERB" and c.head == 0 for c in w.crossers),
    "next.upos=VERB": lambda w: w.word < len(w.heads) and w.other(w.word + 1).tag == "VERB",
    "previous.upos=VERB": lambda w: w.word > 1 and w.other(w.word - 1).tag == "VERB",
    "some(upos=VERB) & no(upos=NOUN)": lambda w: "VERB" in w.sentence.upos and "NOUN" not in w.sentence.upos,
    "every(upos=VERB or upos=NOUN)": lambda w: "PUNCT" not in w.sentence.upos,
    "class=Pr": lambda w: Tree(w.heads) in tree_class("Pr"),
    "class!=Pr,WG1": lambda w: Tree(w.heads) not in tree_class("WG1"),
    "tree.gap_degree>=1 & tree.words>3": lambda w: Tree(w.heads).gap_degree >= 1 and len(w.heads) > 3,
    "sent_id=2": lambda w: w.index == 1,
    "punctuation": lambda w: w.tag == "PUNCT",
    "id=1 and head=2": lambda w: w.word == 1 and w.head == 2,
}


@given(treebanks())
def test_queries_mean_what_they_say(treebank: Treebank) -> None:
    everyone = [Plain(treebank, i, w) for i, sentence in enumerate(treebank) for w in range(1, len(sentence) + 1)]
    words = Words(treebank)
    for query, meaning in ASKED.items():
        expected = [meaning(word) for word in everyone]
        assert Query(query).words(words).tolist() == expected, query
        found = {word.index for word, held in zip(everyone, expected, strict=True) if held}
        assert [s.sent_id for s in treebank.where(query)] == [str(i + 1) for i in sorted(found)]


@pytest.mark.parametrize(
    ("query", "message", "at"),
    [
        ("", "a test is missing", 0),
        ("upos=", "a value is missing", 5),
        ("upos=VERB deprel=obj", "expected & or |", 10),
        ("(upos=VERB", "expected )", 10),
        ("uposs=VERB", "did you mean upos", 0),
        ("head.child.colour=red", "no field colour", 11),
        ("class=XY1", "no class of trees", 6),
        ("class>WG1", "class=WG1 or class!=WG1", 0),
        ('deprel~"("', "no regular expression", 7),
        ('form="open', "not closed", 5),
        ("length>few", "whole number", 7),
        ("length>1,2", "only one number", 9),
        ("upos<VERB", "is text", 5),
        ("length~1", "is a number", 0),
        ("tree.colour=1", "no field tree.colour", 0),
        ("!" * 200 + "root", "nested", 100),
    ],
)
def test_errors_point_at_the_place(query: str, message: str, at: int) -> None:
    with pytest.raises(QueryError) as caught:
        Query(query)
    said, shown, pointed = str(caught.value).split("\n")
    assert message in said
    assert (shown.strip(), pointed.index("^") - 4) == (query, at)


def test_what_is_not_settled_fits_no_comparison() -> None:
    rng = random.Random(1)
    order = rng.sample(range(1, 1001), 1000)
    heads = {word: rng.choice(order[:i]) if i else 0 for i, word in enumerate(order)}
    rows = [f"{word}\tw\t_\t_\t_\t_\t{heads[word]}\tdep\t_\t_\n" for word in range(1, 1001)]
    entangled = read("".join([*rows, "\n"]).encode())
    assert (entangled[0].tree.profile["planes"] or 0) < 0
    for query in ("tree.planes<3", "tree.planes=1", "tree.planes!=1", "tree.planes>=0"):
        assert len(entangled.where(query)) == 0, query
    assert len(entangled.where("tree.gap_degree>=0 & tree.words!=3 & head>=0")) == 1


def test_a_filter_takes_all_its_conditions() -> None:
    sample = example_treebank()
    kept = Filter(min_words=5, max_words=7, no_punctuation=True, where="class!=Pr").apply(sample)
    plain = [s for s in sample.without_punctuation() if 5 <= len(s) <= 7 and not s.tree.is_projective]
    assert list(kept) == plain
    assert 0 < len(kept) < len(sample)
    assert Filter().apply(sample) is sample
    assert Filter().keeps_all
    with pytest.raises(ValueError, match="from 5 to 4 words"):
        Filter(min_words=5, max_words=4)


def test_chosen_sentences_are_written_as_they_came() -> None:
    sample = example_treebank()
    chosen = sample.chosen(np.arange(len(sample)) % 3 == 0)
    assert chosen.to_text() == "".join(str(sentence) for sentence in sample[::3])
    with pytest.raises(ValueError, match="one mark for each"):
        sample.chosen([True])
