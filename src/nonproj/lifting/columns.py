"""Where the categories of words come from: columns of a treebank, joined by ``+``.

The first column is the name of a category, the others are its features:

    upos, xpos, lemma       the tag or base form; as a feature ``upos``, ``xpos``, ``lemma``
    deprel                  the relation; as a feature ``rel``
    feats                   every morphological feature that a word has, as in ``Case:Acc``
    Case (or any other)     that morphological feature alone

``both`` is another name of ``upos+deprel``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from nonproj.errors import NonprojError
from nonproj.lifting.category import Category
from nonproj.lifting.notation import Scanner
from nonproj.treebank import Sentence

Source: TypeAlias = str
FEATURES = {"upos": "upos", "xpos": "xpos", "lemma": "lemma", "deprel": "rel"}
"""The columns that stand alone, with their names as features."""


def columns_of(source: Source) -> list[str]:
    """The columns that a source names.

    >>> columns_of("both"), columns_of("upos+Case+lemma")
    (['upos', 'deprel'], ['upos', 'Case', 'lemma'])
    """
    columns = ["upos", "deprel"] if source == "both" else source.split("+")
    named = [column for column in columns if column not in FEATURES and column != "feats"]
    if columns[0] not in FEATURES or not all(column[:1].isupper() for column in named):
        raise NonprojError(
            "categories come from upos, xpos, deprel or lemma, and after '+' from more of them, from feats or "
            f"from one of its features such as Case; or from both, which is upos+deprel; not from {source!r}"
        )
    if len(set(columns)) < len(columns):
        raise NonprojError(f"categories come from different columns, not from {source!r}")
    return columns


def read_columns(scanner: Scanner) -> Source:
    """Read columns where a scanner stands, such as ``upos+Case``."""
    at = scanner.at
    source = scanner.name("columns such as upos or upos+Case")
    while scanner.take("+"):
        source += "+" + scanner.name("one more column")
    try:
        columns_of(source)
    except NonprojError as error:
        raise scanner.error(str(error), at) from None
    return source


def check_columns(source: Source, categories: Iterable[Category], morphology: Iterable[str]) -> None:
    """Refuse columns where no word of a treebank has anything; ``morphology`` is what its column of features has."""
    name, *more = columns_of(source)
    seen = list(categories)
    if seen and all(category.name == "_" for category in seen):
        raise NonprojError(f"the treebank has no {name}: every word has '_'; take categories from another column")
    features = {pair for category in seen for pair in category.features}
    for column in more:
        known = {value for feature, value in features if feature == FEATURES.get(column, column)}
        if column in FEATURES and known == {"_"}:
            raise NonprojError(f"the treebank has no {column}: every word has '_'; leave it out of the categories")
        if column not in FEATURES and column != "feats" and not known:
            present = sorted({feature for written in morphology for feature in _morphology(written)})
            has = f"those of the treebank are {', '.join(present)}" if present else "the treebank has no features"
            raise NonprojError(f"no word has the feature {column}: {has}")


def check_features(source: Source, patterns: Iterable[Category]) -> None:
    """Refuse a feature that words have never, by the columns that their categories come from."""
    columns = columns_of(source)[1:]
    if "feats" in columns:
        return
    known = [FEATURES.get(column, column) for column in columns]
    for pattern in patterns:
        for feature, _ in pattern.features:
            if feature not in known:
                has = f"have the features {', '.join(known)}" if known else "have no features"
                hint = "; the relation is the feature 'rel' of upos+deprel" if feature in ("rel", "deprel") else ""
                raise NonprojError(f"{pattern} asks for {feature!r}, but categories from {source} {has}{hint}")


def sentence_categories(sentence: Sentence, source: Source) -> list[Category]:
    """The categories of the words of a sentence.

    >>> sentence = Sentence.parse("1\\tYes\\tyes\\tINTJ\\t_\\tPolarity=Pos\\t0\\troot\\t_\\t_")
    >>> [str(sentence_categories(sentence, source)[0]) for source in ("upos", "deprel", "both", "upos+feats")]
    ['INTJ', 'root', 'INTJ[rel:root]', 'INTJ[Polarity:Pos]']
    """
    name, *more = columns_of(source)
    names = sentence.column(name)
    if not more:
        return [Category(name) for name in names]
    features: list[dict[str, str]] = [{} for _ in names]
    morphology = [_morphology(written) for written in sentence.feats] if set(more) - set(FEATURES) else []
    for column in more:
        if column in FEATURES:
            for found, value in zip(features, sentence.column(column), strict=True):
                found[FEATURES[column]] = value
        else:
            for found, known in zip(features, morphology, strict=True):
                found.update(known if column == "feats" else {column: known[column]} if column in known else {})
    return [Category(name, tuple(found.items())) for name, found in zip(names, features, strict=True)]


def _morphology(written: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in written.split("|") if "=" in part)
    return {name: value for name, _, value in pairs if name and value}
