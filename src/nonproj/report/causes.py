"""Causes: which constructions make trees fall outside a class.

For every tree outside a class one smallest violation is looked at: arcs that no tree of the class holds together, those
that `TreeClass.explain` tells. A tree counts once for every relation, pair of tags, direction and length among them,
and once for their pattern: the arcs with their words numbered from left to right.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.report.punctuation import punctuation_faults
from nonproj.report.table import Column, Table
from nonproj.report.tables import percent
from nonproj.state import state_line, whole_number
from nonproj.treebank import Filter, Skipped, Source, Treebank, sources
from nonproj.treebank.inputs import label
from nonproj.treebank.reading import in_parallel, stream_treebanks
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
        for kind in KINDS:
            getattr(self, kind).update(getattr(other, kind))
        for key, examples in other.examples.items():
            own = self.examples.get(key)
            self.examples[key] = _first([*own, *examples]) if own else examples

    def to_dict(self) -> dict[str, object]:
        """Counts in falling order, and the examples."""
        counts = {kind: dict(_ordered(getattr(self, kind))) for kind in KINDS}
        examples = {key: [example._asdict() for example in self.examples[key]] for key, _ in _ordered(self.patterns)}
        return {"class": self.class_name, "outside": self.outside, **counts, "examples": examples}

    def to_state(self) -> dict[str, Any]:
        """All the counts in a fixed order, for `Causes.to_state`."""
        counts = {kind: dict(sorted(getattr(self, kind).items())) for kind in KINDS}
        examples = {key: [list(each) for each in self.examples[key]] for key in sorted(self.examples)}
        return {"class": self.class_name, "outside": self.outside, **counts, "examples": examples}

    @staticmethod
    def from_state(content: dict[str, Any]) -> ClassCauses:
        """What `to_state` gave."""
        counts = {
            kind: Counter({str(name): whole_number(times, 1) for name, times in content[kind].items()})
            for kind in KINDS
        }
        examples = {str(key): [Example.from_state(each) for each in some] for key, some in content["examples"].items()}
        name = tree_classes([str(content["class"])])[0].name
        return ClassCauses(name, whole_number(content["outside"]), **counts, examples=examples)


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
        caption = f"Trees outside each class with such {kind} in the violation, in percent of the trees outside."
        return Table(columns, rows, caption=caption, note=self.note(len(total) - len(rows), kind))

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
        plot_shares(self.table(kind, _PLOTTED), title, path)

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
    chosen = tree_classes(classes)
    given: list[Any] = list(data) if isinstance(data, (list, tuple)) else [cast("Treebank | Source", data)]
    files = [part for part in given if not isinstance(part, Treebank)]
    workers = threads or processors()
    inputs: list[Any] = [part for part in given if isinstance(part, Treebank)]
    inputs += _groups(sources(files), 2 * workers) if files else []
    within = workers if len(inputs) == 1 else 1

    def measured(source: Any, is_stopped: Callable[[], bool]) -> Causes:
        found = Causes(0, {cls.name: ClassCauses(cls.name) for cls in chosen})
        blocks: Any = [source] if isinstance(source, Treebank) else stream_treebanks(source, on_error=on_error)
        for portion in _portions(blocks):
            if is_stopped():
                raise KeyboardInterrupt
            found.add(_causes_of(portion if only is None else only.apply(portion), chosen, within))
        read = source if isinstance(source, Treebank) else blocks
        found.skipped, found.empty = list(read.skipped), list(read.empty)
        return found

    said = "" if only is None or only.keeps_all else str(only)
    whole = Causes(0, {cls.name: ClassCauses(cls.name) for cls in chosen}, only=said)
    for part in in_parallel(measured, inputs, threads):
        whole.add(part)
    return whole


def _groups(files: list[Source], count: int) -> list[list[Source]]:
    """Files in the order of their names in at most so many groups of about the same size: few large portions are quick.

    >>> _groups(["c", "a", "b"], 2)
    [['a', 'b'], ['c']]
    """
    ordered = sorted(files, key=label)
    sizes = np.cumsum([_size(each) for each in ordered])
    group_of = np.minimum((sizes - 1) * count // sizes[-1], count - 1).tolist()
    return [
        [each for each, own in zip(ordered, group_of, strict=True) if own == group] for group in sorted(set(group_of))
    ]


def _size(source: Source) -> int:
    path = label(source)
    return max(1, os.path.getsize(path)) if os.path.isfile(path) else 1


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


class _Columns:
    """What the causes of all classes need to know of a treebank."""

    def __init__(self, treebank: Treebank) -> None:
        self.treebank = treebank
        self.words = Words(treebank)
        self.relation, self.relations = self.words.codes("deprel")
        self.tag, self.tags = self.words.codes("upos")
        # Classes share most of their examples and patterns.
        self._places: dict[int, tuple[str, int, str]] = {}
        self._examples: dict[tuple[int, ...], Example] = {}
        self._patterns: dict[tuple[int, ...], str] = {}

    def example(self, sentence: int, words: Iterable[int]) -> Example:
        key = (sentence, *words)
        example = self._examples.get(key)
        if example is None:
            if sentence not in self._places:
                found = self.treebank[sentence]
                self._places[sentence] = (found.file, found.line, found.sent_id)
            example = self._examples[key] = Example(*self._places[sentence], key[1:])
        return example

    def pattern(self, kind: tuple[int, ...]) -> str:
        """The name of a pattern: heads, dependents and relations in turn."""
        name = self._patterns.get(kind)
        if name is None:
            arcs = zip(kind[::3], kind[1::3], kind[2::3], strict=True)
            name = ", ".join(f"{head} -{self.relations[relation]}-> {dependent}" for head, dependent, relation in arcs)
            self._patterns[kind] = name
        return name


def _causes_of(treebank: Treebank, classes: list[TreeClass], threads: int) -> Causes:
    columns = _Columns(treebank)
    solvers = [cls.solver for cls in classes]
    profiles = profile_trees(treebank.heads, treebank.offsets, solvers=solvers, threads=threads)
    found = {
        cls.name: _class_causes(columns, cls, np.flatnonzero(cls.holds(profiles) == 0), threads) for cls in classes
    }
    faults = punctuation_faults(columns.words)
    marks = np.flatnonzero(faults.causes | faults.is_nonprojective)
    some = columns.words.some
    counts = [np.count_nonzero(each) for each in (some(faults.causes), some(faults.is_nonprojective), faults.alone)]
    punctuation = Counter({name: int(count) for name, count in zip(PUNCTUATION, counts, strict=True) if count})
    words = columns.words
    examples = [columns.example(int(words.sentence[w]), [int(words.number_in_sentence[w])]) for w in marks[:_EXAMPLES]]
    return Causes(len(treebank), found, punctuation, examples)


def _class_causes(columns: _Columns, cls: TreeClass, trees: Numbers, threads: int) -> ClassCauses:
    """The causes of the trees that are known to be outside."""
    words = columns.words
    lengths = np.diff(words.offsets)[trees]
    at = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    inside = np.repeat(words.offsets[trees] - at[:-1], lengths) + np.arange(at[-1])
    reasons, sizes, dependents = cls.solver.violations(columns.treebank.heads[inside], at, threads)
    violation = np.repeat(np.arange(len(trees)), sizes)
    order = np.lexsort((dependents, violation))
    violation = violation[order]
    ends = dependents[order].astype(np.int64)
    places = words.offsets[trees[violation]] + ends - 1
    heads = words.heads[places]
    head_tags = np.where(heads > 0, columns.tag[words.head_place[places]], len(columns.tags))
    tags = [*columns.tags, "ROOT"]
    pairs = head_tags * len(tags) + columns.tag[places]

    def pair_name(code: int) -> str:
        return f"{tags[code // len(tags)]} > {tags[code % len(tags)]}"

    directions = np.where(heads == 0, 2, (heads < ends).astype(np.int64))
    found = ClassCauses(
        cls.name,
        len(trees),
        _trees_with(violation, columns.relation[places], columns.relations.__getitem__),
        _trees_with(violation, pairs, pair_name),
        _trees_with(violation, directions, ("left", "right", "root").__getitem__),
        _trees_with(violation, _length_group(words.length[places]), _LENGTHS.__getitem__),
        Counter(reasons),
    )
    _add_patterns(found, columns, trees, _Arcs(violation, heads, ends, columns.relation[places], sizes))
    return found


_LENGTHS = ("0", "1", "2", "3-4", "5-8", "9-16", "17-32", "33+")


def _length_group(lengths: Numbers) -> Numbers:
    """The doubling group that each length is in."""
    return np.searchsorted([0, 1, 2, 4, 8, 16, 32], lengths).astype(np.int64)


def _trees_with(violation: Numbers, codes: npt.NDArray[Any], name: Callable[[int], str]) -> Counter[str]:
    """How many violations have each code among their arcs."""
    width = int(codes.max(initial=0)) + 1
    once = _different(violation * width + codes) % width
    counts = np.bincount(once, minlength=1)
    return Counter({name(int(code)): int(counts[code]) for code in np.flatnonzero(counts)})


def _different(numbers: Numbers) -> Numbers:
    """The different numbers in rising order; sorting is quicker here than np.unique's hashing."""
    numbers = np.sort(numbers)
    different: Numbers = numbers[np.diff(numbers, prepend=-1) != 0]
    return different


