"""The agenda: from the hypotheses, apply every step to every new item until nothing new follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nonproj.errors import NonprojError
from nonproj.schema.errors import SchemaError
from nonproj.schema.forest import Forest
from nonproj.schema.matching import Matcher
from nonproj.schema.notation import Step
from nonproj.schema.pattern import Item, shape_of
from nonproj.schema.problem import Problem
from nonproj.schema.semiring import Edge

_REFUSED = -1
MAX_USES = 3_000_000
"""A deduction with more uses of steps than this would fill the memory: it is stopped."""


@dataclass(frozen=True)
class Program:
    """A schema made ready to run: its steps, the final one last, compiled."""

    name: str
    steps: Sequence[Step]
    matcher: Callable[..., Matcher]
    normalise: Callable[[Item], Item] | None
    forms: Callable[[Item], Iterable[Item]] | None


def deduce(program: Program, problem: Problem, *, single_root: bool) -> Forest:
    """Everything that follows from the hypotheses, with every use of a step that concludes it.

    Items are taken in the order in which they were first concluded, so the list of items is also the agenda. A
    conclusion that is one of its own antecedents (a head alone, combined with what it heads) says nothing and is
    left out.
    """
    return _Run(program, problem, single_root).forest()


class _Run:
    def __init__(self, program: Program, problem: Problem, single_root: bool) -> None:
        self.program, self.problem = program, problem
        self.steps = program.steps
        self.items: list[Item] = []
        self.edges: list[list[Edge]] = []
        self.known: dict[Item, int] = {("goal",): _REFUSED}
        self.goal: int | None = None
        self.uses = 0
        # One use of a step is found twice only through patterns met by several forms or several items.
        self.may_repeat = {
            number
            for number, step in enumerate(self.steps)
            if any(pattern.up_to_normalisation or pattern.is_prediction for pattern in step.antecedents)
        }
        self.matcher = program.matcher(
            problem.n,
            1 if single_root else 0,
            self.category,
            len(problem.category_names),
            problem.licensed,
            problem.licensed_categories,
            self.conclude,
        )

    def category(self, position: int) -> int:
        """The category of a node; -1 where there is none."""
        return self.problem.categories[position] if 0 <= position <= self.problem.n else -1

    def forest(self) -> Forest:
        for item in self.matcher.hypotheses():
            if item not in self.known:
                self.add(item)
        hypotheses = len(self.items)
        enter, offer = self.matcher.enter, self.matcher.offer
        forms = self.program.forms or (lambda item: (item,))
        has_forms = any(key.startswith("~") for key in offer)
        taken = 0
        while taken < len(self.items):
            item = self.items[taken]
            met = [(shape_of(item), item)]
            if has_forms and taken != self.goal:
                met += [("~" + shape_of(form), form) for form in forms(item)]
            for key, form in met:
                for entering in enter.get(key, ()):
                    entering(taken, form)
            for key, form in met:
                for offering in offer.get(key, ()):
                    offering(taken, form)
            taken += 1
            if self.uses > MAX_USES:
                raise NonprojError(
                    f"{self.program.name} goes beyond {MAX_USES:,} uses of steps with {self.problem.n} words: license "
                    "fewer arcs, take a shorter sentence, or use the decoders of nonproj.decode"
                )
        return Forest(self.problem, self.steps, self.items, self.edges, hypotheses, self.goal)

    def conclude(self, raw: Item, step: int, antecedents: tuple[int, ...], link: tuple[int, ...] | None) -> None:
        number = self.known.get(raw)
        if number is None:
            number = self.admit(raw, step)
        if number == _REFUSED:
            if len(raw) > 1 or raw[0] != "goal":
                return
            self.goal = number = self.add(raw)
        if number in antecedents:
            return
        edge = (step, antecedents, link)
        if step in self.may_repeat and edge in self.edges[number]:
            return
        self.edges[number].append(edge)
        self.uses += 1

    def admit(self, raw: Item, step: int) -> int:
        """The number of a conclusion met for the first time, or _REFUSED when the constraints exclude it."""
        item = self.program.normalise(raw) if self.program.normalise else raw
        number = self.known.get(item)
        if number is None:
            if any(check(item) for check in self.matcher.is_item.get(shape_of(item), ())):
                self.refuse_growth(item, step)
                number = self.add(item)
            else:
                number = self.known[item] = _REFUSED
        self.known[raw] = number
        return number

    def add(self, item: Item) -> int:
        self.known[item] = len(self.items)
        self.items.append(item)
        self.edges.append([])
        return len(self.items) - 1

    def refuse_growth(self, item: Item, step: int) -> None:
        consequent = self.steps[step].consequent
        assert consequent is not None
        last = self.problem.n + 1
        for value in item[1:]:
            if isinstance(value, int) and not 0 <= value <= last:
                raise SchemaError(
                    f"step {self.steps[step].name!r} concludes {consequent.text} with the position {value}, outside "
                    f"0..{last}, and would go on forever: bound it by a condition on the step or on the item form"
                )
