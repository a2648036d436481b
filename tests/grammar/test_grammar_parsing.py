"""The chart against the derivation engine, and what the paper says of its own example."""

import pathlib
import time
from collections import Counter
from dataclasses import replace
from math import exp, log
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_grammars import random_grammar, weighted
from reference.grammars import analyses, weight

from nonproj import NonprojError, example_treebank
from nonproj.grammar import Analysis, Grammar
from nonproj.grammar.coverage import grammar_coverage
from nonproj.grammar.derivation import derivations
from nonproj.grammar.induction import derivable_lift
from nonproj.grammar.steps import FIRST
from nonproj.lifting import Category, is_lift, sentence_categories

BEANS = "beans Fernando thought yesterday Milagro claims Carlos eats slowly"


def key(analysis: Analysis) -> tuple[tuple[Any, ...], tuple[int, ...], tuple[int, ...]]:
    return (analysis.categories, analysis.tree.heads, analysis.lifted.heads)


@pytest.mark.parametrize("seeds", [range(start, start + 25) for start in range(0, 150, 25)], ids=str)
def test_the_chart_agrees_with_exhaustive_derivation(seeds: range) -> None:
    for seed in seeds:
        grammar, sentences = random_grammar(seed)
        assert Grammar.parse_text(str(grammar)) == grammar
        for warning in grammar.check():
            assert warning.rule
            assert str(warning)
        for words in sentences:
            parse = grammar.parse(words)
            found = [key(analysis) for analysis in parse]
            assert len(set(found)) == len(found) == parse.count
            assert set(found) == {key(analysis) for analysis in derivations(grammar.machine, words)}, (seed, words)
            for analysis in parse:
                assert is_lift(analysis.tree, analysis.lifted)
                assert analysis.lifted.is_projective
            if not parse:
                assert parse.explain()


@pytest.mark.parametrize("seeds", [range(start, start + 25) for start in range(0, 150, 25)], ids=str)
def test_the_chart_agrees_with_the_definition(seeds: range) -> None:
    for seed in seeds:
        grammar, sentences = random_grammar(seed)
        for words in [words[:4] for words in sentences]:
            found, parse = set(analyses(grammar, words)), grammar.parse(words)
            assert parse.is_grammatical == bool(found), (seed, words)  # without the chart of all
            assert {key(analysis) for analysis in parse} == found, (seed, words)


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_weights_best_analyses_and_sums(seed: int) -> None:
    plain, sentences = random_grammar(seed)
    grammar = weighted(plain, seed)
    assert Grammar.parse_text(str(grammar)) == grammar
    for words in sentences:
        parse = grammar.parse(words)
        if parse.count > 500:
            continue
        every = list(parse)
        expected = [weight(grammar, *key(analysis)) for analysis in every]
        assert {key(analysis) for analysis in every} == {key(analysis) for analysis in plain.parse(words)}
        assert [analysis.weight for analysis in every] == pytest.approx(expected)
        assert expected == pytest.approx(sorted(expected, reverse=True))
        best, few = grammar.parse(words).best, grammar.parse(words).k_best(3)
        assert (best is None) == (not every) == (not plain.parse(words))
        assert [analysis.weight for analysis in few] == pytest.approx(expected[:3])
        if best:
            assert best.is_optimal
            assert best.weight == pytest.approx(expected[0])
            assert parse.forest.log_sum == pytest.approx(log(sum(map(exp, expected))))
            assert parse.forest.sum(max, lambda a, b: a + b, float) == pytest.approx(expected[0])
            assert {key(analysis) for analysis in parse.forest.sample(5)} <= {key(analysis) for analysis in every}


def test_samples_are_drawn_by_weight() -> None:
    grammar = Grammar.parse_text(
        f"start: V\ns v: V ->\nm m: V -> A @ {log(3)}\nm n: V -> B\nlp p: V = # (A | B)\nword v: V\nword x: A | B"
    )
    drawn = Counter(str(a.categories[1]) for a in grammar.parse("v x").forest.sample(4000, seed=1))
    assert drawn["A"] / 4000 == pytest.approx(0.75, abs=0.03)


