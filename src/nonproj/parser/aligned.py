"""How good an analysis of raw text is, column by column, when it may be cut into other words: CoNLL 2018's alignment.

Both files are taken as one string of characters without spaces, and every token is a span of it. Tokens and sentences
are right when a span of the gold standard is the same. Words are aligned where their spans are the same; where either
side has a multiword token, the words of the whole stretch that multiword tokens cover are aligned by the longest common
subsequence of their forms, in small letters. All other scores count, among the words of both sides, those that are
aligned and agree: precision is over the words of the system, recall over those of the gold standard.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nonproj.errors import NonprojError
from nonproj.parser.counts import Ratio
from nonproj.parser.evaluation import CONTENT
from nonproj.treebank import Source, Treebank
from nonproj.treebank.reading import read_whole

NAMES = (
    *("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"),
    *("UAS", "LAS", "CLAS", "MLAS", "BLEX"),
)
FUNCTIONAL = frozenset(("aux", "cop", "mark", "det", "clf", "case", "cc"))
UNIVERSAL_FEATURES = frozenset(
    (
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case"),
        *("Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person"),
        "Polite",
    )
)

Span = tuple[int, int]


@dataclass(frozen=True)
class ColumnScores:
    """Precision, recall and F1 of each column, by the names of the shared task of 2018.

    ``print`` shows F1; index it by a name of `NAMES`.
    """

    ratios: Mapping[str, Ratio]

    def __getitem__(self, name: str) -> Ratio:
        return self.ratios[name]

    def __str__(self) -> str:
        return "  ".join(f"{name} {ratio.f1:.2f}" for name, ratio in self.ratios.items())

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Everything as numbers, for JSON."""
        return {
            name: {"precision": each.precision, "recall": each.recall, "f1": each.f1, **vars(each)}
            for name, each in self.ratios.items()
        }


@dataclass
class _Word:
    span: Span
    is_multiword: bool
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    deprel: str
    head: int  # the number of the word among all words, -1 for the root
    functional: list[int] = field(default_factory=list)  # its dependents that are function words

    @property
    def is_content(self) -> bool:
        return self.deprel in CONTENT


@dataclass
class _Text:
    """A treebank as the alignment sees it."""

    characters: str
    tokens: list[Span]
    sentences: list[Span]
    words: list[_Word]


def evaluate_columns(gold: Treebank | Source, system: Treebank | Source) -> ColumnScores:
    """Compare an analysis of raw text with the gold standard by CoNLL 2018's definitions; the words may differ.

    The characters of both, without spaces, must be the same.

    >>> from nonproj.treebank import example_treebank
    >>> evaluate_columns(example_treebank(), example_treebank())["MLAS"].f1
    100.0
    """
    standard, other = (each if isinstance(each, Treebank) else read_whole(each) for each in (gold, system))
    left, right = _text_of(standard), _text_of(other)
    _must_be_the_same_text(left.characters, right.characters, f"{standard.name} and {other.name}")
    pairs = dict(align(left.words, right.words))  # gold words to the system's
    back = {theirs: ours for ours, theirs in pairs.items()}

    def ratio(key: Callable[[_Word, _Word, Callable[[int], Hashable]], Hashable], content: bool = False) -> Ratio:
        """Count pairs with the same key; key(word, gold word, place of another word in the gold standard)."""
        right_ones = 0
        for ours, theirs in pairs.items():
            word = left.words[ours]
            if content and not word.is_content:
                continue
            found = right.words[theirs]
            right_ones += key(word, word, lambda i: i) == key(found, word, lambda i: back.get(i, "unaligned"))
        counts = (sum(not content or word.is_content for word in text.words) for text in (right, left))
        return Ratio(right_ones, *counts)

    def arc(word: _Word, at: Callable[[int], Hashable]) -> tuple[Hashable, ...]:
        return (-1 if word.head < 0 else at(word.head), word.deprel)

    def lemma(word: _Word, gold_word: _Word) -> str:
        return "_" if gold_word.lemma == "_" else word.lemma

    def functional(word: _Word, of: _Text, at: Callable[[int], Hashable]) -> tuple[Hashable, ...]:
        children = ((at(i), of.words[i]) for i in word.functional)
        return tuple((place, child.deprel, child.upos, child.feats) for place, child in children)

    def morphology(word: _Word, gold_word: _Word, at: Callable[[int], Hashable]) -> Hashable:
        text = left if word is gold_word else right
        return (*arc(word, at), word.upos, word.feats, functional(word, text, at))

    return ColumnScores(
        {
            "Tokens": _same_spans(left.tokens, right.tokens),
            "Sentences": _same_spans(left.sentences, right.sentences),
            "Words": Ratio(len(pairs), len(right.words), len(left.words)),
            "UPOS": ratio(lambda word, gold_word, at: word.upos),
            "XPOS": ratio(lambda word, gold_word, at: word.xpos),
            "UFeats": ratio(lambda word, gold_word, at: word.feats),
            "AllTags": ratio(lambda word, gold_word, at: (word.upos, word.xpos, word.feats)),
            "Lemmas": ratio(lambda word, gold_word, at: lemma(word, gold_word)),
            "UAS": ratio(lambda word, gold_word, at: arc(word, at)[0]),
            "LAS": ratio(lambda word, gold_word, at: arc(word, at)),
            "CLAS": ratio(lambda word, gold_word, at: arc(word, at), content=True),
            "MLAS": ratio(morphology, content=True),
            "BLEX": ratio(lambda word, gold_word, at: (*arc(word, at), lemma(word, gold_word)), content=True),
        }
    )


