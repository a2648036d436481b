"""Why a sentence has no analysis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from nonproj.grammar.derivation import lifting_path
from nonproj.grammar.forest import Analysis, Forest
from nonproj.grammar.machine import Machine
from nonproj.grammar.rules import LRule
from nonproj.lifting import Category

if TYPE_CHECKING:
    from nonproj.grammar.parse import Parse

MAX_ANALYSES = 200
"""How many analyses with forbidden lifts are looked at for the one that breaks fewest conditions."""


def explain(parse: Parse) -> str:
    """Say what keeps the grammar from deriving the sentence: the lifting condition that died, if it is that."""
    if parse.is_grammatical:
        return "the sentence is grammatical"
    return _dead_lifts(parse) or _longest(parse)


def _dead_lifts(parse: Parse) -> str | None:
    """What lifting conditions forbid, when without them the sentence has an analysis."""
    grammar = parse.machine.grammar
    if not grammar.l_rules:
        return None
    machine = Machine(grammar, any_lift=True)
    for known in parse.known:
        for category in known:
            machine.add(category)
    free = type(parse)(machine, parse.words, parse.known, None)
    chart = free.chart(counts_lifts=True)
    for lifts in range(1, 3):
        if chart.bound < -lifts or not chart.fill(-lifts):
            continue
        broken = [list(_deaths(grammar.l_rules, a)) for a in islice(Forest(machine, parse.words, chart), MAX_ANALYSES)]
        if broken:
            fewest = sorted(broken, key=len)[0]
            return "; ".join(fewest) or "more words have to be lifted at a time: raise max_lifts"
    return None


def _deaths(l_rules: Sequence[LRule], analysis: Analysis) -> Iterator[str]:
    """What each forbidden lift of an analysis dies of."""
    for lifted in analysis.lifts:
        word, path = lifted.word, lifting_path(analysis, lifted.word)
        category = analysis.categories[word - 1]
        rules = [rule for rule in l_rules if rule.rule.lifted.subsumes(category)]
        governors = [analysis.categories[node - 1] for node in path]
        if any(rule.rule.matches(category, governors[0], governors[1:-1], governors[-1]) for rule in rules):
            continue
        names = [f"'{analysis.words[node - 1]}' ({node})" for node in path]
        start = (
            f"'{analysis.words[word - 1]}' ({word}), {category}, would have to be lifted from {names[0]} "
            f"to {names[-1]}, but "
        )
        yield start + "; and ".join(_death(rule, governors, names) for rule in rules)


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


def _longest(parse: Parse) -> str:
    """The longest parts of the sentence that are complete by themselves."""
    chart = parse.chart(max_lifts=0, is_pruned=False)
    chart.fill(float("-inf"))
    complete = [(i, j, category) for is_complete, i, j, category, lifted, _ in chart.items() if is_complete]
    if not complete:
        return "no word of the sentence is complete by itself: every one of them needs dependents that are not there"
    longest = max(j - i for i, j, _ in complete)
    whole = [item for item in complete if item[1] - item[0] == longest]
    categories = parse.machine.categories
    if longest == len(parse.words) - 1:
        found = ", ".join(sorted({str(categories[category]) for _, _, category in whole}))
        return f"the sentence is a complete {found}, which is not a start category"
    parts = dict.fromkeys(f"'{' '.join(parse.words[i : j + 1])}' as {categories[category]}" for i, j, category in whole)
    return f"no head takes all the other words in; the longest complete parts are {'; '.join(islice(parts, 3))}"
