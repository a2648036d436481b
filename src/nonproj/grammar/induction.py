"""A grammar read off a treebank, and whether a grammar derives a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from nonproj.errors import NonprojError
from nonproj.grammar.machine import Machine
from nonproj.grammar.rules import GrammarRules, LPRule, LRule, MRule, SRule
from nonproj.grammar.steps import Letter, StepCounts, without_relation
from nonproj.lifting import Category, Expression, LiftingRule, generalised, lifted_tree, sentence_categories
from nonproj.lifting.columns import FEATURES, Source, check_columns, columns_of
from nonproj.lifting.expression import HEAD, Symbol, choice, repeated, sequence, symbol
from nonproj.treebank import Sentence
from nonproj.trees import Tree

ARGUMENTS = frozenset(["nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp"])
"""The relations of Universal Dependencies, subtypes aside, whose dependents a head needs: they make its s-rules."""

MAX_REMEMBERED = 40
"""How many names categories may have for rule-FSMs to remember which dependent they have just made."""


def derivable_lift(tree: Tree) -> Tree:
    """The lift that a PP-GDG can derive, from the smallest lift up.

    A lifting condition travels down the linear tree, so the linear governor of a lifted word has to be above its
    syntactic governor there too. Where a word on the path was lifted away, the word goes further up.

    >>> derivable_lift(Tree([3, 0, 2])).heads
    (2, 0, 2)
    """
    if tree.is_projective:
        return tree
    lifted = lifted_tree(tree)
    while True:
        heads = list(lifted.heads)
        for word, linear in enumerate(lifted.heads, 1):
            above = _line(lifted, tree.heads[word - 1])
            if linear not in above:
                # The nearest linear ancestor of the syntactic governor that is above the present one in the tree.
                heads[word - 1] = next(node for node in above if node in _line(tree, linear)[1:])
        if tuple(heads) == lifted.heads:
            return lifted
        lifted = lifted_tree(Tree(heads, forms=tree.forms, deprels=tree.deprels))


def _line(tree: Tree, node: int) -> list[int]:
    """A node and all above it."""
    line = [node]
    while line[-1]:
        line.append(tree.heads[line[-1] - 1])
    return line


@dataclass
class _Seen:
    """What a treebank has shown of one category as a head."""

    frames: Counter[tuple[Category, ...]]
    modifiers: Counter[Category]
    before: Counter[Category]
    after: Counter[Category]


def induced(
    sentences: Iterable[Sentence],
    source: Source = "upos",
    weighted: bool = False,
    arguments: Iterable[str] | None = None,
) -> GrammarRules:
    """Read a grammar off sentences; those with several roots are left out, since a grammar derives one root."""
    if arguments is None:
        # Where steps are counted, frames of heads add nothing but states.
        arguments = () if weighted else ARGUMENTS
    needed = frozenset(arguments)
    steps, words = StepCounts(), Counter[tuple[str, Category]]()
    seen: dict[Category, _Seen] = {}
    starts: Counter[Category] = Counter()
    paths: dict[tuple[Category, Category, Category], Counter[tuple[Category, ...]]] = {}
    lexicon: dict[str, dict[Category, None]] = {}
    morphology: set[str] = set()
    left_out = 0
    for sentence in sentences:
        tree = sentence.tree
        if len(tree.roots) != 1:
            left_out += 1
            continue
        categories = sentence_categories(sentence, source)
        morphology.update(sentence.feats)
        for form, category in zip(sentence.forms, categories, strict=True):
            lexicon.setdefault(form, {})[category] = None
        starts[categories[tree.roots[0] - 1]] += 1
        lifted = derivable_lift(tree)
        _look(tree, lifted, [deprel.partition(":")[0] in needed for deprel in sentence.deprels], categories, seen)
        _look_at_lifts(tree, lifted, categories, paths)
        if weighted:
            _count_steps(tree, lifted, categories, steps)
            words.update(zip(sentence.forms, categories, strict=True))
    if not starts:
        why = f": all {left_out} trees have several roots, and a grammar derives one" if left_out else ""
        raise NonprojError(f"there is no tree to read a grammar off{why}")
    check_columns(source, {category for known in lexicon.values() for category in known}, morphology)
    grammar = GrammarRules(
        tuple(sorted(starts)),
        tuple(_s_rules(seen)),
        tuple(_m_rules(seen)),
        tuple(_lp_rules(seen)),
        tuple(_l_rules(paths)),
        {form: tuple(known) for form, known in lexicon.items()},
        columns=source,
        left_out=left_out,
    )
    if weighted:
        names = {category.name for known in lexicon.values() for category in known}
        # Rule-FSMs have a state for each dependent that they remember; with relations the steps are many, too.
        grammar.steps = steps if len(names) <= MAX_REMEMBERED and "deprel" not in columns_of(source) else steps.plain()
        grammar.start_weights = {category: log(number / starts.total()) for category, number in starts.items()}
        grammar.word_weights, grammar.unknown = _weigh_words(words)
    return grammar


def _count_steps(tree: Tree, lifted: Tree, categories: Sequence[Category], steps: StepCounts) -> None:
    for word, category in enumerate(categories, 1):
        letters: list[Letter] = []
        for node in sorted([word, *lifted.children(word)]):
            role = HEAD if node == word else "own" if tree.heads[node - 1] == word else "in"
            letters.append((role, None if node == word else categories[node - 1]))
        away = sorted(categories[c - 1] for c in tree.children(word) if lifted.heads[c - 1] != word)
        letters += [("out", lifted_away) for lifted_away in away]
        steps.add(without_relation(category), letters)


def _weigh_words(
    words: Counter[tuple[str, Category]],
) -> tuple[dict[tuple[str, Category], float], dict[Category, float]]:
    """The logarithms of P(word | category); a word that was never seen is as likely as all that were seen once."""
    totals, once = Counter[Category](), Counter[Category]()
    for (_, category), number in words.items():
        totals[category] += number
        once[category] += number == 1
    known = {(word, c): log(number / (totals[c] + once[c])) for (word, c), number in words.items()}
    return known, {c: log(once[c] / (totals[c] + once[c])) for c in sorted(once) if once[c]}


def _head(category: Category) -> Category:
    """The category of a head in rules, which allow whatever a head of that name was seen with."""
    return Category(category.name)


def _look(
    tree: Tree, lifted: Tree, is_needed: Sequence[bool], categories: Sequence[Category], seen: dict[Category, _Seen]
) -> None:
    for word, category in enumerate(categories, 1):
        shown = seen.setdefault(_head(category), _Seen(Counter(), Counter(), Counter(), Counter()))
        needed = []
        for child in tree.children(word):
            if is_needed[child - 1]:
                needed.append(categories[child - 1])
            else:
                shown.modifiers[categories[child - 1]] += 1
        shown.frames[tuple(sorted(needed))] += 1
        for child in lifted.children(word):
            (shown.before if child < word else shown.after)[categories[child - 1]] += 1


def _look_at_lifts(
    tree: Tree,
    lifted: Tree,
    categories: Sequence[Category],
    paths: dict[tuple[Category, Category, Category], Counter[tuple[Category, ...]]],
) -> None:
    for word, (syntactic, linear) in enumerate(zip(tree.heads, lifted.heads, strict=True), 1):
        if syntactic != linear:
            between = _line(lifted, syntactic)[1:]
            path = tuple(categories[node - 1] for node in between[: between.index(linear)])
            key = (categories[word - 1], categories[syntactic - 1], categories[linear - 1])
            paths.setdefault(key, Counter())[path] += 1


def _s_rules(seen: dict[Category, _Seen]) -> list[SRule]:
    found = [(head, frame) for head in sorted(seen) for frame in sorted(seen[head].frames)]
    return [SRule(f"s{number}", head, frame) for number, (head, frame) in enumerate(found, 1)]


def _m_rules(seen: dict[Category, _Seen]) -> list[MRule]:
    found = [(head, modifier) for head in sorted(seen) for modifier in sorted(seen[head].modifiers)]
    return [MRule(f"m{number}", head, modifier) for number, (head, modifier) in enumerate(found, 1)]


def _lp_rules(seen: dict[Category, _Seen]) -> list[LPRule]:
    rules = []
    for number, head in enumerate(sorted(seen), 1):
        parts: list[Expression] = []
        for side in (seen[head].before, None, seen[head].after):
            if side is None:
                parts.append(symbol(HEAD))
            elif side:
                parts.append(repeated(choice([symbol(category) for category in sorted(side)]), "star"))
        rules.append(LPRule(f"p{number}", head, sequence(parts)))
    return rules


def _l_rules(paths: dict[tuple[Category, Category, Category], Counter[tuple[Category, ...]]]) -> list[LRule]:
    rules = []
    for number, (key, seen) in enumerate(sorted(paths.items(), key=lambda item: item[0]), 1):
        lifted, syntactic, linear = key
        rules.append(LRule(f"l{number}", LiftingRule(lifted, syntactic, generalised(seen), linear)))
    return rules


def source_of(machine: Machine) -> Source:
    """The columns that a grammar's categories come from.

    Where the grammar does not say it, features are those that its categories have, and names are taken to be UPOS.
    """
    if machine.grammar.columns:
        return machine.grammar.columns
    names = {feature for category in machine.categories for feature, _ in category.features}
    columns = {feature: column for column, feature in FEATURES.items()}
    return "+".join(["upos", *sorted(columns.get(name, name) for name in names)])


def refuse_other_columns(source: Source, known: Iterable[Category], seen: Iterable[Category]) -> None:
    """Refuse to judge a grammar by columns that have none of the categories that it knows."""
    known, seen = set(known), set(seen)
    if known and seen and known.isdisjoint(seen):
        raise NonprojError(
            f"no word has a category that the grammar knows: from {source} come {_some(seen)}, and the grammar has "
            f"{_some(known)}; name its columns with --categories, or in a line of its file such as 'categories: xpos'"
        )


def _some(categories: Iterable[Category], most: int = 4) -> str:
    listed = sorted(categories)
    return ", ".join(map(str, listed[:most])) + (" ..." if len(listed) > most else "")


def why_not(machine: Machine, sentence: Sentence, source: Source | None = None) -> str | None:
    """The first rule that a grammar lacks for the tree of a sentence, by `derivable_lift`; None when it derives it."""
    tree = sentence.tree
    categories = sentence_categories(sentence, source or source_of(machine))
    if len(tree.roots) != 1:
        return f"the tree has {len(tree.roots)} roots"
    if not machine.may_start(categories[tree.roots[0] - 1]):
        return f"{categories[tree.roots[0] - 1]} is not a start category"
    lifted = derivable_lift(tree)
    for word, category in enumerate(categories, 1):
        dependents = tuple(categories[child - 1] for child in tree.children(word))
        if not _has_rules(machine, category, dependents):
            return f"no s-rule and m-rules give {category} ({tree.form(word)}) its dependents"
        around = [*lifted.children(word), word]
        order: list[Symbol] = [HEAD if node == word else categories[node - 1] for node in sorted(around)]
        if not machine.order_reader(category).accepts(order):
            return f"no LP rule puts the dependents of {category} ({tree.form(word)}) in this order"
    for word, (syntactic, linear) in enumerate(zip(tree.heads, lifted.heads, strict=True), 1):
        if syntactic == linear:
            continue
        between = _line(lifted, syntactic)[1:]
        path = [categories[node - 1] for node in between[: between.index(linear)]]
        ends = categories[word - 1], categories[syntactic - 1], categories[linear - 1]
        if not any(rule.rule.matches(ends[0], ends[1], path, ends[2]) for rule in machine.grammar.l_rules):
            return f"no l-rule lifts {ends[0]} ({tree.form(word)}) from {ends[1]} to {ends[2]}"
    return None


def _has_rules(machine: Machine, head: Category, dependents: tuple[Category, ...]) -> bool:
    needs = machine.needs(head)
    for dependent in dependents:
        needs = machine.filled(head, needs, dependent)
    return () in dict(needs)
