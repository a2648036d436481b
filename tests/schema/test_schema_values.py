"""Scores, counts and forests against enumeration and against the native decoders."""

import math
import time

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

from nonproj import Tree, example_treebank, tree_class
from nonproj.decode import decode
from nonproj.errors import NonprojError
from nonproj.schema import (
    Boolean,
    Counting,
    DRules,
    Hypothesis,
    ItemForm,
    Problem,
    Schema,
    Step,
    TreeSets,
    catalogue,
    parsing_schema,
)
from nonproj.schema.semiring import Edge

NAMES = [schema.name for schema in catalogue()]


def total(heads: tuple[int, ...], scores: np.ndarray) -> float:
    return float(sum(scores[head, word] for word, head in enumerate(heads, 1)))


def random_scores(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n + 1, n + 1))
    scores[rng.random(scores.shape) < 0.15] = -math.inf
    return scores


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 5), single_root=st.booleans(), k=st.integers(1, 6))
def test_best_trees_are_those_of_enumeration(name: str, seed: int, n: int, single_root: bool, k: int) -> None:
    schema, scores = parsing_schema(name), random_scores(seed, n)
    cls = tree_class(schema.class_name)
    ranked = sorted(
        (score for heads in reference.trees(n, single_root) if (score := total(heads, scores)) > -math.inf
         and Tree(heads) in cls),
        reverse=True,
    )  # fmt: skip
    if not ranked:
        with pytest.raises(NonprojError, match="above -inf"):
            schema.best(scores, single_root=single_root)
        return
    found = schema.k_best(scores, k, single_root=single_root)
    assert [parse.score for parse in found] == pytest.approx(ranked[:k])
    assert len({parse.tree for parse in found}) == len(found)
    for parse in found:
        assert parse.score == pytest.approx(total(parse.tree.heads, scores))
        assert parse.tree in cls
        assert not single_root or len(parse.tree.roots) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("single_root", [False, True])
def test_agrees_with_the_native_decoder(name: str, single_root: bool) -> None:
    schema = parsing_schema(name)
    for n in (3, 6, 7):
        scores = np.random.default_rng(n).normal(size=(n + 1, n + 1))
        expected = decode(scores, within=schema.class_name, single_root=single_root)
        found = schema.best(scores, single_root=single_root)
        assert found.score == pytest.approx(expected.score)
        assert found.tree == expected.tree


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 5), single_root=st.booleans())
def test_grandparent_scores(seed: int, n: int, single_root: bool) -> None:
    scores = np.random.default_rng(seed).normal(size=(n + 1, n + 1, n + 1))

    def value(heads: tuple[int, ...]) -> float:
        above = (0, *heads)
        return float(sum(scores[above[head], head, word] for word, head in enumerate(heads, 1)))

    cls = tree_class("M0I")
    ranked = sorted((value(h) for h in reference.trees(n, single_root) if Tree(h) in cls), reverse=True)
    found = parsing_schema("M0I-grandparents").k_best(scores, 3, single_root=single_root)
    assert [parse.score for parse in found] == pytest.approx(ranked[:3])
    assert found[0].score == pytest.approx(value(found[0].tree.heads))


def test_eisner_and_the_derivation_counts() -> None:
    eisner = parsing_schema("Eisner")
    assert [eisner.count(n) for n in range(1, 7)] == [1, 3, 12, 55, 273, 1428]
    assert [eisner.count(n, single_root=True) for n in range(1, 7)] == [1, 2, 7, 30, 143, 728]
    assert parsing_schema("CYK").count(3) > 12  # left and right dependents come in any order
    assert parsing_schema("WG1").count(4) > 121


class LogSum:
    """A semiring of one's own: the logarithm of the sum over derivations."""

    zero, one = -math.inf, 0.0

    def __init__(self, scores: np.ndarray) -> None:
        self.scores = scores

    def plus(self, a: float, b: float) -> float:
        return float(np.logaddexp(a, b))

    def times(self, a: float, b: float) -> float:
        return a + b

    def lift(self, node: int, edge: Edge) -> float:
        return 0.0 if edge[2] is None else float(self.scores[edge[2][0], edge[2][1]])


