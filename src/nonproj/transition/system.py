"""One interface for all transition systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.transition.catalogue import SYSTEMS, SystemKind, find_system
from nonproj.transition.configuration import Configuration
from nonproj.transition.named_system import NamedSystem
from nonproj.transition.sequences import Sequences
from nonproj.transition.trace import Trace
from nonproj.transition.transition import Transition
from nonproj.treebank import Treebank
from nonproj.trees import Tree, TreeClass, tree_class


class TransitionSystem(NamedSystem):
    """A transition system; `transition_system` gives one by its name.

    >>> system = transition_system("sort-parse")
    >>> tree = Tree([2, 3, 0, 3, 2, 7, 5, 4, 3])
    >>> sequence = system.oracle(tree)
    >>> " ".join(map(str, sequence[:7]))
    'SHIFT SHIFT LA SHIFT SWAP SHIFT SHIFT'
    >>> system.derive(sequence) == tree
    True
    """

    def __init__(self, kind: SystemKind, number: int, oracle: str | None, single_root: bool) -> None:
        super().__init__(kind, number, oracle, single_root)
        self._class = None if self.oracle_name == "printed" else tree_class(kind.class_name(number))

    @property
    def tree_class(self) -> TreeClass | None:
        """The class of the trees that it derives; None for sort-parse as printed, whose trees have no name."""
        return self._class

    @property
    def has_cost(self) -> bool:
        """Whether `cost` is offered: where a dynamic oracle is known and exact."""
        return self._native.is_cost_exact

    # Step by step

    def initial(self, words: int) -> Configuration:
        """The configuration that a sentence of so many words starts with."""
        return Configuration(self, self._native.initial(words))

    def legal(self, configuration: Configuration) -> list[Transition]:
        """The transitions that are possible, without labels.

        >>> system = transition_system("arc-eager")
        >>> [t.name for t in system.legal(system.initial(2))]
        ['SHIFT']
        """
        names = self.names(len(configuration.heads))
        return [Transition(names[number]) for number in self._native.legal(self._own(configuration))]

    def objection(self, configuration: Configuration, transition: Transition | str) -> str | None:
        """Why a transition is not legal, or None when it is.

        >>> system = transition_system("arc-standard")
        >>> system.objection(system.initial(2), "LA")
        'the stack holds nothing but the root'
        """
        return self._native.objection(self._own(configuration), self._number(transition, len(configuration.heads)))

    def apply(self, configuration: Configuration, transition: Transition | str) -> Configuration:
        """The configuration after a transition, which must be legal."""
        number = self._legal_number(configuration, transition)
        return Configuration(self, self._native.apply(self._own(configuration), number))

    def is_final(self, configuration: Configuration) -> bool:
        """Whether the tree is complete."""
        return self._native.is_final(self._own(configuration))

    def cost(self, configuration: Configuration, transition: Transition | str, tree: Tree) -> int:
        """How many arcs of the tree can still be made before the transition and no longer after it.

        That is exact: after a transition of cost 0 as good a tree can be reached as before it. For arc-hybrid and
        arc-eager, whose trees have to be projective, and Covington.

        >>> system = transition_system("arc-hybrid")
        >>> tree, start = Tree([2, 0]), system.initial(2)
        >>> shifted = system.apply(start, "SHIFT")
        >>> [system.cost(shifted, name, tree) for name in ("SHIFT", "LA", "RA")]
        [2, 0, 1]
        """
        self._check_cost(tree)
        number = self._legal_number(configuration, transition)
        return self._native.cost(self._own(configuration), number, tree._array)

    def costs(self, configuration: Configuration, tree: Tree) -> dict[Transition, int]:
        """The cost of every legal transition."""
        self._check_cost(tree)
        names, native = self.names(len(configuration.heads)), self._own(configuration)
        return {
            Transition(names[number]): self._native.cost(native, number, tree._array)
            for number in self._native.legal(native)
        }

    # Whole trees

    def covers(self, tree: Tree) -> bool:
        """Whether the oracle derives the tree: exactly the trees of `tree_class`, single-root if that is asked for.

        >>> transition_system("attardi-2").covers(Tree([2, 5, 5, 1, 0]))
        False
        """
        return self._native.oracle(tree._array) is not None

    def explain(self, tree: Tree) -> str | None:
        """Why the tree is not derived, or None when it is.

        >>> print(transition_system("arc-standard").explain(Tree([3, 4, 0, 3])))
        arc-standard derives the trees of Pr, and the arcs 3 -> 1 and 4 -> 2 cross
        """
        if self.covers(tree):
            return None
        if self.single_root and len(tree.roots) > 1:
            return f"the tree has {len(tree.roots)} roots, and {self.name} was asked for trees with one"
        if self._class is None:
            return f"{self.name} as printed makes arcs only where the last word was put, and {_printed_fault(tree)}"
        try:
            why = str(self._class.explain(tree))
        except NonprojError as error:  # too entangled to find a smallest reason
            why = f"this is none of them ({error})"
        return f"{self.name} derives the trees of {self._class.name}, and {why}"

    def oracle(self, tree: Tree) -> list[Transition]:
        """The transitions that derive the tree, with its labels; an error says why there are none."""
        numbers = self._numbers_of(tree)
        return self._labelled(numbers, tree)

    def derive(self, transitions: Iterable[Transition | str], *, words: int | None = None) -> Tree:
        """The tree that the transitions build, with labels if they have some; an error names the first that is illegal.

        With the number of ``words`` a sequence may end anywhere: what has no head then depends on 0.

        >>> transition_system("arc-hybrid").derive("SHIFT LA_det SHIFT RA_root".split()).deprels
        ('det', 'root')
        >>> transition_system("arc-hybrid").derive(["SHIFT", "LA"], words=3).heads
        (2, 0, 0)
        """
        if not self.kind.has_arcs:
            raise NonprojError(f"{self.name} builds no tree: it makes no arcs; see sort_words for the order it makes")
        steps = [Transition.parse(step) if isinstance(step, str) else step for step in transitions]
        numbers = np.array([self._number(step, max(1, len(steps))) for step in steps], dtype=np.int32)
        if words is None:
            heads, dependents = self._native.derive(numbers, self._native.words_of(numbers))
        else:
            heads, dependents = self._native.derive(numbers, words, may_end_early=True)
            heads = np.maximum(heads, 0)
            if self.single_root and np.count_nonzero(heads == 0) > 1:
                raise NonprojError(
                    f"the {len(steps)} transitions leave several words without a head, "
                    f"and {self.name} ends with one root"
                )
        if all(step.label is None for step in steps):
            return Tree(heads.tolist())
        deprels = ["_"] * len(heads)
        for step, dependent in zip(steps, dependents.tolist(), strict=True):
            if dependent and step.label is not None:
                deprels[dependent - 1] = step.label
        return Tree(heads.tolist(), deprels=deprels)

    def trace(self, tree: Tree, *, partial: bool = False) -> Trace:
        """How the oracle's transitions build the tree, row by row, as tables in papers show it.

        A tree that is not derived is an error; if ``partial``, its rows go as far as the oracle knows the way, and
        the trace says ``why`` no further.

        >>> tree = Tree([2, 0], forms=["Dogs", "bark"], deprels=["nsubj", "root"])
        >>> print(transition_system("arc-standard").trace(tree))
        transition  stack               buffer          new arc
                    [R₀]                [Dogs₁, bark₂]
        SHIFT       [R₀, Dogs₁]         [bark₂]
        SHIFT       [R₀, Dogs₁, bark₂]  []
        LA_nsubj    [R₀, bark₂]         []              (2, nsubj, 1)
        RA_root     [R₀]                []              (0, root, 2)
        >>> print(transition_system("arc-standard").trace(Tree([3, 0, 2, 1]), partial=True))
        transition  stack            buffer       new arc
                    [R₀]             [1, ..., 4]
        SHIFT       [R₀, 1]          [2, ..., 4]
        SHIFT       [R₀, 1, 2]       [3, 4]
        SHIFT       [R₀, ..., 2, 3]  [4]
        SHIFT       [R₀, ..., 3, 4]  []
        """
        why = self.explain(tree) if partial and self.kind.has_arcs else None
        if why is None:
            return Trace(self, tree, self.oracle(tree))
        numbers = np.array(self._native.attempt(tree._array), dtype=np.int32)
        return Trace(self, tree, self._labelled(numbers, tree), why)

    def taken(self, tree: Tree, numbers: Sequence[int]) -> Trace:
        """The trace of the transitions, by number, that a parser took on the way to a tree."""
        taken = np.array(numbers, dtype=np.int32)
        heads, _ = self._native.derive(taken, len(tree), may_end_early=True)
        words = (np.flatnonzero(heads < 0) + 1).tolist()
        left = [tree.form(word) if tree.forms is not None else str(word) for word in words]
        why = f"no transition is legal any more; left without a head, so below the root: {', '.join(left)}"
        return Trace(self, tree, self._labelled(taken, tree), why if left else None)

    # Many trees

    def oracles(self, trees: Treebank | Sequence[Tree], *, threads: int = 0) -> Sequences:
        """The sequences of a treebank or of many trees, as arrays; ``threads=0`` uses every core.

        >>> found = transition_system("arc-standard").oracles([Tree([2, 0]), Tree([3, 4, 0, 3])])
        >>> found.lengths.tolist(), found.derive().tolist()
        ([4, -1], [2, 0, -1, -1, -1, -1])
        """
        if isinstance(trees, Treebank):
            heads, offsets = trees.heads, trees.offsets
        else:
            heads = np.concatenate([np.zeros(0), *(tree._array for tree in trees)])
            offsets = np.cumsum([0, *(len(tree) for tree in trees)])
        heads = np.ascontiguousarray(heads, dtype=np.int32)
        offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        numbers, lengths = self._native.oracle_batch(heads, offsets, threads or processors())
        return Sequences(self, numbers, lengths, offsets)

    def _own(self, configuration: Configuration) -> _core.Configuration:
        return configuration._native

    def _legal_number(self, configuration: Configuration, transition: Transition | str) -> int:
        number = self._number(transition, len(configuration.heads))
        why = self._native.objection(self._own(configuration), number)
        if why is not None:
            raise NonprojError(f"{transition} is not legal in {configuration!r}: {why}")
        return number

    def _labelled(self, numbers: npt.NDArray[np.int32], tree: Tree) -> list[Transition]:
        """Transitions that may end early, with the tree's labels if it has some."""
        names = self.names(len(tree))
        if tree.deprels is None:
            return [Transition(names[number]) for number in numbers.tolist()]
        _, dependents = self._native.derive(numbers, len(tree), may_end_early=True)
        return [
            Transition(names[number], tree.deprels[dependent - 1] if dependent else None)
            for number, dependent in zip(numbers.tolist(), dependents.tolist(), strict=True)
        ]

    def _numbers_of(self, tree: Tree) -> npt.NDArray[np.int32]:
        numbers = self._native.oracle(tree._array)
        if numbers is None:
            raise NonprojError(str(self.explain(tree)))
        return numbers

    def _check_cost(self, tree: Tree) -> None:
        if not self._native.has_cost:
            known = " and ".join(kind.shown(kind.example) for kind in SYSTEMS if kind.has_cost)
            raise NonprojError(f"{self.name} has no dynamic oracle: {known} have one")
        if not self.has_cost:
            raise NonprojError(f"the cost in {self.name} is exact only where several roots are allowed")
        if self.kind.row.class_name(0) != "spanning" and not self.covers(tree):
            raise NonprojError(f"the cost in {self.name} is exact for trees that it derives: {self.explain(tree)}")
        if self.single_root and len(tree.roots) > 1:
            raise NonprojError(str(self.explain(tree)))


