"""Structural pseudo-projectivity as a class, against its definition."""

import pytest
from reference.enumeration import trees

from nonproj import Tree, coverage, example_treebank, tree_class
from nonproj.lifting import LiftingRule, RuleSet, is_lift, lower
from nonproj.treebank import Sentence


@pytest.mark.parametrize("n", range(1, 7))
def test_by_definition(n: int) -> None:
    pp = tree_class("PP")
    for heads in trees(n):
        tree = Tree(heads)
        lifted = []
        for word, head in enumerate(heads, 1):
            above, highest = head, head
            while True:
                if min(word, head) <= above <= max(word, head):
                    highest = above
                if above == 0:
                    break
                above = heads[above - 1]
            lifted.append(highest)
        assert is_lift(tree, Tree(lifted))
        assert (tree in pp) == Tree(lifted).is_projective
        if tree not in pp:
            assert "stays non-projective" in str(pp.explain(tree))


def test_in_coverage() -> None:
    shown = coverage(example_treebank(), classes="Pr,PP")
    assert "PP" in str(shown)


def test_lift_by_rules() -> None:
    sentence = Sentence.parse(
        "1\tbeans\t_\tNOUN\t_\t_\t3\tobj\t_\t_\n2\tthinks\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
        "3\teats\t_\tVERB\t_\t_\t2\tccomp\t_\t_"
    )
    lifted = RuleSet([LiftingRule.parse("NOUN ^ VERB VERB")]).lift(sentence)
    assert lifted is not None
    assert lifted.heads == (2, 0, 2)
    assert lower(lifted).heads == sentence.heads
    assert RuleSet([LiftingRule.parse("VERB ^ VERB VERB")]).lift(sentence) is None