@pytest.mark.parametrize("n", [1, 3, 5])
def test_any_semiring(n: int) -> None:
    scores = random_scores(n, n)
    forest = parsing_schema("Eisner").deduce(Problem.of_scores(scores))
    trees = [total(h, scores) for h in reference.trees(n) if Tree(h) in tree_class("Pr")]
    assert forest.evaluate(LogSum(scores)) == pytest.approx(np.logaddexp.reduce(trees))
    assert forest.evaluate(Boolean()) == forest.is_derived
    assert forest.evaluate(Counting()) == len([score for score in trees if score > -math.inf])


partial_trees = st.frozensets(st.integers(0, 255), max_size=4)


@given(partial_trees, partial_trees, partial_trees)
def test_laws_of_sets_of_trees(a: frozenset[int], b: frozenset[int], c: frozenset[int]) -> None:
    s = TreeSets(4)
    assert s.plus(a, b) == s.plus(b, a)
    assert s.plus(a, s.plus(b, c)) == s.plus(s.plus(a, b), c)
    assert s.times(a, s.times(b, c)) == s.times(s.times(a, b), c)
    assert s.times(a, s.plus(b, c)) == s.plus(s.times(a, b), s.times(a, c))
    assert s.times(a, s.one) == a
    assert s.times(a, s.zero) == s.zero
    assert s.plus(a, s.zero) == a


def test_a_deduction_that_would_fill_the_memory_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonproj.schema.engine.MAX_USES", 100)
    with pytest.raises(NonprojError, match="beyond 100 uses of steps with 6 words"):
        parsing_schema("WG1").count(6)


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from(NAMES))
def test_recognises_exactly_the_class(data: st.DataObject, name: str) -> None:
    n = data.draw(st.integers(1, 9))
    order = data.draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order):
        heads[word - 1] = data.draw(st.sampled_from([0, *order[:place]]))
    schema, tree = parsing_schema(name), Tree(heads)
    assert schema.recognises(tree) == (tree in tree_class(schema.class_name))
    forest = schema.trace(tree)
    assert list(forest) == ([tree] if forest.is_derived else [])


def licensed_trees(schema: Schema, symbols: list[str], rules: DRules) -> set[tuple[int, ...]]:
    cls, with_root = tree_class(schema.class_name), ["<root>", *symbols]
    return {
        heads
        for heads in reference.trees(len(symbols))
        if all(rules.licenses(with_root[word], with_root[head]) for word, head in enumerate(heads, 1))
        and Tree(heads) in cls
    }


