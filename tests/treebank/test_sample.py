"""The embedded sample: valid CoNLL-U, and what its comments claim is what the brute force finds."""

import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import reference
from reference import CLASSES

SAMPLE = Path(__file__).parents[2] / "src" / "nonproj" / "treebank" / "sample.conllu"

# fmt: off
# The classes that the comments `inside` and `outside` speak of, in their order.
LISTED = [
    "Pr", "1-P", "2-P", "1EC", "2-C", "WG1", "WG2", "M0I", "M1I", "WG1S", "M1IS", "MG1", "MH4", "MH5", "AD2",
]
UPOS = {
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
}
RELATIONS = {
    "acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf", "compound", "conj", "cop",
    "csubj", "dep", "det", "discourse", "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list",
    "mark", "nmod", "nsubj", "nummod", "obj", "obl", "orphan", "parataxis", "punct", "reparandum", "root",
    "vocative", "xcomp",
}
# fmt: on


@dataclass(frozen=True)
class Sentence:
    comments: dict[str, str]
    rows: tuple[tuple[str, ...], ...]  # the ten columns of every line, ranges included

    @property
    def words(self) -> list[tuple[str, ...]]:
        return [row for row in self.rows if "-" not in row[0]]

    @property
    def heads(self) -> tuple[int, ...]:
        return tuple(int(row[6]) for row in self.words)


def read(text: str) -> list[Sentence]:
    sentences = []
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        comments = [line[1:].partition("=") for line in lines if line.startswith("#")]
        sentences.append(
            Sentence(
                comments={key.strip(): value.strip() for key, _, value in comments},
                rows=tuple(tuple(line.split("\t")) for line in lines if not line.startswith("#")),
            )
        )
    return sentences


TEXT = SAMPLE.read_bytes().decode("utf-8")
SENTENCES = {sentence.comments["sent_id"]: sentence for sentence in read(TEXT)}

each_sentence = pytest.mark.parametrize("sentence", [pytest.param(s, id=i) for i, s in SENTENCES.items()])


@cache
def belongs(name: str, heads: tuple[int, ...]) -> bool:
    return CLASSES[name](heads)


def test_file_as_a_whole() -> None:
    assert TEXT.endswith("\n\n")
    assert "\n\n\n" not in TEXT
    assert "\r" not in TEXT
    assert unicodedata.is_normalized("NFC", TEXT)
    assert 55 <= len(SENTENCES) <= 75
    assert TEXT.count("# sent_id = ") == len(SENTENCES)  # that is, no sent_id occurs twice


@each_sentence
def test_comments(sentence: Sentence) -> None:
    language = sentence.comments["sent_id"].split("-")[0]
    translated = [] if language in ("en", "x") else ["text_en"]
    assert list(sentence.comments) == ["sent_id", "text", *translated, "note", "inside", "outside"]
    assert sentence.comments["note"]
    assert ("two roots" in sentence.comments["note"]) == (sentence.heads.count(0) == 2)
    assert sentence.heads.count(0) in (1, 2)


@each_sentence
def test_columns(sentence: Sentence) -> None:
    assert all(len(row) == 10 and all(row) for row in sentence.rows)
    assert [row[0] for row in sentence.words] == [str(i) for i in range(1, len(sentence.words) + 1)]
    assert reference.is_tree(sentence.heads)
    is_abstract = sentence.comments["note"].startswith("abstract: ")
    assert is_abstract == sentence.comments["sent_id"].startswith("x-")
    for _, _, _, upos, _, _, head, relation, _, _ in sentence.words:
        assert upos in ({"X"} if is_abstract else UPOS)
        assert relation.split(":")[0] in ({"root", "dep"} if is_abstract else RELATIONS)
        assert (relation == "root") == (head == "0")


@each_sentence
def test_text_is_the_forms(sentence: Sentence) -> None:
    text = ""
    covered = 0  # the last word that stands in a range already written
    for row in sentence.rows:
        first, _, last = row[0].partition("-")
        if last:
            assert covered < int(first) < int(last)
            assert row[2:9] == ("_",) * 7
            covered = int(last)
        elif int(first) <= covered:
            assert "SpaceAfter" not in row[9]
            continue
        text += row[1] + ("" if "SpaceAfter=No" in row[9].split("|") else " ")
    assert covered <= len(sentence.words)
    assert text.removesuffix(" ") == sentence.comments["text"]