def align(gold: list[Any], system: list[Any]) -> Iterator[tuple[int, int]]:
    """The pairs of words that stand for each other, by their spans, ``is_multiword`` and forms."""
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g].is_multiword or system[s].is_multiword:
            (g, s), begin = _multiword_stretch(gold, system, g, s), (g, s)
            begin = _first_inside(gold, system, *begin)
            forms = [word.form.lower() for word in gold[begin[0] : g]]
            other = [word.form.lower() for word in system[begin[1] : s]]
            yield from ((begin[0] + i, begin[1] + j) for i, j in _common_subsequence(forms, other))
        elif gold[g].span == system[s].span:
            yield g, s
            g, s = g + 1, s + 1
        elif gold[g].span[0] <= system[s].span[0]:
            g += 1
        else:
            s += 1


def _first_inside(gold: list[Any], system: list[Any], g: int, s: int) -> tuple[int, int]:
    """Where a stretch begins: a word before the multiword token on the other side is no part of it."""
    if gold[g].is_multiword:
        return g, s + (not system[s].is_multiword and system[s].span[0] < gold[g].span[0])
    return g + (gold[g].span[0] < system[s].span[0]), s


def _multiword_stretch(gold: list[Any], system: list[Any], g: int, s: int) -> tuple[int, int]:
    """Where both sides go on after the stretch of characters that the multiword tokens from here on cover."""
    end = gold[g].span[1] if gold[g].is_multiword else system[s].span[1]
    g, s = _first_inside(gold, system, g, s)

    def is_within(words: list[Any], i: int) -> bool:
        if i >= len(words):
            return False
        first, last = words[i].span
        return bool(first < end if words[i].is_multiword else last <= end)

    while is_within(gold, g) or is_within(system, s):
        if g < len(gold) and (s >= len(system) or gold[g].span[0] <= system[s].span[0]):
            word, g = gold[g], g + 1
        else:
            word, s = system[s], s + 1
        if word.is_multiword:
            end = max(end, word.span[1])
    return g, s


def _common_subsequence(first: list[str], second: list[str]) -> Iterator[tuple[int, int]]:
    """A longest common subsequence; where several are, the one that pairs equal words as early as they come."""
    length = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in reversed(range(len(first))):
        for j in reversed(range(len(second))):
            paired = 1 + length[i + 1][j + 1] if first[i] == second[j] else 0
            length[i][j] = max(paired, length[i + 1][j], length[i][j + 1])
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif length[i][j] == length[i + 1][j]:
            i += 1
        else:
            j += 1


def _same_spans(gold: list[Span], system: list[Span]) -> Ratio:
    return Ratio(len(set(gold) & set(system)), len(system), len(gold))


def _text_of(treebank: Treebank) -> _Text:
    if len(treebank) == 0:
        raise NonprojError(f"{treebank.name}: nothing to evaluate: there are no sentences")
    pieces: list[str] = []
    text = _Text("", [], [], [])
    place = 0
    for sentence in treebank:
        if any(head < 0 for head in sentence.heads):
            raise NonprojError(f"{treebank.name}: sentence {sentence.sent_id} has no heads: parse it first")
        first, begin, covered, span = len(text.words), place, 0, (0, 0)
        for row in sentence.rows:
            number, form = row[0], row[1]
            if "." in number:
                continue
            is_token = "-" in number or int(number) > covered
            if is_token:
                letters = "".join(letter for letter in form if unicodedata.category(letter) != "Zs")
                if not letters:
                    raise NonprojError(f"{treebank.name}: sentence {sentence.sent_id} has a token that is all spaces")
                pieces.append(letters)
                span = (place, place + len(letters))
                place += len(letters)
                text.tokens.append(span)
            if "-" in number:
                covered = int(number.split("-")[1])
                continue
            text.words.append(_word(row, span, int(number) <= covered, first))
        text.sentences.append((begin, place))
        for i in range(first, len(text.words)):
            word = text.words[i]
            if word.deprel in FUNCTIONAL and word.head >= 0:
                text.words[word.head].functional.append(i)
    text.characters = "".join(pieces)
    return text


def _word(row: list[str], span: Span, is_multiword: bool, first: int) -> _Word:
    _, form, lemma, upos, xpos, feats, head, deprel = row[:8]
    universal = sorted(each for each in feats.split("|") if each.split("=")[0] in UNIVERSAL_FEATURES)
    at = first + int(head) - 1 if head != "0" else -1
    return _Word(span, is_multiword, form, lemma, upos, xpos, "|".join(universal), deprel.split(":")[0], at)


def _must_be_the_same_text(gold: str, system: str, names: str) -> None:
    if gold == system:
        return
    place = next((i for i, (a, b) in enumerate(zip(gold, system, strict=False)) if a != b), min(len(gold), len(system)))
    raise NonprojError(
        f"{names} are not analyses of the same text: after {gold[max(0, place - 20) : place]!r} comes "
        f"{gold[place : place + 20]!r} in the gold standard and {system[place : place + 20]!r} in the system's file"
    )
