"""Is a schema right, and what does it cost: soundness, completeness, complexity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from nonproj.errors import NonprojError, TreeError
from nonproj.schema.condition import GIVEN
from nonproj.schema.notation import Step
from nonproj.schema.pattern import Pattern
from nonproj.schema.schema import Schema
from nonproj.trees import Tree, TreeClass, profile_trees, tree_class

MAX_JUDGED_WORDS = 7


@dataclass(frozen=True)
class Verdict:
    """Whether a claim about a schema holds for all trees of n words; true or false by itself, drawn when printed."""

    claim: str
    holds: bool
    checked: int
    """How many trees were looked at."""
    counter_example: tuple[int, ...] | None = None
    """The heads of the first tree that breaks the claim; they need not form a tree when a schema is unsound."""
    reason: str = ""

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.holds:
            return f"{self.claim}: yes, {self.checked} trees"
        from nonproj.schema.pictures import drawn

        assert self.counter_example is not None
        return f"{self.claim}: no, {self.reason}\n\n{drawn(self.counter_example)}"


def soundness(schema: Schema, cls: str | TreeClass | None = None, n: int = 4, *, single_root: bool = False) -> Verdict:
    """Whether every tree of n words that the schema derives is in the class (by default its own).

    >>> from nonproj.schema import parsing_schema
    >>> print(soundness(parsing_schema("WG1"), "WG1", 4))
    WG1 is sound for WG1 with 4 words: yes, 121 trees
    >>> bool(soundness(parsing_schema("WG1"), "Pr", 4))
    False
    """
    return check(schema, cls, n, single_root=single_root).soundness


def completeness(
    schema: Schema, cls: str | TreeClass | None = None, n: int = 4, *, single_root: bool = False
) -> Verdict:
    """Whether the schema derives every tree of n words that is in the class (by default its own).

    >>> from nonproj.schema import parsing_schema
    >>> print(completeness(parsing_schema("Eisner"), "WG1", 3))
    Eisner is complete for WG1 with 3 words: no, this tree of WG1 is not derived
    <BLANKLINE>
    ...
    """
    return check(schema, cls, n, single_root=single_root).completeness


@dataclass(frozen=True)
class Check:
    """What a schema derives with n words, beside the trees of a class."""

    words: int
    members: int
    """How many trees of the class there are."""
    derived: int
    wrong: int
    """How many of those derived are not in the class."""
    missing: int
    """How many of the class are not derived."""
    soundness: Verdict
    completeness: Verdict

    def __bool__(self) -> bool:
        return self.soundness.holds and self.completeness.holds


def check(schema: Schema, cls: str | TreeClass | None = None, n: int = 4, *, single_root: bool = False) -> Check:
    """Derive all trees of n words once, and compare them with the trees of the class (by default the schema's own).

    >>> from nonproj.schema import parsing_schema
    >>> found = check(parsing_schema("Eisner"), "WG1", 4)
    >>> found.members, found.derived, found.wrong, found.missing, bool(found)
    (121, 55, 0, 66, False)
    """
    chosen = _judged_class(schema, cls)
    of_words = f"for {chosen.name} with {_words(n, single_root)}"
    members = _members(chosen, n, single_root)
    derived = schema.trees(n, single_root=single_root)
    wrong, missing = derived - members, members - derived
    sound = Verdict(f"{schema.name} is sound {of_words}", True, len(derived))
    if wrong:
        first = min(wrong)
        sound = Verdict(sound.claim, False, len(derived), first, _fault(first, chosen, single_root))
    complete = Verdict(f"{schema.name} is complete {of_words}", True, len(members))
    if missing:
        reason = f"this tree of {chosen.name} is not derived"
        complete = Verdict(complete.claim, False, len(members), min(missing), reason)
    return Check(n, len(members), len(derived), len(wrong), len(missing), sound, complete)


def _judged_class(schema: Schema, cls: str | TreeClass | None) -> TreeClass:
    if cls is None and not schema.class_name:
        raise NonprojError(f"{schema.name} names no class that it derives: say which trees it should derive")
    return tree_class(cls if cls is not None else schema.class_name)


def _words(n: int, single_root: bool) -> str:
    return f"{n} word{'s' * (n != 1)}" + (" and a single root" if single_root else "")


def _fault(heads: tuple[int, ...], cls: TreeClass, single_root: bool) -> str:
    """Why what was derived should not have been."""
    if -1 in heads:
        return f"a derivation does not give word {heads.index(-1) + 1} one head"
    try:
        tree = Tree(heads)
    except TreeError as error:
        return f"what is derived is no tree ({error})"
    if single_root and len(tree.roots) > 1:
        return f"{len(tree.roots)} words depend on the root"
    return f"this tree is derived and not in {cls.name} ({cls.explain(tree)})"


def _members(cls: TreeClass, n: int, single_root: bool) -> set[tuple[int, ...]]:
    """The heads of all trees of n words in the class."""
    trees = _all_trees(n)
    profiles = profile_trees([head for heads in trees for head in heads], range(0, n * len(trees) + 1, n))
    held = cls.holds(profiles)
    if (held < 0).any():
        raise NonprojError(f"membership of some trees of {n} words in {cls.name} could not be settled")
    inside = (heads for heads, holds in zip(trees, held.tolist(), strict=True) if holds)
    return {heads for heads in inside if not single_root or heads.count(0) == 1}


@lru_cache(maxsize=2)
def _all_trees(n: int) -> list[tuple[int, ...]]:
    """The heads of every tree of n words, in order."""
    if not 1 <= n <= MAX_JUDGED_WORDS:
        raise NonprojError(f"a schema is judged on all trees of 1 to {MAX_JUDGED_WORDS} words, not {n}")
    return [heads for heads in product(range(n + 1), repeat=n) if _reaches_root(heads)]


def _reaches_root(heads: tuple[int, ...]) -> bool:
    for word in range(1, len(heads) + 1):
        above = word
        for _ in heads:
            above = heads[above - 1] if above else 0
        if above:
            return False
    return True


@dataclass(frozen=True)
class Complexity:
    """What a schema costs: time by the step with the most free positions, space by the item with the most."""

    indices: dict[str, int]
    """The number of free positions of each step."""
    space: int
    """Recognition keeps O(n^space) items; with all derivations, O(n^exponent) uses of steps."""

    @property
    def bottleneck(self) -> str:
        """The name of the (first) step with the most free positions."""
        return max(self.indices, key=lambda name: self.indices[name])

    @property
    def exponent(self) -> int:
        """Time is O(n^exponent), and so is space when every use of a step is kept."""
        return self.indices[self.bottleneck]

    def __str__(self) -> str:
        return (
            f"O(n^{self.exponent}) time, by {self.bottleneck}; O(n^{self.space}) space for recognition, "
            f"O(n^{max(self.exponent, self.space)}) with derivations"
        )


def complexity(schema: Schema) -> Complexity:
    """What a schema costs in time and in space; categories are not counted, only string positions.

    >>> from nonproj.schema import parsing_schema
    >>> print(complexity(parsing_schema("WG1")))
    O(n^7) time, by Combine Shrinking Gap Centre; O(n^5) space for recognition, O(n^7) with derivations
    """
    ends: list[Step] = [step for step in (schema.final, schema.single_root_final) if step is not None]
    items = [form.pattern for form in schema.items] + [hypothesis.pattern for hypothesis in schema.hypotheses]
    return Complexity({step.name: len(step.indices) for step in [*schema.steps, *ends]}, max(map(_positions, items)))


def _positions(item: Pattern) -> int:
    """How many fields of an item are positions: each may take n values."""
    return len({field.name for field in item.fields if field.name and not field.is_category} - GIVEN)
