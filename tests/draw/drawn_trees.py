"""Trees for the tests of the drawings."""

from __future__ import annotations

import random
import unicodedata

from hypothesis import strategies as st

from nonproj.treebank import Sentence
from nonproj.trees import Tree


def cross(one, two):
    """Whether exactly one end of either arc lies strictly between the ends of the other."""
    (first, last), (other_first, other_last) = sorted([sorted(one), sorted(two)])
    return first < other_first < last < other_last


def sentence(heads, forms, deprels):
    return Tree(heads, forms=forms.split(), deprels=deprels.split())


HEARING = sentence(
    [2, 3, 0, 3, 2, 7, 5, 4, 3],
    "A hearing is scheduled on the issue today .",
    "det nsubj root xcomp nmod det obl advmod punct",
)
TEN = Tree([8, 1, 10, 7, 9, 2, 1, 0, 1, 1])
NESTED_GAPS = Tree([2, 3, 6, 3, 4, 0, 6, 11, 8, 11, 3, 2, 12])
# fmt: off
LONG = sentence(
    [3, 3, 13, 5, 3, 9, 9, 9, 5, 12, 12, 9, 0, 15, 13, 20, 20, 20, 20, 13,
     24, 24, 24, 20, 27, 27, 20, 30, 30, 27, 34, 33, 34, 30, 36, 34, 13],
    "The old man who lived in the small house near the river told the children that he had never seen "
    "such a terrible storm before the winter of the year when his brother left for America .",
    "det amod nsubj nsubj acl:relcl case det amod obl case det nmod root det obj mark nsubj aux advmod ccomp "
    "det:predet det amod obj case det obl case det nmod obl:tmod nmod:poss nsubj acl:relcl case obl punct",
)
# fmt: on
ONE = sentence([0], "Yes", "root")
ROOTS = sentence([0, 1, 0, 3, 0, 2], "Go ! I said … now", "root punct parataxis dep discourse advmod")
CHINESE = sentence([3, 3, 0, 6, 4, 3, 3], "我 昨天 买 一 本 书 。", "nsubj obl:tmod root nummod clf obj punct")
COMBINING = sentence(
    [2, 0, 5, 5, 2, 7, 3],
    unicodedata.normalize("NFD", "Phở được những người <b> & ở"),
    'nsubj root a<b c&"d" obj dep a-rather-long:relation',
)


def rows(*lines):
    """A sentence from lines of id, form, tag, features, head and relation."""
    text = ""
    for line in lines:
        number, form, tag, feats, head, deprel = line.split()
        text += "\t".join([number, form, "_", tag, "_", feats, head, deprel, "_", "_"]) + "\n"
    return Sentence.parse(text + "\n")


HEBREW = rows(
    "1 מחר ADV _ 3 advmod",
    "2 הילדה NOUN Gender=Fem|Number=Sing 3 nsubj",
    "3 תקרא VERB Gender=Fem|Tense=Fut 0 root",
    "4-6 בספרייה _ _ _ _",
    "4 ב ADP _ 6 case",
    "5 ה DET PronType=Art 6 det",
    "6 ספרייה NOUN _ 3 obl",
    "7 ספר NOUN _ 3 obj",
    "8 על ADP _ 9 case",
    "9 ירושלים PROPN _ 7 nmod",
    "10 היום ADV _ 2 dep",
    "11 ( PUNCT _ 12 punct",
    "12 אולי ADV _ 3 advmod",
    "13 ) PUNCT _ 12 punct",
    "14 . PUNCT _ 3 punct",
)
GAPPING = rows(
    "1 Ana PROPN Number=Sing 2 nsubj",
    "2 bebe VERB Mood=Ind|Number=Sing|Person=3 0 root",
    "3 té NOUN _ 2 obj",
    "4-5 del _ _ _ _",
    "4 de ADP _ 6 case",
    "5 el DET Definite=Def 6 det",
    "6 sur NOUN _ 3 nmod",
    "7 y CCONJ _ 8 cc",
    "8 Juan PROPN _ 2 conj",
    "8.1 bebe VERB _ _ _",
    "9 café NOUN _ 8 orphan",
    "9.1 _ PRON _ _ _",
)


def random_tree(size):
    """A tree with many crossings, always the same."""
    generator = random.Random(size)
    words = generator.sample(range(1, size + 1), size)
    heads = [0] * size
    for i, word in enumerate(words[1:], 1):
        heads[word - 1] = words[generator.randrange(i)]
    return Tree(heads)


TEXTS = ["", "a", "of", "words", "語", "書き", "e\u0301", "\u0301", "interminable", "<&>"]


@st.composite
def trees(draw, largest=12, forms=True):
    """Any tree: words enter it in any order, below 0 or any word before them."""
    size = draw(st.integers(1, largest))
    entered = [0]
    heads = [0] * size
    for word in draw(st.permutations(range(1, size + 1))):
        heads[word - 1] = draw(st.sampled_from(entered))
        entered.append(word)
    texts: st.SearchStrategy[list[str] | None] = st.none()
    if forms:
        texts = st.none() | st.lists(st.sampled_from(TEXTS), min_size=size, max_size=size)
    return Tree(heads, forms=draw(texts), deprels=draw(texts))
