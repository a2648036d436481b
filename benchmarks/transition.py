"""Oracle and derivation of every transition system, against spaCy's arc-eager oracle and plain Python."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

import nonproj
from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, agree, in_turn, peer
from nonproj.transition import TransitionSystem, transition_system
from nonproj.trees import Tree, profile_trees

NAME = "transition"
QUESTION = "How many trees a second do oracle and derivation of a transition system take? (one thread)"
PEERS = ("spacy",)

SYSTEMS: list[tuple[str, str | None]] = [
    ("arc-standard", None),
    ("arc-hybrid", None),
    ("arc-eager", None),
    ("sorting", None),
    ("sort-parse", "completion"),
    ("sort-parse", "printed"),
    ("swap", "eager"),
    ("swap", "lazy"),
    ("attardi-2", None),
    ("attardi-3", None),
    ("attardi-back-2", None),
    ("2-planar", None),
    ("3-planar", None),
    ("two-register", None),
    ("3-register", None),
    ("covington", None),
    ("mh4", None),
    ("mh5", None),
]
COMPARED = ["ud/da_ddt-ud-dev", "ud/da_ddt-ud-test"]


def run() -> Iterator[Row]:
    """The projective trees of a treebank against the peers, then every tree there is."""
    yield from projective_rows()
    yield from every_tree_rows()
    yield from growth_rows()


# Projective trees


def projective_rows() -> Iterator[Row]:
    everything = nonproj.read(treebanks.text(*COMPARED))
    projective = [sentence for sentence in everything if sentence.tree.is_projective]
    treebank = nonproj.read("".join(map(str, projective)).encode())
    trees = [sentence.tree for sentence in projective]
    systems = [transition_system(name, oracle=oracle) for name, oracle in SYSTEMS]
    sides: list[Timed[Any]] = [Timed(derivation(system, treebank)) for system in systems]
    others = {"plain Python": Timed(lambda: [plain_arc_eager(tree.heads) for tree in trees])}
    reason: Absent | None = None
    try:
        others["spaCy arc-eager oracle"] = Timed(spacy_oracle(trees))
    except Absent as absent:
        reason = absent
    in_turn(*sides, *others.values(), rounds=3)
    heads = [list(tree.heads) for tree in trees]
    agree(others["plain Python"].answer == heads, "plain Python derives other trees")
    for system, side in zip(systems, sides, strict=True):
        agree(np.array_equal(side.answer, treebank.heads), f"{system} derives other trees")
        for what in ("spaCy arc-eager oracle", "plain Python"):
            row = Row(f"{described(system)}: {what}", f"{len(trees)} projective trees", ours=side.best)
            if what == "spaCy arc-eager oracle":
                row = replace(row, target=Target("faster", 10))
            if what not in others:
                assert reason is not None
                yield row.unmeasured(reason)
                continue
            theirs = others[what]
            speeds = f"{len(trees) / side.best:.0f} and {len(trees) / theirs.best:.0f} trees/s"
            yield replace(row, peer=theirs.best, note=speeds)


def described(system: TransitionSystem) -> str:
    return f"{system.name} ({system.oracle_name})" if system.oracle_name else system.name


def derivation(system: TransitionSystem, treebank: nonproj.Treebank) -> Callable[[], npt.NDArray[np.int32]]:
    """Oracle, and derivation where the system makes arcs."""

    def work() -> npt.NDArray[np.int32]:
        found = system.oracles(treebank, threads=1)
        return found.derive(threads=1) if system.kind.has_arcs else treebank.heads

    return work


def plain_arc_eager(heads: tuple[int, ...]) -> list[int]:
    """Arc-eager's static oracle and its derivation as one would write them first, the dummy at the end."""
    words = len(heads)
    gold = [-1, *heads]
    missing = [0] * (words + 1)
    for head in heads:
        missing[head] += 1
    buffer = [*range(1, words + 1), 0]
    stack: list[int] = []
    steps: list[str] = []
    made: dict[int, int] = {}
    at = 0
    while stack or buffer[at] != 0:
        front = buffer[at]
        if stack and stack[-1] not in made and gold[stack[-1]] == front:
            steps.append("LA")
            made[stack.pop()] = front
            missing[front] -= 1
        elif stack and front and gold[front] == stack[-1]:
            steps.append("RA")
            made[front] = stack[-1]
            missing[stack[-1]] -= 1
            stack.append(front)
            at += 1
        elif stack and stack[-1] in made and missing[stack[-1]] == 0:
            steps.append("REDUCE")
            stack.pop()
        else:
            steps.append("SHIFT")
            stack.append(front)
            at += 1
    return plain_derivation(steps, words)


def plain_derivation(steps: list[str], words: int) -> list[int]:
    """The heads that arc-eager's transitions make."""
    stack: list[int] = []
    heads = [0] * words
    front = 1
    for step in steps:
        if step == "LA":
            heads[stack.pop() - 1] = front if front <= words else 0
        elif step == "REDUCE":
            stack.pop()
        else:
            if step == "RA":
                heads[front - 1] = stack[-1]
            stack.append(front)
            front += 1
    return heads


