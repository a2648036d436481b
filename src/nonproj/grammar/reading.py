"""Grammar files: one statement a line, ``//`` begins a comment.

    categories: upos+Case
    lifts: 1
    start: V[finite +], V[root +]
    s d1: V[trans +] -> N[case:nom], N[case:obj]
    m d3: V -> Adv @ -0.5
    lp p1: V[trans +] = Adv? N[case:nom] Aux? Adv* # N[case:obj]? Adv*
    l l1: N[case:obj, top +] ^ V V[bridge +]* V[bridge +]
    word Fernando, Milagro: N[case:nom] | N[case:obj]
    unknown: N[case:nom] @ -1.5 | Adv @ -0.5
    count V first: N 12, Adv 3, ^ N 1, # 40
    count V before Adv: # 3

``categories`` names the columns of a treebank that categories come from, ``lifts`` how many words may be on their way
up at a time. A weight may follow a rule, a start category or a category of a word after ``@``; the best analysis is
that with the largest sum. ``count`` says how often the steps of a rule-FSM were seen, see `nonproj.grammar.steps`:
``^ N`` was lifted here, ``N ^`` away, ``#`` is the head and ``|`` the end. Every mistake is an error with file, line
and column.
"""

from __future__ import annotations

from math import isfinite

from nonproj.errors import NonprojError
from nonproj.grammar.rules import GrammarRules, LPRule, LRule, MRule, SRule, heads_in
from nonproj.grammar.steps import StepCounts, read_counts
from nonproj.lifting.category import Category, read_category
from nonproj.lifting.columns import Source, read_columns
from nonproj.lifting.expression import read_expression
from nonproj.lifting.notation import Scanner, lines_of
from nonproj.lifting.rules import read_lift

KINDS = ("categories", "lifts", "start", "s", "m", "lp", "l", "word", "unknown", "count")


def read_grammar(text: str, file: str) -> GrammarRules:
    """Read the text of a grammar."""
    reading = _Reading()
    for number, line in enumerate(lines_of(text), 1):
        scanner = Scanner(line, file, number)
        if not scanner.is_at_end:
            reading.statement(scanner)
    if not reading.start:
        raise NonprojError(f"{file}: the grammar has no start category: add a line such as 'start: V'")
    return GrammarRules(
        tuple(reading.start),
        tuple(reading.s_rules),
        tuple(reading.m_rules),
        tuple(reading.lp_rules),
        tuple(reading.l_rules),
        {word: tuple(known) for word, known in reading.lexicon.items()},
        columns=reading.columns,
        max_lifts=reading.max_lifts,
        steps=reading.steps,
        start_weights=reading.start_weights,
        word_weights=reading.word_weights,
        unknown=reading.unknown,
    )