def test_a_chart_that_would_be_too_large_says_so() -> None:
    grammar = Grammar.parse_text("start: N\nm m: N -> N\nlp p: N = N* # N*\nl l: N ^ N N* N\nword a: N")
    parse = replace(grammar.parse(["a"] * 12), max_ways=10_000)
    with pytest.raises(NonprojError, match=r"more than 10000 ways.*max_lifts"):
        _ = parse.count
    assert parse  # that is known without the chart of all analyses
    assert parse.best is not None
    assert replace(parse, max_lifts=0).count > 1000


def test_weights_are_those_of_the_rules() -> None:
    grammar = Grammar.parse_text(
        "start: V\ns v: V -> N @ 1\ns w: V -> @ 0.25\nm m: V -> N @ 3\nm a: V -> N @ 2\nlp p: V = .* #\n"
        "word n: N\nword v: V"
    )
    assert grammar.parse("n v").best.weight == 3.25  # type: ignore[union-attr]
    assert grammar.parse("n n v").best.weight == 6.25  # type: ignore[union-attr]
    assert [analysis.weight for analysis in grammar.parse("v")] == [0.25]


def test_beans_are_lifted_through_bridge_verbs() -> None:
    parse = Grammar.load("beans.gdg").parse(BEANS)
    assert parse.count == 2  # yesterday goes with thought or with claims
    for analysis in parse:
        words = analysis.words
        (beans,) = analysis.lifts
        assert words[beans.word - 1] == "beans"
        assert words[beans.syntactic_governor - 1] == "eats"
        assert words[beans.linear_governor - 1] == "thought"
        assert [words[word - 1] for word in beans.path] == ["claims"]
    assert {key(a) for a in parse} == {key(a) for a in derivations(parse.machine, BEANS)}


def test_a_verb_that_is_no_bridge_stops_the_lift() -> None:
    grammar = Grammar.load("beans.gdg")
    parse = grammar.parse(BEANS.replace("claims", "whispers"))
    assert parse.count == 0
    assert parse.best is None
    assert not parse
    told = parse.explain()
    assert "'beans' (1)" in told
    assert "from 'eats' (8) to 'thought' (3)" in told
    assert "of l1 died at 'whispers' (6)" in told
    assert "died at 'whispers' (3)" in grammar.parse("beans Fernando whispers Carlos eats").explain()
    assert "longest complete parts are 'Carlos eats beans'" in grammar.parse("Carlos eats beans rice").explain()
    assert "not a start category" in grammar.parse("beans").explain()
    assert "raise max_lifts" in grammar.parse(BEANS, max_lifts=0).explain()
    assert "grammatical" in grammar.parse("Carlos eats beans").explain()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "Carlos eats",
            "'eats' (2), V[bridge -, clause -, finite +, trans +], lacks N[case:obj], which s-rule d1 asks",
        ),
        ("eats Carlos beans", "in the order '# Carlos beans', but p1 allows only Adv? N[case:nom]"),
        ("Carlos eats beans rice", "but that has no s-rule and no m-rule lets it modify"),
        ("beans", "'beans' (1), N[case:obj, top +, wh -], would be the root, and is not a start category"),
        ("slowly Fernando thought Carlos eats", "'eats' (5), V[bridge -, clause -, finite +, trans +], lacks"),
    ],
)
def test_failures_are_explained(words: str, message: str) -> None:
    parse = Grammar.load("beans.gdg").parse(words)
    assert not parse
    assert message in parse.explain()
    nearest = parse.nearest
    assert nearest is not None
    assert len(nearest.tree) == len(words.split())


