"""Regular expressions over categories, and the automata that read them.

An expression is built of categories, ``#`` (the head, in rules of word order), sequences, ``|``, ``*``, ``+``, ``?``
and parentheses. Its automaton is Glushkov's: a state is a set of places in the expression where the last symbol may
have been read, so that it is deterministic from the start and never has empty moves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

from nonproj.errors import NonprojError
from nonproj.lifting.category import Category, read_category
from nonproj.lifting.notation import Scanner

HEAD = "#"
Symbol: TypeAlias = Category | str
"""A category, or `HEAD`."""
Letter = TypeVar("Letter", bound=Hashable)
MAX_DEPTH = 50
"""Expressions nested deeper are surely a mistake, and could not be walked through."""


@dataclass(frozen=True)
class Expression:
    """A regular expression: ``kind`` is symbol, sequence, choice, star, plus or maybe.

    >>> expression = Expression.parse("Adv? N[case:nom] # (N | V)*")
    >>> str(expression), expression.is_nullable
    ('Adv? N[case:nom] # (N | V)*', False)
    """

    kind: str
    symbol: Symbol | None = None
    parts: tuple[Expression, ...] = ()
    depth: int = field(init=False, repr=False, compare=False)
    """How many expressions are nested in one another."""

    def __post_init__(self) -> None:
        """Refuse what has no notation of its own, so that every expression is read as it is written."""
        object.__setattr__(self, "depth", 1 + max((part.depth for part in self.parts), default=0))
        if self.depth > MAX_DEPTH:
            raise NonprojError(f"the expression is nested more than {MAX_DEPTH} deep: write it more simply")
        inner = [part.kind for part in self.parts]
        is_well_formed = {
            "symbol": not inner and (isinstance(self.symbol, Category) or self.symbol == HEAD),
            "sequence": len(inner) != 1 and "sequence" not in inner,
            "choice": len(inner) > 1 and "choice" not in inner,
            "star": len(inner) == 1,
            "plus": len(inner) == 1,
            "maybe": len(inner) == 1,
        }
        if self.kind not in is_well_formed:
            raise NonprojError(f"an expression is one of {', '.join(is_well_formed)}, not {self.kind!r}")
        if not is_well_formed[self.kind] or (self.kind != "symbol" and self.symbol is not None):
            raise NonprojError(
                f"no {self.kind} is made of the symbol {self.symbol!r} and {len(inner)} parts: build expressions with "
                "symbol, sequence, choice and repeated, or Expression.parse"
            )

    @classmethod
    def parse(cls, text: str, *, with_head: bool = True) -> Expression:
        """Read an expression from its text."""
        scanner = Scanner(text)
        expression = read_expression(scanner, with_head=with_head)
        scanner.end()
        return expression

    @property
    def is_nullable(self) -> bool:
        """Whether the empty string matches."""
        if self.kind in ("star", "maybe"):
            return True
        if self.kind == "choice":
            return any(part.is_nullable for part in self.parts)
        return self.kind != "symbol" and all(part.is_nullable for part in self.parts)

    def symbols(self) -> Iterator[Symbol]:
        """The symbols from left to right, each as often as it is written."""
        if self.symbol is not None:
            yield self.symbol
        for part in self.parts:
            yield from part.symbols()

    def reversed(self) -> Expression:
        """The expression of the strings read backwards."""
        return Expression(self.kind, self.symbol, tuple(part.reversed() for part in reversed(self.parts)))

    def __str__(self) -> str:
        if self.kind == "symbol":
            return str(self.symbol)
        if self.kind == "sequence":
            return " ".join(f"({part})" if part.kind == "choice" else str(part) for part in self.parts) or "()"
        if self.kind == "choice":
            return " | ".join(map(str, self.parts))
        inner = self.parts[0]
        shown = str(inner) if inner.kind == "symbol" else f"({inner})"
        return shown + {"star": "*", "plus": "+", "maybe": "?"}[self.kind]


def symbol(what: Symbol) -> Expression:
    """The expression of one symbol."""
    return Expression("symbol", what)


def sequence(parts: Iterable[Expression]) -> Expression:
    """One after the other; sequences in it are taken apart."""
    flat = [inner for part in parts for inner in (part.parts if part.kind == "sequence" else (part,))]
    return flat[0] if len(flat) == 1 else Expression("sequence", None, tuple(flat))


def choice(parts: Sequence[Expression]) -> Expression:
    """One of these."""
    flat = [inner for part in parts for inner in (part.parts if part.kind == "choice" else (part,))]
    return flat[0] if len(flat) == 1 else Expression("choice", None, tuple(flat))


def repeated(part: Expression, kind: str) -> Expression:
    """As star, plus or maybe."""
    return Expression(kind, None, (part,))


def read_expression(scanner: Scanner, *, with_head: bool = True, stop: tuple[str, ...] = ()) -> Expression:
    """Read an expression where the scanner stands, up to the end, a closing parenthesis or one of the stop marks."""
    choices = [_read_sequence(scanner, with_head, stop)]
    while scanner.take("|"):
        choices.append(_read_sequence(scanner, with_head, stop))
    return choice(choices)


def _read_sequence(scanner: Scanner, with_head: bool, stop: tuple[str, ...]) -> Expression:
    parts = []
    while not scanner.is_at_end and not scanner.sees("|", ")", *stop):
        parts.append(_read_repeated(scanner, with_head))
    return sequence(parts)


def _read_repeated(scanner: Scanner, with_head: bool) -> Expression:
    at = scanner.at
    if scanner.take("("):
        scanner.depth += 1
        if scanner.depth > MAX_DEPTH:
            raise scanner.error(f"parentheses are nested more than {MAX_DEPTH} deep", at)
        part = read_expression(scanner, with_head=with_head)
        scanner.depth -= 1
        if not scanner.take(")"):
            raise scanner.error("this parenthesis is never closed", at)
        if part.kind == "symbol" and not scanner.sees("*", "+", "?"):
            message = f"parentheses group: write {part}? where {part} may be missing, {part} alone where it may not"
            raise scanner.error(message, at)
    elif scanner.sees(HEAD):
        if not with_head:
            raise scanner.error("'#' stands for the head in rules of word order and has no place here")
        scanner.take(HEAD)
        part = symbol(HEAD)
    elif scanner.sees("*", "?", "+"):
        raise scanner.error(f"{scanner.text[at]!r} has nothing before it to repeat")
    else:
        part = symbol(read_category(scanner))
    while mark := scanner.take("*", "+", "?"):
        part = repeated(part, {"*": "star", "+": "plus", "?": "maybe"}[mark])
    return part


Places: TypeAlias = frozenset[int]


class Reader:
    """Reads strings of concrete categories by an expression; a state is a set of places, -1 the beginning.

    >>> reader = Reader(Expression.parse("V* N"))
    >>> verb, noun = Category.of("V", bridge="+"), Category.of("N")
    >>> reader.accepts([verb, verb, noun]), reader.accepts([verb])
    (True, False)
    """

    def __init__(self, expression: Expression) -> None:
        self._symbols = list(expression.symbols())
        self._follow: list[set[int]] = [set() for _ in self._symbols]
        self._next = 0
        self._first, self._last, nullable = self._walk(expression)
        self.start: Places = frozenset([-1])
        self._final = self._last | ({-1} if nullable else set())
        self._steps: dict[tuple[Places, Symbol], Places] = {}
        self._alike: dict[tuple[Places, bool], Places] = {}

    def step(self, state: Places, letter: Symbol) -> Places:
        """The state after one more symbol; an empty one is dead."""
        key = (state, letter)
        if key not in self._steps:
            after = frozenset(place for place in self._reachable(state) if matches(self._symbols[place], letter))
            # States that go on alike are one: (A | B | C)* has then one state, not three.
            if after:
                after = self._alike.setdefault((self._reachable(after), self.is_final(after)), after)
            self._steps[key] = after
        return self._steps[key]

    def _reachable(self, state: Places) -> Places:
        return frozenset().union(*(self._first if place < 0 else self._follow[place] for place in state))

    def is_final(self, state: Places) -> bool:
        """Whether the string may end here."""
        return not self._final.isdisjoint(state)

    def accepts(self, letters: Iterable[Symbol]) -> bool:
        """Whether the expression matches the whole string."""
        state = self.start
        for letter in letters:
            state = self.step(state, letter)
        return self.is_final(state)

    def tables(self) -> tuple[list[int], list[list[int]], list[Symbol]]:
        """The first places, those that may follow each, and the symbol of each."""
        return sorted(self._first), [sorted(after) for after in self._follow], self._symbols

    def _walk(self, expression: Expression) -> tuple[set[int], set[int], bool]:
        """First and last places of an expression and whether it may be empty; fills in what follows what."""
        if expression.kind == "symbol":
            place = self._next
            self._next += 1
            return {place}, {place}, False
        walked = [self._walk(part) for part in expression.parts]
        if expression.kind == "choice":
            firsts = set().union(*(first for first, _, _ in walked))
            lasts = set().union(*(last for _, last, _ in walked))
            return firsts, lasts, any(nullable for _, _, nullable in walked)
        if expression.kind == "sequence":
            return self._chain(walked)
        first, last, nullable = walked[0]
        if expression.kind != "maybe":
            self._link(last, first)
        return first, last, nullable or expression.kind != "plus"

    def _chain(self, walked: list[tuple[set[int], set[int], bool]]) -> tuple[set[int], set[int], bool]:
        firsts: set[int] = set()
        lasts: set[int] = set()
        is_empty = True
        for first, last, nullable in walked:
            self._link(lasts, first)
            firsts |= first if is_empty else set()
            lasts = last | (lasts if nullable else set())
            is_empty = is_empty and nullable
        return firsts, lasts, is_empty

    def _link(self, before: set[int], after: set[int]) -> None:
        for place in before:
            self._follow[place] |= after


def matches(pattern: Symbol, letter: Symbol) -> bool:
    """Whether a symbol of an expression matches a concrete one."""
    if isinstance(pattern, Category):
        return isinstance(letter, Category) and pattern.subsumes(letter)
    return pattern == letter


@dataclass
class Automaton(Generic[Letter]):
    """A minimal deterministic automaton over a finite alphabet; states that lead nowhere are left out."""

    start: int
    finals: frozenset[int]
    steps: list[dict[Letter, int]] = field(repr=False)
    labels: list[Hashable] = field(repr=False, default_factory=list)
    """What tells states apart beside what they accept, where that was asked for."""

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all is accepted."""
        return not self.finals

    def accepts(self, letters: Iterable[Letter]) -> bool:
        """Whether the whole string is accepted."""
        state = self.start
        for letter in letters:
            if letter not in self.steps[state]:
                return False
            state = self.steps[state][letter]
        return state in self.finals


