"""What a network says of each word, if it is asked: a tag (UPOS, XPOS and FEATS together), and a rule for its lemma.

A tag is scored as the sum of its parts (the whole, UPOS, XPOS, each Name=Value), as by the linear tagger: so rare tags
profit from frequent ones, and only tags that were seen come out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.treebank import Treebank
from nonproj.treebank.sentences import Sentences

TAGS = ("upos", "xpos", "feats")
RULES_TRIED = 5
"""Rules of a word, the best first: one of them should fit."""
_LARGEST = 1 << 20
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TagSet:
    """The tags and the rules for lemmas of a treebank; ``columns`` are those to be filled in."""

    columns: list[str]
    tags: list[str]
    """Each as ``"UPOS\\tXPOS\\tFEATS"``."""
    rules: list[str]

    @classmethod
    def of(cls, treebank: Treebank, columns: Sequence[str]) -> TagSet:
        """Those of a training set.

        >>> from nonproj.treebank import example_treebank
        >>> found = TagSet.of(example_treebank(), ["lemma", "upos"])
        >>> found.tags[0].split("\\t")[1:], len(found.tags) < len(found.rules)
        (['_', '_'], True)
        """
        if not columns:
            raise NonprojError(f"{treebank.name}: no tags and no lemmas to learn from")
        found = cls(list(columns), [], [])
        tags = Counter(found._tags_of(treebank))
        rules = Counter(rule for rule in found._rules_of(treebank) if rule is not None)
        return cls(list(columns), *([value for value, _ in counts.most_common()] for counts in (tags, rules)))

    def header(self) -> dict[str, Any]:
        """As a model's header keeps it."""
        return asdict(self)

    @classmethod
    def from_header(cls, given: Any) -> TagSet:
        """As it was read from a file; what is damaged is an error."""
        found = cls(**given)
        for values in (found.columns, found.tags, found.rules):
            is_sound = isinstance(values, list) and all(isinstance(value, str) for value in values)
            if not is_sound or len(set(values)) != len(values) or len(values) > _LARGEST:
                raise NonprojError("its tags are damaged")
        if not found.columns or not set(found.columns) <= {"lemma", *TAGS} or not found.tags:
            raise NonprojError("its tags are of columns that there are not")
        if any(tag.count("\t") != 2 or any(mark in tag for mark in "\n\r\0") for tag in found.tags):
            raise NonprojError("its tags are damaged")
        for rule in found.rules:
            _core.edited("", rule)
        return found

    @cached_property
    def parts(self) -> npt.NDArray[np.float32]:
        """Of which parts each tag is the sum: a row a part, a column a tag."""
        rows: dict[tuple[str, str], list[int]] = {}
        for number, tag in enumerate(self.tags):
            upos, xpos, feats = tag.split("\t")
            named = [("tag", tag), ("upos", upos), ("xpos", xpos)]
            named += [("feats", pair) for pair in feats.split("|") if pair != "_"]
            for part in dict.fromkeys(named):
                rows.setdefault(part, []).append(number)
        table = np.zeros((len(rows), len(self.tags)), np.float32)
        for line, numbers in zip(table, rows.values(), strict=True):
            line[numbers] = 1
        return table

    def numbered(self, treebank: Sentences) -> tuple[Numbers, Numbers]:
        """The tag and the rule of each word, -1 for one that was never seen, or that there is none of."""
        tags = {tag: number for number, tag in enumerate(self.tags)}
        rules: dict[str | None, int] = {rule: number for number, rule in enumerate(self.rules)}
        return (
            np.array([tags.get(tag, -1) for tag in self._tags_of(treebank)], np.int64),
            np.array([rules.get(rule, -1) for rule in self._rules_of(treebank)], np.int64),
        )

    def agreeing(self, treebank: Sentences, filled: Collection[str]) -> npt.NDArray[np.bool_] | None:
        """Which tags each word may have beside the columns that are not filled in; None where any will do.

        A word whose columns no tag agrees with may have all.
        """
        allowed = None
        for place, name in enumerate(TAGS):
            if name not in self.columns or name in filled:
                continue
            own = [tag.split("\t")[place] for tag in self.tags]
            numbers = {value: number for number, value in enumerate(own)}
            cells = np.array([numbers.get(cell, -1) for cell in treebank.column(name)])
            fits = cells[:, None] == np.array([numbers[value] for value in own])[None, :]
            allowed = fits if allowed is None else allowed & fits
        if allowed is not None:
            allowed[~allowed.any(axis=1)] = True
        return allowed

    def cells(
        self, treebank: Sentences, tags: Numbers, rules: Numbers, filled: Collection[str]
    ) -> dict[str, list[str]]:
        """What goes into the columns to be filled in, for tags and for rows of rules that were chosen."""
        split = [tag.split("\t") for tag in self.tags]
        chosen = tags.tolist()
        found = {name: [split[tag][place] for tag in chosen] for place, name in enumerate(TAGS) if name in filled}
        if "lemma" in filled:
            found["lemma"] = [
                self._lemma(form, row) for form, row in zip(treebank.column("form"), rules.tolist(), strict=True)
            ]
        return found

    def _lemma(self, form: str, rules: list[int]) -> str:
        made = (_core.edited(form, self.rules[rule]) for rule in rules)
        return next((lemma for lemma in made if lemma), form)

    def _tags_of(self, treebank: Sentences) -> list[str]:
        empty = ["_"] * len(treebank.heads)
        columns = [treebank.column(name) if name in self.columns else empty for name in TAGS]
        return ["\t".join(cells) for cells in zip(*columns, strict=True)]

    def _rules_of(self, treebank: Sentences) -> list[str | None]:
        if "lemma" not in self.columns:
            return [None] * len(treebank.heads)
        known: dict[tuple[str, str], str] = {}
        found: list[str | None] = []
        for pair in zip(treebank.column("form"), treebank.column("lemma"), strict=True):
            if pair[1] == "_" != pair[0]:
                found.append(None)
            else:
                if pair not in known:
                    known[pair] = _core.edit_rule(*pair)
                found.append(known[pair])
        return found
