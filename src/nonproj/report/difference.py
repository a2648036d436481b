"""Two versions of a treebank, or two parsers: changed words, and trees that changed class by them.

Sentences are paired by their ids where both sides have them, each once, else in order. A tree that leaves a class does
so by the arcs of its violation that it did not have before, and one that enters a class by those of its former
violation that it has no longer: their relations account for the change.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from nonproj.errors import NonprojError
from nonproj.report.table import Column, Table
from nonproj.treebank import Sentence, Treebank
from nonproj.trees import TreeClass, profile_trees, tree_classes

TABLES = ("classes", "moves", "relations", "sentences")


@dataclass(frozen=True)
class WordChange:
    """A word with another head or relation."""

    word: int
    form: str
    head_before: int
    head_after: int
    relation_before: str
    relation_after: str

    @property
    def has_other_head(self) -> bool:
        """Whether the head changed, and not the relation alone."""
        return self.head_before != self.head_after

    @property
    def has_other_relation(self) -> bool:
        """Whether the relation changed, and not the head alone."""
        return self.relation_before != self.relation_after


@dataclass(frozen=True)
class Change:
    """A pair of sentences with different trees or relations."""

    before: Sentence
    after: Sentence
    changed: tuple[WordChange, ...]
    """The words that differ; empty where the two have different numbers of words."""
    left: tuple[str, ...]
    """The classes that the tree was in and is no longer."""
    entered: tuple[str, ...]
    words: tuple[int, ...]
    """The words whose arcs account for the change of class; empty where the two have different numbers of words."""

    def to_dict(self) -> dict[str, Any]:
        """The fixed JSON shape."""
        return {
            "sent_id": self.before.sent_id,
            "before": {"file": self.before.file, "line": self.before.line},
            "after": {"file": self.after.file, "line": self.after.line},
            "left": list(self.left),
            "entered": list(self.entered),
            "words": list(self.words),
            "changed": [vars(each) for each in self.changed],
        }


@dataclass
class ClassChange:
    """How a class gained and lost trees."""

    class_name: str
    both_inside: int = 0
    left: int = 0
    entered: int = 0
    both_outside: int = 0
    unsettled: int = 0
    """Pairs of which one tree was too entangled to be settled."""
    left_by: Counter[str] = field(default_factory=Counter)
    """By how many trees that left a new arc of each relation broke the rule."""
    entered_by: Counter[str] = field(default_factory=Counter)
    """By how many trees that entered an arc of each relation is gone that broke it."""

    def to_dict(self) -> dict[str, Any]:
        """The fixed JSON shape."""
        return {**vars(self), "left_by": dict(_ordered(self.left_by)), "entered_by": dict(_ordered(self.entered_by))}


@dataclass
class Difference:
    """What `diff` found."""

    before: str
    after: str
    pairs: int
    changed: int
    """Pairs with a different arc, relation or number of words: those in ``changes``."""
    only_before: int
    """Sentences that have no partner."""
    only_after: int
    other_words: int
    """Pairs whose numbers of words differ: their arcs cannot be compared."""
    classes: dict[str, ClassChange]
    changes: list[Change]

    def table(self, kind: str = "classes", most: int = 20) -> Table:
        """By class how trees moved, by what relations, what relations became of which, or the words that changed."""
        if kind not in TABLES:
            raise NonprojError(f"no table {kind!r}; there are: {', '.join(TABLES)}")
        table: Table = getattr(self, f"_{kind}")(most)
        return table

    @property
    def words(self) -> list[WordChange]:
        """All words with another head or relation."""
        return [word for each in self.changes for word in each.changed]

    @property
    def relations(self) -> Counter[tuple[str, str]]:
        """How often which relation became of which, over the words that changed: itself where only the head changed."""
        return Counter((each.relation_before, each.relation_after) for each in self.words)

    @property
    def _caption(self) -> str:
        words = self.words
        kinds = Counter((each.has_other_head, each.has_other_relation) for each in words)
        notes = [
            f"{self.changed} of {self.pairs} sentences differ between {self.before} and {self.after}.",
            f"{len(words)} words have another head or relation: {kinds[True, False]} another head, "
            f"{kinds[False, True]} another relation, {kinds[True, True]} both.",
        ]
        if self.only_before or self.only_after:
            notes.append(f"{self.only_before} are only in the first, {self.only_after} only in the second.")
        if self.other_words:
            notes.append(f"{self.other_words} have another number of words.")
        return " ".join(notes)

    def _classes(self, most: int) -> Table:
        headings = ["inside both", "left", "entered", "outside both"]
        rows = [
            [each.class_name, *map(str, (each.both_inside, each.left, each.entered, each.both_outside))]
            for each in self.classes.values()
        ]
        unsettled = sum(each.unsettled for each in self.classes.values())
        note = f"{unsettled} times a tree was too entangled to be settled." if unsettled else ""
        return Table([Column("class", align_left=True), *map(Column, headings)], rows, caption=self._caption, note=note)

    def _moves(self, most: int) -> Table:
        total: Counter[str] = Counter()
        for each in self.classes.values():
            total.update(each.left_by)
            total.update(each.entered_by)
        moved = [each for each in self.classes.values() if each.left or each.entered]
        columns = [Column("relation", "left / entered", align_left=True)]
        columns += [Column(each.class_name, f"{each.left}/{each.entered}") for each in moved]
        rows = [
            [name, *(f"{each.left_by[name]}/{each.entered_by[name]}" for each in moved)]
            for name, _ in _ordered(total)[: most or None]
        ]
        caption = f"{self._caption} Trees that left and entered each class by an arc of such a relation."
        left_out = len(total) - len(rows)
        return Table(columns, rows, caption=caption, note=f"{left_out} more relations." if left_out else "")

    def _relations(self, most: int) -> Table:
        with_head = Counter((each.relation_before, each.relation_after) for each in self.words if each.has_other_head)
        columns = [Column("relation", "before", align_left=True), Column("relation", "after", align_left=True)]
        columns += [Column("words"), Column("head", "the same"), Column("head", "another")]
        found = sorted(self.relations.items(), key=lambda item: (-item[1], item[0]))
        rows = [
            [*pair, str(count), str(count - with_head[pair]), str(with_head[pair])]
            for pair, count in found[: most or None]
        ]
        left_out = len(found) - len(rows)
        note = f"{left_out} more pairs of relations." if left_out else ""
        return Table(columns, rows, caption=self._caption, note=note)

    def _sentences(self, most: int) -> Table:
        columns = [Column("sentence", align_left=True), Column("word"), Column("form", align_left=True)]
        columns += [Column("head", "before"), Column("head", "after")]
        columns += [Column("relation", "before", align_left=True), Column("relation", "after", align_left=True)]
        columns += [Column(name, align_left=True) for name in ("left", "entered")]
        rows = []
        for each in self.changes:
            moved = [" ".join(each.left) or "-", " ".join(each.entered) or "-"]
            if len(each.before) != len(each.after):
                counts = f"words: {len(each.before)}, then {len(each.after)}"
                rows.append([each.before.sent_id, "-", counts, *"----", *moved])
            for word in each.changed:
                cells = [word.form, word.head_before, word.head_after, word.relation_before, word.relation_after]
                rows.append([each.before.sent_id, *map(str, [word.word, *cells]), *moved])
        left_out = len(rows) - len(rows[: most or None])
        note = f"{left_out} more rows." if left_out else ""
        return Table(columns, rows[: most or None], caption=self._caption, note=note)

    def to_dict(self) -> dict[str, Any]:
        """The fixed JSON shape."""
        facts = ("before", "after", "pairs", "changed", "only_before", "only_after", "other_words")
        return {
            **{name: getattr(self, name) for name in facts},
            "words": {
                "head": sum(each.has_other_head for each in self.words),
                "relation": sum(each.has_other_relation for each in self.words),
                "any": len(self.words),
            },
            "relations": [
                {"before": before, "after": after, "words": count}
                for (before, after), count in sorted(self.relations.items(), key=lambda item: (-item[1], item[0]))
            ],
            "classes": [each.to_dict() for each in self.classes.values()],
            "sentences": [each.to_dict() for each in self.changes],
        }

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def __str__(self) -> str:
        return self.table().to_text()


def _ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def diff(
    before: Treebank, after: Treebank, classes: str | Iterable[str | TreeClass] = "all", *, threads: int = 0
) -> Difference:
    """Compare two versions of a treebank, or what two parsers made of it.

    >>> from nonproj.treebank import example_treebank
    >>> from nonproj.lifting import lift
    >>> treebank = example_treebank()
    >>> lifted = treebank.with_heads([head for each in treebank for head in lift(each.tree).heads])
    >>> found = diff(treebank, lifted, "Pr").classes["Pr"]
    >>> found.entered, found.left, found.both_outside
    (61, 0, 0)
    >>> diff(treebank, lifted, "Pr").relations.most_common(1)
    [(('dep', 'dep'), 56)]
    """
    chosen = tree_classes(classes)
    one, two = _paired(before, after)
    first, second = Treebank(one, name=before.name), Treebank(two, name=after.name)
    held = []
    for side in (first, second):
        solvers = [cls.solver for cls in chosen]
        profiles = profile_trees(side.heads, side.offsets, solvers=solvers, threads=threads)
        held.append([cls.holds(profiles).tolist() for cls in chosen])
    found = {cls.name: ClassChange(cls.name) for cls in chosen}
    changes = []
    changed = other_words = 0
    for i, (old, new) in enumerate(zip(one, two, strict=True)):
        other_words += len(old) != len(new)
        is_changed = old.heads != new.heads or old.deprels != new.deprels
        changed += is_changed
        was = {cls: held[0][c][i] for c, cls in enumerate(chosen)}
        now = {cls: held[1][c][i] for c, cls in enumerate(chosen)}
        _count(found, was, now)
        left = [cls for cls in chosen if (was[cls], now[cls]) == (1, 0)]
        entered = [cls for cls in chosen if (was[cls], now[cls]) == (0, 1)]
        if is_changed:
            words = {*_accounted(left, new, old, found, "left_by"), *_accounted(entered, old, new, found, "entered_by")}
            moved = _names(left), _names(entered)
            changes.append(Change(old, new, _changed_words(old, new), *moved, tuple(sorted(words))))
    changes.sort(key=lambda each: (-len(each.left) - len(each.entered), each.before.file, each.before.line))
    without = len(before) - len(one), len(after) - len(two)
    return Difference(before.name, after.name, len(one), changed, *without, other_words, found, changes)


def _paired(before: Treebank, after: Treebank) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences of both that belong together."""
    names = [[sentence.sent_id for sentence in each] for each in (before, after)]
    if all(len(set(each)) == len(each) for each in names) and set(names[0]) & set(names[1]):
        partner = dict(zip(names[1], after, strict=True))
        pairs = [(old, partner[name]) for name, old in zip(names[0], before, strict=True) if name in partner]
        return [old for old, _ in pairs], [new for _, new in pairs]
    if len(before) != len(after):
        raise NonprojError(
            f"{before.name} has {len(before)} sentences and {after.name} {len(after)}, without ids to pair them by: "
            "give every sentence a '# sent_id', the same in both"
        )
    return list(before), list(after)


