"""Long sentences, random trees, and real treebanks."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.order import completion_order, sort_parse
from transition_cases import SYSTEMS

import nonproj as npj
from nonproj import Tree, transition_system
from nonproj.transition import sort_words, swap_statistics

LINEAR = [
    "arc-standard",
    "arc-hybrid",
    "arc-eager",
    "attardi-2",
    "attardi-back-2",
    "2-planar",
    "two-register",
    "3-register",
    "mh4",
    "sort-parse",
    "swap",
]
LONG = 10_000


def random_projective(words: int, rng: random.Random) -> list[int]:
    """Heads from a random sequence of arc-standard transitions."""
    system = transition_system("arc-standard")
    numbers, depth, front = [], 1, 0
    while front < words or depth > 1:
        choices = ([0] if front < words else []) + ([2] if depth > 1 else []) + ([1] if depth > 2 else [])
        step = rng.choice(choices)
        depth, front = (depth + 1, front + 1) if step == 0 else (depth - 1, front)
        numbers.append(step)
    return system._native.derive(np.array(numbers, dtype=np.int32), words)[0].tolist()


def long_trees() -> dict[str, list[int]]:
    rng = random.Random(3)
    blocks = [0, *range(1, LONG)]
    for start in range(1, LONG - 4, 5):  # a crossing every five words: w+3 under w+1, w+2 on w
        blocks[start + 1], blocks[start + 2] = start, start + 1
        blocks[start + 3] = start + 2
    return {
        "a chain to the right": [0, *range(1, LONG)],
        "a chain to the left": [*range(2, LONG + 1), 0],
        "a star": [0] + [1] * (LONG - 1),
        "roots": [0] * LONG,
        "projective": random_projective(LONG, rng),
        "crossings": blocks,
    }


@pytest.mark.parametrize("name", LINEAR)
def test_long_sentences_take_no_time(name: str) -> None:
    system = transition_system(name)
    covered = 0
    for heads in long_trees().values():
        array = np.array(heads, dtype=np.int32)
        start = time.process_time()
        numbers = system._native.oracle(array)
        if numbers is not None:
            assert system._native.derive(numbers, LONG)[0].tolist() == heads
            covered += 1
        assert time.process_time() - start < 0.5
    assert covered >= 5


def test_long_random_trees() -> None:
    """Quadratic in the worst case: a random tree of 2,000 words needs about a million swaps."""
    rng = random.Random(5)
    tree = Tree([rng.randrange(word) for word in range(1, 2001)])
    for name in ("swap", "sort-parse", "covington"):
        system = transition_system(name)
        numbers = system._native.oracle(tree._array)
        assert numbers is not None
        assert system._native.derive(numbers, 2000)[0].tolist() == list(tree.heads)


@st.composite
def random_trees(draw: st.DrawFn) -> Tree:
    """Trees whose words mostly attach nearby, so that every class has some of them."""
    words = draw(st.integers(1, 25))
    order = draw(st.permutations(range(1, words + 1)))
    reach = draw(st.integers(1, 4))
    heads = [0] * words
    for place, word in enumerate(order):
        near = sorted(order[:place], key=lambda other: abs(other - word))[:reach]
        heads[word - 1] = draw(st.sampled_from([*near, 0])) if near else 0
    return Tree(heads, deprels=[f"l{word}" for word in range(words)])


@given(random_trees())
@settings(max_examples=150, deadline=None)
def test_every_system_gives_random_trees_back(tree: Tree) -> None:
    for name, oracle, _ in SYSTEMS:
        system = transition_system(name, oracle=oracle)
        cls = system.tree_class
        assert cls is None or system.covers(tree) == (tree in cls)
        if system.covers(tree):
            derived = system.derive(system.oracle(tree))
            assert derived == tree
            assert derived.deprels == tree.deprels
            if len(tree.roots) == 1:
                assert transition_system(name, oracle=oracle, single_root=True).covers(tree)
    steps = [step.name for step in transition_system("sort-parse").oracle(tree)]
    assert steps == sort_parse(tree.heads, completion_order(tree.heads))
    swaps = [step.name for step in transition_system("sorting").oracle(tree)].count("SWAP")
    assert swaps == sort_words(tree).inversions


@given(st.sampled_from(SYSTEMS), st.booleans(), st.integers(1, 12), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_random_legal_sequences_end_in_a_tree_of_the_class(
    case: tuple[str, str | None, str | None], single_root: bool, words: int, rng: random.Random
) -> None:
    name, oracle, _ = case
    system = transition_system(name, oracle=oracle, single_root=single_root)
    configuration, steps = system.initial(words), []
    while not system.is_final(configuration):
        legal = system.legal(configuration)
        if not legal:
            assert name.endswith("-register") or oracle == "printed"
            return
        steps.append(rng.choice(legal))
        configuration = system.apply(configuration, steps[-1])
    tree = system.derive(steps)
    assert list(tree.heads) == configuration.heads
    assert system.tree_class is None or tree in system.tree_class
    assert not single_root or len(tree.roots) == 1


def test_swap_statistics() -> None:
    treebank = npj.example_treebank()
    found = swap_statistics(treebank)
    assert len(found) == len(treebank)
    assert found.inversions.tolist() == [sort_words(sentence.tree).inversions for sentence in treebank]
    assert sum(counts["lazy swap"] for _, counts in found.histogram()) == len(treebank)
    assert sum(trees for _, trees, _ in found.by_length()) == len(treebank)
    assert all(0.8 < exponent < 2 for exponent in found.exponents().values())
    assert ((found.inversions == 0) == [sentence.tree.is_projective for sentence in treebank]).all()


DATA = Path(os.environ.get("NONPROJ_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
FILES = [
    path for path in (DATA / "ud/grc_perseus-ud-test.conllu.gz", DATA / "conllx/danish_test.conll.gz") if path.exists()
]


@pytest.mark.skipif(not FILES, reason=f"no treebanks in {DATA}: set NONPROJ_DATA")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_real_trees_through_every_system(path: Path) -> None:
    treebank = npj.read(path)
    for name, oracle, _ in SYSTEMS:
        system = transition_system(name, oracle=oracle)
        found = system.oracles(treebank)
        derived = found.derive()
        is_derived = np.repeat(found.lengths >= 0, np.diff(treebank.offsets))
        assert np.array_equal(derived[is_derived], treebank.heads[is_derived])
        if system.tree_class is not None:
            held = system.tree_class.holds(npj.trees.profile_trees(treebank.heads, treebank.offsets))
            assert np.array_equal(held == 1, found.lengths >= 0)
