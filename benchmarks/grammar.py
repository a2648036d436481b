"""How fast grammars parse, and how well one that was read off a treebank does."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterator

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Row, Target, Timed, agree, in_turn
from nonproj.grammar import Grammar, Parse
from nonproj.grammar.evaluation import GrammarScores, evaluate_grammar

NAME = "grammar"
QUESTION = "How long do grammars take to parse, and how many heads are right?"
PEERS = ()

AMBIGUOUS = "start: N\nm m: N -> N\nlp p: N = N* # N*\nword a: N"
"""Every word may depend on every other: all projective trees."""
LIFTING = "start: V\ns v: V -> N\ns w: V -> V, N\nlp p: V = (N|V)* # (N|V)*\nl l: N ^ V V* V\nword a: N | V"
"""One l-rule, and every word a noun or a verb."""
BEANS = f"beans Fernando thought yesterday {'Milagro claims today ' * 63} Milagro claims Carlos eats slowly"
TREEBANK = "ud/got_proiel-ud"
LONGEST = 20


def run() -> Iterator[Row]:
    """Ambiguous grammars and that of the paper, then a grammar read off a treebank."""
    yield from ambiguous()
    timed = counted(Grammar.load("beans.gdg"), BEANS.split())
    yield Row(
        "beans.gdg: forest and count", f"{len(BEANS.split())} words", ours=timed.best, target=Target("seconds", 0.02)
    )
    timed = counted(Grammar.parse_text(LIFTING), ["a"] * 10)
    agree(timed.answer == 997920, "the number of analyses")
    yield Row(
        "one l-rule: forest and count", "10 words, each ambiguous", ours=timed.best, target=Target("seconds", 0.05)
    )
    yield from treebank_grammar()


def ambiguous() -> Iterator[Row]:
    """A projective grammar that allows all projective trees, with the exponent of its growth."""
    grammar, seconds = Grammar.parse_text(AMBIGUOUS), {}
    for n in (30, 60, 120):
        timed = counted(grammar, ["a"] * n)
        seconds[n] = timed.best
        # The projective trees of n words with one root: binomial(3n - 2, n - 1) / n.
        agree(timed.answer == math.comb(3 * n - 2, n - 1) // n, "the number of projective trees")
        target = Target("seconds", 0.5) if n == 120 else None
        yield Row("all projective trees: forest and count", f"{n} words", ours=timed.best, target=target)
    exponent = math.log2(seconds[120] / seconds[60])
    yield Row("all projective trees: exponent", "60 to 120 words", number=exponent, target=Target("most", 3.3))


def counted(grammar: Grammar, words: list[str]) -> Timed[int]:
    """The time of a forest and its count; the automata of the grammar are compiled before."""

    def ask() -> int:
        parse: Parse = grammar.parse(words)
        return parse.count

    # One thread, by the processor's time: what else the machine does would count for an exponent.
    timed = Timed(ask, clock=time.process_time)
    timed.function()
    in_turn(timed, rounds=5)
    return timed


def treebank_grammar() -> Iterator[Row]:
    """The most probable analyses of the development part, by UPOS."""
    train, dev = (nonproj.read(treebanks.text(f"{TREEBANK}-{part}")) for part in ("train", "dev"))
    grammar = Grammar.from_treebank(train, weighted=True)
    sentences = [s for s in dev if len(s) <= LONGEST and len(s.tree.roots) == 1]
    scores: GrammarScores = evaluate_grammar(grammar, sentences)
    what, size = treebanks.label("got_proiel dev by UPOS"), f"{len(sentences)} sentences"
    seconds = [one.seconds for one in scores.judged]
    late = sum(not one.is_known or one.seconds > 0.5 for one in scores.judged)
    told = f"{len(scores.analysed)} with an analysis, {scores.optimal} proven best, {scores.too_large} too large"
    yield Row(f"{what}: median", size, ours=statistics.median(seconds), target=Target("seconds", 0.02), note=told)
    yield Row(f"{what}: % not settled in 0.5 s", size, number=100 * late / len(sentences), target=Target("most", 5))
    yield Row(f"{what}: UAS of the best analysis", size, number=scores.uas)
