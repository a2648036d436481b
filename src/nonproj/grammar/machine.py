"""A grammar compiled: the rule-FSMs of its lexical categories and the automata of its lifting conditions.

The categories of a grammar's words are finitely many, so every rule is taken as standing for its instances with those
(footnote 4 of the paper). A *rule-FSM* reads the linear dependents of a head from left to right, ``#`` where the head
itself stands, each dependent with its role:

- ``own``   it is also a syntactic dependent, and fills a place of the s-rule or modifies by an m-rule;
- ``in``    it was lifted from further below: only the LP rule counts;
- ``out``   (after all others) a syntactic dependent that is lifted away: only the s- and m-rules count.

It is deterministic and minimal, and accepts when the LP rule is satisfied and the s-rule filled. Its weights are those
of the best rules: a dependent that may modify weighs its m-rule, and where it fills a place instead that is taken back
at the end, together with the weight of the s-rule: exactly, in fractions, so that there are finitely many states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import inf
from typing import Generic, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.grammar.rules import GrammarRules, LPRule, LRule, SRule
from nonproj.grammar.steps import END, FIRST, Letter, Phase, next_phase
from nonproj.lifting import Automaton, Category, Expression, LiftingRule, Reader
from nonproj.lifting.category import ANY
from nonproj.lifting.expression import HEAD, Places, choice, compiled, sequence, symbol

HEAD_LETTER: Letter = (HEAD, None)
Needs: TypeAlias = frozenset[tuple[tuple[Category, ...], Fraction]]
"""What may still be needed: the places not yet filled of each s-rule that is possible, with what that weighs."""
State: TypeAlias = tuple[Places | None, Needs, Phase]
"""Places in the LP rules (None after them), what is needed, and the phase where steps were counted."""
STAND_ALONE = symbol(HEAD)
ROLES = {"own": 0, "in": 1, "out": 2, HEAD: 3}
ANY_LIFT = LiftingRule.parse(". ^ . .* .")
BROKEN: Places = frozenset([-2])
"""An order that no LP rule allows."""
MAX_WORK = 2_000_000
"""Steps with their needs that are tried for one rule-FSM: some seconds."""
MISSING, EXTRA, ORDER, START, DEAD_LIFT, NO_LIFT = (Fraction(n, 2) for n in (4, 5, 3, 6, 2, 3))
"""What each way to break a relaxed grammar costs."""


Rule = TypeVar("Rule")


class _Matching(Generic[Rule]):
    """Rules by a category that they match, in their order."""

    def __init__(self, rules: Sequence[Rule], pattern_of: Callable[[Rule], Category]) -> None:
        self._known: dict[Category, list[Rule]] = {}
        self._pattern_of = pattern_of
        self._by_name: dict[str, list[tuple[int, Rule]]] = {}
        for number, rule in enumerate(rules):
            self._by_name.setdefault(pattern_of(rule).name, []).append((number, rule))
        self._any = [(n, rule) for n, rule in self._by_name.get(ANY, ()) if pattern_of(rule).is_any]

    def __call__(self, category: Category) -> list[Rule]:
        if category not in self._known:
            named = self._by_name.get(category.name, [])
            found = sorted([*named, *(() if category.name == ANY else self._any)], key=lambda one: one[0])
            self._known[category] = [rule for _, rule in found if self._pattern_of(rule).subsumes(category)]
        return self._known[category]


@dataclass(frozen=True)
class _StepTable:
    """A rule-FSM as arrays: a row a step has its state, role, dependent and the state after it."""

    steps: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64]
    letters: npt.NDArray[np.int64]
    """What each step reads, as the counts number it."""
    finals: npt.NDArray[np.float64]
    phases: list[Phase]
    phase_of: npt.NDArray[np.int64]
    """The phase of each state."""


class Machine:
    """The automata of a grammar; each is compiled when it is first asked for, and kept."""

    def __init__(self, grammar: GrammarRules, *, relaxed: bool = False) -> None:
        """Compile a grammar; relaxed, all its rules may be broken, and an analysis weighs what it breaks."""
        self.grammar = grammar
        self._relaxed = relaxed
        self._automata: dict[Category, Automaton[Letter]] = {}
        self._tables: dict[tuple[tuple[str, ...], ...], _StepTable] = {}
        self._matched: dict[Category, list[Category]] = {}
        self._orders: dict[tuple[str, ...], Reader] = {}
        self._needs: dict[Category, Needs] = {}
        self._filled: dict[tuple[Category, Needs, Category], Needs] = {}
        self._modifiers: dict[tuple[Category, Category], Fraction | None] = {}
        self._anyway: dict[tuple[Category, Category], Fraction | None] = {}
        self._s_rules = _Matching(grammar.s_rules, lambda rule: rule.head)
        self._m_rules = _Matching(grammar.m_rules, lambda rule: rule.head)
        self._lp_rules = _Matching(grammar.lp_rules, lambda rule: rule.head)
        self._lifted = _Matching(grammar.l_rules, lambda rule: rule.rule.lifted)
        self._lifted_to = _Matching(grammar.l_rules, lambda rule: rule.rule.linear_governor)
        self._lifted_from = _Matching(grammar.l_rules, lambda rule: rule.rule.syntactic_governor)
        self._native: _core.GrammarMachine | None = None
        self._handed_over: set[Category] = set()

    @cached_property
    def categories(self) -> list[Category]:
        """The categories of the lexicon, in its order."""
        return list(dict.fromkeys(category for known in self.grammar.lexicon.values() for category in known))

    def add(self, category: Category) -> None:
        """Let a category that is in no entry of the lexicon take part; what is compiled is compiled anew."""
        if category not in self._known:
            self._known.add(category)
            self.categories.append(category)
            self.__dict__.pop("_by_name", None)
            for kept in (self._automata, self._tables, self._matched, self._needs, self._filled, self._anyway):
                kept.clear()
            self._native = None

    @cached_property
    def _known(self) -> set[Category]:
        return set(self.categories)

    def s_rules(self, head: Category) -> list[SRule]:
        """The s-rules of a head; without any it takes no arguments."""
        return self._s_rules(head) or [SRule("", head, ())]

    def lp_rules(self, head: Category) -> list[LPRule]:
        """The LP rules of a head: those that match it, without those that a more specific one stands in for."""
        found = self._lp_rules(head)
        return [
            rule
            for rule in found
            if not any(rule.head.subsumes(other.head) and not other.head.subsumes(rule.head) for other in found)
        ]

    def order(self, head: Category) -> Expression:
        """What the LP rules say of a head."""
        rules = self.lp_rules(head)
        return choice([rule.order for rule in rules]) if rules else STAND_ALONE

    def order_reader(self, head: Category) -> Reader:
        """Reads the linear dependents of a head."""
        key = tuple(rule.name for rule in self.lp_rules(head))
        if key not in self._orders:
            self._orders[key] = Reader(self.order(head))
        return self._orders[key]

    def modifying(self, head: Category, dependent: Category) -> Fraction | None:
        """What the best m-rule weighs that lets the dependent modify the head; None without any."""
        key = (head, dependent)
        if key not in self._modifiers:
            found = [rule.weight for rule in self._m_rules(head) if rule.dependent.subsumes(dependent)]
            self._modifiers[key] = Fraction(max(found)) if found else -EXTRA if self._relaxed else None
        return self._modifiers[key]

    def may_modify(self, head: Category, dependent: Category) -> bool:
        """Whether an m-rule lets the dependent modify the head."""
        return self.modifying(head, dependent) is not None

    def l_rules(self, lifted: Category) -> list[LRule]:
        """The l-rules of a category."""
        return self._lifted(lifted)

    def rule_fsm(self, head: Category) -> Automaton[Letter]:
        """The rule-FSM of a category."""
        if head not in self._automata:
            self._automata[head] = self._compiled(head, self._letters(head))
        return self._automata[head]

    def _compiled(self, head: Category, letters: Iterable[Letter]) -> Automaton[Letter]:
        if self._relaxed:
            return self._compiled_relaxed(head, letters)
        order, counts, work = self.order_reader(head), self.grammar.steps, 0

        def step(state: State, letter: Letter) -> State | None:
            nonlocal work
            places, missing, phase = state
            work += len(missing)
            if work > MAX_WORK:
                raise NonprojError(
                    f"the rule-FSM of {head} becomes too large: its {len(self.s_rules(head))} s-rules need too many "
                    "different things; use fewer s-rules or categories ('grammar train --arguments none' makes none)"
                )
            role, category = letter
            phase = counts.after(phase, letter) if counts else phase
            if role in ("own", "out") and category is not None:
                missing = self.filled(head, missing, category)
                if not missing:
                    return None
            if role == "out":
                is_ordered = places is None or order.is_final(places)
                return (None, missing, phase) if is_ordered else None
            if places is None:
                return None
            places = order.step(places, HEAD if category is None else category)
            return (places, missing, phase) if places else None

        def is_final(state: State) -> bool:
            places, missing, _ = state
            return () in dict(missing) and (places is None or order.is_final(places))

        def label(state: State) -> tuple[Fraction, Phase]:
            return dict(state[1])[()] if is_final(state) else Fraction(), state[2]

        start: State = (order.start, self.needs(head), FIRST)
        return compiled(start, step, is_final, list(letters), label)

    def _compiled_relaxed(self, head: Category, letters: Iterable[Letter]) -> Automaton[Letter]:
        """Any dependents in any order; what is missing, too many or out of order costs."""
        order = self.order_reader(head)

        def is_ordered(state: State) -> bool:
            places = state[0]
            return places is None or (places != BROKEN and order.is_final(places))

        def step(state: State, letter: Letter) -> State | None:
            places, missing, (phase, _) = state
            role, category = letter
            has_head = phase not in ("first", "before")
            if (role == HEAD and has_head) or (role == "out" and not has_head) or (role != "out" and phase == "away"):
                return None
            if role in ("own", "out") and category is not None:
                missing = self.filled(head, missing, category)
            if role == "out":
                return (None if is_ordered(state) else BROKEN), missing, ("away", None)
            if places is not None and places != BROKEN:
                places = order.step(places, HEAD if category is None else category) or BROKEN
            return places, missing, (next_phase(phase, letter), None)

        def is_final(state: State) -> bool:
            return state[2][0] not in ("first", "before")

        def label(state: State) -> tuple[Fraction, Phase]:
            weight = max(weight - MISSING * len(missing) for missing, weight in state[1])
            return weight - (0 if is_ordered(state) else ORDER), state[2]

        start: State = (order.start, self.needs(head), FIRST)
        return compiled(start, step, is_final, list(letters), label)

    def needs(self, head: Category) -> Needs:
        """What a head needs: the places of each of its s-rules."""
        if head not in self._needs:
            needs = ((tuple(sorted(r.dependents)), Fraction(r.weight)) for r in self.s_rules(head))
            self._needs[head] = self._best(head, needs)
        return self._needs[head]

    def filled(self, head: Category, before: Needs, dependent: Category) -> Needs:
        """What is missing after one more syntactic dependent: it fills a place, or it modifies."""
        key = (head, before, dependent)
        if key not in self._filled:
            modifying = self.modifying(head, dependent)
            after = [] if modifying is None else list(before)
            for missing, weight in before:
                for place, needed in enumerate(missing):
                    if needed.subsumes(dependent):
                        after.append((missing[:place] + missing[place + 1 :], weight - (modifying or 0)))
            self._filled[key] = self._best(head, after)
        return self._filled[key]

    def _best(self, head: Category, needs: Iterable[tuple[tuple[Category, ...], Fraction]]) -> Needs:
        """Each once, with its largest weight, and without those that others do as well for.

        What needs more does no better than what needs less when every dependent that could fill the places between may
        as well modify. Without them far fewer states are met, and what is accepted and weighed is the same.
        """
        best: dict[tuple[Category, ...], Fraction] = {}
        for missing, weight in needs:
            best[missing] = max(weight, best.get(missing, weight))
        kept: list[tuple[tuple[Category, ...], Fraction]] = []
        for missing, weight in sorted(best.items(), key=lambda need: (len(need[0]), need)):
            if not any(self._does_as_well(head, less, missing, other - weight) for less, other in kept):
                kept.append((missing, weight))
        return frozenset(kept)

    def _does_as_well(
        self, head: Category, less: tuple[Category, ...], more: tuple[Category, ...], ahead: Fraction
    ) -> bool:
        if len(less) >= len(more):
            return False
        at = 0
        for place in more:
            if at < len(less) and less[at] == place:
                at += 1
                continue
            modifying = self._modifying_anyway(head, place)
            if modifying is None:
                return False
            ahead += modifying
        return at == len(less) and ahead >= 0

    def _modifying_anyway(self, head: Category, place: Category) -> Fraction | None:
        """What a dependent that could fill a place weighs at least when it modifies; None when one may not modify."""
        key = (head, place)
        if key not in self._anyway:
            weights = [self.modifying(head, category) for category in self._matching(place)]
            known = [weight for weight in weights if weight is not None]
            self._anyway[key] = min(known) if weights and len(known) == len(weights) else None
        return self._anyway[key]

    def _letters(self, head: Category, *, wherever: bool = False) -> Iterator[Letter]:
        """What a rule-FSM may read: categories that its rules have a place for; ``wherever`` any l-rule lifts them."""
        yield HEAD_LETTER
        if self._relaxed:
            for category in self.categories:
                yield from ((role, category) for role in ("own", "in", "out"))
            return
        ordered = self._all_matching(s for s in self.order(head).symbols() if isinstance(s, Category))
        frames = [rule.dependents for rule in self._s_rules(head)]
        allowed = self._all_matching([*chain(*frames), *(rule.dependent for rule in self._m_rules(head))])
        arriving, leaving = self._arriving(head), self._leaving(head)
        if wherever:
            arriving = leaving = self._all_matching(rule.rule.lifted for rule in self.grammar.l_rules)
        for category in sorted(ordered | (allowed & leaving), key=self.number):
            if category in ordered and category in allowed:
                yield ("own", category)
            if category in ordered and category in arriving:
                yield ("in", category)
            if category in allowed and category in leaving:
                yield ("out", category)

    def _arriving(self, head: Category) -> set[Category]:
        """The categories that may be lifted to a head."""
        return self._all_matching(rule.rule.lifted for rule in self._lifted_to(head))

    def _leaving(self, head: Category) -> set[Category]:
        """The categories that may be lifted away from a head."""
        return self._all_matching(rule.rule.lifted for rule in self._lifted_from(head))

    def _all_matching(self, patterns: Iterable[Category]) -> set[Category]:
        return set(chain.from_iterable(map(self._matching, dict.fromkeys(patterns))))

    def _matching(self, pattern: Category) -> list[Category]:
        """The categories of the lexicon that a pattern matches."""
        if pattern not in self._matched:
            named = self.categories if pattern.is_any else self._by_name.get(pattern.name, [])
            self._matched[pattern] = [category for category in named if pattern.subsumes(category)]
        return self._matched[pattern]

    @cached_property
    def _by_name(self) -> dict[str, list[Category]]:
        found: dict[str, list[Category]] = {}
        for category in self.categories:
            found.setdefault(category.name, []).append(category)
        return found

    def may_occur(self, category: Category) -> bool:
        """Whether any rule has a place for words of a category: as the root, or as a dependent."""
        return any(pattern.subsumes(category) for pattern in self._places)

    @cached_property
    def _places(self) -> list[Category]:
        needed = (dependent for rule in self.grammar.s_rules for dependent in rule.dependents)
        return list(dict.fromkeys([*self.grammar.start, *needed, *(rule.dependent for rule in self.grammar.m_rules)]))

    def may_start(self, category: Category) -> bool:
        """Whether a word of the category may be the root of a sentence."""
        return any(start.subsumes(category) for start in self.grammar.start)

    def native(self, categories: Iterable[Category]) -> _core.GrammarMachine:
        """The tables for the native chart, at least for sentences of these categories."""
        if self._native is None:
            self._native = _core.GrammarMachine(len(self.categories))
            self._handed_over.clear()
            self._hand_over_lifts(self._native)
            for number, category in enumerate(self.categories):
                weights = [self.grammar.start_weights.get(s, 0.0) for s in self.grammar.start if s.subsumes(category)]
                if weights or self._relaxed:
                    self._native.set_start(number, max(weights, default=float(-START)))
        for category in categories:
            if category not in self._handed_over:
                self._handed_over.add(category)
                self._hand_over_fsm(self._native, category)
        return self._native

    @cached_property
    def _numbers(self) -> dict[Category, int]:
        return {}

    def number(self, category: Category) -> int:
        """The number of a category in the native tables."""
        for known in self.categories[len(self._numbers) :]:
            self._numbers[known] = len(self._numbers)
        return self._numbers[category]

    def _hand_over_fsm(self, native: _core.GrammarMachine, head: Category) -> None:
        table = self._step_table(head)
        steps, weights, finals = table.steps, table.weights, table.finals
        if counts := self.grammar.steps:
            likely = np.array([counts.weights(head, phase) for phase in table.phases])
            weights = weights + likely[table.phase_of[steps[:, 0]], table.letters]
            finals = finals + likely[table.phase_of, counts.index(END)]
        if not self._relaxed:
            is_possible = np.zeros((len(ROLES), len(self.categories) + 1), bool)
            is_possible[[ROLES["own"], ROLES[HEAD]]] = True
            for role, categories in (("in", self._arriving(head)), ("out", self._leaving(head))):
                is_possible[ROLES[role], list(map(self.number, categories))] = True
            kept = is_possible[steps[:, 1], steps[:, 2]]
            steps, weights = steps[kept], weights[kept]
        native.set_fsm(self.number(head), finals, steps, weights)

    def _step_table(self, head: Category) -> _StepTable:
        """The rule-FSM of all heads with the same rules, without what they are counted and what l-rules allow each."""
        listed = (self._s_rules(head), self._m_rules(head), self._lp_rules(head))
        key = tuple(tuple(rule.name for rule in rules) for rules in listed)
        if key not in self._tables:
            fsm, counts = self._compiled(head, self._letters(head, wherever=True)), self.grammar.steps
            labels = [cast("tuple[Fraction, Phase]", label) for label in fsm.labels]
            phases = list(dict.fromkeys(phase for _, phase in labels))
            rows = [(state, letter, after) for state, row in enumerate(fsm.steps) for letter, after in row.items()]
            self._tables[key] = _StepTable(
                steps=np.array(
                    [(at, ROLES[role], -1 if c is None else self.number(c), to) for at, (role, c), to in rows], np.int32
                ).reshape(-1, 4),
                weights=np.array(
                    [0.0 if c is None or role == "in" else self.modifying(head, c) or 0 for _, (role, c), _ in rows],
                    np.float64,
                ),
                letters=np.array([counts.index(letter) for _, letter, _ in rows], np.int64),
                finals=np.array([float(labels[at][0]) if at in fsm.finals else -inf for at in range(len(fsm))]),
                phases=phases,
                phase_of=np.array([phases.index(phase) for _, phase in labels], np.int64),
            )
        return self._tables[key]

    def _hand_over_lifts(self, native: _core.GrammarMachine) -> None:
        """The lifting conditions, one automaton for all categories that have the same rules."""
        alike: dict[tuple[str, ...], list[Category]] = {}
        for category in self.categories:
            if (rules := self.l_rules(category)) or self._relaxed:
                alike.setdefault(tuple(rule.name for rule in rules), []).append(category)
        for categories in alike.values():
            rules = self.l_rules(categories[0])
            lifts = [(rule.rule, rule.weight) for rule in rules]
            if self._relaxed:
                lifts.append((ANY_LIFT, float(-DEAD_LIFT if rules else -NO_LIFT)))
            expressions = [
                sequence([symbol(lift.syntactic_governor), lift.path, symbol(lift.linear_governor)])
                for lift, _ in lifts
            ]
            first, follow, symbols = Reader(choice(expressions)).tables()
            # No path of a lifting rule has the head's sign in it.
            parts = [part for part in symbols if isinstance(part, Category)]
            ends, place = [-inf] * len(symbols), -1
            for (_, weight), expression in zip(lifts, expressions, strict=True):
                place += len(list(expression.symbols()))  # the last place of each rule is that of its linear governor
                ends[place] = weight
            numbers = [self.number(category) for category in categories]
            matched = [list(map(self.number, self._matching(part))) for part in parts]
            native.set_lifts(numbers, first, follow, matched, ends)
