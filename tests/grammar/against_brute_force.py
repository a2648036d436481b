"""Random grammars against brute force over all trees and lifts, as many as you like: run it, it is no test.

    python tests/grammar/against_brute_force.py 10000

For two sentences of each grammar: whether there is an analysis, all of them, how many, the best weight, the five best.
"""

import argparse
import math
import pathlib
import sys
from itertools import islice

from rich.progress import track

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from random_grammars import random_grammar, weighted
from reference.grammars import analyses, weight

from nonproj.grammar import Grammar

LONGEST = 4
"""Words of a sentence: brute force goes over every tree with every lift."""


def wrong(grammar: Grammar, words: list[str]) -> list[str]:
    """What the chart gets wrong about a sentence."""
    every = set(analyses(grammar, words))
    weights = sorted((weight(grammar, *one) for one in every), reverse=True)
    parse, told = grammar.parse(words), []
    if bool(parse) != bool(every):
        told.append("whether there is an analysis")
    found = [(a.categories, a.tree.heads, a.lifted.heads) for a in parse]
    if set(found) != every or len(found) != len(every):
        told.append("the analyses")
    if parse.count != len(every):
        told.append("how many there are")
    best = grammar.parse(words).best
    if (best is None) != (not every) or (best and not (best.is_optimal and math.isclose(best.weight, weights[0]))):
        told.append("the best weight")
    five = [a.weight for a in grammar.parse(words).k_best(5)]
    if len(five) != min(5, len(weights)) or not all(map(math.isclose, five, islice(weights, 5))):
        told.append("the five best")
    return told


def main() -> int:
    """Judge the grammars of consecutive seeds."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("grammars", type=int, help="how many")
    arguments.add_argument("--first", type=int, default=0, help="the first seed (default: 0)")
    given = arguments.parse_args()
    sentences = grammatical = failures = 0
    for seed in track(range(given.first, given.first + given.grammars), "grammars", transient=True):
        plain, examples = random_grammar(seed)
        grammar = weighted(plain, seed)
        for words in (words[:LONGEST] for words in examples):
            sentences += 1
            grammatical += bool(grammar.parse(words))
            for what in wrong(grammar, words):
                failures += 1
                print(f"seed {seed}, {' '.join(words)}: {what}")
    print(f"{given.grammars} grammars, {sentences} sentences, {grammatical} with an analysis: {failures} wrong")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
