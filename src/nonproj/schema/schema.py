"""A parsing schema: what the items are, where deduction starts and ends, and its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.schema.engine import Program, deduce
from nonproj.schema.errors import SchemaError
from nonproj.schema.forest import Forest, Parse
from nonproj.schema.matching import Matcher, compiled
from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.pattern import Item
from nonproj.schema.problem import Problem
from nonproj.treebank import Sentence

if TYPE_CHECKING:
    from nonproj.schema.rules import DRules
    from nonproj.trees import Tree


@dataclass(frozen=True)
class Schema:
    """A parsing algorithm written as items and deduction steps, which can be run, counted, traced and judged.

    ``final`` ends a deduction in which the dummy 0 is a head like any other, so that several words may depend on it;
    ``single_root_final`` one in which nodes begin at 1 and the link to the dummy is made last. A schema has one of
    them or both.

    >>> from nonproj.schema import parsing_schema
    >>> eisner = parsing_schema("Eisner")
    >>> [eisner.count(n) for n in range(1, 7)]
    [1, 3, 12, 55, 273, 1428]
    >>> eisner.best([[0, 1, 5], [0, 0, 1], [0, 2, 0]]).tree
    Tree([2, 0])
    """

    name: str
    title: str
    reference: str
    items: Sequence[ItemForm]
    hypotheses: Sequence[Hypothesis]
    steps: Sequence[Step]
    final: Step | None = None
    single_root_final: Step | None = None
    normalise: Callable[[Item], Item] | None = field(default=None, repr=False)
    """Gives the one form under which an item is kept; applied to every consequent."""
    forms: Callable[[Item], Iterable[Item]] | None = field(default=None, repr=False)
    """Gives every way to write an item, for antecedents marked with ``~``."""
    class_name: str = ""
    """The class of trees that the schema is meant to derive."""
    shortfall: str = ""
    """What it misses of that class, in words; empty where it derives every tree of it."""

    def __post_init__(self) -> None:
        if self.final is None and self.single_root_final is None:
            raise SchemaError(f"schema {self.name!r} has no final items: say in `final` what a whole parse looks like")
        if not self.hypotheses:
            raise SchemaError(f"schema {self.name!r} has no hypotheses, so nothing can be derived")
        for name, times in Counter(step.name for step in self.steps).items():
            if times > 1:
                raise SchemaError(f"schema {self.name!r} has two steps called {name!r}")
        self._check_shapes()

    def _check_shapes(self) -> None:
        """Every item of a step must have a form that items or hypotheses can have."""
        shapes = {form.pattern.shape for form in self.items}
        started = {hypothesis.pattern.shape for hypothesis in self.hypotheses}
        ends = [step for step in (self.final, self.single_root_final) if step is not None]
        for step in [*self.steps, *ends]:
            for pattern in step.antecedents:
                if pattern.shape not in shapes | started:
                    raise SchemaError(f"step {step.name!r}: no item or hypothesis has the form of {pattern.text}")
            if (step.consequent is None) != (step in ends):
                raise SchemaError(f"step {step.name!r}: a final step has no consequent, and every other step has one")
            if step.consequent is not None and step.consequent.shape not in shapes:
                raise SchemaError(f"step {step.name!r}: no item has the form of {step.consequent.text}")

    # Making one schema from another

    def without(self, *names: str, **changes: object) -> Schema:
        """The schema without some steps."""
        known = [step.name for step in self.steps]
        for name in names:
            if name not in known:
                raise NonprojError(f"{self.name} has no step {name!r}; it has {', '.join(known)}")
        return replace(self, steps=[step for step in self.steps if step.name not in names], **changes)  # type: ignore[arg-type]

    def adding(self, *steps: Step, **changes: object) -> Schema:
        """The schema with more steps."""
        return replace(self, steps=[*self.steps, *steps], **changes)  # type: ignore[arg-type]

    def for_tree(self, tree: Tree) -> Schema:
        """The part that one derivation of a tree uses: its steps and the forms of their items.

        >>> from nonproj import Tree
        >>> from nonproj.schema import parsing_schema
        >>> [step.name for step in parsing_schema("WG1").for_tree(Tree([3, 4, 0, 3])).steps]
        ['Link Ungapped', 'Link Gapped', 'Combine Ungapped']
        """
        used = {row.step for row in self.trace(tree).derivation()}
        if not used:
            raise NonprojError(f"{self.name} does not derive the tree")
        steps = [step for step in self.steps if step.name in used]
        ends = [step for step in (self.final, self.single_root_final) if step is not None]
        shapes = {pattern.shape for step in [*steps, *ends] for pattern in step.patterns}
        forms = [form for form in self.items if form.pattern.shape in shapes]
        return replace(self, steps=steps, items=forms, shortfall="trees that take other steps")

    # Running it

    def deduce(self, problem: Problem, *, single_root: bool = False) -> Forest:
        """Derive everything that follows, and keep every way in which it does."""
        steps = [*self.steps, self.final_step(single_root)]
        program = Program(self.name, steps, self.matcher(single_root), self.normalise, self.forms)
        return deduce(program, problem, single_root=single_root)

    def recognises(self, tree: Tree) -> bool:
        """Whether the tree can be derived from its own arcs.

        >>> from nonproj import Tree
        >>> from nonproj.schema import parsing_schema
        >>> parsing_schema("WG1").recognises(Tree([3, 4, 0, 3]))
        True
        """
        return self.trace(tree).is_derived

    def trace(self, tree: Tree) -> Forest:
        """The deduction that uses the arcs of a tree, item by item in its ``items``."""
        single_root = self.final is None
        return self.deduce(Problem.of_tree(tree), single_root=single_root)

    def parse(
        self,
        words: Sequence[str] | str | Sentence,
        rules: DRules,
        *,
        tags: Sequence[str] | None = None,
        single_root: bool = False,
    ) -> Forest:
        """All trees over the words that the grammar licenses and the schema derives, as one shared forest.

        The words are a list, a text with spaces between them, or a sentence of a treebank, which brings its tags.

        >>> from nonproj.schema import DRules, parsing_schema
        >>> rules = DRules.read("dogs -> bark; loudly -> bark; bark -> <root>")
        >>> forest = parsing_schema("Eisner").parse("dogs bark loudly", rules)
        >>> [tree.heads for tree in forest]
        [(2, 0, 2)]
        """
        if isinstance(words, Sentence):
            tags = words.upos if tags is None else tags
            words = words.forms
        chosen = words.split() if isinstance(words, str) else list(words)
        return self.deduce(Problem.of_rules(chosen, rules, tags), single_root=single_root)

    def best(self, scores: npt.ArrayLike, *, single_root: bool = False) -> Parse:
        """The best-scoring tree; an error where -inf leaves none."""
        return self.k_best(scores, 1, single_root=single_root)[0]

    def k_best(self, scores: npt.ArrayLike, k: int, *, single_root: bool = False) -> list[Parse]:
        """The k best-scoring trees, best first; fewer when there are no more."""
        found = self.deduce(Problem.of_scores(scores), single_root=single_root).k_best(k)
        if not found:
            raise NonprojError(f"no tree that {self.name} derives has a score above -inf")
        return found

    def count(self, n: int, *, single_root: bool = False) -> int:
        """How many derivations all trees of n words have together: the trees themselves, when each has one."""
        return self.deduce(Problem.of_all_arcs(n), single_root=single_root).derivations()

    def trees(self, n: int, *, single_root: bool = False) -> set[tuple[int, ...]]:
        """The heads of all trees of n words that the schema derives."""
        return self.deduce(Problem.of_all_arcs(n), single_root=single_root).all_heads()

    def final_step(self, single_root: bool) -> Step:
        """The step that ends a deduction."""
        step = self.single_root_final if single_root else self.final
        if step is None:
            asked = "single root" if single_root else "several roots"
            raise NonprojError(f"{self.name} has no final items for {asked}: ask with single_root={not single_root}")
        return step

    @cached_property
    def _matchers(self) -> dict[bool, Callable[..., Matcher]]:
        ends = {False: self.final, True: self.single_root_final}
        return {
            single: compiled(self.items, self.hypotheses, [*self.steps, end])
            for single, end in ends.items()
            if end is not None
        }

    def matcher(self, single_root: bool) -> Callable[..., Matcher]:
        """The compiled steps."""
        self.final_step(single_root)
        return self._matchers[single_root]
