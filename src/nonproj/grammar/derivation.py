"""Derivations: the rewriting of section 4 of the paper, exhaustive for small inputs, and printed as in its figures.

A sentential form holds words and categories, each category with its *lift multiset*: the lifting conditions that were
introduced above it and pass across it. To rewrite a category, choose one s-rule, m-rules and l-rules of it. Their
dependents are introduced around the word in an order that the LP rule allows. A dependent of an l-rule brings a lifting
condition; that, and those of the rewritten category, are handed on to the new dependents, which each condition reads. A
condition at its end asks for a dependent of the s- and m-rules that is rewritten as the empty string: the lifted word
stands higher up. An empty dependent has no place in the order, since an LP rule orders linear dependents only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import TypeAlias

from nonproj.grammar.forest import Analysis
from nonproj.grammar.machine import Machine
from nonproj.grammar.rules import GrammarRules, LRule
from nonproj.lifting import Category, Expression, Reader
from nonproj.lifting.expression import HEAD, Places, Symbol, sequence, symbol
from nonproj.trees import Tree

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Condition:
    """A lifting condition on its way down: its l-rule, the lifted word's category, and the span of the lifted word.

    The state is that of the automaton of ``w SG``, read from the top: the dot of the paper.
    """

    rule: LRule
    lifted: Category
    span: Span
    state: Places


@dataclass(frozen=True)
class Derived:
    """What a category was rewritten to: the head, the category and the governors of each word in it.

    ``traces`` has the spans of lifted words whose syntactic governor lies in here.
    """

    head: int
    categories: dict[int, Category]
    linear: dict[int, int]
    syntactic: dict[int, int]
    traces: dict[Span, int]


class DerivationEngine:
    """Rewrites exhaustively, from the start categories down; exponential, and meant to be."""

    def __init__(self, machine: Machine, words: Sequence[str], categories: Sequence[tuple[Category, ...]]) -> None:
        self.machine = machine
        self.words = tuple(words)
        self.known = list(categories)
        self._readers: dict[str, Reader] = {}
        self._rewritten: dict[tuple[Category, tuple[Condition, ...], Span], list[Derived]] = {}

    def analyses(self) -> Iterator[Analysis]:
        """Every analysis, once."""
        seen = set()
        n = len(self.words)
        for category in self._categories(0, n):
            if not self.machine.may_start(category):
                continue
            for derived in self._rewrite(category, (), (0, n)):
                tree = self._tree(derived)
                if tree is None:
                    continue
                lifted = Tree([derived.linear.get(word, 0) for word in range(1, n + 1)], forms=self.words)
                categories = tuple(derived.categories[word] for word in range(1, n + 1))
                key = (categories, tree.heads, lifted.heads)
                if key not in seen:
                    seen.add(key)
                    yield Analysis(self.words, categories, tree, lifted)

    def _tree(self, derived: Derived) -> Tree | None:
        """The syntactic tree; None when words would be below themselves."""
        heads = [derived.syntactic.get(word, 0) for word in range(1, len(self.words) + 1)]
        for word in range(1, len(heads) + 1):
            above, steps = word, 0
            while above and steps <= len(heads):
                above, steps = heads[above - 1], steps + 1
            if above:
                return None
        return Tree(heads, forms=self.words)

    def _categories(self, begin: int, end: int) -> list[Category]:
        return list(dict.fromkeys(category for known in self.known[begin:end] for category in known))

    def _rewrite(self, category: Category, passing: tuple[Condition, ...], span: Span) -> list[Derived]:
        """Rewrite a category, whose conditions have read it, to the words of a span; what was done once is kept."""
        key = (category, passing, span)
        if key not in self._rewritten:
            self._rewritten[key] = list(self._all_rewritings(*key))
        return self._rewritten[key]

    def _all_rewritings(self, category: Category, passing: tuple[Condition, ...], span: Span) -> Iterator[Derived]:
        begin, end = span
        for position in range(begin, end):
            if category not in self.known[position]:
                continue
            for left in self._cuts(begin, position):
                for right in self._cuts(position + 1, end):
                    yield from self._with_dependents(category, passing, position + 1, left, right)

    def _cuts(self, begin: int, end: int) -> Iterator[tuple[Span, ...]]:
        """Every way to cut words into spans that follow each other."""
        inner = range(begin + 1, end)
        if begin == end:
            yield ()
            return
        for count in range(len(inner) + 1):
            for cuts in combinations(inner, count):
                ends = (begin, *cuts, end)
                yield tuple(pairwise(ends))

    def _with_dependents(
        self,
        head: Category,
        passing: tuple[Condition, ...],
        word: int,
        left: tuple[Span, ...],
        right: tuple[Span, ...],
    ) -> Iterator[Derived]:
        spans = (*left, *right)
        for categories in product(*(self._categories(*span) for span in spans)):
            order: list[Symbol] = [*categories[: len(left)], HEAD, *categories[len(left) :]]
            if not self.machine.order_reader(head).accepts(order):
                continue
            for roles in product(*(self._roles(head, category) for category in categories)):
                own = [category for category, rule in zip(categories, roles, strict=True) if rule is None]
                new = tuple(
                    Condition(rule, category, span, self._reader(rule).start)
                    for category, rule, span in zip(categories, roles, spans, strict=True)
                    if rule is not None
                )
                for ending in self._endings(passing):
                    traces = [condition.lifted for condition in ending]
                    if not self._fits(head, [*own, *traces]):
                        continue
                    going_on = (*(c for c in passing if c not in ending), *new)
                    is_own = [rule is None for rule in roles]
                    for handed in self._hand_on(going_on, categories):
                        yield from self._expanded(head, word, spans, categories, is_own, handed, ending)

    def _roles(self, head: Category, dependent: Category) -> list[LRule | None]:
        lifting = [
            rule
            for rule in self.machine.grammar.l_rules
            if rule.rule.linear_governor.subsumes(head) and rule.rule.lifted.subsumes(dependent)
        ]
        return [None, *lifting]

    def _endings(self, passing: tuple[Condition, ...]) -> Iterator[tuple[Condition, ...]]:
        """The conditions that end at this category: any of those that may."""
        ready = [condition for condition in passing if self._reader(condition.rule).is_final(condition.state)]
        for count in range(len(ready) + 1):
            yield from combinations(ready, count)

    def _fits(self, head: Category, dependents: list[Category]) -> bool:
        """Whether one s-rule and m-rules have these dependents, each place filled by one."""

        def fits(needed: tuple[Category, ...], left: list[Category]) -> bool:
            if not needed:
                return all(self.machine.may_modify(head, category) for category in left)
            return any(
                needed[0].subsumes(category) and fits(needed[1:], left[:i] + left[i + 1 :])
                for i, category in enumerate(left)
            )

        return any(fits(rule.dependents, dependents) for rule in self.machine.s_rules(head))

    def _hand_on(
        self, conditions: tuple[Condition, ...], categories: tuple[Category, ...]
    ) -> Iterator[list[tuple[Condition, ...]]]:
        """Every way to hand conditions to dependents that they can read."""
        choices = []
        for condition in conditions:
            reader = self._reader(condition.rule)
            read = [(i, reader.step(condition.state, category)) for i, category in enumerate(categories)]
            choices.append([(i, condition, state) for i, state in read if state])
        for chosen in product(*choices):
            handed: list[tuple[Condition, ...]] = [() for _ in categories]
            for i, condition, state in chosen:
                advanced = Condition(condition.rule, condition.lifted, condition.span, state)
                handed[i] = (*handed[i], advanced)
            yield handed

    def _expanded(
        self,
        head: Category,
        word: int,
        spans: tuple[Span, ...],
        categories: tuple[Category, ...],
        is_own: list[bool],
        handed: list[tuple[Condition, ...]],
        ending: tuple[Condition, ...],
    ) -> Iterator[Derived]:
        parts = [
            self._rewrite(category, conditions, span)
            for category, conditions, span in zip(categories, handed, spans, strict=True)
        ]
        for derived in product(*parts):
            whole = Derived(word, {word: head}, {}, {}, {condition.span: word for condition in ending})
            for part in derived:
                whole.categories.update(part.categories)
                whole.linear.update(part.linear)
                whole.syntactic.update(part.syntactic)
                whole.traces.update(part.traces)
            for part, own, span in zip(derived, is_own, spans, strict=True):
                whole.linear[part.head] = word
                whole.syntactic[part.head] = word if own else whole.traces.pop(span)
            yield whole

    def _reader(self, rule: LRule) -> Reader:
        """Reads a lifting condition from the top down, to the syntactic governor."""
        if rule.name not in self._readers:
            path = rule.rule.path.reversed()
            self._readers[rule.name] = Reader(sequence([path, symbol(rule.rule.syntactic_governor)]))
        return self._readers[rule.name]


def derivations(machine: Machine, words: str | Sequence[str]) -> list[Analysis]:
    """All analyses of a short sentence, by rewriting exhaustively: slow, and the judge of the chart.

    >>> from nonproj.grammar import Grammar
    >>> len(derivations(Grammar.load("beans.gdg").machine, "beans Fernando thought Carlos eats"))
    1
    """
    listed = words.split() if isinstance(words, str) else list(words)
    return list(DerivationEngine(machine, listed, machine.grammar.categories_of(listed)).analyses())


def derivation_text(grammar: GrammarRules, analysis: Analysis) -> str:
    """One derivation of an analysis, a sentential form a line, as in Figures 3 and 4 of the paper.

    Categories without dependents are rewritten together; of the others always the leftmost. An empty dependent is shown
    behind its governor, with the condition that has come to its end.
    """
    form: list[_Piece] = [_Open(next(w for w, head in enumerate(analysis.lifted.heads, 1) if head == 0), ())]
    lines = [_line(analysis, form)]
    while not all(isinstance(piece, str) for piece in form):
        leaves = [piece for piece in form if isinstance(piece, _Open) and _is_leaf(analysis, piece.word)]
        empties = [piece for piece in form if isinstance(piece, _Empty)]
        if leaves or empties:
            form = [
                analysis.words[piece.word - 1] if isinstance(piece, _Open) and piece in leaves else piece
                for piece in form
                if not isinstance(piece, _Empty)
            ]
        else:
            place = next(i for i, piece in enumerate(form) if isinstance(piece, _Open))
            piece = form[place]
            assert isinstance(piece, _Open)
            form[place : place + 1] = _rewritten(grammar, analysis, piece)
        lines.append(_line(analysis, form))
    return "\n".join(("   " if i == 0 else "=> ") + line for i, line in enumerate(lines)) + "\n"


@dataclass(frozen=True)
class _Passing:
    """A condition in a printed derivation: its l-rule, the lifted word, and the governors still to read."""

    rule: LRule
    word: int
    read: tuple[Category, ...]


@dataclass(frozen=True)
class _Open:
    """A category yet to be rewritten."""

    word: int
    passing: tuple[_Passing, ...]


@dataclass(frozen=True)
class _Empty:
    """A dependent that is rewritten as the empty string."""

    condition: _Passing


_Piece: TypeAlias = str | _Open | _Empty


def _is_leaf(analysis: Analysis, word: int) -> bool:
    return word not in analysis.lifted.heads and word not in analysis.tree.heads


def _rewritten(grammar: GrammarRules, analysis: Analysis, piece: _Open) -> list[_Piece]:
    word, tree, lifted = piece.word, analysis.tree, analysis.lifted
    new = [
        _Passing(_rule_of(grammar, analysis, child), child, ())
        for child in lifted.children(word)
        if tree.heads[child - 1] != word
    ]
    pieces: list[_Piece] = []
    empty = [_Empty(condition) for condition in piece.passing if tree.heads[condition.word - 1] == word]
    going_on = [condition for condition in piece.passing if tree.heads[condition.word - 1] != word] + new
    for node in sorted([word, *lifted.children(word)]):
        if node == word:
            pieces += [analysis.words[word - 1], *empty]
            continue
        below = set(lifted.yield_of(node))
        category = analysis.categories[node - 1]
        passing = tuple(
            _Passing(condition.rule, condition.word, (*condition.read, category))
            for condition in going_on
            if tree.heads[condition.word - 1] in below and condition.word not in below
        )
        pieces.append(_Open(node, passing))
    return pieces


def lifting_path(analysis: Analysis, word: int) -> list[int]:
    """The linear governors from the syntactic governor of a word up to its linear governor, both included."""
    path = [analysis.tree.heads[word - 1]]
    while path[-1] != analysis.lifted.heads[word - 1]:
        path.append(analysis.lifted.heads[path[-1] - 1])
    return path


def _rule_of(grammar: GrammarRules, analysis: Analysis, word: int) -> LRule:
    syntactic, *path, linear = (analysis.categories[node - 1] for node in lifting_path(analysis, word))
    lifted = analysis.categories[word - 1]
    matching = [rule for rule in grammar.l_rules if rule.rule.matches(lifted, syntactic, path, linear)]
    return max(matching, key=lambda rule: rule.weight)


def _line(analysis: Analysis, form: list[_Piece]) -> str:
    shown = []
    for piece in form:
        if isinstance(piece, str):
            shown.append(piece)
        elif isinstance(piece, _Empty):
            category = analysis.categories[piece.condition.word - 1]
            shown.append(f"{category}{{{piece.condition.rule.condition()} .}}")
        else:
            conditions = " ".join(f"{{{_dotted(condition)}}}" for condition in piece.passing)
            shown.append(f"{analysis.categories[piece.word - 1]}{conditions}")
    return " ".join(shown)


def _dotted(condition: _Passing) -> str:
    """A condition with its dot: before the first part that may be read next."""
    rule = condition.rule.rule
    path = rule.path.reversed()
    parts = [*(path.parts if path.kind == "sequence" else (path,)), symbol(rule.syntactic_governor)]
    reader = Reader(sequence(parts))
    state = reader.start
    for category in condition.read:
        state = reader.step(state, category)
    ends, place = [], -1
    for part in parts:
        place += len(list(part.symbols()))
        ends.append(place)
    dot = min((_next_part(parts, ends, place) for place in state), default=0)
    shown = [str(part) if part.kind != "choice" else f"({part})" for part in parts] + [str(rule.lifted)]
    return " ".join([*shown[:dot], ".", *shown[dot:]])


def _next_part(parts: list[Expression], ends: list[int], place: int) -> int:
    if place < 0:
        return 0
    index = next(i for i, end in enumerate(ends) if place <= end)
    return index if parts[index].kind in ("star", "plus") else index + 1