class _Reading:
    """What has been read so far."""

    def __init__(self) -> None:
        self.columns: Source = ""
        self.max_lifts: int | None = None
        self.start: list[Category] = []
        self.s_rules: list[SRule] = []
        self.m_rules: list[MRule] = []
        self.lp_rules: list[LPRule] = []
        self.l_rules: list[LRule] = []
        self.lexicon: dict[str, list[Category]] = {}
        self.lines: dict[str, int] = {}
        self.steps = StepCounts()
        self.start_weights: dict[Category, float] = {}
        self.word_weights: dict[tuple[str, Category], float] = {}
        self.unknown: dict[Category, float] = {}

    def statement(self, scanner: Scanner) -> None:
        """Read one line."""
        kind = scanner.name("a statement: start, s, m, lp, l or word")
        if kind not in KINDS:
            listed = f"{', '.join(KINDS[:-1])} or {KINDS[-1]}"
            raise scanner.error(f"a line begins with {listed}, not with {kind!r}", 0)
        {
            "categories": self._columns,
            "lifts": self._lifts,
            "start": self._start,
            "s": self._s_rule,
            "m": self._m_rule,
            "lp": self._lp_rule,
            "l": self._l_rule,
            "word": self._word,
            "unknown": self._unknown,
            "count": self._count,
        }[kind](scanner)
        scanner.end()

    def _columns(self, scanner: Scanner) -> None:
        scanner.expect(":", "after 'categories'")
        if self.columns:
            raise scanner.error(f"the columns of categories are given twice: they are {self.columns}", 0)
        self.columns = read_columns(scanner)

    def _lifts(self, scanner: Scanner) -> None:
        scanner.expect(":", "after 'lifts'")
        at = scanner.at
        word = scanner.name("how many words may be on their way up at a time")
        if self.max_lifts is not None:
            raise scanner.error(f"the number of lifts is given twice: it is {self.max_lifts}", 0)
        if not word.isdecimal() or len(word) > 9:
            raise scanner.error(f"expected a whole number of words on their way up at a time, found {word[:40]!r}", at)
        self.max_lifts = int(word)

    def _start(self, scanner: Scanner) -> None:
        scanner.expect(":", "after 'start'")
        while True:
            category = read_category(scanner)
            if weight := _weight(scanner):
                self.start_weights[category] = weight
            self.start.append(category)
            if not scanner.take(","):
                break

    def _unknown(self, scanner: Scanner) -> None:
        scanner.expect(":", "after 'unknown'")
        for category, weight in _choices(scanner):
            self.unknown.setdefault(category, weight)

    def _count(self, scanner: Scanner) -> None:
        read_counts(scanner, read_category(scanner), self.steps)

    def _name(self, scanner: Scanner) -> str:
        at = scanner.at
        name = scanner.name("the name of a rule")
        if name in self.lines:
            raise scanner.error(f"line {self.lines[name]} has a rule {name!r} already: each needs its own name", at)
        scanner.expect(":", "after the name of the rule")
        self.lines[name] = scanner.line
        return name

    def _s_rule(self, scanner: Scanner) -> None:
        name = self._name(scanner)
        head = _head(scanner)
        dependents = [] if scanner.is_at_end or scanner.sees("@") else _categories(scanner)
        self.s_rules.append(SRule(name, head, tuple(dependents), _weight(scanner)))

    def _m_rule(self, scanner: Scanner) -> None:
        name = self._name(scanner)
        head = _head(scanner)
        dependent = read_category(scanner)
        if scanner.sees(","):
            raise scanner.error("an m-rule has one dependent: write one rule for each")
        self.m_rules.append(MRule(name, head, dependent, _weight(scanner)))

    def _lp_rule(self, scanner: Scanner) -> None:
        name = self._name(scanner)
        head = read_category(scanner)
        scanner.expect("=", "after the category of the head")
        at = scanner.at
        order = read_expression(scanner)
        if heads_in(order) != {1}:
            raise scanner.error("a rule of word order has '#', the head, exactly once in every string it allows", at)
        self.lp_rules.append(LPRule(name, head, order))

    def _l_rule(self, scanner: Scanner) -> None:
        name = self._name(scanner)
        rule = read_lift(scanner)
        self.l_rules.append(LRule(name, rule, _weight(scanner)))

    def _word(self, scanner: Scanner) -> None:
        words = [scanner.name("a word")]
        while scanner.take(","):
            words.append(scanner.name("a word"))
        scanner.expect(":", "after the words")
        choices = _choices(scanner)
        for word in words:
            known = self.lexicon.setdefault(word, [])
            for category, weight in choices:
                if category not in known:
                    known.append(category)
                    if weight:
                        self.word_weights[word, category] = weight


def _choices(scanner: Scanner) -> list[tuple[Category, float]]:
    found = []
    while True:
        category = read_category(scanner)
        if category.is_any:
            raise scanner.error("a word needs a category of its own, not '.'")
        found.append((category, _weight(scanner)))
        if not scanner.take("|"):
            return found


def _head(scanner: Scanner) -> Category:
    head = read_category(scanner)
    if not scanner.take("->", "→"):
        raise scanner.error(f"expected '->' after the category of the head, found {scanner.found()}")
    return head


def _categories(scanner: Scanner) -> list[Category]:
    found = [read_category(scanner)]
    while scanner.take(","):
        found.append(read_category(scanner))
    return found


def _weight(scanner: Scanner) -> float:
    if not scanner.take("@"):
        return 0.0
    at = scanner.at
    sign = scanner.take("+") or ""
    word = scanner.name("a weight")
    try:
        weight = float(sign + word)
    except ValueError:
        raise scanner.error(f"expected a weight, a number, found {word!r}", at) from None
    if not isfinite(weight):
        raise scanner.error("a weight is a finite number", at)
    return weight
