"""How good a parse is: attachment scores by the conventions of CoNLL 2018 and CoNLL-X, and where the errors are.

UAS is the share of words with the right head, LAS of those that also have the right relation, CLAS the same among
content words (its F1 over what both sides call content words). As in the shared task of 2018, relations of CoNLL-U are
compared without their subtypes (``nmod:poss`` is ``nmod``) and punctuation counts; as in that of 2006, relations of
CoNLL-X are compared whole, and the official scores are those without punctuation: words of Unicode punctuation alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.parser.counts import ClassScores, Ratio, Scores, percent
from nonproj.parser.significance import Difference, bootstrap
from nonproj.state import state_line, whole_number
from nonproj.treebank import Source, Treebank
from nonproj.treebank.reading import read_whole
from nonproj.trees import TreeClass, tree_classes
from nonproj.trees.profile import profile_trees

Convention = Literal["conllu", "conllx"]
STATE = "evaluation"
"""What its state is called."""

# The relations of content words, by the shared task of 2018.
_CORE = ("nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated", "advcl", "advmod")
_INNER = ("discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed", "flat", "compound", "list")
CONTENT = frozenset((*_CORE, *_INNER, "parataxis", "orphan", "goeswith", "reparandum", "root", "dep"))
CLASSES = "Pr,1EC,MH4,M0I,WG1,2-P"
# Arcs by length, the root apart: 1, 2, 3 to 6, 7 to 14, 15 and more.
_LENGTHS = ((1, 1), (2, 2), (3, 6), (7, 14), (15, None))


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """All that `evaluate` finds. ``str()`` gives the main scores in a line.

    ``right_heads``, ``right_arcs`` and ``words_of`` are counts by sentence, for `compare`. Evaluations of different
    sentences can be added, in any order; two are equal when their states are, in which sentences are not told apart.

    >>> from nonproj.treebank import example_treebank
    >>> gold = example_treebank()
    >>> evaluate(gold[40:], gold[40:]) + evaluate(gold[:40], gold[:40]) == evaluate(gold, gold)
    True
    """

    sentences: int
    convention: Convention
    all: Scores
    no_punctuation: Scores
    clas: Ratio
    exact_heads: int
    """How many trees have all heads right."""
    exact_arcs: int
    """How many trees have all heads and relations right."""
    non_projective: Ratio
    lengths: dict[str, Ratio]
    classes: list[ClassScores]
    right_heads: npt.NDArray[np.int64] = field(repr=False)
    right_arcs: npt.NDArray[np.int64] = field(repr=False)
    words_of: npt.NDArray[np.int64] = field(repr=False)

    @property
    def exact(self) -> float:
        """The share of trees with all heads right, in percent."""
        return percent(self.exact_heads, self.sentences)

    @property
    def exact_labeled(self) -> float:
        """The share of trees with all heads and relations right, in percent."""
        return percent(self.exact_arcs, self.sentences)

    def __add__(self, other: Evaluation) -> Evaluation:
        if not isinstance(other, Evaluation):
            return NotImplemented
        if self.convention != other.convention:
            raise NonprojError(
                f"evaluations by {self.convention} and by {other.convention} cannot be added: choose one convention"
            )
        if [cls.name for cls in self.classes] != [cls.name for cls in other.classes]:
            raise NonprojError("evaluations by different classes cannot be added: choose the same ones")
        return Evaluation(
            self.sentences + other.sentences,
            self.convention,
            self.all + other.all,
            self.no_punctuation + other.no_punctuation,
            self.clas + other.clas,
            self.exact_heads + other.exact_heads,
            self.exact_arcs + other.exact_arcs,
            self.non_projective + other.non_projective,
            {name: ratio + other.lengths[name] for name, ratio in self.lengths.items()},
            [one + two for one, two in zip(self.classes, other.classes, strict=True)],
            *(np.concatenate(both) for both in zip(self._by_sentence(), other._by_sentence(), strict=True)),
        )

    def __radd__(self, other: object) -> Evaluation:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        return self.to_state() == other.to_state() if isinstance(other, Evaluation) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _by_sentence(self) -> tuple[npt.NDArray[np.int64], ...]:
        return self.right_heads, self.right_arcs, self.words_of

    def without_sentences(self) -> Evaluation:
        """The same without the counts by sentence, which grow with the data: then there is no `compare`."""
        none = np.zeros(0, np.int64)
        return replace(self, right_heads=none, right_arcs=none, words_of=none)

    def to_state(self, system: str = "") -> str:
        """All the counts as one line of JSON, for `from_state`; those by sentence are left out."""
        content = {
            "system": system,
            "sentences": self.sentences,
            "convention": self.convention,
            "all": list(astuple(self.all)),
            "no_punctuation": list(astuple(self.no_punctuation)),
            "clas": list(astuple(self.clas)),
            "exact": [self.exact_heads, self.exact_arcs],
            "non_projective": list(astuple(self.non_projective)),
            "lengths": {name: list(astuple(ratio)) for name, ratio in self.lengths.items()},
            "classes": [
                [
                    c.name,
                    c.sentences_inside,
                    c.sentences_outside,
                    c.system_inside,
                    *astuple(c.inside),
                    *astuple(c.outside),
                ]
                for c in self.classes
            ],
        }
        return state_line(STATE, content)

    @staticmethod
    def from_state(content: dict[str, Any]) -> Evaluation:
        """The evaluation whose state was read; see `nonproj.state.states_in`."""

        def numbers(values: Any, count: int) -> list[int]:
            if not isinstance(values, list) or len(values) != count:
                raise NonprojError(f"expected {count} numbers, got {values!r}")
            return [whole_number(value) for value in values]

        try:
            if content["convention"] not in ("conllu", "conllx") or list(content["lengths"]) != _length_names():
                raise NonprojError("the convention or the lengths of arcs are not known to this nonproj")
            none = np.zeros(0, np.int64)
            classes = []
            for name, *counts in content["classes"]:
                c = numbers(counts, 9)
                classes.append(ClassScores(str(name), c[0], c[1], c[2], Scores(*c[3:6]), Scores(*c[6:9])))
            heads, arcs = numbers(content["exact"], 2)
            return Evaluation(
                whole_number(content["sentences"]),
                content["convention"],
                Scores(*numbers(content["all"], 3)),
                Scores(*numbers(content["no_punctuation"], 3)),
                Ratio(*numbers(content["clas"], 3)),
                heads,
                arcs,
                Ratio(*numbers(content["non_projective"], 3)),
                {name: Ratio(*numbers(counts, 3)) for name, counts in content["lengths"].items()},
                classes,
                *(none, none, none),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NonprojError(f"the state of an evaluation cannot be used: {error}") from None

    def __repr__(self) -> str:
        return f"<Evaluation of {self.sentences} sentences: UAS {self.all.uas:.2f}, LAS {self.all.las:.2f}>"

    def _repr_html_(self) -> str:
        from nonproj.draw.notebook import html  # a notebook's hook: drawing is a later room, met only when shown

        return html(self)

    def __str__(self) -> str:
        return (
            f"UAS {self.all.uas:.2f}  LAS {self.all.las:.2f}  CLAS {self.clas.f1:.2f}  "
            f"without punctuation UAS {self.no_punctuation.uas:.2f}  LAS {self.no_punctuation.las:.2f}"
        )

    def compare(self, other: Evaluation, *, samples: int = 10_000, seed: int = 1) -> list[Difference]:
        """How much better the other system is on the same gold standard, by UAS and LAS, and whether by chance.

        By the paired bootstrap: ``samples`` times, as many sentences as there are are drawn with replacement.

        >>> from nonproj.treebank import example_treebank
        >>> perfect = evaluate(example_treebank(), example_treebank())
        >>> print(perfect.compare(perfect, samples=100)[0])
        UAS: 100.00 and 100.00, +0.00 [+0.00, +0.00], p = 1.000
        """
        for evaluation in (self, other):
            if len(evaluation.words_of) != evaluation.sentences:
                raise NonprojError(
                    "an evaluation that comes from a state has no counts by sentence: compare what was evaluated here"
                )
        if not np.array_equal(self.words_of, other.words_of):
            raise NonprojError(
                "the two evaluations are of different sentences: compare systems on the same gold standard"
            )
        if samples < 1:
            raise NonprojError(f"samples must be at least 1, not {samples}")
        return [
            bootstrap("UAS", self.right_heads, other.right_heads, self.words_of, samples, seed),
            bootstrap("LAS", self.right_arcs, other.right_arcs, self.words_of, samples, seed),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as numbers and strings, for JSON."""
        return {
            "sentences": self.sentences,
            "convention": self.convention,
            "all": self.all.to_dict(),
            "no_punctuation": self.no_punctuation.to_dict(),
            "clas": self.clas.to_dict(),
            "exact": self.exact,
            "exact_labeled": self.exact_labeled,
            "non_projective": self.non_projective.to_dict(),
            "lengths": {name: ratio.to_dict() for name, ratio in self.lengths.items()},
            "classes": [scores.to_dict() for scores in self.classes],
        }