def spacy_oracle(trees: list[Tree]) -> Callable[[], list[list[int]]]:
    """spaCy's oracle alone, without derivation; one label beside the root's, so as not to slow it down."""
    spacy = peer("spacy")
    training = peer("spacy.training")
    arc_eager = peer("spacy.pipeline._parser_internals.arc_eager")
    vocabulary = spacy.blank("xx").vocab
    examples = []
    for tree in trees:
        words = [f"w{word}" for word in range(1, len(tree) + 1)]
        heads = [head - 1 if head else word for word, head in enumerate(tree.heads)]
        labels = ["ROOT" if head == 0 else "dep" for head in tree.heads]
        gold = spacy.tokens.Doc(vocabulary, words=words, heads=heads, deps=labels)
        examples.append(training.Example(spacy.tokens.Doc(vocabulary, words=words), gold))
    moves = arc_eager.ArcEager(vocabulary.strings)
    for action, labels in arc_eager.ArcEager.get_actions(examples=examples).items():
        for label in labels:
            moves.add_action(action, label)
    names = {move: moves.get_class_name(move) for move in range(moves.n_moves)}

    def work() -> list[list[int]]:
        return [moves.get_oracle_sequence(example) for example in examples]

    rebuilt = [
        rebuild([names[move] for move in sequence], len(tree)) for sequence, tree in zip(work(), trees, strict=True)
    ]
    agree(rebuilt == [list(tree.heads) for tree in trees], "spaCy's sequences build other trees")
    return work


def rebuild(moves: list[str], words: int) -> list[int]:
    """The heads that spaCy's moves make; a word that is reduced without a head has the root for one."""
    stack: list[int] = []
    heads = [0] * words
    front = 1
    for move in moves:
        kind = move.partition("-")[0]
        if kind in ("S", "R"):
            if kind == "R":
                heads[front - 1] = stack[-1]
            stack.append(front)
            front += 1
        elif kind == "L":
            heads[stack.pop() - 1] = front
        else:
            stack.pop()
    return heads


# Every tree


def every_tree_rows() -> Iterator[Row]:
    """Every tree of every file through every system: each is derived exactly when it is in the system's class."""
    data = treebanks.folder()
    treebank = nonproj.read(data) if data else nonproj.read(treebanks.text())
    profiles = profile_trees(treebank.heads, treebank.offsets)
    sizes = np.diff(treebank.offsets)
    total = 0.0
    for name, oracle in SYSTEMS:
        system = transition_system(name, oracle=oracle)
        start = time.perf_counter()
        found = system.oracles(treebank, threads=1)
        derived = found.derive(threads=1) if system.kind.has_arcs else treebank.heads
        seconds = time.perf_counter() - start
        total += seconds
        is_derived = found.lengths >= 0
        inside = np.repeat(is_derived, sizes)
        agree(np.array_equal(derived[inside], treebank.heads[inside]), f"{system} derives other trees")
        if system.tree_class is not None:
            agree(np.array_equal(system.tree_class.holds(profiles) == 1, is_derived), f"{system} derives another class")
        share = f"{is_derived.sum()} of {len(treebank)} derived"
        note = f"{share}; {len(found.numbers)} transitions; {len(treebank) / seconds:.0f} trees/s"
        yield Row(f"{described(system)}: every tree", f"{len(treebank)} trees", seconds, note=note)
    yield Row("all systems: every tree", f"{len(treebank)} trees", total, target=Target("seconds", 180))


# Growth

ANCIENT_GREEK = ["ud/grc_perseus-ud-dev", "ud/grc_perseus-ud-test"]
SHORT, LONG = 12, 30
"""Words up to which a sentence is short, and from which on it is long."""


def growth_rows() -> Iterator[Row]:
    """The time that a word takes in long sentences and in short ones, which is the same where time is linear."""
    everything = nonproj.read(treebanks.text(*ANCIENT_GREEK))
    for name in ("two-register", "3-register"):
        system = transition_system(name)
        trees = [sentence.tree for sentence in everything if system.covers(sentence.tree)]
        parts = [[tree for tree in trees if len(tree) >= LONG], [tree for tree in trees if len(tree) <= SHORT]]
        sides = [Timed(derivations(system, part)) for part in parts]
        in_turn(*sides, rounds=5)
        for side, part in zip(sides, parts, strict=True):
            agree(side.answer.tolist() == [head for tree in part for head in tree.heads], f"{name} derives other trees")
        a_word = [side.best / max(1, len(side.answer)) for side in sides]
        size = f"{len(sides[0].answer)} and {len(sides[1].answer)} words"
        yield Row(f"{name}: a word, {LONG} words and more : {SHORT} and fewer", size, *a_word, Target("share", 2.0))


def derivations(system: TransitionSystem, trees: list[Tree]) -> Callable[[], npt.NDArray[np.int32]]:
    """Oracle and derivation of some trees."""
    return lambda: system.oracles(trees, threads=1).derive(threads=1)