class _Arcs(NamedTuple):
    """The arcs of all violations, one after the other."""

    violation: Numbers
    heads: Numbers
    dependents: Numbers
    relations: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int32]


def _add_patterns(found: ClassCauses, columns: _Columns, trees: Numbers, arcs: _Arcs) -> None:
    """Count the patterns: violations with the same arcs between words numbered from left to right."""
    wide = np.int64(1) << 32
    ends = _different(np.concatenate([arcs.violation * wide + arcs.heads, arcs.violation * wide + arcs.dependents]))
    # The numbers of a violation begin with 1, and with 0 where the dummy root is an end.
    first = np.searchsorted(ends, np.arange(len(trees)) * wide)
    shift = first - (ends[np.minimum(first, len(ends) - 1)] % wide != 0) if len(ends) else first

    def number(words: Numbers) -> Numbers:
        numbers: Numbers = np.searchsorted(ends, arcs.violation * wide + words) - shift[arcs.violation]
        return numbers

    rows = np.stack([number(arcs.heads), number(arcs.dependents), arcs.relations.astype(np.int64)], axis=1)
    starts = np.cumsum(arcs.sizes) - arcs.sizes
    for size in np.unique(arcs.sizes).tolist():
        members = np.flatnonzero(arcs.sizes == size)
        table = rows[(starts[members][:, None] + np.arange(size)).ravel()].reshape(len(members), -1)
        if not size:
            continue
        kinds, kind_of = distinct_rows(table)
        counts = np.bincount(kind_of)
        by_kind = np.argsort(kind_of, kind="stable")
        begins = np.cumsum(counts) - counts
        for kind, begin, count in zip(kinds.tolist(), begins.tolist(), counts.tolist(), strict=True):
            name = columns.pattern(tuple(kind))
            found.patterns[name] += count
            shown = members[by_kind[begin : begin + min(count, _EXAMPLES)]].tolist()
            found.examples[name] = [
                columns.example(int(trees[v]), arcs.dependents[starts[v] : starts[v] + size].tolist()) for v in shown
            ]
