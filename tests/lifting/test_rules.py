"""Lifting rules: written and read back, matched, learned, and judged against every lift of a tree."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.lifts import ancestors
from reference.lifts import projective_lifts as all_projective_lifts
from test_lifts import random_trees

from nonproj import NonprojError, Tree, example_treebank
from nonproj.lifting import (
    Category,
    Expression,
    LiftingRule,
    NotationError,
    Reader,
    RuleSet,
    generalised,
    learn,
    rule_coverage,
    sentence_categories,
)
from nonproj.lifting.expression import compiled
from nonproj.treebank import Sentence

NAMES = st.sampled_from(["A", "B"])
names = st.one_of(NAMES, st.text(min_size=1, max_size=4).filter(lambda name: name.isprintable()))
categories = st.builds(
    lambda name, features: Category(name, tuple(sorted(features.items()))),
    names,
    st.dictionaries(names, st.sampled_from(["+", "-", "x", "y:z"]), max_size=2),
)


def expressions(symbols: st.SearchStrategy[Category]) -> st.SearchStrategy[Expression]:
    from nonproj.lifting.expression import choice, repeated, sequence, symbol

    def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        return st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(sequence),
            st.lists(inner, min_size=2, max_size=3).map(choice),
            st.builds(repeated, inner, st.sampled_from(["star", "plus", "maybe"])),
        )

    return st.recursive(symbols.map(symbol), extend, max_leaves=5)


plain = NAMES.map(Category)
rules = st.builds(LiftingRule, plain, plain, expressions(plain), plain, st.integers(0, 9))


@given(categories)
def test_categories_are_read_as_written(category: Category) -> None:
    assert Category.parse(str(category)) == category


@given(expressions(categories))
def test_expressions_are_read_as_written(expression: Expression) -> None:
    again = Expression.parse(str(expression))
    assert str(again) == str(expression)


def words_of(expression: Expression, most: int) -> set[tuple[str, ...]]:
    """The strings of an expression up to a length, by sets."""
    if expression.kind == "symbol":
        assert isinstance(expression.symbol, Category)
        return {(expression.symbol.name,)}
    parts = [words_of(part, most) for part in expression.parts]
    if expression.kind == "choice":
        return set().union(*parts)
    if expression.kind == "sequence":
        joined: set[tuple[str, ...]] = {()}
        for part in parts:
            joined = {a + b for a in joined for b in part if len(a + b) <= most}
        return joined
    once = parts[0]
    if expression.kind == "maybe":
        return once | {()}
    many = set(once)
    while True:
        more = many | {a + b for a in many for b in once if len(a + b) <= most}
        if more == many:
            return many | ({()} if expression.kind == "star" else set())
        many = more


@given(expressions(plain))
@settings(deadline=None)
def test_readers_and_automata_accept_the_language(expression: Expression) -> None:
    reader = Reader(expression)
    language = words_of(expression, 4)
    letters = [Category("A"), Category("B")]
    automaton = compiled(reader.start, lambda s, c: reader.step(s, c) or None, reader.is_final, letters)
    for length in range(5):
        for word in product("AB", repeat=length):
            string = [Category(name) for name in word]
            assert reader.accepts(string) == (word in language)
            assert automaton.accepts(string) == (word in language)
    assert automaton.is_empty == (not words_of(expression, 5))


@given(rules)
def test_rules_are_read_as_written(rule: LiftingRule) -> None:
    again = LiftingRule.parse(str(rule))
    assert str(again) == str(rule)
    assert RuleSet.parse(str(RuleSet([rule], "both"))).categories == "both"


@given(st.data(), random_trees(5), st.lists(rules, max_size=3))
@settings(deadline=None)
def test_judged_as_by_trying_every_lift(data: st.DataObject, tree: Tree, given_rules: list[LiftingRule]) -> None:
    tags = [Category(name) for name in data.draw(st.lists(NAMES, min_size=len(tree), max_size=len(tree)))]
    rule_set = RuleSet(given_rules)

    def is_allowed(word: int, head: int) -> bool:
        above = ancestors(tree.heads, word)
        if head == above[0]:
            return True
        path = [tags[node - 1] for node in above[1 : above.index(head)]]
        target = tags[head - 1] if head else Category("<root>")
        return any(rule.matches(tags[word - 1], tags[above[0] - 1], path, target) for rule in given_rules)

    possible = [
        lifted
        for lifted in all_projective_lifts(tree.heads)
        if all(is_allowed(word, head) for word, head in enumerate(lifted, 1))
    ]
    verdict = rule_set.judge(tree, tags)
    assert verdict.is_pseudo_projective == bool(possible)
    if verdict.lifted:
        assert verdict.lifted.heads in possible
    else:
        assert verdict.reason


@given(st.lists(st.lists(NAMES.map(Category), max_size=4).map(tuple), min_size=1, max_size=5))
def test_generalised_paths_match_what_was_seen(paths: list[tuple[Category, ...]]) -> None:
    reader = Reader(generalised(paths))
    assert all(reader.accepts(path) for path in paths)


@pytest.mark.parametrize("source", ["upos", "deprel", "both"])
def test_learned_rules_cover_what_they_were_learned_from(source: str) -> None:
    treebank = example_treebank()
    learned = learn(treebank, source)
    assert RuleSet.parse(str(learned)) == learned
    coverage = rule_coverage(learned, treebank)
    assert coverage.percent == 100
    assert coverage.trees == len(treebank)
    few = learn(treebank, source, least=3)
    assert len(few) < len(learned)
    assert all(rule.count >= 3 for rule in few)
    assert rule_coverage(few, treebank).percent < 100


def test_the_reason_names_where_the_rule_died() -> None:
    rules = RuleSet([LiftingRule.parse("N ^ V B* B")])
    tree = Tree([4, 0, 2, 3], forms=["beans", "thought", "whispers", "eats"])
    tags = [Category(name) for name in ("N", "B", "V", "V")]
    reason = rules.judge(tree, tags).reason
    assert "'beans' (1) has to be lifted from 'eats' (4)" in reason
    assert "none gets past 'whispers' (3), a V" in reason
    tags[2] = Category("B")
    assert "by N ^ V B* B" in str(rules.judge(tree, tags))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N V V", "1:3: expected '^'"),
        ("N ^ V V*", "1:7: a rule ends with the category of the linear governor"),
        ("N ^ V (V V", "1:7: this parenthesis is never closed"),
        ("N ^ V # V", "1:7: '#' stands for the head"),
        ("N ^ V * V", "1:7: '*' has nothing before it"),
        ("N[case:obj ^ V V", "1:12: expected ',' or ']'"),
        ("N[case:a, case:b] ^ V V", "1:11: the feature 'case' is given twice"),
        ('"N ^ V V', "1:1: this quote is never closed"),
        ("N ^ V V @ many", "1:11: expected a count"),
        ("categories tense", "1:12: categories come from upos, xpos, deprel or lemma"),
    ],
)
def test_mistakes_are_pointed_at(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        RuleSet.parse(text, "my.rules")
    assert str(caught.value).startswith(f"my.rules:{message}")
    assert str(caught.value).endswith("^")


def test_other_errors() -> None:
    with pytest.raises(NonprojError, match="cannot be read"):
        RuleSet.load("no/such/file.rules")
    with pytest.raises(NonprojError, match="needs 2 categories"):
        RuleSet([]).judge(Tree([0, 1]))
    with pytest.raises(NonprojError, match="not from 'tense'"):
        RuleSet([], "tense")
    assert str(sentence_categories(example_treebank()[0], "both")[0]) == "DET[rel:det]"


def test_categories_from_any_columns() -> None:
    sentence = Sentence.parse("1\tmich\tich\tPRON\tPPER\tCase=Acc|Number=Sing\t0\troot\t_\t_")
    shown = {
        "xpos": "PPER",
        "lemma+upos": "ich[upos:PRON]",
        "upos+Case": "PRON[Case:Acc]",
        "upos+Tense": "PRON",
        "upos+feats+deprel": "PRON[Case:Acc, Number:Sing, rel:root]",
    }
    assert {source: str(sentence_categories(sentence, source)[0]) for source in shown} == shown
    rules = RuleSet([LiftingRule.parse("NOUN[deprel:obj] ^ VERB VERB")], "both")
    with pytest.raises(NonprojError, match=r"asks for 'deprel', .* have the features rel; the relation is"):
        rules.judge(example_treebank()[0])
