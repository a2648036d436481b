"""One derivation of a tree: every item follows from those before it, and none is there in vain."""

import itertools
import random

import numpy as np
import pytest
import reference

from nonproj import Tree, tree_class
from nonproj.schema import DRules, Row, Schema, catalogue, parsing_schema

SCHEMATA = {schema.name: schema for schema in catalogue()}
FIGURE_1B = Tree([2, 3, 6, 3, 4, 0, 6, 11, 11, 11, 3, 2, 12])  # Pitler, Kannan & Marcus 2012


def is_whole(rows: list[Row]) -> bool:
    """Whether the last row is the goal, and each other one is used by a later one."""
    used = {below for row in rows for below in row.antecedents}
    earlier = all(below < row.number for row in rows for below in row.antecedents)
    return earlier and rows[-1].item == "goal" and used == set(range(len(rows) - 1))


@pytest.mark.parametrize("schema", SCHEMATA.values(), ids=SCHEMATA)
def test_a_derivation_has_the_arcs_of_the_tree_and_nothing_in_vain(schema: Schema) -> None:
    cls = tree_class(schema.class_name)
    trees = [Tree(heads) for heads in random.Random(7).sample(list(reference.trees(5)), 60)]
    for tree in trees:
        forest = schema.trace(tree)
        rows = forest.derivation()
        if not forest.is_derived:
            assert rows == []
            assert tree not in cls
            continue
        assert is_whole(rows)
        assert [row.number for row in rows] == list(range(len(rows)))
        if "printed" not in schema.name and "unlexicalised" not in schema.name:
            assert sorted(row.arc for row in rows if row.arc is not None) == sorted(tree.arcs)
        items = {forest.text(item) for item in forest.items} | {"goal"}
        assert {row.item for row in rows} <= items


@pytest.mark.parametrize("name", ["Eisner", "M0I", "WG1", "1EC", "MH4"])
def test_the_best_trees_have_their_own_derivations(name: str) -> None:
    scores = np.random.default_rng(3).normal(size=(6, 6))
    for parse in parsing_schema(name).k_best(scores, 7):
        assert is_whole(parse.derivation)
        assert sorted(row.arc for row in parse.derivation if row.arc is not None) == sorted(parse.tree.arcs)


def annotation(tree: Tree, node: int) -> str:
    """The order annotation from its definition: runs of equal labels among the words of the yield."""
    children = sorted(tree.children(node), key=lambda child: tree.yield_of(child)[0])
    label = {node: 0} | {word: at for at, child in enumerate(children, 1) for word in tree.yield_of(child)}
    blocks = [[label[word] for word in range(first, last + 1)] for first, last in tree.blocks(node)]
    return ", ".join(" ".join(str(key) for key, _ in itertools.groupby(block)) for block in blocks)


def test_order_annotations_are_the_definition() -> None:
    for heads in reference.trees(5):
        tree = Tree(heads)
        for node in range(6):
            assert tree.order_annotation(node) == annotation(tree, node)


def test_derivations_end_in_the_annotations_of_the_whole_tree() -> None:
    """The last item with a head that waits, and has all below it, is that head's subtree."""
    for heads in random.Random(5).sample(list(reference.trees(6)), 80):
        tree = Tree(heads)
        rows = parsing_schema("MG2").trace(tree).derivation()
        for node in range(1, 7):
            whole = [row for row in rows if list(row.words) == tree.yield_of(node) and node not in row.attached]
            assert {row.order for row in whole} == {tree.order_annotation(node)}


def test_figure_1b_of_pitler_kannan_and_marcus_step_by_step() -> None:
    rows = parsing_schema("M1I").trace(FIGURE_1B).derivation()
    assert len([row for row in rows if row.step != "hypothesis"]) == 20
    told = ["[1, 13, 2, 2, 11]", "[1, 13, 3, 3, 11]", "[1, 13, 3, 6, 11]", "[1, 13, 3, 6, 7]", "[1, 13, 6, 6, 7]"]
    assert [row.item for row in rows if row.item in told] == told
    assert {row.item: row.order for row in rows}["[1, 13, 3, 6, 7]"] == "1 0 2, 3 1"


def test_a_grammar_over_categories_is_derived_too() -> None:
    rules = DRules.read("noun -> verb; verb -> <root>", "tags")
    forest = parsing_schema("WG1-unlexicalised").parse("a b c", rules, tags=["noun", "verb", "noun"])
    rows = forest.derivation()
    assert is_whole(rows)
    assert all(row.arc is None and not row.order for row in rows)
