"""Trees drawn from classes, and what follows from them, against enumeration."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from reference.enumeration import trees

from nonproj import NonprojError, Tree, Treebank, example_treebank, read, tree_class
from nonproj.report import class_chance, lengths
from nonproj.report.class_trees import class_trees, longest_drawn

SAMPLE = example_treebank()


def treebank_of(*several: tuple[int, ...]) -> Treebank:
    rows = ("".join(f"{w}\tw\t_\tX\t_\t_\t{h}\tdep\t_\t_\n" for w, h in enumerate(heads, 1)) for heads in several)
    return read("\n".join(rows).encode())


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC", "WG1", "MH4", "2-C", "MG1", "PP"])
def test_every_tree_of_a_class_has_the_same_chance(name: str, single_root: bool) -> None:
    cls = tree_class(name)
    every = [heads for heads in trees(4, single_root) if Tree(heads) in cls]
    drawn = class_trees(cls, 4, 200 * len(every), single_root=single_root, seed=5)
    assert drawn is not None
    counts = Counter(map(tuple, drawn.heads.tolist()))
    assert set(counts) == set(every)
    squares = sum((counts[tree] - 200) ** 2 / 200 for tree in every)
    freedom = len(every) - 1
    assert squares < freedom + 5 * np.sqrt(2 * freedom)
    assert drawn.accepted == pytest.approx(1 if cls.solver.has_sums else share(name, single_root), abs=0.03)


def share(name: str, single_root: bool) -> float:
    """How many of the trees that are proposed are in the class."""
    proposed = [Tree(heads) for heads in trees(4, single_root) if name != "2-C" or Tree(heads) in tree_class("1EC")]
    return sum(tree in tree_class(name) for tree in proposed) / len(proposed)


def mean_length(heads: tuple[int, ...]) -> float:
    return sum(abs(h - w) for w, h in enumerate(heads, 1) if h) / (len(heads) - 1)


@pytest.mark.parametrize("name", ["Pr", "MH4", "WG1"])
def test_expectations_are_those_of_enumeration(name: str) -> None:
    treebank = treebank_of((2, 0, 2), (0, 1, 1, 3, 3), (2, 0, 2, 3, 4), (0, 1, 2))
    found = class_chance(treebank, [name, "1EC"], times=2000, seed=2).classes[name]
    inside = {n: [Tree(h) for h in trees(n, True) if Tree(h) in tree_class(name)] for n in (3, 5)}
    assert (found.trees, found.longest) == (4, 5)
    for measure, value in (("crossings", lambda tree: len(tree.crossings)), ("gap degree", lambda t: t.gap_degree)):
        values = {n: np.array([value(tree) for tree in several], float) for n, several in inside.items()}
        mean = (2 * values[3].mean() + 2 * values[5].mean()) / 4
        deviation = np.sqrt(2 * values[3].var() + 2 * values[5].var()) / 4
        expected = found.measures[measure]
        assert expected.mean == pytest.approx(mean, abs=5 * expected.error + 1e-9)
        assert expected.deviation == pytest.approx(deviation, rel=0.15, abs=1e-9)
        assert expected.error == pytest.approx(expected.deviation * np.sqrt(2 / 2000), rel=1e-6)
    share = sum(2 * np.mean([tree not in tree_class("1EC") for tree in inside[n]]) for n in (3, 5)) / 4
    assert found.outside["1EC"].mean == pytest.approx(share, abs=5 * found.outside["1EC"].error + 1e-9)
    assert found.outside[name].mean == 0  # what is drawn from a class is in it
    span = {n: np.mean([mean_length(tree.heads) for tree in several]) for n, several in inside.items()}
    both = found.measures["dependency length"]
    assert both.mean == pytest.approx((2 * 2 * span[3] + 2 * 4 * span[5]) / 12, abs=5 * both.error + 1e-9)
    assert both.observed == pytest.approx(sum(mean_length(s.heads) * (len(s) - 1) for s in treebank) / 12)


def test_what_is_too_long_or_too_rare_is_left_out() -> None:
    chain = tuple(range(40))
    found = class_chance(treebank_of((0, 1), chain), "WG1 MH4 Pr", times=10)
    assert [(each.trees, each.longest) for each in found.classes.values()] == [(1, 2), (1, 2), (2, 40)]
    assert class_trees(tree_class("WG1"), longest_drawn(tree_class("WG1")) + 1, 5, single_root=True, seed=1) is None
    assert class_trees(tree_class("MH4"), 19, 50, single_root=True, seed=1) is None
    only_long = class_chance(treebank_of(chain), "WG1", times=10)
    assert only_long.table().rows == [["WG1", "0", "0", *["-"] * 9]]


def test_lengths_of_all_trees_follow_the_formula() -> None:
    found = lengths(SAMPLE, "spanning Pr", max_words=14, times=2000)
    for words, drawn in found.drawn.items():
        every = drawn["spanning"]
        assert every.mean == pytest.approx((words + 1) / 3, abs=5 * every.error)
    small = lengths(treebank_of((0, 1, 1, 1)), "Pr MH4", times=2000).drawn[4]
    for name in ("Pr", "MH4"):
        exact = np.mean([mean_length(heads) for heads in trees(4, True) if Tree(heads) in tree_class(name)])
        assert small[name].mean == pytest.approx(exact, abs=5 * small[name].error)


def test_lengths_leave_out_what_does_not_fit(tmp_path: object) -> None:
    found = lengths(treebank_of((0, 1, 1), (0, 0, 1), (0, 1)), "Pr", times=5)
    assert found.left_out == 2
    assert found.observed[3].trees == 1
    assert found.to_dict()["lengths"][0]["treebank"]["error"] is None  # type: ignore[index]
    assert str(found.observed[3]) == "1.500"
    assert len(found.table().rows) == 1
    assert [name for name, _ in found.lines().items()] == [found.name, "Pr", "all trees"]
    with pytest.raises(NonprojError, match="no sentence of 5 to 6 words"):
        lengths(SAMPLE[:0], "Pr", min_words=5, max_words=6)
    with pytest.raises(NonprojError, match="begin with 2"):
        lengths(SAMPLE, "Pr", min_words=1)


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, two = (class_chance(SAMPLE, "Pr MH4", times=20, seed=4, threads=threads) for threads in (1, 2))
    assert one == two
    assert one != class_chance(SAMPLE, "Pr MH4", times=20, seed=5)
    for wrong in ({"times": 1}, {"seed": -1}):
        with pytest.raises(NonprojError):
            class_chance(SAMPLE, "Pr", **wrong)  # type: ignore[arg-type]
