"""Generative dependency grammars, projective (GDG) and pseudo-projective (PP-GDG): Kahane, Nasr & Rambow 1998.

A grammar has start categories, a lexicon, and four kinds of rules:

- *s-rules* ``V[trans +] -> N[case:nom], N[case:obj]``: the dependents that a head needs, exactly one rule a head;
- *m-rules* ``V -> Adv``: a dependent that may modify a head, any number of times;
- *LP rules* ``V = Adv? N[case:nom] # N[case:obj]?``: the order of the linear dependents, ``#`` being the head;
- *l-rules* ``N[top +] ^ V V[bridge +]* V[bridge +]``: what may be lifted from where to where, as `LiftingRule` has it.

A category in a rule matches every lexical category that it subsumes. A head without an s-rule takes no arguments; one
without an LP rule stands alone; of several LP rules that match a head the most specific count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from os import PathLike, fspath
from typing import TYPE_CHECKING

from nonproj.errors import NonprojError
from nonproj.grammar.reading import read_grammar
from nonproj.grammar.rules import LPRule, LRule, MRule, SRule, written_entry
from nonproj.lifting import Category
from nonproj.treebank import Sentence

if TYPE_CHECKING:
    from nonproj.grammar.chart import Parse
    from nonproj.grammar.checking import GrammarWarning
    from nonproj.grammar.machine import Machine
    from nonproj.lifting.rules import Source


@dataclass(eq=False)
class Grammar:
    """A dependency grammar, projective or pseudo-projective.

    >>> grammar = Grammar.load("beans.gdg")  # the grammar of the paper, which comes with nonproj
    >>> parse = grammar.parse("beans Fernando thought yesterday Milagro claims Carlos eats slowly")
    >>> [analysis.tree.heads[0] for analysis in parse], [analysis.lifted.heads[0] for analysis in parse]
    ([8, 8], [3, 3])
    """

    start: tuple[Category, ...]
    s_rules: tuple[SRule, ...] = ()
    m_rules: tuple[MRule, ...] = ()
    lp_rules: tuple[LPRule, ...] = ()
    l_rules: tuple[LRule, ...] = ()
    lexicon: dict[str, tuple[Category, ...]] = field(default_factory=dict)
    left_out: int = 0
    """How many trees with several roots `from_treebank` could not use."""

    def __post_init__(self) -> None:
        """Refuse what has no notation, so that every grammar is read as it is written."""
        if not self.start:
            raise NonprojError("a grammar needs at least one start category")
        named = Counter(rule.name for rule in (*self.s_rules, *self.m_rules, *self.lp_rules, *self.l_rules))
        for name, count in named.items():
            if count > 1:
                raise NonprojError(f"{count} rules are called {name!r}: each needs its own name")
        for word, known in self.lexicon.items():
            if not known or len(set(known)) < len(known) or any(category.is_any for category in known):
                shown = ", ".join(map(str, known)) or "none"
                raise NonprojError(f"the word {word!r} needs categories of its own, each once and not '.', has {shown}")

    @classmethod
    def parse_text(cls, text: str, file: str = "<text>") -> Grammar:
        """Read a grammar from its text.

        >>> grammar = Grammar.parse_text("start: V\\ns v: V -> N\\nlp p: V = N #\\nword dogs: N\\nword bark: V")
        >>> grammar.parse("dogs bark").count
        1
        """
        start, s_rules, m_rules, lp_rules, l_rules, lexicon = read_grammar(text, file)
        return cls(start, s_rules, m_rules, lp_rules, l_rules, lexicon)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Grammar:
        """Read a grammar from a file, or one that comes with nonproj by its name: ``beans.gdg``."""
        path = fspath(path)
        try:
            with open(path, encoding="utf-8") as file:
                return cls.parse_text(file.read(), path)
        except FileNotFoundError:
            shipped = {entry.name: entry for entry in files("nonproj.grammar").iterdir() if entry.name.endswith(".gdg")}
            if path in shipped:
                return cls.parse_text(shipped[path].read_text(encoding="utf-8"), path)
            known = ", ".join(sorted(shipped))
            raise NonprojError(f"{path}: no such file, and no grammar of nonproj: those are {known}") from None
        except OSError as error:
            raise NonprojError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise NonprojError(f"{path}: a grammar is UTF-8 text, and this file is not") from None

    @classmethod
    def from_treebank(cls, sentences: Iterable[Sentence], categories: Source = "upos") -> Grammar:
        """Read a grammar off a treebank: what depends on what, in what order, and what is lifted.

        Every tree it was read from is derived by it, see `covers`. Core relations (``nsubj``, ``obj``, ``ccomp``
        ...) of a head make an s-rule, the others m-rules; an LP rule says what may stand before and after the head.

        Trees with several roots are left out, since a grammar derives one; ``left_out`` says how many.

        >>> from nonproj import sample_treebank
        >>> grammar = Grammar.from_treebank(sample_treebank())
        >>> len(sample_treebank()), grammar.left_out, sum(map(grammar.covers, sample_treebank()))
        (75, 5, 70)
        """
        from nonproj.grammar.induction import induced

        return induced(sentences, categories)

    def __str__(self) -> str:
        lines = [f"start: {', '.join(map(str, self.start))}"]
        for rules in (self.s_rules, self.m_rules, self.lp_rules, self.l_rules):
            lines += map(str, rules)
        lines += [written_entry(word, known) for word, known in self.lexicon.items()]
        return "\n".join(lines) + "\n"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grammar) and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | PathLike[str]) -> None:
        """Write the grammar to a file, from which `load` reads the same."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(str(self))

    @cached_property
    def machine(self) -> Machine:
        """The automata of the grammar, compiled once and only where they are needed."""
        from nonproj.grammar.machine import Machine

        return Machine(self)

    def check(self) -> list[GrammarWarning]:
        """Find rules that cannot do what they were written for; each warning names its rule."""
        from nonproj.grammar.checking import warnings

        return list(warnings(self))

    def categories_of(
        self, words: Sequence[str], given: Sequence[Category | str] | None = None
    ) -> list[tuple[Category, ...]]:
        """The categories that each word may have: those given, else those of the lexicon."""
        if given is not None:
            if len(given) != len(words):
                raise NonprojError(f"{len(words)} words, but {len(given)} categories: give one a word")
            return [(Category.parse(c) if isinstance(c, str) else c,) for c in given]
        unknown = [word for word in words if word not in self.lexicon]
        if unknown:
            raise NonprojError(
                f"the lexicon has no word {' nor '.join(map(repr, unknown))}: add it, or give categories"
            )
        return [self.lexicon[word] for word in words]

    def parse(
        self,
        words: str | Sequence[str],
        categories: Sequence[Category | str] | None = None,
        *,
        max_lifts: int | None = None,
    ) -> Parse:
        """Parse a sentence; with ``categories``, one a word, the lexicon is not asked.

        ``max_lifts`` bounds how many words may be on their way up out of any part of the sentence. The chart grows
        with that number as its exponent, so a grammar with many l-rules, such as one read off a treebank, needs a
        small one.
        """
        from nonproj.grammar.chart import parse

        return parse(self, words.split() if isinstance(words, str) else list(words), categories, max_lifts)

    def derive(self, words: str | Sequence[str]) -> Iterator[str]:
        """The derivations of a sentence as text, each line a sentential form as in Figures 3 and 4 of the paper."""
        from nonproj.grammar.derivation import derivation_text

        for analysis in self.parse(words):
            yield derivation_text(self, analysis)

    def covers(self, sentence: Sentence, categories: Source | None = None) -> bool:
        """Whether the grammar derives the tree of a sentence, with its words' categories from these columns.

        Without ``categories`` they are tags, with the relations as a feature where the lexicon has those.
        """
        from nonproj.grammar.induction import covers

        return covers(self, sentence, categories)