def _changed_words(before: Sentence, after: Sentence) -> tuple[WordChange, ...]:
    if len(before) != len(after):
        return ()
    both = zip(before.forms, before.heads, after.heads, before.deprels, after.deprels, strict=True)
    words = (WordChange(number, *each) for number, each in enumerate(both, 1))
    return tuple(each for each in words if each.has_other_head or each.has_other_relation)


def _names(classes: list[TreeClass]) -> tuple[str, ...]:
    return tuple(cls.name for cls in classes)


def _count(found: dict[str, ClassChange], was: dict[TreeClass, int], now: dict[TreeClass, int]) -> None:
    for cls, before in was.items():
        kind = {(1, 1): "both_inside", (1, 0): "left", (0, 1): "entered", (0, 0): "both_outside"}
        name = kind.get((before, now[cls]), "unsettled")
        setattr(found[cls.name], name, getattr(found[cls.name], name) + 1)


def _accounted(
    classes: list[TreeClass], outside: Sentence, inside: Sentence, found: dict[str, ClassChange], kind: str
) -> Iterator[int]:
    """The words whose arcs break the rule on the side that is outside, and are not there on the other."""
    if not classes or len(outside) != len(inside):
        return
    tree, relations, others = outside.tree, outside.deprels, inside.heads
    for cls in classes:
        words = [word for head, word in cls.explain(tree).arcs if others[word - 1] != head]
        getattr(found[cls.name], kind).update({relations[word - 1] for word in words})
        yield from words