@each_sentence
def test_classes_in_comments(sentence: Sentence) -> None:
    inside = [name for name in LISTED if belongs(name, sentence.heads)]
    outside = [name for name in LISTED if not belongs(name, sentence.heads)]
    assert sentence.comments["inside"] == " ".join(inside)
    assert sentence.comments["outside"] == " ".join(outside)


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_has_a_tree_inside_and_one_outside(name: str) -> None:
    assert {belongs(name, sentence.heads) for sentence in SENTENCES.values()} == {True, False}


SEPARATED = [
    ("1EC", "WG1"),
    ("WG1", "1EC"),
    ("1-P", "1EC"),
    ("1-P", "3-C"),
    ("2-P", "1EC"),
    ("3-P", "2-P"),
    ("1EC", "2-C"),
    ("M0I", "M1IS"),
    ("M0I", "1EC"),
    ("M1I", "M0I"),
    ("M1I", "M1IS"),
    ("WG1", "M1I"),
    ("WG1", "WG1S"),
    ("WG1S", "M1IS"),
    ("WG2", "WG1"),
    ("MG1", "WG1"),
    ("MG2", "MG1"),
    ("MH4", "2-C"),
    ("MH4", "AD2"),
    ("MH5", "MH4"),
    ("MH6", "MH5"),
    ("2-C", "MH6"),
    ("AD2", "MH4"),
    ("AD2", "2-P"),
    ("AD3", "AD2"),
]


@pytest.mark.parametrize(("one", "other"), SEPARATED)
def test_some_tree_separates(one: str, other: str) -> None:
    assert any(belongs(one, s.heads) and not belongs(other, s.heads) for s in SENTENCES.values())


def test_figure_of_nivre_2009() -> None:
    sentence = SENTENCES["en-hearing"]
    assert sentence.heads == (2, 3, 0, 3, 2, 7, 5, 4, 3)
    order = [sentence.words[word - 1][1] for word in reference.projective_order(sentence.heads)]
    assert " ".join(order) == "A hearing on the issue is scheduled today ."


def test_strongly_ill_nested_tree() -> None:
    heads = SENTENCES["x-strongly-ill-nested"].heads
    assert heads == (8, 1, 10, 7, 9, 2, 1, 0, 1, 1)
    assert (reference.gap_degree(heads), reference.mg(heads)) == (1, 2)


@pytest.mark.parametrize("g", [2, 3])
def test_family_of_gomez_rodriguez_2016(g: int) -> None:
    heads = SENTENCES[f"x-family-{g}"].heads
    assert reference.gap_degree(heads) == g
    assert not reference.is_well_nested(heads)
    assert reference.mh(heads) == 4


def blocks(*spans: tuple[int, int]) -> set[int]:
    return {word for first, last in spans for word in range(first, last + 1)}


@pytest.mark.parametrize("degree", [0, 1, 2])
def test_figures_of_pitler_kannan_marcus_2012(degree: int) -> None:
    heads = SENTENCES[f"x-inherit-{degree}"].heads
    covered = reference.yields(heads)
    assert heads[3 - 1] == 6
    assert covered[3] == blocks((1, 5), (8, 13))
    assert (reference.gap_degree(heads), reference.inheritance_degree(heads)) == (1, degree)
    assert belongs("WG1", heads)
    if degree == 0:  # each pair of blocks lies within one block of node 3
        assert covered[2] < blocks((1, 5))
        assert covered[12] < blocks((8, 13))
    else:
        assert covered[2] == blocks((1, 2), (12, 13))
        assert heads[11 - 1] == 3


@pytest.mark.parametrize("n", [3, 4])
def test_unrealistic_tree_of_pitler_kannan_marcus_2012(n: int) -> None:
    heads = SENTENCES[f"x-unrealistic-{n}"].heads
    expected = {n + 2: 0, n + 1: n + 2}
    for i in range(1, n + 1):
        expected |= {i: n + 1, 2 * n - i + 3: i}
    assert dict(enumerate(heads, start=1)) == expected
    assert belongs("WG1", heads)
    assert reference.inheritance_degree(heads) == n


def test_beans_of_kahane_nasr_rambow_1998() -> None:
    sentence = SENTENCES["en-beans"]
    forms = [row[1] for row in sentence.words]
    assert " ".join(forms) == "beans Fernando thought yesterday Milagro claims Carlos eats slowly"
    assert forms[sentence.heads[0] - 1] == "eats"
    assert not belongs("Pr", sentence.heads)
    assert belongs("Pr", (3, *sentence.heads[1:]))  # projective once beans is lifted to its linear governor, thought