def test_a_german_fragment_is_broken_in_five_ways() -> None:
    page = (pathlib.Path(__file__).parents[2] / "docs" / "grammar.md").read_text(encoding="utf-8")
    grammar = Grammar.load("german.gdg")
    assert not grammar.check()
    assert grammar.parse("dass ihn heute niemand zu reparieren zu versuchen verspricht").count == 1
    for words in ("dass niemand zu reparieren verspricht", "ihn niemand zu reparieren verspricht"):
        assert f"| {words} | {grammar.parse(words).explain()} |" in page
    told = grammar.parse("dass ihn niemand reparieren zu verspricht").explain()
    assert f"| {told.partition('only')[0]}only ... |" in page
    text = str(grammar)
    without = Grammar.parse_text("\n".join(line for line in text.splitlines() if not line.startswith("l ")))
    assert f"| {without.parse('dass ihn niemand zu reparieren verspricht').explain()} |" in page
    required = Grammar.parse_text(text.replace("(N[case:acc] | Adv)* V", "N[case:acc] Adv* V"))
    assert any(f"`grammar check`: {warning} |" in page for warning in required.check())


def test_a_missing_l_rule_is_told() -> None:
    text = str(Grammar.load("beans.gdg"))
    without = Grammar.parse_text("\n".join(line for line in text.splitlines() if not line.startswith("l ")))
    told = without.parse("beans Fernando thought Carlos eats").explain()
    assert "would have to be lifted from 'eats' (5) to 'thought' (3), but no l-rule lifts N" in told


def test_derivations_end_in_the_words() -> None:
    grammar = Grammar.parse_text(
        "start: V[m +]\ns a: V[m +] -> V[m -]\ns b: V[m -] -> N\nlp p: V[m +] = N? # V\nlp q: V[m -] = # N?\n"
        "l l: N ^ V V\nword beans: N\nword think: V[m +]\nword eat: V[m -]"
    )
    (text,) = grammar.derive("beans think eat")
    assert text.splitlines()[-2:] == ["=> beans think eat N{V N .}", "=> beans think eat"]


def test_derivations_are_printed_as_in_the_paper() -> None:
    (text,) = Grammar.load("beans.gdg").derive("beans Fernando thought Milagro claims Carlos eats")
    lines = text.splitlines()
    assert lines[0].startswith("   V[bridge +")
    assert lines[1].endswith("thought V[bridge +, clause +, finite +, trans -]{. V[bridge +]* V N[case:obj, top +]}")
    assert any("{V[bridge +]* V N[case:obj, top +] .}" in line for line in lines)
    assert lines[-1] == "=> beans Fernando thought Milagro claims Carlos eats"


def test_forty_words_and_two_hundred_entries_take_less_than_a_second() -> None:
    text = str(Grammar.load("beans.gdg"))
    entries = [line for line in text.splitlines() if line.startswith("word")]
    known = len(entries)
    more = [entries[i % known].replace(":", f"{i}:", 1) for i in range(200 - known)]
    grammar = Grammar.parse_text("\n".join([text, *more]))
    assert len(grammar.lexicon) == 200
    words = f"beans Fernando thought yesterday {'Milagro claims today ' * 11} Carlos eats slowly".split()
    start = time.process_time()
    parse = grammar.parse(words)
    assert parse.count > 1000
    assert time.process_time() - start < 1
    assert len(words) == 40


def test_no_word_is_lifted_from_below_itself() -> None:
    grammar = Grammar.parse_text(
        "start: S\ns s: S ->\ns a: A -> B\ns b: B -> A\nlp p: . = .* # .*\nl l: . ^ . S\n"
        "word s: S\nword a: A\nword b: B"
    )
    # The lift multisets alone would let a and b, both lifted to s, be each other's syntactic governor.
    assert grammar.parse("s a b").count == 0
    assert not grammar.parse("s a b")
    assert derivations(grammar.machine, "s a b") == []


def test_forest_as_data() -> None:
    forest = Grammar.load("beans.gdg").parse(BEANS).forest.to_dict()
    assert forest["analyses"] == 2
    items = forest["items"]
    assert isinstance(items, list)
    assert all(part < item["number"] for item in items for way in item["ways"] for part in way)


