"""What can be done in a configuration on the way to a tree: which transitions are legal, and what each would break."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nonproj.errors import NonprojError
from nonproj.transition.configuration import Configuration
from nonproj.transition.system import TransitionSystem
from nonproj.transition.transition import Transition
from nonproj.trees import Arc, Tree


@dataclass(frozen=True)
class Choice:
    """A transition that is legal in a configuration, and what it means for a tree."""

    transition: Transition
    arc: Arc | None
    """The arc it makes."""
    is_right: bool
    """Whether that arc is one of the tree's; true where it makes none."""
    breaks: tuple[Arc, ...]
    """Arcs of the tree that it puts out of reach at once: a word leaves before the arc is made."""
    cost: int | None
    """How many arcs of the tree can no longer be made, exactly, where the system has a dynamic oracle."""
    text: str
    """What speaks against it, or for it, in words."""

    def to_dict(self) -> dict[str, Any]:
        """The fixed JSON shape."""
        return {
            "transition": self.transition.name,
            "arc": None if self.arc is None else list(self.arc),
            "is_right": self.is_right,
            "breaks": [list(arc) for arc in self.breaks],
            "cost": self.cost,
            "text": self.text,
        }


def choices(system: TransitionSystem, configuration: Configuration, tree: Tree) -> list[Choice]:
    """The legal transitions of a configuration, each with what it breaks of a tree.

    >>> from nonproj.transition import transition_system
    >>> system, tree = transition_system("arc-standard"), Tree([2, 0], forms=["Dogs", "bark"])
    >>> configuration = system.apply(system.apply(system.initial(2), "SHIFT"), "SHIFT")
    >>> for choice in choices(system, configuration, tree):
    ...     print(choice.transition, choice.text)
    LA makes 'bark' -> 'Dogs', which the tree has
    RA makes 'Dogs' -> 'bark', but the head of 'bark' is the root; and then 'bark' -> 'Dogs' can no longer be made
    """
    costs = _costs(system, configuration, tree)
    found = []
    for transition in system.legal(configuration):
        number = system._number(transition, len(tree))
        head, dependent = system._native.arc(configuration._native, number)
        arc = Arc(head, dependent) if dependent else None
        after = system.apply(configuration, transition)
        is_right = arc is None or tree.heads[arc.dependent - 1] == arc.head
        breaks = tuple(sorted(set(out_of_reach(after, tree)) - set(out_of_reach(configuration, tree))))
        text = _text(tree, arc, is_right, breaks)
        found.append(Choice(transition, arc, is_right, breaks, costs.get(transition), text))
    return found


def out_of_reach(configuration: Configuration, tree: Tree) -> list[Arc]:
    """The tree's arcs that are not made and never can be: a word has another head, or is in no part any more.

    That finds what is lost for certain; what is lost by the order of the words left is not among it.
    """
    if not configuration.system.kind.has_arcs:
        return []
    present = _words(list(configuration.parts.values())) | {0}
    lost = []
    for word, (made, head) in enumerate(zip(configuration.heads, tree.heads, strict=True), 1):
        if made is None:
            # A word below the dummy may stay in none: where no arc to it is made, it is a root at the end.
            is_lost = head != 0 and (word not in present or head not in present)
        else:
            is_lost = made != head
        if is_lost:
            lost.append(Arc(head, word))
    return lost


def _words(part: Any) -> set[int]:
    if isinstance(part, list):
        return set().union(*map(_words, part)) if part else set()
    return set() if part is None else {part}


def _costs(system: TransitionSystem, configuration: Configuration, tree: Tree) -> dict[Transition, int]:
    if not system.has_cost:
        return {}
    try:
        return system.costs(configuration, tree)
    except NonprojError:  # the cost is exact only for trees that the system derives
        return {}


def _text(tree: Tree, arc: Arc | None, is_right: bool, breaks: tuple[Arc, ...]) -> str:
    lost = [one for one in breaks if arc is None or one.dependent != arc.dependent]
    after = f"then {_arcs(tree, lost)} can no longer be made" if lost else ""
    if arc is None:
        return after
    made = f"makes {_arc(tree, arc)}, "
    if is_right:
        return made + "which the tree has" + (f"; but {after}" if after else "")
    made += f"but the head of {_word(tree, arc.dependent)} is {_word(tree, tree.heads[arc.dependent - 1])}"
    return made + (f"; and {after}" if after else "")


def _arcs(tree: Tree, arcs: list[Arc]) -> str:
    told = [_arc(tree, arc) for arc in arcs]
    return " and ".join(filter(None, [", ".join(told[:-1]), told[-1]]))


def _arc(tree: Tree, arc: Arc) -> str:
    return f"{_word(tree, arc.head)} -> {_word(tree, arc.dependent)}"


def _word(tree: Tree, word: int) -> str:
    if word == 0:
        return "the root"
    return f"'{tree.form(word)}'" if tree.forms is not None else str(word)