@pytest.mark.parametrize("name", ["Eisner", "M0I", "WG1", "WG1-unlexicalised", "MG1", "MH4"])
@settings(max_examples=12, deadline=None)
@given(
    symbols=st.lists(st.sampled_from("abc"), min_size=1, max_size=5),
    pairs=st.sets(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", "<root>"]))),
    over=st.sampled_from(["words", "tags"]),
)
def test_a_grammar_gives_all_its_trees(name: str, symbols: list[str], pairs: set[tuple[str, str]], over: str) -> None:
    schema, rules = parsing_schema(name), DRules(pairs, over)  # type: ignore[arg-type]
    words = [f"word{i}" for i in range(len(symbols))] if over == "tags" else symbols
    expected = licensed_trees(schema, symbols, rules)
    forest = schema.parse(words, rules, tags=symbols)
    found = [tree.heads for tree in forest]
    assert sorted(found) == sorted(expected)
    assert forest.count() == len(expected)
    assert all(Tree(heads) in forest for heads in expected)
    single = schema.parse(words, rules, tags=symbols, single_root=True)
    assert single.all_heads() == {heads for heads in expected if heads.count(0) == 1}


def test_a_treebank_grammar_licenses_its_own_trees() -> None:
    treebank = example_treebank()
    rules = DRules.from_treebank(treebank)
    assert DRules.read(rules.to_text()) == rules
    for sentence in [s for s in treebank if len(s) <= 7 and s.tree in tree_class("WG1")][:3]:
        forest = parsing_schema("WG1").parse(sentence, rules)
        assert sentence.tree in forest
        assert forest.draw(1)
        assert forest.to_dot().startswith("digraph")


@given(
    st.sets(st.tuples(st.text(min_size=1).filter(lambda s: s != "<root>"), st.text(min_size=1))),
    st.sampled_from(["words", "tags"]),
)
def test_rules_are_written_and_read(pairs: set[tuple[str, str]], over: str) -> None:
    rules = DRules(pairs, over)  # type: ignore[arg-type]
    assert DRules.read(rules.to_text()) == rules


@pytest.mark.parametrize("text", ["a b", "a ->", "<root> -> a", "a -> b -> c"])
def test_bad_rules_are_errors(text: str) -> None:
    with pytest.raises(NonprojError):
        DRules.read(text)


def test_rules_over_tags_need_tags() -> None:
    with pytest.raises(NonprojError, match="one tag a word"):
        parsing_schema("WG1").parse("a b", DRules([("A", "B")], "tags"))


def cpu_seconds(start: float) -> float:
    return time.process_time() - start


def test_speed() -> None:
    schema = parsing_schema("WG1")
    start = time.process_time()
    assert schema.recognises(Tree([6] * 5 + [0] + [6] * 6))
    assert cpu_seconds(start) < 1
    start = time.process_time()
    schema.best(np.random.default_rng(0).normal(size=(9, 9)))
    assert cpu_seconds(start) < 20


def test_bad_problems_are_errors() -> None:
    with pytest.raises(NonprojError, match="1 to"):
        Problem.of_all_arcs(0)
    with pytest.raises(NonprojError, match="shape"):
        Problem.of_scores(np.zeros((3, 4)))
    with pytest.raises(NonprojError, match="numbers"):
        Problem.of_scores(np.full((3, 3), math.nan))
    with pytest.raises(NonprojError, match="no schema is called"):
        parsing_schema("nonsense")
    with pytest.raises(NonprojError, match="no scores"):
        parsing_schema("WG1").deduce(Problem.of_all_arcs(2)).best()
    with pytest.raises(NonprojError, match="scores for 3 words, but the forest has 2"):
        parsing_schema("WG1").deduce(Problem.of_all_arcs(2)).best(np.zeros((4, 4)))
    with pytest.raises(NonprojError, match="use a schema that knows them"):
        parsing_schema("WG1").best(np.zeros((3, 3, 3)))
    with pytest.raises(NonprojError, match="cannot be scored"):
        parsing_schema("WG1-unlexicalised").parse("b a", DRules([("a", "b")])).best(np.zeros((3, 3)))


def test_categories_are_not_positions() -> None:
    """As many tags as words, in another order than the words."""
    forest = parsing_schema("WG1-unlexicalised").parse("c a b", DRules([("c", "a"), ("b", "a"), ("a", "<root>")]))
    assert [tree.heads for tree in forest] == [(2, 0, 2)]


def test_a_hypothesis_may_also_be_derived() -> None:
    """Words 1 and 2 are items from the start, and their pair may be taken for given or joined."""
    schema = Schema(
        "given", "", "",
        items=[ItemForm("[i, j]", "1 <= i <= j <= n")],
        hypotheses=[Hypothesis("[i, i]", "1 <= i <= n"), Hypothesis("[1, 2]", "")],
        steps=[Step("Join", "[i, j] [j+1, k] => [i, k]", link="k -> i")],
        final=Step("Final", "[1, n]"),
    )  # fmt: skip
    assert schema.count(2) == 2