State = TypeVar("State", bound=Hashable)


def compiled(
    start: State,
    step: Callable[[State, Letter], State | None],
    is_final: Callable[[State], bool],
    alphabet: Sequence[Letter],
    label: Callable[[State], Hashable] = lambda state: None,
) -> Automaton[Letter]:
    """Explore a deterministic machine, drop states from which no final one is reached, and merge equal ones.

    States with different labels are never merged.
    """
    number = {start: 0}
    order = [start]
    table: list[dict[Letter, int]] = []
    for state in order:
        row = {}
        for letter in alphabet:
            after = step(state, letter)
            if after is None:
                continue
            if after not in number:
                number[after] = len(order)
                order.append(after)
            row[letter] = number[after]
        table.append(row)
    finals = {number[state] for state in order if is_final(state)}
    alive = _alive(table, finals)
    table = [{letter: to for letter, to in row.items() if to in alive} for row in table]
    return _merged(table, finals, [label(state) for state in order])


def _alive(table: list[dict[Letter, int]], finals: set[int]) -> set[int]:
    before: list[set[int]] = [set() for _ in table]
    for state, row in enumerate(table):
        for to in row.values():
            before[to].add(state)
    alive, pending = set(finals), list(finals)
    while pending:
        for state in before[pending.pop()] - alive:
            alive.add(state)
            pending.append(state)
    return alive


def _merged(table: list[dict[Letter, int]], finals: set[int], labels: list[Hashable]) -> Automaton[Letter]:
    """Moore's partition: states are split until those together cannot be told apart."""
    kinds: dict[Hashable, int] = {}
    block = [kinds.setdefault((state in finals, label), len(kinds)) for state, label in enumerate(labels)]
    while True:
        names: dict[Hashable, int] = {}
        refined = []
        for state, row in enumerate(table):
            kind = (block[state], frozenset((letter, block[to]) for letter, to in row.items()))
            refined.append(names.setdefault(kind, len(names)))
        if len(names) == len(set(block)):
            break
        block = refined
    reachable, rows = {block[0]: 0}, [0]
    steps: list[dict[Letter, int]] = []
    for state in rows:
        row = {}
        for letter, to in table[state].items():
            if block[to] not in reachable:
                reachable[block[to]] = len(rows)
                rows.append(to)
            row[letter] = reachable[block[to]]
        steps.append(row)
    final = frozenset(i for i, state in enumerate(rows) if state in finals)
    return Automaton(0, final, steps, [labels[state] for state in rows])
