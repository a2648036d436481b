"""The trees of a parser with larger parts: scores, proofs and k best trees, against enumeration and a programme."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonproj as npj
from nonproj.parser import SearchReport

sys.path.insert(0, str(Path(__file__).parent.parent / "decode"))
from enumerated import members
from programme import Programme

ORDERS = ("1", "sibling", "grandparent", "both")


@cache
def trained(order: str, search: str = "exact") -> npj.Parser:
    options = npj.GraphOptions(order=order, search=search, within="spanning", parsing_candidates=10)
    return npj.Parser.train(npj.example_treebank(), options=options, epochs=3, threads=1)


@cache
def short() -> npj.Treebank:
    """Sentences of up to five words, most of which no training saw."""
    rng = np.random.default_rng(0)
    rows = [line.split("\t") for line in npj.example_treebank().to_text().split("\n") if line.count("\t") == 9]
    rows = [row for row in rows if row[0].isdigit()]
    text = ""
    for size in (1, 2, 3, 4, 4, 5, 5, 5, 5, 5):
        words = [rows[i] for i in rng.integers(0, len(rows), size)]
        lines = ["\t".join([str(i), *row[1:6], "0", "dep", "_", "_"]) for i, row in enumerate(words, 1)]
        text += "\n".join(lines) + "\n\n"
    return npj.read(text.encode())


def total(heads: Any, scores: Any, parts: dict[str, Any]) -> float:
    """The score of a tree by its arcs, siblings and grandparents."""
    siblings, grandparents = (
        {part[:3]: part[3] for part in parts.get(name, [])} for name in ("siblings", "grandparents")
    )
    sum_ = 0.0
    for d, h in enumerate(heads, 1):
        nearer = [s for s, head in enumerate(heads, 1) if head == h and (h < s < d or d < s < h)]
        s = min(nearer, key=lambda s: abs(s - d), default=h)
        sum_ += scores[h, d] + siblings.get((h, s, d), 0)
        if h > 0:
            sum_ += grandparents.get((heads[h - 1], h, d), 0)
    return float(sum_)


@pytest.mark.parametrize("within", ["spanning", "Pr", "1EC", "WG1"])
@pytest.mark.parametrize("order", ORDERS)
def test_the_best_tree_and_the_next_against_all_trees(order: str, within: str) -> None:
    parser = trained(order).restricted(within)
    searches = SearchReport()
    parsed = parser.parse(short(), threads=1, searches=searches)
    assert searches.trees == searches.proven == len(short())
    for sentence, found in zip(short(), parsed, strict=True):
        scores, parts = parser.scores(sentence), parser.part_scores(sentence)
        every = members(within, len(sentence), parser.options["single_root"]).tolist()
        expected = sorted((total(heads, scores, parts) for heads in every), reverse=True)
        expected = [score for score in expected if score > -np.inf]
        assert total(found.tree.heads, scores, parts) == pytest.approx(expected[0], abs=1e-4)
        best = parser.k_best(sentence, 5)
        assert [tree.score for tree in best] == pytest.approx(expected[: len(best)], abs=1e-6)
        assert len(best) == min(5, len(expected))


@pytest.mark.parametrize(
    "within", [{"Pr": 0, "WG1": 1}, {"Pr": 0.5, "1EC": 1, "spanning": 3}, {"WG1": 0, "spanning": 0.2}]
)
@pytest.mark.parametrize("order", ORDERS)
def test_the_best_tree_of_a_graded_class_against_all_trees(order: str, within: dict[str, float]) -> None:
    parser = trained(order).restricted(within)
    searches = SearchReport()
    parsed = parser.parse(short(), threads=1, searches=searches)
    assert searches.trees == searches.proven == len(short())

    def price(heads: Any) -> float:
        return next(price for name, price in within.items() if npj.Tree(heads) in npj.tree_class(name))

    for sentence, found in zip(short(), parsed, strict=True):
        scores, parts = parser.scores(sentence), parser.part_scores(sentence)
        every = members(list(within)[-1], len(sentence), parser.options["single_root"]).tolist()
        expected = max(total(heads, scores, parts) - price(heads) for heads in every)
        heads = list(found.tree.heads)
        assert total(heads, scores, parts) - price(heads) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("order", ["sibling", "grandparent", "both"])
def test_the_chart_of_likely_arcs_finds_what_the_chart_of_all_arcs_does(order: str) -> None:
    parser = trained(order).restricted("Pr")
    sentences = [sentence for sentence in npj.example_treebank() if len(sentence) > 1]
    for sentence, found in zip(sentences, parser.parse(sentences, threads=1), strict=True):
        scores = parser.scores(sentence)
        parts: dict[str, Any] = parser.part_scores(sentence)
        single_root = bool(parser.options["single_root"])
        best = npj.decode(scores, within="Pr", single_root=single_root, strategy="chart", **parts)
        assert total(found.tree.heads, scores, parts) == pytest.approx(best.score, abs=1e-4)


@pytest.mark.parametrize("order", ["sibling", "grandparent", "both"])
def test_climbing_scores_as_the_exact_search_does(order: str) -> None:
    """By the same weights, no climbed tree is better; and trees that are alike are found by both."""
    exact = trained(order)
    climbing = exact.restricted(search="climb")
    treebank = npj.example_treebank()
    searches, unproven = SearchReport(), SearchReport()
    best = exact.parse(treebank, threads=1, searches=searches)
    climbed = climbing.parse(treebank, threads=1, searches=unproven)
    assert searches.proven == len(treebank)
    assert unproven.proven == 0
    differ = 0
    for sentence, one, other in zip(treebank, best, climbed, strict=True):
        scores, parts = exact.scores(sentence), exact.part_scores(sentence)
        lead = total(one.tree.heads, scores, parts) - total(other.tree.heads, scores, parts)
        assert lead > -1e-4
        differ += lead > 1e-4
    assert searches.climbing_errors == differ


def test_rearranged_trees_may_cross() -> None:
    options = npj.GraphOptions(within="Pr", order="sibling", rearrange=True)
    parser = npj.Parser.train(npj.example_treebank(), options=options, epochs=2, threads=1)
    searches = SearchReport()
    parsed = parser.parse(npj.example_treebank(), searches=searches)
    assert not all(sentence.tree.is_projective for sentence in parsed)
    # As `decode(rearrange=True)`: the best tree of the class was proven to be that, the one climbed to is nothing.
    assert searches.proven == 0
    assert searches.unbounded == len(parsed)
    held = npj.Parser.train(
        npj.example_treebank(), options=npj.GraphOptions(within="Pr", order="sibling"), epochs=2, threads=1
    )
    searches = SearchReport()
    held.parse(npj.example_treebank(), searches=searches)
    assert searches.proven == len(parsed)


@pytest.mark.parametrize("order", ["1", "both"])
def test_gold_arcs_stay_where_the_likely_arcs_hold_no_tree_of_the_class(order: str) -> None:
    """An arc that was pruned away scores -inf, and what should have beaten it would be learnt by the largest step."""
    options = npj.GraphOptions(within="Pr", order=order, candidates=1, threshold=0.5, max_step=1e6, network=0)
    parser = npj.Parser.train(npj.example_treebank(), options=options, epochs=1, threads=1)
    assert np.abs(parser.content()[1]["tree.values"]).max() < 1


def test_marginals_are_chances_of_heads() -> None:
    for within in ("spanning", "Pr"):
        parser = trained("both").restricted(within)
        for sentence in short():
            chance = parser.marginals(sentence)
            assert chance.shape == (len(sentence) + 1, len(sentence) + 1)
            assert chance.sum(axis=0)[1:] == pytest.approx(np.ones(len(sentence)))


def test_marginals_are_of_all_trees_or_of_projective_ones() -> None:
    """Where the class has no quick sums, as a graded one up to WG1, it does not matter: sentences may be long."""
    for within, usual in (("Pr:0,WG1:0.3", "spanning"), ("1EC", "spanning"), ("Pr", "Pr")):
        parser = trained("both").restricted(within)
        for sentence in short():
            expected = parser.marginals(sentence, within=usual)
            assert parser.marginals(sentence) == pytest.approx(expected)
            table = parser._arc_model().log_chances(npj.Treebank([sentence]))
            single_root = parser.options["single_root"]
            assert expected == pytest.approx(npj.marginals(table, within=usual, single_root=single_root))
            graded = parser.marginals(sentence, within="Pr:0,1EC:2")
            assert graded == pytest.approx(npj.marginals(table, within={"Pr": 0, "1EC": 2}, single_root=single_root))
    rows = "".join(f"{i}\tw\tw\tNOUN\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 121))
    (long,) = npj.read(f"{rows}\n".encode())
    assert trained("both").restricted("Pr:0,WG1:0.3").marginals(long).shape == (121, 121)


def test_transition_based_parsers_have_no_scores_of_arcs() -> None:
    parser = npj.Parser.train(npj.example_treebank(), options=npj.TransitionOptions(), epochs=1, threads=1)
    sentence = npj.example_treebank()[0]
    for ask in (parser.scores, parser.part_scores, parser.marginals, lambda s: parser.k_best(s, 2)):
        with pytest.raises(npj.NonprojError, match="graph-based"):
            ask(sentence)
    with pytest.raises(npj.NonprojError, match="transition-based"):
        parser.parse([sentence], searches=SearchReport())


def agree(parser: npj.Parser, sentences: Any, within: str) -> None:
    """The parser's trees are the best ones of an integer programme over its scores."""
    held = parser.restricted(within)
    for sentence, found in zip(sentences, held.parse(sentences, threads=1), strict=True):
        scores, parts = held.scores(sentence), held.part_scores(sentence)
        expected, _ = Programme(scores, parts, within, bool(held.options["single_root"])).best()
        assert total(found.tree.heads, scores, parts) == pytest.approx(expected, abs=1e-4), sentence.sent_id


@pytest.mark.parametrize("within", ["spanning", "Pr", "1EC", "WG1"])
def test_scores_of_a_model_against_an_integer_programme(within: str) -> None:
    agree(trained("both"), [s for s in npj.example_treebank() if len(s) <= 12][:6], within)


@cache
def gothic() -> tuple[npj.Parser, list[Any]]:
    data = Path(os.environ["NONPROJ_DATA"]) / "ud"
    train, test = (npj.read(data / f"got_proiel-ud-{part}.conllu.gz") for part in ("train", "test"))
    parser = npj.Parser.train(train, options=npj.GraphOptions(within="spanning"), epochs=2)
    return parser, [s for s in test if 5 <= len(s) <= 30][:200]


@pytest.mark.skipif("NONPROJ_SLOW" not in os.environ, reason="takes minutes: set NONPROJ_SLOW and NONPROJ_DATA")
@pytest.mark.parametrize("within", ["spanning", "Pr", "1EC", "WG1"])
def test_many_sentences_against_an_integer_programme(within: str) -> None:
    agree(*gothic(), within)
