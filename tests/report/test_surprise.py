"""Surprises against a plain count, and errors put in by lot."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.enumeration import trees

from nonproj import NonprojError, Tree, Treebank, example_treebank, read
from nonproj.report import unusual
from nonproj.report.surprise import OFTEN

TREES = list(trees(4)) + list(trees(5))[::9]


def treebank_of(*several: tuple[tuple[int, ...], str]) -> Treebank:
    text = "".join(
        "".join(f"{w}\tw\t_\tX\t_\t_\t{h}\t{r}\t_\t_\n" for w, (h, r) in enumerate(zip(heads, names, strict=False), 1))
        + "\n"
        for heads, names in several
    )
    return read(text.encode())


def plain(treebank: Treebank) -> dict[int, float]:
    """The bits of each tree with a crossing, counted sentence by sentence."""
    crossings, relations, odd = [], [], []
    for sentence in treebank:
        tree, names = sentence.tree, sentence.deprels
        crossings.append([tuple(arc[1] for arc in pair) for pair in tree.crossings])
        relations.append(Counter(names))
        ancestors: dict[int, set[int]] = {w: set() for w in range(len(tree) + 1)}
        for word in range(1, len(tree) + 1):
            above = word
            while above:
                above = tree.heads[above - 1]
                ancestors[word].add(above)
        odd.append(
            {
                w
                for w, h in enumerate(tree.heads, 1)
                if h and any(h not in ancestors[x] for x in range(min(w, h) + 1, max(w, h)))
            }
        )
    found: dict[int, float] = {}
    for i, sentence in enumerate(treebank):
        names = sentence.deprels
        others = [j for j in range(len(treebank)) if j != i]

        def surprise(times: int, of: int) -> float:
            return -math.log2(min(1, (times + 0.5) / (of + 1)))

        def of_arc(word: int, i: int = i, names: list[str] = names, others: list[int] = others) -> float:
            if word not in odd[i]:
                return 0
            name = names[word - 1]
            times = sum(treebank[j].deprels[w - 1] == name for j in others for w in odd[j])
            return surprise(times, sum(relations[j][name] for j in others))

        for one, two in crossings[i]:
            wanted = Counter([names[one - 1], names[two - 1]])
            both = [j for j in others if not wanted - relations[j]]
            crossed = [
                j
                for j in both
                if any(Counter(treebank[j].deprels[w - 1] for w in pair) == wanted for pair in crossings[j])
            ]
            bits = surprise(len(crossed), len(both)) + of_arc(one) + of_arc(two)
            found[i] = max(found.get(i, -1), bits)
    return found


labelled = st.tuples(st.sampled_from(TREES), st.text("abc", min_size=5, max_size=5))


@given(st.lists(labelled, min_size=1, max_size=6))
def test_bits_are_those_of_a_plain_count(several: list[tuple[tuple[int, ...], str]]) -> None:
    treebank = treebank_of(*several)
    found = unusual(treebank, 0)
    expected = plain(treebank)
    assert found.crossed == len(expected)
    assert {each.sentence.line: pytest.approx(each.bits) for each in found.found} == {
        treebank[i].line: bits for i, bits in expected.items()
    }
    bits = [each.bits for each in found.found]
    assert bits == sorted(bits, reverse=True)
    for each in found.found:
        (a, b), (c, d) = each.arcs
        low, high, other_low, other_high = (*sorted((a, b)), *sorted((c, d)))
        assert low < other_low < high < other_high or other_low < low < other_high < high
        assert each.relations == tuple(each.sentence.deprels[w - 1] for w in (b, d))


def test_a_pair_of_relations_that_never_crosses_elsewhere_is_a_likely_error() -> None:
    crossing = (3, 4, 0, 3)
    usual = [(crossing, "abcd")] * 5
    projective = [((2, 0, 2, 3), "xbyd")] * OFTEN
    odd = unusual(treebank_of(*usual, *projective, (crossing, "xybd")), 0)
    first = odd.found[0]
    assert (first.relations, first.is_likely_error, first.others, first.together) == (("x", "y"), True, 0, OFTEN)
    assert [each.is_likely_error for each in odd.found[1:]] == [False] * 5
    assert odd.table().rows[0][2:4] == ["likely", "3 -x-> 1, 4 -y-> 2"]
    assert unusual(treebank_of(*projective)).found == []
    assert unusual(Treebank()).found == []
    with pytest.raises(NonprojError, match="expected 0"):
        unusual(example_treebank(), -1)


def test_errors_put_in_by_lot_come_first() -> None:
    rng = np.random.default_rng(3)
    projective = [(heads, "".join(rng.permutation(list("abcde")))) for heads in TREES if not Tree(heads).crossings]
    several = [projective[i] for i in rng.integers(0, len(projective), 300)]
    several += [((3, 4, 0, 3), "abcd")] * 20  # what usually crosses
    several += [((3, 4, 0, 3), "ebcd"), ((4, 0, 1, 2, 2), "adcbe")]  # what does not
    found = unusual(treebank_of(*several), 2).found
    assert {each.sentence.sent_id for each in found} == {str(len(several) - 1), str(len(several))}