def evaluate(
    gold: Treebank | Source,
    system: Treebank | Source,
    *,
    convention: Convention | None = None,
    classes: str | Iterable[str | TreeClass] = CLASSES,
) -> Evaluation:
    """Compare a parsed treebank with the gold standard, word by word; both must have the same words.

    For an analysis of raw text, whose words may be others, see `evaluate_columns`. ``convention`` is by default that of
    the gold standard's format. ``classes`` are the classes of trees to tell apart.

    >>> from nonproj.treebank import example_treebank
    >>> result = evaluate(example_treebank(), example_treebank())
    >>> result.all.uas, result.clas.f1, result.exact, result.non_projective.recall
    (100.0, 100.0, 100.0, 100.0)
    """
    gold, system = _treebank(gold), _treebank(system)
    _must_match(gold, system)
    if convention not in (None, "conllu", "conllx"):
        raise NonprojError(f"convention must be 'conllu' or 'conllx', not {convention!r}")
    chosen: Convention = convention or ("conllx" if gold.format == "conllx" else "conllu")
    gold_relations, system_relations = (_relations(treebank, chosen) for treebank in (gold, system))
    is_head = gold.heads == system.heads
    is_arc = is_head & (gold_relations == system_relations)
    is_counted = np.array([not is_punctuation(form) for form in gold.column("form")], bool)
    starts = gold.offsets[:-1]
    sentence_of = np.repeat(np.arange(len(gold)), np.diff(gold.offsets))
    gold_content, system_content = (np.isin(r, list(CONTENT)) for r in (gold_relations, system_relations))
    right_heads, right_arcs = (np.add.reduceat(right.astype(np.int64), starts) for right in (is_head, is_arc))
    words_of = np.diff(gold.offsets)
    return Evaluation(
        sentences=len(gold),
        convention=chosen,
        all=_scores(is_head, is_arc),
        no_punctuation=_scores(is_head[is_counted], is_arc[is_counted]),
        clas=Ratio(int((is_arc & gold_content).sum()), int(system_content.sum()), int(gold_content.sum())),
        exact_heads=int((right_heads == words_of).sum()),
        exact_arcs=int((right_arcs == words_of).sum()),
        non_projective=_non_projective(gold, system, is_head),
        lengths=_by_length(gold, system, is_head, sentence_of),
        classes=_by_class(gold, system, is_head, is_arc, sentence_of, classes),
        right_heads=right_heads,
        right_arcs=right_arcs,
        words_of=words_of,
    )


