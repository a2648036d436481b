"""Causes: which constructions make trees fall outside a class.

For every tree outside a class one smallest violation is looked at: arcs that no tree of the class holds together, those
that `TreeClass.explain` tells. A tree counts once for every relation, pair of tags, direction and length among them,
and once for their pattern: the arcs with their words numbered from left to right.

A relation in the violation need not be to blame: without that word the tree may still be outside. For punctuation it is
counted how many of the trees outside are inside once the marks are taken out, as `Filter` does.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.report.punctuation import PunctuationFaults, punctuation_faults
from nonproj.report.table import Column, Table
from nonproj.report.tables import percent
from nonproj.state import state_line, whole_number
from nonproj.treebank import Filter, Skipped, Source, Treebank, sources
from nonproj.treebank.inputs import label
from nonproj.treebank.punctuation import heads_without
from nonproj.treebank.reading import TreebankStream, ahead, stream_treebanks
from nonproj.treebank.words import Words
from nonproj.trees import TreeClass, profile_trees, tree_classes
from nonproj.trees.distinct import distinct_rows

Numbers: TypeAlias = npt.NDArray[np.int64]

KINDS = ("relations", "tags", "directions", "lengths", "reasons", "patterns")
STATE = "causes"
"""What their state is called."""
PUNCTUATION = ("punct-causes-nonproj", "punct-is-nonproj", "punctuation alone")
_EXAMPLES = 3  # kept of each pattern
_PLOTTED = 25  # rows
_SAID = 2  # classes whose numbers are said in words too
_PORTION = 400_000  # words looked at together


class Example(NamedTuple):
    """A sentence, where it is, and the words that the arcs in question lead to."""

    file: str
    line: int
    sent_id: str
    words: tuple[int, ...]

    @staticmethod
    def from_state(content: Any) -> Example:
        """The example that a list holds."""
        file, line, sent_id, words = content
        return Example(str(file), whole_number(line), str(sent_id), tuple(whole_number(word) for word in words))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.sent_id}, words {', '.join(map(str, self.words))}"


@dataclass
class ClassCauses:
    """What makes trees fall outside one class: how many trees have each relation, pair of tags ... in the violation."""

    class_name: str
    outside: int = 0
    """How many trees are outside the class."""
    inside_without_punctuation: int = 0
    """How many of them are inside once their punctuation marks are taken out."""
    relations: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    """Head and dependent, such as ``VERB > NOUN``."""
    directions: Counter[str] = field(default_factory=Counter)
    """Where the dependents stand, seen from their heads."""
    lengths: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    """Kinds of violations, as in `Explanation.reason`."""
    patterns: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[Example]] = field(default_factory=dict, repr=False)
    """Some sentences for each pattern."""

    def add(self, other: ClassCauses) -> None:
        """Take over what another part of the treebank has."""
        self.outside += other.outside
        self.inside_without_punctuation += other.inside_without_punctuation
        for kind in KINDS:
            getattr(self, kind).update(getattr(other, kind))
        for key, examples in other.examples.items():
            own = self.examples.get(key)
            self.examples[key] = _first([*own, *examples]) if own else examples

    def to_dict(self) -> dict[str, object]:
        """Counts in falling order, and the examples."""
        counts = {kind: dict(_ordered(getattr(self, kind))) for kind in KINDS}
        examples = {key: [example._asdict() for example in self.examples[key]] for key, _ in _ordered(self.patterns)}
        return {**self._totals, **counts, "examples": examples}

    @property
    def _totals(self) -> dict[str, object]:
        return {
            "class": self.class_name,
            "outside": self.outside,
            "inside_without_punctuation": self.inside_without_punctuation,
        }

    def to_state(self) -> dict[str, Any]:
        """All the counts in a fixed order, for `Causes.to_state`."""
        counts = {kind: dict(sorted(getattr(self, kind).items())) for kind in KINDS}
        examples = {key: [list(each) for each in self.examples[key]] for key in sorted(self.examples)}
        return {**self._totals, **counts, "examples": examples}

    @staticmethod
    def from_state(content: dict[str, Any]) -> ClassCauses:
        """What `to_state` gave."""
        counts = {
            kind: Counter({str(name): whole_number(times, 1) for name, times in content[kind].items()})
            for kind in KINDS
        }
        examples = {str(key): [Example.from_state(each) for each in some] for key, some in content["examples"].items()}
        name = tree_classes([str(content["class"])])[0].name
        outside, mended = (whole_number(content[each]) for each in ("outside", "inside_without_punctuation"))
        return ClassCauses(name, outside, mended, **counts, examples=examples)


def _first(examples: list[Example]) -> list[Example]:
    """The examples that are kept, whatever the order in which treebanks are added up."""
    return sorted(dict.fromkeys(examples))[:_EXAMPLES]


@dataclass
class Causes:
    """The causes of one or more treebanks. They are added with ``+``, in any order."""

    trees: int
    classes: dict[str, ClassCauses]
    punctuation: Counter[str] = field(default_factory=Counter)
    """Trees with marks that cause non-projectivity, that are attached so, and that have no other crossings."""
    marks: list[Example] = field(default_factory=list, repr=False)
    """Some sentences with such marks."""
    skipped: list[Skipped] = field(default_factory=list, repr=False)
    empty: list[str] = field(default_factory=list, repr=False)
    only: str = ""
    """Which sentences were looked at, in words; nothing for all."""

    def __add__(self, other: Causes) -> Causes:
        if not isinstance(other, Causes):
            return NotImplemented
        if list(self.classes) != list(other.classes):
            raise NonprojError(f"causes for different classes cannot be added: {[*self.classes]}, {[*other.classes]}")
        if self.only != other.only:
            raise NonprojError(f"causes of different sentences cannot be added: {self.only!r} and {other.only!r}")
        both = Causes(0, {name: ClassCauses(name) for name in self.classes}, only=self.only)
        both.add(self)
        both.add(other)
        return both

    def __radd__(self, other: object) -> Causes:
        return self if other == 0 else NotImplemented  # so that sum() works

    def add(self, other: Causes) -> None:
        """Take over what another part of the treebank has, which is quicker than ``+`` where there are many."""
        self.trees += other.trees
        for name, own in self.classes.items():
            own.add(other.classes[name])
        self.punctuation.update(other.punctuation)
        self.marks = _first(self.marks + other.marks)
        self.skipped = self.skipped + other.skipped
        self.empty = self.empty + other.empty

    def table(self, kind: str = "relations", most: int = 20) -> Table:
        """A table of relations, tags, directions, lengths or reasons by class, or of the patterns with an example."""
        if kind not in KINDS:
            raise NonprojError(f"no table {kind!r}; there are: {', '.join(KINDS)}")
        return self._patterns(most) if kind == "patterns" else self._shares(kind, most)

    @property
    def _is_without_punctuation(self) -> bool:
        return self.only.startswith(str(Filter(no_punctuation=True)))

    def _shares(self, kind: str, most: int) -> Table:
        total: Counter[str] = sum((getattr(each, kind) for each in self.classes.values()), Counter())
        found = [each for each in self.classes.values() if each.outside]
        columns = [Column(kind, "trees outside", align_left=True)]
        columns += [Column(each.class_name, str(each.outside)) for each in found]
        names = [name for name, _ in _ordered(total)]
        rows = [
            [name, *(percent(getattr(each, kind)[name] / each.outside) for each in found)]
            for name in (sorted(names, key=_length_order) if kind == "lengths" else names)[: most or None]
        ]
        left_out = len(total) - len(rows)
        footer = int(bool(found) and not self._is_without_punctuation)
        if footer:
            mended = (percent(each.inside_without_punctuation / each.outside) for each in found)
            rows.append(["inside without punctuation", *mended])
        caption = f"Trees outside each class with such {kind} in the violation, in percent of the trees outside."
        return Table(columns, rows, caption=caption, note=self.note(left_out, kind), footer_rows=footer)

    def _patterns(self, most: int) -> Table:
        columns = [Column("class", align_left=True), Column("trees"), Column("%"), Column("pattern", align_left=True)]
        rows = []
        for each in self.classes.values():
            for pattern, count in _ordered(each.patterns)[: most or None]:
                example = str(each.examples[pattern][0]) if pattern in each.examples else ""
                share = percent(count / each.outside)
                rows.append([each.class_name, str(count), share, pattern, example])
        columns.append(Column("such as", align_left=True))
        caption = "Patterns that take trees out of the class, in percent of the trees outside; 0 is the root."
        return Table(columns, rows, caption=caption, note=self.note(0, "patterns"))

    def note(self, left_out: int, kind: str) -> str:
        """What is to be said below a table."""
        notes = [f"{left_out} more {kind}."] if left_out > 0 else []
        mended = [
            f"{each.inside_without_punctuation} of the {each.outside} trees outside {each.class_name}"
            for each in self.classes.values()
            if each.outside and not self._is_without_punctuation
        ]
        if 0 < len(mended) <= _SAID:
            notes.append(f"Without punctuation {' and '.join(mended)} would be inside.")
        if self.punctuation:
            found = [self.punctuation[name] for name in PUNCTUATION]
            notes.append(
                f"Punctuation: in {found[0]} trees it causes non-projectivity, in {found[1]} it is attached "
                f"non-projectively (as UD's validator has it); {found[2]} trees are non-projective by it alone."
            )
        return " ".join(notes)

    def to_dict(self) -> dict[str, object]:
        """The fixed JSON shape."""
        return {
            "trees": self.trees,
            "punctuation": {name: self.punctuation[name] for name in PUNCTUATION},
            "classes": [each.to_dict() for each in self.classes.values()],
        }

    def to_state(self) -> str:
        """All the counts as one line of JSON, for `from_state`; of sentences left out their text is not kept."""
        content = {
            "trees": self.trees,
            "only": self.only,
            "punctuation": {name: self.punctuation[name] for name in PUNCTUATION},
            "marks": [list(each) for each in self.marks],
            "classes": [each.to_state() for each in self.classes.values()],
            "skipped": sorted([each.file, each.line, each.sent_id, each.message] for each in self.skipped),
            "empty": sorted(self.empty),
        }
        return state_line(STATE, content)

    @staticmethod
    def from_state(content: dict[str, Any]) -> Causes:
        """The causes whose state was read; see `nonproj.state.states_in`.

        >>> from nonproj.state import states_in
        >>> from nonproj.treebank import example_treebank
        >>> found = causes(example_treebank(), "Pr WG1")
        >>> ((_, content),) = states_in(found.to_state().encode(), "a.state")
        >>> Causes.from_state(content) == found
        True
        """
        try:
            found = [ClassCauses.from_state(each) for each in content["classes"]]
            skipped = [
                Skipped(str(file), whole_number(line), str(sent_id), str(message), b"")
                for file, line, sent_id, message in content["skipped"]
            ]
            punctuation = {name: whole_number(content["punctuation"][name]) for name in PUNCTUATION}
            return Causes(
                whole_number(content["trees"]),
                {each.class_name: each for each in found},
                Counter({name: times for name, times in punctuation.items() if times}),
                [Example.from_state(each) for each in content["marks"]],
                skipped,
                [str(message) for message in content["empty"]],
                str(content["only"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NonprojError(f"the state of causes cannot be used: {error}") from None

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def plot(self, path: str, kind: str = "relations") -> None:
        """Draw the shares of a table as a picture, classes across and the commonest causes down."""
        from nonproj.report.plot import plot_shares

        title = f"{kind} in the violations, % of the trees outside each class"
        table = self.table(kind, _PLOTTED)
        plot_shares(replace(table, rows=table.rows[: len(table.rows) - table.footer_rows]), title, path)

    def __str__(self) -> str:
        return self.table().to_text()


def _ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _length_order(name: str) -> int:
    return int(name.split("-")[0].rstrip("+") or 0)


def causes(
    data: Treebank | Source | Iterable[Treebank | Source],
    classes: str | Iterable[str | TreeClass] = "all",
    *,
    only: Filter | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    threads: int = 0,
) -> Causes:
    """Find which relations, tags, directions, lengths and patterns make trees fall outside classes.

    Files are read in portions, in memory that does not grow with them. The results for several treebanks are added
    with ``+``.

    >>> from nonproj.treebank import example_treebank
    >>> found = causes(example_treebank(), "Pr WG1")
    >>> found.classes["WG1"].relations.most_common(1)
    [('dep', 9)]
    >>> print(found.classes["Pr"].examples["3 -obj-> 1, 0 -root-> 2"][0].sent_id)
    en-beans
    """
    if threads < 0:
        raise NonprojError(f"threads is {threads}, expected 0 (one for every processor) or more")
    threads = threads or processors()
    chosen = tree_classes(classes)
    given: list[Any] = list(data) if isinstance(data, (list, tuple)) else [cast("Treebank | Source", data)]
    treebanks = [part for part in given if isinstance(part, Treebank)]
    said = "" if only is None or only.keeps_all else str(only)
    whole = Causes(0, {cls.name: ClassCauses(cls.name) for cls in chosen}, only=said)

    def found_in(portions: Iterable[Treebank]) -> Iterator[_Violations]:
        return (_violations(portion if only is None else only.apply(portion), chosen, threads) for portion in portions)

    for each in found_in(treebanks):
        whole.add(_causes_of(each))
    read: list[Treebank | TreebankStream] = [*treebanks]
    if len(treebanks) < len(given):
        files = sorted(sources([part for part in given if not isinstance(part, Treebank)]), key=label)
        blocks = stream_treebanks(files, on_error=on_error)
        portions = found_in(_portions(blocks))
        # What is native is done for the next portion while Python counts this one. Not where a pipe may keep us
        # waiting: Ctrl-C would not be heard.
        is_slow = only is not None and only.needs_main_thread
        may_go_ahead = threads > 1 and not is_slow and all(os.path.isfile(label(file)) for file in files)
        for each in ahead(portions) if may_go_ahead else portions:
            whole.add(_causes_of(each))
        read.append(blocks)
    whole.skipped = [each for part in read for each in part.skipped]
    whole.empty = [each for part in read for each in part.empty]
    return whole


def _portions(blocks: Iterable[Treebank]) -> Iterator[Treebank]:
    """Blocks put together until they are worth the while."""
    waiting: list[Treebank] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(each.heads) for each in waiting) >= _PORTION:
            yield _together(waiting)
            waiting = []
    if waiting:
        yield _together(waiting)


def _together(treebanks: list[Treebank]) -> Treebank:
    return treebanks[0] if len(treebanks) == 1 else reduce(Treebank.__add__, treebanks)


class _Violations(NamedTuple):
    """The violations of all classes, one class after the other, and their arcs, one violation after the other."""

    treebank: Treebank
    words: Words
    punctuation: PunctuationFaults
    classes: list[ClassCauses]
    """The trees outside each class and the reasons, counted."""
    group: Numbers
    """Which class each violation is of."""
    tree: Numbers
    """Which tree has it."""
    size: Numbers
    """How many arcs it has."""
    of_arc: Numbers
    """Which violation each arc belongs to."""
    heads: Numbers
    dependents: Numbers
    places: Numbers
    """Where the dependents of the arcs are among the words."""


def _causes_of(violations: _Violations) -> Causes:
    words, faults = violations.words, violations.punctuation
    place_of = _Places(violations.treebank)
    _count_arcs(violations)
    _count_patterns(violations, place_of)
    marks = np.flatnonzero(faults.causes | faults.is_nonprojective)
    counts = [
        np.count_nonzero(each)
        for each in (words.some(faults.causes), words.some(faults.is_nonprojective), faults.alone)
    ]
    punctuation = Counter({name: int(count) for name, count in zip(PUNCTUATION, counts, strict=True) if count})
    examples = [
        Example(*place_of[int(words.sentence[w])], (int(words.number_in_sentence[w]),)) for w in marks[:_EXAMPLES]
    ]
    found = {each.class_name: each for each in violations.classes}
    return Causes(len(violations.treebank), found, punctuation, examples)


class _Places(dict[int, tuple[str, int, str]]):
    """File, line and id of the sentences that were asked for."""

    def __init__(self, treebank: Treebank) -> None:
        super().__init__()
        self.treebank = treebank

    def __missing__(self, sentence: int) -> tuple[str, int, str]:
        found = self.treebank[sentence]
        place = self[sentence] = (found.file, found.line, found.sent_id)
        return place


def _violations(treebank: Treebank, classes: list[TreeClass], threads: int) -> _Violations:
    """Find the violations of all trees outside classes."""
    words = Words(treebank)
    profiles = profile_trees(treebank.heads, treebank.offsets, solvers=[cls.solver for cls in classes], threads=threads)
    outside = [np.flatnonzero(cls.holds(profiles) == 0) for cls in classes]
    found = [ClassCauses(cls.name, len(trees)) for cls, trees in zip(classes, outside, strict=True)]
    for own, mended in zip(found, _inside_without_punctuation(treebank, classes, outside, threads), strict=True):
        own.inside_without_punctuation = mended
    # Of a tree that is too entangled to explain, no more is known than that it is outside.
    is_entangled = profiles.column("core") > _core.MAX_CORE_WORDS
    for i, (cls, own) in enumerate(zip(classes, found, strict=True)):
        if not cls.solver.has_only_a_test and (left := int(is_entangled[outside[i]].sum())):
            own.reasons["too entangled"] = left
            outside[i] = outside[i][~is_entangled[outside[i]]]
    lengths = np.diff(words.offsets)
    sizes, dependents = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for cls, trees, own in zip(classes, outside, found, strict=True):
        at = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[trees])])
        inside = np.repeat(words.offsets[trees] - at[:-1], lengths[trees]) + np.arange(at[-1])
        reasons, some_sizes, some_dependents = cls.solver.violations(treebank.heads[inside], at, threads)
        own.reasons.update(reasons)
        sizes.append(some_sizes.astype(np.int64))
        dependents.append(some_dependents.astype(np.int64))
    size, tree = np.concatenate(sizes), np.concatenate([np.zeros(0, np.int64), *outside])
    # The arcs of a violation in the order of their dependents.
    order = np.sort(np.repeat(np.arange(len(size)), size) * _WIDE + np.concatenate(dependents))
    of_arc, ends = order // _WIDE, order % _WIDE
    places = words.offsets[tree[of_arc]] + ends - 1
    group = np.repeat(np.arange(len(outside)), [len(trees) for trees in outside])
    words.codes("upos")  # which counting will ask for, with the relations that punctuation asks for
    faults = punctuation_faults(words)
    return _Violations(treebank, words, faults, found, group, tree, size, of_arc, words.heads[places], ends, places)


def _inside_without_punctuation(
    treebank: Treebank, classes: list[TreeClass], outside: list[Numbers], threads: int
) -> list[int]:
    """Count for each class the trees outside that are inside once the marks are taken out."""
    is_outside = np.zeros(len(treebank), np.bool_)
    is_outside[np.concatenate([np.zeros(0, np.int64), *outside])] = True
    words = Words(treebank.chosen(is_outside))
    heads, offsets = heads_without(words, words.is_punctuation)
    has_words = np.diff(offsets) > 0
    starts = offsets[np.append(has_words, True)]
    profiles = profile_trees(heads, starts, solvers=[cls.solver for cls in classes], threads=threads)
    place = np.cumsum(is_outside) - 1
    counts = []
    for cls, trees in zip(classes, outside, strict=True):
        is_inside = np.full(len(has_words), True)
        is_inside[has_words] = cls.holds(profiles) == 1
        counts.append(int(is_inside[place[trees]].sum()))
    return counts


_WIDE = np.int64(1) << 32  # more than there are words in a sentence
_LENGTHS = ("0", "1", "2", "3-4", "5-8", "9-16", "17-32", "33+")


def _count_arcs(violations: _Violations) -> None:
    """Count the violations that have each relation, pair of tags, direction and length among their arcs."""
    words, found = violations.words, violations.classes
    heads, ends, places = violations.heads, violations.dependents, violations.places
    relation, relations = words.codes("deprel")
    tag, tags = words.codes("upos")
    head_tags = np.where(heads > 0, tag[words.head_place[places]], len(tags))
    tags = [*tags, "ROOT"]

    def pair_name(code: int) -> str:
        return f"{tags[code // len(tags)]} > {tags[code % len(tags)]}"

    directions = np.where(heads == 0, 2, (heads < ends).astype(np.int64))
    doubling = np.searchsorted([0, 1, 2, 4, 8, 16, 32], words.length[places])
    kinds: dict[str, tuple[npt.NDArray[Any], Callable[[int], str]]] = {
        "relations": (relation[places], relations.__getitem__),
        "tags": (head_tags * len(tags) + tag[places], pair_name),
        "directions": (directions, ("left", "right", "root").__getitem__),
        "lengths": (doubling, _LENGTHS.__getitem__),
    }
    for kind, (codes, name) in kinds.items():
        width = int(codes.max(initial=0)) + 1
        once, _ = _tally(np.sort(violations.of_arc * width + codes))
        numbers, counts = _tally(np.sort(violations.group[once // width] * width + once % width))
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
            getattr(found[number // width], kind)[name(number % width)] = count


def _tally(numbers: Numbers) -> tuple[Numbers, Numbers]:
    """The different numbers among sorted ones, and how often each is there."""
    begins = np.flatnonzero(np.diff(numbers, prepend=-1))
    return numbers[begins], np.diff(begins, append=len(numbers))


def _count_patterns(violations: _Violations, place_of: _Places) -> None:
    """Count the patterns: violations with the same arcs between words numbered from left to right."""
    words, found = violations.words, violations.classes
    of_arc, heads, dependents = violations.of_arc, violations.heads, violations.dependents
    ends, _ = _tally(np.sort(np.concatenate([of_arc * _WIDE + heads, of_arc * _WIDE + dependents])))
    # The numbers of a violation begin with 1, and with 0 where the dummy root is an end.
    first = np.searchsorted(ends, np.arange(len(violations.tree)) * _WIDE)
    shift = first - (ends[np.minimum(first, len(ends) - 1)] % _WIDE != 0) if len(ends) else first

    def number(ends_of_arcs: Numbers) -> Numbers:
        numbers: Numbers = np.searchsorted(ends, of_arc * _WIDE + ends_of_arcs) - shift[of_arc]
        return numbers

    relation, relations = words.codes("deprel")
    arcs, arc = distinct_rows(np.stack([number(heads), number(dependents), relation[violations.places]], axis=1))
    names = [f"{head} -{relations[label]}-> {dependent}" for head, dependent, label in arcs.tolist()]
    starts = np.cumsum(violations.size) - violations.size
    for size in np.unique(violations.size[violations.size > 0]).tolist():
        members = np.flatnonzero(violations.size == size)
        own_arcs = starts[members][:, None] + np.arange(size)
        kinds, kind = distinct_rows(arc[own_arcs])
        patterns = [", ".join([names[each] for each in row]) for row in kinds.tolist()]
        # By class and pattern, and the first few of each as examples.
        key = violations.group[members] * len(kinds) + kind
        order = np.argsort(key, kind="stable")
        keys, counts = _tally(key[order])
        begins = np.cumsum(counts) - counts
        shown = order[np.arange(len(order)) - np.repeat(begins, counts) < _EXAMPLES]
        rows, row = distinct_rows(np.column_stack([violations.tree[members[shown]], dependents[own_arcs[shown]]]))
        examples = [Example(*place_of[tree], tuple(ends)) for tree, *ends in rows.tolist()]
        examples = [examples[each] for each in row.tolist()]
        begin = 0
        for each, count in zip(keys.tolist(), counts.tolist(), strict=True):
            own, pattern = found[each // len(kinds)], patterns[each % len(kinds)]
            own.patterns[pattern] += count  # a relation's name may be made so that two patterns look the same
            own.examples[pattern] = examples[begin : begin + min(count, _EXAMPLES)]
            begin += min(count, _EXAMPLES)