def test_grammars_of_treebanks_derive_their_trees() -> None:
    treebank = [sentence for sentence in example_treebank() if len(sentence.tree.roots) == 1]
    for source in ("upos", "deprel", "both"):
        grammar = Grammar.from_treebank(treebank, source)
        assert grammar_coverage(grammar, treebank, source).percent == 100
        assert Grammar.parse_text(str(grammar)) == grammar
    half = Grammar.from_treebank(treebank[::2])
    held_out = grammar_coverage(half, treebank[1::2])
    assert 0 < held_out.percent < 100
    assert all(reason for _, reason in held_out.outside)


def test_the_chart_finds_the_trees_a_grammar_was_read_from() -> None:
    treebank = [s for s in example_treebank() if len(s.tree.roots) == 1 and 3 <= len(s) <= 8 and s.sent_id[:2] != "x-"]
    treebank = treebank[:12]
    grammar = Grammar.from_treebank(treebank, "both")
    for sentence in treebank:
        parse = grammar.parse(sentence.forms, sentence_categories(sentence, "both"), max_lifts=2)
        heads = (sentence.heads, derivable_lift(sentence.tree).heads)
        assert heads in [(a.tree.heads, a.lifted.heads) for a in parse], sentence.sent_id


@pytest.mark.parametrize("source", ["upos", "upos+feats", "upos+deprel"])
def test_steps_have_probabilities(source: str) -> None:
    grammar = Grammar.from_treebank(example_treebank(), source, weighted=True)
    steps = grammar.steps
    letters = set().union(*steps.counts.values())
    heads = dict.fromkeys([*(head for head, _ in steps.counts), Category("NOUN"), Category("unseen")])
    phases = dict.fromkeys(phase for _, phase in steps.counts)
    for head in heads:
        for phase in phases:
            # All that was ever seen, and one more for what was not.
            assert len(steps.weights(head, phase)) == len(letters) + 1
            assert sum(map(exp, steps.weights(head, phase))) == pytest.approx(1)


def test_steps_depend_on_features_and_on_the_dependent_before() -> None:
    text = "start: V\nlp p: . = .* # .*\nm m: V -> N\nm n: N -> N\nword v: V[f +] | V[f -]\nword n: N\n"
    counts = "count V[f +] first: # 9\ncount V[f -] first: N 9\ncount V[f -] before N: # 9, N 1\ncount N first: # 9\n"
    steps = Grammar.parse_text(text + counts).steps
    head, noun = ("#", None), ("own", Category("N"))
    plus, minus, name = (Category.parse(written) for written in ("V[f +, rel:obj]", "V[f -]", "V"))
    first = {category: steps.weights(category, FIRST)[steps.index(head)] for category in (plus, minus, name)}
    assert first[plus] > first[name] > first[minus]
    after = steps.after(FIRST, noun)
    assert after == ("before", noun)
    assert steps.weights(minus, after)[steps.index(head)] > first[minus]
    assert steps.after(after, head) == ("head", None)


def test_other_errors() -> None:
    grammar = Grammar.load("beans.gdg")
    with pytest.raises(NonprojError, match="no word 'peas'"):
        grammar.parse("peas Fernando thought")
    with pytest.raises(NonprojError, match="nothing to parse"):
        grammar.parse("")
    with pytest.raises(NonprojError, match="2 words, but 1 categories"):
        grammar.parse("a b", ["N"])
    with pytest.raises(NonprojError, match="too many"):
        grammar.parse(["beans"] * 1000)
    with pytest.raises(NonprojError, match="max_lifts"):
        grammar.parse("beans", max_lifts=-1)
    with pytest.raises(NonprojError, match=r"no such file.*beans\.gdg"):
        Grammar.load("peas.gdg")
    assert grammar.parse("Ana eats", ["N[case:nom]", "V[finite +]"]).count == 0
    assert grammar.parse("Carlos eats rice", ["N[case:nom]", "V[trans +, finite +]", "N[case:obj]"]).count == 1