@lru_cache(maxsize=65536)
def is_punctuation(form: str) -> bool:
    """Whether a word is made of Unicode punctuation alone, as CoNLL-X asks.

    >>> [is_punctuation(form) for form in ("...", "«", "$", "e-mail")]
    [True, True, False, False]
    """
    return bool(form) and all(unicodedata.category(letter).startswith("P") for letter in form)


def non_projective_words(heads: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """The words of one tree whose arcs are not projective: not all that lies between word and head is below the head.

    >>> non_projective_words(np.array([3, 4, 0, 3])).tolist()
    [False, True, False, False]
    """
    words = len(heads)
    above = np.zeros((words + 1, words + 1), bool)  # above[a, w]: a is w or an ancestor of it
    for word in range(1, words + 1):
        at = word
        while at != 0:
            above[at, word] = True
            at = int(heads[at - 1])
    above[0] = True
    result = np.zeros(words, bool)
    for word in range(1, words + 1):
        head = int(heads[word - 1])
        low, high = min(head, word), max(head, word)
        result[word - 1] = not above[head, low + 1 : high].all()
    return result


def _treebank(source: Treebank | Source) -> Treebank:
    return source if isinstance(source, Treebank) else read_whole(source)


def has_same_words(gold: Treebank, system: Treebank) -> bool:
    """Whether two treebanks are the same sentences of the same words."""
    return np.array_equal(gold.offsets, system.offsets) and gold.column("form") == system.column("form")


def _must_match(gold: Treebank, system: Treebank) -> None:
    if len(gold) == 0:
        raise NonprojError(f"{gold.name}: nothing to evaluate on: there are no sentences")
    for treebank in (gold, system):
        if (treebank.heads < 0).any():
            raise NonprojError(f"{treebank.name}: some sentences have no heads: parse them first")
    if len(gold) != len(system) or not np.array_equal(gold.offsets, system.offsets):
        for number, (a, b) in enumerate(zip(gold, system, strict=False), 1):
            if len(a) != len(b):
                raise NonprojError(
                    f"sentence {number} ({a.sent_id}) has {len(a)} words in {gold.name} and {len(b)} in {system.name}"
                )
        raise NonprojError(f"{gold.name} has {len(gold)} sentences and {system.name} has {len(system)}")
    if not has_same_words(gold, system):
        gold_forms, system_forms = gold.column("form"), system.column("form")
        place = next(i for i, (a, b) in enumerate(zip(gold_forms, system_forms, strict=True)) if a != b)
        sentence = int(np.searchsorted(gold.offsets, place, side="right")) - 1
        raise NonprojError(
            f"sentence {sentence + 1} ({gold[sentence].sent_id}): the word is {gold_forms[place]!r} in {gold.name} and "
            f"{system_forms[place]!r} in {system.name}"
        )


def _relations(treebank: Treebank, convention: Convention) -> npt.NDArray[Any]:
    relations = treebank.column("deprel")
    return np.array([r.split(":")[0] for r in relations] if convention == "conllu" else relations, dtype=object)


def _scores(is_head: npt.NDArray[np.bool_], is_arc: npt.NDArray[np.bool_]) -> Scores:
    return Scores(len(is_head), int(is_head.sum()), int(is_arc.sum()))


def _non_projective(gold: Treebank, system: Treebank, is_head: npt.NDArray[np.bool_]) -> Ratio:
    of_gold, of_system = _non_projective_arcs(gold), _non_projective_arcs(system)
    # An arc that both trees hold may cross others in one of them only: it is then right where it is asked for.
    right = int((of_gold & of_system & is_head).sum())
    return Ratio(right, int(of_system.sum()), int(of_gold.sum()))


def _non_projective_arcs(treebank: Treebank) -> npt.NDArray[np.bool_]:
    result = np.zeros(len(treebank.heads), bool)
    is_projective = tree_classes("Pr")[0].holds(_profiles(treebank, tree_classes("Pr")))
    for sentence in np.flatnonzero(is_projective != 1):
        begin, end = treebank.offsets[sentence : sentence + 2]
        result[begin:end] = non_projective_words(treebank.heads[begin:end])
    return result


def _length_names() -> list[str]:
    return ["root"] + [str(a) if a == b else f"{a}+" if b is None else f"{a}-{b}" for a, b in _LENGTHS]


def _by_length(
    gold: Treebank, system: Treebank, is_head: npt.NDArray[np.bool_], sentence_of: npt.NDArray[np.int64]
) -> dict[str, Ratio]:
    position = np.arange(len(gold.heads)) - gold.offsets[sentence_of] + 1

    def kinds(heads: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        length = np.abs(heads - position)
        kind = np.searchsorted([low for low, _ in _LENGTHS], length, side="right")
        return np.where(heads == 0, 0, kind)

    of_gold, of_system = kinds(gold.heads), kinds(system.heads)
    return {
        name: Ratio(int((is_head & (of_gold == i)).sum()), int((of_system == i).sum()), int((of_gold == i).sum()))
        for i, name in enumerate(_length_names())
    }


def _profiles(treebank: Treebank, classes: list[TreeClass]) -> Any:
    properties = sorted({name for cls in classes for name in cls.properties})
    return profile_trees(treebank.heads, treebank.offsets, wanted=properties)


def _by_class(
    gold: Treebank,
    system: Treebank,
    is_head: npt.NDArray[np.bool_],
    is_arc: npt.NDArray[np.bool_],
    sentence_of: npt.NDArray[np.int64],
    names: str | Iterable[str | TreeClass],
) -> list[ClassScores]:
    classes = tree_classes(names)
    of_gold, of_system = _profiles(gold, classes), _profiles(system, classes)
    found = []
    for cls in classes:
        inside = cls.holds(of_gold) == 1
        word_inside = inside[sentence_of]
        found.append(
            ClassScores(
                cls.name,
                int(inside.sum()),
                int((~inside).sum()),
                int((cls.holds(of_system) == 1).sum()),
                _scores(is_head[word_inside], is_arc[word_inside]),
                _scores(is_head[~word_inside], is_arc[~word_inside]),
            )
        )
    return found
