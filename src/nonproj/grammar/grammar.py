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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cached_property
from importlib.resources import files
from os import PathLike, fspath

from nonproj.errors import NonprojError
from nonproj.grammar.checking import GrammarWarning, warnings
from nonproj.grammar.derivation import derivation_text
from nonproj.grammar.induction import induced, why_not
from nonproj.grammar.machine import Machine
from nonproj.grammar.parse import Parse, parse
from nonproj.grammar.reading import read_grammar
from nonproj.grammar.rules import Given, GrammarRules
from nonproj.grammar.steps import Letter
from nonproj.lifting import Automaton, Category
from nonproj.lifting.columns import Source
from nonproj.treebank import Sentence
from nonproj.treebank.writing import opened


class Grammar(GrammarRules):
    """A dependency grammar, projective or pseudo-projective.

    >>> grammar = Grammar.load("beans.gdg")  # the grammar of the paper, which comes with nonproj
    >>> parse = grammar.parse("beans Fernando thought yesterday Milagro claims Carlos eats slowly")
    >>> [analysis.tree.heads[0] for analysis in parse], [analysis.lifted.heads[0] for analysis in parse]
    ([8, 8], [3, 3])
    """

    @classmethod
    def parse_text(cls, text: str, file: str = "<text>") -> Grammar:
        """Read a grammar from its text.

        >>> grammar = Grammar.parse_text("start: V\\ns v: V -> N\\nlp p: V = N #\\nword dogs: N\\nword bark: V")
        >>> grammar.parse("dogs bark").count
        1
        """
        return cls._of(read_grammar(text, file))

    @classmethod
    def _of(cls, rules: GrammarRules) -> Grammar:
        return cls(**{field.name: getattr(rules, field.name) for field in fields(rules)})

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
    def from_treebank(
        cls,
        sentences: Iterable[Sentence],
        categories: Source = "upos",
        *,
        weighted: bool = False,
        arguments: Iterable[str] | None = None,
        lift_weight: float = 0.0,
        max_lifts: int | None = None,
    ) -> Grammar:
        """Read a grammar off a treebank: what depends on what, in what order, and what is lifted.

        Every tree it was read from is derived by it, see `covers`. The ``arguments`` of a head make an s-rule, by
        default its core relations (``nsubj``, ``obj``, ``ccomp`` ...), the others m-rules; an LP rule says what may
        stand before and after the head.

        With ``weighted`` the steps of its rule-FSMs are counted, and an analysis weighs the logarithm of its
        probability: that of its root, of the steps of each head, and of each word given its category. No relation is
        then an argument by default: frames add many states to rule-FSMs, and no heads that are right.

        ``lift_weight`` is what each l-rule weighs, and ``max_lifts`` how many words may be on their way up at a time
        when it parses; `choose` finds both the columns and the weight.

        Trees with several roots are left out, since a grammar derives one; ``left_out`` says how many.

        >>> from nonproj import example_treebank
        >>> grammar = Grammar.from_treebank(example_treebank())
        >>> len(example_treebank()), grammar.left_out, sum(map(grammar.covers, example_treebank()))
        (75, 5, 70)
        """
        rules = induced(sentences, categories, weighted, arguments)
        rules.l_rules = tuple(replace(rule, weight=lift_weight) for rule in rules.l_rules)
        rules.max_lifts = max_lifts
        return cls._of(rules)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the grammar to a file, from which `load` reads the same."""
        with opened(path) as file:
            file.write(str(self).encode())

    @cached_property
    def machine(self) -> Machine:
        """The automata of the grammar, compiled once and only where they are needed."""
        return Machine(self)

    def rule_fsm(self, category: Category | str) -> Automaton[Letter]:
        """The rule-FSM of a category: reads the dependents of a head from left to right, itself as ``#``.

        >>> fsm = Grammar.load("beans.gdg").rule_fsm("Adv")
        >>> len(fsm), fsm.accepts([("#", None)])
        (2, True)
        """
        category = Category.parse(category) if isinstance(category, str) else category
        self.machine.add(category)
        return self.machine.rule_fsm(category)

    def check(self) -> list[GrammarWarning]:
        """Find rules that cannot do what they were written for; each warning names its rule."""
        return list(warnings(self.machine))

    def parse(
        self,
        words: str | Sequence[str],
        categories: Sequence[Given] | None = None,
        *,
        max_lifts: int | None = None,
    ) -> Parse:
        """Parse a sentence; with ``categories``, one or several a word, the lexicon is not asked.

        ``max_lifts`` bounds how many words may be on their way up out of any part of the sentence, by default as the
        grammar says. The chart grows with that number as its exponent, so a grammar with many l-rules, such as one
        read off a treebank, needs a small one.
        """
        return parse(self.machine, words.split() if isinstance(words, str) else list(words), categories, max_lifts)

    def derive(self, words: str | Sequence[str]) -> Iterator[str]:
        """The derivations of a sentence as text, each line a sentential form as in Figures 3 and 4 of the paper."""
        for analysis in self.parse(words):
            yield derivation_text(self, analysis)

    def covers(self, sentence: Sentence, categories: Source | None = None) -> bool:
        """Whether the grammar derives the tree of a sentence, with its words' categories from these columns.

        Without ``categories`` they are those that the grammar names, as one that was read off a treebank does; else
        UPOS, with the features that the lexicon has.
        """
        return why_not(self.machine, sentence, categories) is None
