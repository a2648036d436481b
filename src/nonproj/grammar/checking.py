"""Warnings about grammars: rules that cannot do what they were written for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nonproj.grammar.machine import Machine
from nonproj.lifting import Category, Reader
from nonproj.lifting.expression import HEAD, Symbol, compiled


@dataclass(frozen=True)
class GrammarWarning:
    """A warning: what it is about, the rule or category, and a sentence."""

    kind: str
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}"


def warnings(machine: Machine) -> Iterator[GrammarWarning]:
    """All warnings about a grammar."""
    yield from _ambiguous_features(machine)
    yield from _matching_no_word(machine)
    yield from _cyclic(machine)
    yield from _empty_orders(machine)
    yield from _unreachable(machine)
    yield from _dead(machine)


def _ambiguous_features(machine: Machine) -> Iterator[GrammarWarning]:
    lexical = machine.categories
    patterns = list(machine.grammar.patterns())
    kinds: dict[tuple[str, str], dict[bool, str]] = {}
    for rule, category in [*patterns, *(("the lexicon", category) for category in lexical)]:
        for feature, value in category.features:
            kinds.setdefault((category.name, feature), {}).setdefault(value in ("+", "-"), rule)
    for (name, feature), rules in kinds.items():
        if len(rules) == 2:
            text = f"the feature {feature!r} of {name} is + or - here, but has a name as its value in {rules[False]}"
            yield GrammarWarning("ambiguous feature", rules[True], text)
    told = set()
    for rule, pattern in patterns:
        for feature, _ in pattern.features:
            for category in lexical:
                is_open = category.name == pattern.name and feature not in dict(category.features)
                if is_open and (feature, category) not in told:
                    told.add((feature, category))
                    text = f"asks for {pattern}, but words of {category} leave {feature!r} open and never match it"
                    yield GrammarWarning("ambiguous feature", rule, text)


def _matching_no_word(machine: Machine) -> Iterator[GrammarWarning]:
    lexical = machine.categories
    for rule, pattern in dict.fromkeys(machine.grammar.patterns()):
        if not any(pattern.subsumes(category) for category in lexical):
            name, _, feature = pattern.name.rpartition("_")
            is_index = any(name == category.name for category in lexical)
            meant = f"; the feature of {pattern.name} is written {name}[{feature} +]" if is_index else ""
            yield GrammarWarning("no word", rule, f"no word of the lexicon is a {pattern}{meant}")


def _cyclic(machine: Machine) -> Iterator[GrammarWarning]:
    """The s-rules whose places can never all be filled, because filling them needs the rule again and again."""
    grammar = machine.grammar
    finished: set[Category] = set()
    while True:
        more = {
            category
            for category in machine.categories
            if any(_can_fill(rule.dependents, finished) for rule in machine.s_rules(category))
        }
        if more == finished:
            break
        finished = more
    for rule in grammar.s_rules:
        has_words = all(any(d.subsumes(category) for category in machine.categories) for d in rule.dependents)
        if has_words and not _can_fill(rule.dependents, finished):
            endless = next(d for d in rule.dependents if not _can_fill((d,), finished))
            text = f"can never be completed: {endless} always needs another one below it"
            yield GrammarWarning("cyclic s-rule", rule.name, text)


def _can_fill(places: tuple[Category, ...], finished: set[Category]) -> bool:
    return all(any(place.subsumes(category) for category in finished) for place in places)


def _empty_orders(machine: Machine) -> Iterator[GrammarWarning]:
    grammar = machine.grammar
    letters: list[Symbol] = [HEAD, *machine.categories]
    empty = set()
    for rule in grammar.lp_rules:
        reader = Reader(rule.order)
        language = compiled(reader.start, lambda s, c, r=reader: r.step(s, c) or None, reader.is_final, letters)  # type: ignore[misc]
        if language.is_empty:
            empty.add(rule.name)
            yield GrammarWarning("empty LP language", rule.name, "allows no order at all with the words of the lexicon")
    for category in machine.categories:
        rules = machine.lp_rules(category)
        if len(rules) > 1:
            names = ", ".join(rule.name for rule in rules[1:])
            text = f"{category} also has the LP rules {names}, none more specific: either order will do"
            yield GrammarWarning("ambiguous feature", rules[0].name, text)
        if machine.rule_fsm(category).is_empty and not any(rule.name in empty for rule in rules):
            name = rules[0].name if rules else machine.s_rules(category)[0].name
            text = f"no s-rule of {category} has dependents that its LP rule can put in order"
            yield GrammarWarning("empty LP language", name, text if rules else f"{text}: it has no LP rule")


def _unreachable(machine: Machine) -> Iterator[GrammarWarning]:
    grammar = machine.grammar
    reached = {category for category in machine.categories if machine.may_start(category)}
    pending = list(reached)
    while pending:
        head = pending.pop()
        asked = [d for rule in machine.s_rules(head) for d in rule.dependents]
        asked += [rule.dependent for rule in grammar.m_rules if rule.head.subsumes(head)]
        for category in machine.categories:
            if category not in reached and any(d.subsumes(category) for d in asked):
                reached.add(category)
                pending.append(category)
    for category in machine.categories:
        if category not in reached:
            word = next(word for word, known in grammar.lexicon.items() if category in known)
            text = f"is never reached from the start categories by s- and m-rules (a word of it is {word!r})"
            yield GrammarWarning("unreachable category", str(category), text)
    for rule in grammar.s_rules:
        if machine.categories and not any(rule.head.subsumes(category) for category in reached):
            yield GrammarWarning("unreachable category", rule.name, f"its head {rule.head} is never reached")


def _dead(machine: Machine) -> Iterator[GrammarWarning]:
    """Rules that no rule-FSM has a step for, though there are words for them."""
    heads: dict[tuple[str, Category], set[Category]] = {}
    for category in machine.categories:
        for row in machine.rule_fsm(category).steps:
            for role, dependent in row:
                if dependent is not None:
                    heads.setdefault((role, dependent), set()).add(category)

    def matching(pattern: Category) -> list[Category]:
        return [category for category in machine.categories if pattern.subsumes(category)]

    def is_used(roles: tuple[str, ...], head: Category, dependent: Category) -> bool:
        return any(heads.get((role, c), set()) & {*matching(head)} for role in roles for c in matching(dependent))

    def orders(head: Category) -> list[str]:
        return list(dict.fromkeys(rule.name for category in matching(head) for rule in machine.lp_rules(category)))

    for m in machine.grammar.m_rules:
        if matching(m.head) and matching(m.dependent) and not is_used(("own", "out"), m.head, m.dependent):
            names = orders(m.head)
            give = "gives" if len(names) == 1 else "give"
            why = (
                f"{' and '.join(names)} {give} it no place" if names else f"no LP rule is for {m.head}, it stands alone"
            )
            yield GrammarWarning("dead rule", m.name, f"never lets {m.dependent} modify: {why}")
    for named in machine.grammar.l_rules:
        rule = named.rule
        if not all(map(matching, (rule.lifted, rule.syntactic_governor, rule.linear_governor))):
            continue
        if not is_used(("out",), rule.syntactic_governor, rule.lifted):
            text = (
                f"never lifts: no {rule.syntactic_governor} may have a {rule.lifted} and do without it in its order; "
                f"make it optional in {' and '.join(orders(rule.syntactic_governor)) or 'an LP rule'}"
            )
            yield GrammarWarning("dead rule", named.name, text)
        elif not is_used(("in",), rule.linear_governor, rule.lifted):
            place = " and ".join(orders(rule.linear_governor)) or "an LP rule"
            text = (
                f"never lifts: {rule.linear_governor} has no place for {rule.lifted} in its order; add one to {place}"
            )
            yield GrammarWarning("dead rule", named.name, text)