def transition_system(name: str, *, oracle: str | None = None, single_root: bool = False) -> TransitionSystem:
    """The transition system of that name; case, ``-`` and ``_`` do not matter.

    There are arc-standard, arc-hybrid, arc-eager, sorting, sort-parse, swap, attardi-2, 2-planar, two-register,
    covington and mh4, with any number in place of these; the name of a class that has a system will do, such as
    ``2-P``, ``AD2`` or ``2-C``, and so will the names of Nivre (2009): PARSE is arc-standard, SORT and SORTPARSE are
    sorting and sort-parse.

    ``oracle`` chooses among several, the first of which is the default: for sort-parse ``completion`` (sorts the words
    by when their subtrees are complete) or ``printed`` (sorts into projective order as in the paper, which does not
    derive every tree), for swap ``lazy`` (waits with a swap while it can, and so moves whole phrases) or ``eager``.
    With ``single_root`` only trees with one root are derived, and illegal is what would lead to another.

    >>> transition_system("AD_3"), transition_system("swap", oracle="eager").covers(Tree([3, 4, 0, 3]))
    (transition_system('attardi-3'), True)
    """
    kind, number = find_system(name)
    return TransitionSystem(kind, number, oracle, single_root)


def _printed_fault(tree: Tree) -> str:
    """What keeps the printed algorithm from linking: t is the last word of a yield."""
    last = list(range(len(tree) + 1))
    pending = [0]
    for node in pending:
        pending.extend(tree.children(node))
    for node in reversed(pending[1:]):
        head = tree.heads[node - 1]
        last[head] = max(last[head], last[node])
    for node in range(len(tree) + 1):
        right = [child for child in tree.children(node) if child > node]
        for one, other in pairwise(right):
            if last[one] > last[other]:
                return (
                    f"the dependents {_named(tree, one)} and {_named(tree, other)} of {_named(tree, node)} are "
                    f"complete in the wrong order, with the words {last[one]} and {last[other]}"
                )
        for child in tree.children(node):
            if child < node < last[child] and not (right and last[child] < last[right[-1]]):
                return (
                    f"{_named(tree, child)} is complete with the word {last[child]}, when its head "
                    f"{_named(tree, node)} will not be reached again"
                )
    raise AssertionError("the printed algorithm derives this tree")


def _named(tree: Tree, node: int) -> str:
    return f"{tree.form(node)!r}" if tree.forms is not None and node else "the root" if node == 0 else str(node)
