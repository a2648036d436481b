"""A grammar compiled: the rule-FSMs of its lexical categories and the automata of its lifting conditions.

The categories of a grammar's words are finitely many, so every rule is taken as standing for its instances with those
(footnote 4 of the paper). A *rule-FSM* reads the linear dependents of a head from left to right, ``#`` where the head
itself stands, each dependent with its role:

- ``own``   it is also a syntactic dependent, and fills a place of the s-rule or modifies by an m-rule;
- ``in``    it was lifted from further below: only the LP rule counts;
- ``out``   (after all others) a syntactic dependent that is lifted away: only the s- and m-rules count.

It is deterministic and minimal, and accepts when the LP rule is satisfied and the s-rule filled.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from nonproj.grammar.rules import GrammarRules, LPRule, LRule, SRule
from nonproj.lifting import Automaton, Category, Expression, Reader
from nonproj.lifting.expression import HEAD, Places, choice, compiled, sequence, symbol

Letter: TypeAlias = tuple[str, Category | None]
"""A role with the category of the dependent; ``("#", None)`` is the head."""
HEAD_LETTER: Letter = (HEAD, None)
Needs: TypeAlias = frozenset[tuple[Category, ...]]
"""What may still be needed: for each s-rule that is possible, the places not yet filled."""
STAND_ALONE = symbol(HEAD)


class LiftReader:
    """Reads the categories above a lifted word, from its syntactic governor up to the linear one, by its l-rules."""

    def __init__(self, rules: list[LRule]) -> None:
        self.rules = rules
        expressions = [
            sequence([symbol(r.rule.syntactic_governor), r.rule.path, symbol(r.rule.linear_governor)]) for r in rules
        ]
        self._reader = Reader(choice(expressions))
        # The last place of each rule is that of its linear governor.
        place, self._ends = -1, []
        for expression in expressions:
            place += len(list(expression.symbols()))
            self._ends.append(place)

    @property
    def start(self) -> Places:
        """Before anything is read."""
        return self._reader.start

    def step(self, state: Places, category: Category) -> Places:
        """One governor further up; an empty state is dead."""
        return self._reader.step(state, category)

    def arrives(self, state: Places) -> bool:
        """Whether the last category read may be the linear governor."""
        return self._reader.is_final(state)

    def best_rule(self, state: Places) -> LRule:
        """The rule of largest weight by which a word arrives in this state."""
        return max((r for r, end in zip(self.rules, self._ends, strict=True) if end in state), key=lambda r: r.weight)


class AnyLift(LiftReader):
    """Lets a word be lifted over anything: to find out what a lifting condition forbids."""

    def step(self, state: Places, category: Category) -> Places:
        """Always goes on."""
        return frozenset([0])

    def arrives(self, state: Places) -> bool:
        """Always arrives."""
        return True

    def best_rule(self, state: Places) -> LRule:
        """The first of its rules."""
        return self.rules[0]


class Machine:
    """The automata of a grammar; each is compiled when it is first asked for, and kept."""

    def __init__(self, grammar: GrammarRules, *, any_lift: bool = False) -> None:
        self.grammar = grammar
        self._any_lift = any_lift
        self._automata: dict[Category, Automaton[Letter]] = {}
        self._lifts: dict[Category, LiftReader | None] = {}
        self._orders: dict[Category, Reader] = {}
        self._s_rules: dict[Category, list[SRule]] = {}
        self._needs: dict[Category, Needs] = {}
        self._filled: dict[tuple[Category, Needs, Category], Needs] = {}
        self._modifiers: dict[tuple[Category, Category], bool] = {}

    @cached_property
    def categories(self) -> list[Category]:
        """The categories of the lexicon, in its order."""
        return list(dict.fromkeys(category for known in self.grammar.lexicon.values() for category in known))

    def add(self, category: Category) -> None:
        """Let a category that is in no entry of the lexicon take part; what is compiled is compiled anew."""
        if category not in self._known:
            self._known.add(category)
            self.categories.append(category)
            self._automata.clear()

    @cached_property
    def _known(self) -> set[Category]:
        return set(self.categories)

    def s_rules(self, head: Category) -> list[SRule]:
        """The s-rules of a head; without any it takes no arguments."""
        if head not in self._s_rules:
            found = [rule for rule in self.grammar.s_rules if rule.head.subsumes(head)]
            self._s_rules[head] = found or [SRule("", head, ())]
        return self._s_rules[head]

    def lp_rules(self, head: Category) -> list[LPRule]:
        """The LP rules of a head: those that match it, without those that a more specific one stands in for."""
        found = [rule for rule in self.grammar.lp_rules if rule.head.subsumes(head)]
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
        if head not in self._orders:
            self._orders[head] = Reader(self.order(head))
        return self._orders[head]

    def may_modify(self, head: Category, dependent: Category) -> bool:
        """Whether an m-rule lets the dependent modify the head."""
        key = (head, dependent)
        if key not in self._modifiers:
            rules = self.grammar.m_rules
            self._modifiers[key] = any(r.head.subsumes(head) and r.dependent.subsumes(dependent) for r in rules)
        return self._modifiers[key]

    def lift_reader(self, lifted: Category) -> LiftReader | None:
        """The automaton of the lifting conditions of a category; None when no rule lifts it."""
        if lifted not in self._lifts:
            rules = [rule for rule in self.grammar.l_rules if rule.rule.lifted.subsumes(lifted)]
            kind = AnyLift if self._any_lift else LiftReader
            self._lifts[lifted] = kind(rules) if rules else None
        return self._lifts[lifted]

    def rule_fsm(self, head: Category) -> Automaton[Letter]:
        """The rule-FSM of a category."""
        if head not in self._automata:
            self._automata[head] = self._compiled(head)
        return self._automata[head]

    def _compiled(self, head: Category) -> Automaton[Letter]:
        order = self.order_reader(head)

        def step(state: tuple[Places | None, Needs], letter: Letter) -> tuple[Places | None, Needs] | None:
            places, missing = state
            role, category = letter
            if role in ("own", "out") and category is not None:
                missing = self.filled(head, missing, category)
                if not missing:
                    return None
            if role == "out":
                is_ordered = places is None or order.is_final(places)
                return (None, missing) if is_ordered else None
            if places is None:
                return None
            places = order.step(places, HEAD if category is None else category)
            return (places, missing) if places else None

        def is_final(state: tuple[Places | None, Needs]) -> bool:
            places, missing = state
            return () in missing and (places is None or order.is_final(places))

        start: tuple[Places | None, Needs] = (order.start, self.needs(head))
        return compiled(start, step, is_final, list(self._letters(head)))

    def needs(self, head: Category) -> Needs:
        """What a head needs: the places of each of its s-rules."""
        if head not in self._needs:
            self._needs[head] = frozenset(tuple(sorted(rule.dependents)) for rule in self.s_rules(head))
        return self._needs[head]

    def filled(self, head: Category, before: Needs, dependent: Category) -> Needs:
        """What is missing after one more syntactic dependent: it fills a place, or it modifies."""
        key = (head, before, dependent)
        if key not in self._filled:
            after = set(before) if self.may_modify(head, dependent) else set()
            for missing in before:
                for place, needed in enumerate(missing):
                    if needed.subsumes(dependent):
                        after.add(missing[:place] + missing[place + 1 :])
            self._filled[key] = frozenset(after)
        return self._filled[key]

    def _letters(self, head: Category) -> Iterator[Letter]:
        yield HEAD_LETTER
        for category in self.categories:
            yield ("own", category)
            rules = self.grammar.l_rules
            lifting = [rule.rule for rule in rules if rule.rule.lifted.subsumes(category)]
            if any(self._any_lift or rule.linear_governor.subsumes(head) for rule in lifting):
                yield ("in", category)
            if any(self._any_lift or rule.syntactic_governor.subsumes(head) for rule in lifting):
                yield ("out", category)

    def may_start(self, category: Category) -> bool:
        """Whether a word of the category may be the root of a sentence."""
        return any(start.subsumes(category) for start in self.grammar.start)

    def best_rules(self, head: Category, dependents: tuple[Category, ...]) -> tuple[float, tuple[str, ...]] | None:
        """The s-rule and m-rules of largest weight that give a head these syntactic dependents.

        The names come first that of the s-rule, then one for each dependent: the s-rule's, or an m-rule's.
        """
        best: tuple[float, tuple[str, ...]] | None = None
        for rule in self.s_rules(head):
            found = self._best_filling(head, rule, dependents, rule.dependents)
            if found and (best is None or found[0] + rule.weight > best[0]):
                best = (found[0] + rule.weight, (rule.name, *found[1]))
        return best

    def _best_filling(
        self, head: Category, rule: SRule, dependents: tuple[Category, ...], missing: tuple[Category, ...]
    ) -> tuple[float, tuple[str, ...]] | None:
        if len(missing) > len(dependents):
            return None
        if not dependents:
            return 0.0, ()
        first, rest = dependents[0], dependents[1:]
        choices: list[tuple[float, str, tuple[Category, ...]]] = [
            (0.0, rule.name, missing[:place] + missing[place + 1 :])
            for place, needed in enumerate(missing)
            if needed.subsumes(first) and needed not in missing[:place]
        ]
        choices += [
            (m.weight, m.name, missing)
            for m in self.grammar.m_rules
            if m.head.subsumes(head) and m.dependent.subsumes(first)
        ]
        best: tuple[float, tuple[str, ...]] | None = None
        for weight, name, left in choices:
            found = self._best_filling(head, rule, rest, left)
            if found and (best is None or found[0] + weight > best[0]):
                best = (found[0] + weight, (name, *found[1]))
        return best
