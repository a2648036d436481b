"""Why a sentence has no analysis: what the analysis breaks that breaks least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from nonproj import _core
from nonproj.grammar.derivation import lifting_path
from nonproj.grammar.forest import Analysis
from nonproj.grammar.machine import Machine
from nonproj.grammar.rules import GrammarRules, LRule, SRule
from nonproj.lifting import Category
from nonproj.lifting.expression import HEAD, Symbol

MAX_LIFTS = 2
"""How many words may be on their way up at a time in an analysis that breaks rules."""


def relaxed(grammar: GrammarRules, categories: Iterable[Category]) -> Machine:
    """A grammar whose rules may all be broken, at a price."""
    machine = Machine(without_weights(grammar), relaxed=True)
    for category in categories:
        machine.add(category)
    return machine


def without_weights(grammar: GrammarRules) -> GrammarRules:
    """A grammar whose rules all weigh nothing."""
    return GrammarRules(
        grammar.start,
        tuple(replace(rule, weight=0.0) for rule in grammar.s_rules),
        tuple(replace(rule, weight=0.0) for rule in grammar.m_rules),
        grammar.lp_rules,
        tuple(replace(rule, weight=0.0) for rule in grammar.l_rules),
        grammar.lexicon,
        unknown=grammar.unknown,
    )


def broken_rules(machine: Machine, analysis: Analysis) -> Iterator[str]:
    """What an analysis breaks of a grammar, a sentence each."""
    tree, lifted, categories = analysis.tree, analysis.lifted, analysis.categories
    root = tree.roots[0]
    if not machine.may_start(categories[root - 1]):
        yield f"{_named(analysis, root)} would be the root, and is not a start category"
    for word, category in enumerate(categories, 1):
        yield from _broken_frame(machine, analysis, word)
        around = sorted([word, *lifted.children(word)])
        order: list[Symbol] = [HEAD if node == word else categories[node - 1] for node in around]
        if not machine.order_reader(category).accepts(order):
            rules = machine.lp_rules(category)
            shown = " ".join(HEAD if node == word else f"{analysis.words[node - 1]}" for node in around)
            allowed = " and ".join(f"{rule.name} allows only {rule.order}" for rule in rules)
            yield (
                f"{_named(analysis, word)} would have its dependents in the order '{shown}', but "
                + (allowed or "it has no LP rule, and so has to stand alone")
            )
    yield from _dead_lifts(machine.grammar.l_rules, analysis)


def _broken_frame(machine: Machine, analysis: Analysis, word: int) -> Iterator[str]:
    """What the s-rule of a word lacks, and what is too many: by the rule for which that is least."""
    head = analysis.categories[word - 1]
    children = analysis.tree.children(word)

    def judged(rule: SRule) -> tuple[list[Category], list[int]]:
        missing, extra = list(rule.dependents), []
        for child in sorted(children, key=lambda c: machine.may_modify(head, analysis.categories[c - 1])):
            category = analysis.categories[child - 1]
            place = next((place for place in missing if place.subsumes(category)), None)
            if place is not None:
                missing.remove(place)
            elif not machine.may_modify(head, category):
                extra.append(child)
        return missing, extra

    rule = min(machine.s_rules(head), key=lambda rule: sum(len(part) for part in judged(rule)))
    missing, extra = judged(rule)
    if missing:
        asked = ", ".join(map(str, missing))
        yield f"{_named(analysis, word)} lacks {asked}, which s-rule {rule.name} asks for"
    for child in extra:
        has = f"s-rule {rule.name} has no place left for it" if rule.name else "that has no s-rule"
        governor = f"'{analysis.words[word - 1]}' ({word}), {head}"
        yield f"{_named(analysis, child)} would depend on {governor}, but {has} and no m-rule lets it modify"


def _named(analysis: Analysis, word: int) -> str:
    return f"'{analysis.words[word - 1]}' ({word}), {analysis.categories[word - 1]},"


def _dead_lifts(l_rules: Sequence[LRule], analysis: Analysis) -> Iterator[str]:
    """What each forbidden lift of an analysis dies of."""
    for lifted in analysis.lifts:
        word, path = lifted.word, lifting_path(analysis, lifted.word)
        category = analysis.categories[word - 1]
        rules = [rule for rule in l_rules if rule.rule.lifted.subsumes(category)]
        governors = [analysis.categories[node - 1] for node in path]
        if any(rule.rule.matches(category, governors[0], governors[1:-1], governors[-1]) for rule in rules):
            continue
        names = [f"'{analysis.words[node - 1]}' ({node})" for node in path]
        start = f"{_named(analysis, word)} would have to be lifted from {names[0]} to {names[-1]}, but "
        deaths = "; and ".join(_death(rule, governors, names) for rule in rules)
        yield start + (deaths or f"no l-rule lifts {category}")


def _death(rule: LRule, governors: list[Category], names: list[str]) -> str:
    """Where on the way up the condition of one rule dies."""
    lift = rule.rule
    condition = f"the lifting condition {{. {rule.condition()}}} of {rule.name} died at"
    if not lift.syntactic_governor.subsumes(governors[0]):
        return f"{condition} {names[0]}: {governors[0]} is no {lift.syntactic_governor}"
    state = lift.reader.start
    for name, category in zip(names[1:], governors[1:], strict=True):
        state = lift.reader.step(state, category)
        if not state:
            expected = " or ".join(dict.fromkeys(map(str, [*lift.path.symbols(), lift.linear_governor])))
            return f"{condition} {name}: {category} is no {expected}"
    return f"{condition} {names[-1]}: {governors[-1]} is no {lift.linear_governor} that may be the linear governor"


def longest_parts(machine: Machine, words: Sequence[str], chart: _core.GrammarChart) -> Iterator[str]:
    """The longest parts of a sentence that are complete by themselves, if they have several words."""
    complete = [(i, j, category) for is_complete, i, j, category, _, _ in chart.items() if is_complete]
    longest = max((j - i for i, j, _ in complete), default=0)
    if longest == 0 or longest == len(words) - 1:
        return
    parts = dict.fromkeys(
        f"'{' '.join(words[i : j + 1])}' as {machine.categories[category]}"
        for i, j, category in complete
        if j - i == longest
    )
    yield f"the longest complete parts are {', '.join(list(parts)[:3])}"
