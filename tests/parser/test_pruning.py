"""Which heads a graph-based parser looks at, by whose weights and how far away; which trees it proves in training."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from test_parsers import toy

import nonproj as npj
from nonproj import _core
from nonproj.parser import SearchReport
from nonproj.parser.learner import GraphStage, PrunerStage, native_graph_options, resolved
from nonproj.parser.options import MOST_CANDIDATES, Schedule
from nonproj.parser.training import portions, relations_of

ARCS = npj.GraphOptions(within="M0I", order="1", network=0)


def longest(tree: npj.Tree) -> int:
    """The longest arc between words."""
    return max((abs(arc.head - arc.dependent) for arc in tree.arcs if arc.head), default=0)


def likely(parser: npj.Parser, sentence: npj.Sentence) -> Any:
    """The arcs that the rule of the paper leaves, by the scores that prune."""
    table = parser._arc_model().log_chances(npj.Treebank([sentence]))
    k, threshold = parser.options["parsing_candidates"], parser.options["parsing_threshold"]
    chance = npj.marginals(table, single_root=bool(parser.options["single_root"]))
    mask = npj.candidate_heads(table, k, threshold, single_root=bool(parser.options["single_root"]))
    return mask & (chance > threshold)  # of a word without such a head nothing is left, not even its likeliest


@pytest.mark.parametrize("pruner", ["log-linear", "mst"])
@pytest.mark.parametrize("length", [None, 2])
def test_heads_are_those_of_the_rule(pruner: str, length: int | None) -> None:
    options = replace(ARCS, pruner=pruner, max_length=length, parsing_candidates=3, parsing_threshold=0.05)
    parser = npj.Parser.train(toy(60), options=options, epochs=2, threads=1)
    exact = 0
    for sentence in toy(30, 1):
        left = parser.scores(sentence) > -np.inf
        expected = likely(parser, sentence)
        assert (left >= expected).all()
        exact += bool((left == expected).all())
    assert exact > 20  # elsewhere one tree is added, since the likely arcs hold none


def test_the_pruner_has_the_weights_of_a_parser_of_arcs_among_all_heads() -> None:
    treebank = toy(40)
    options = replace(ARCS, within="Pr", order="both", pruner="mst", pruner_epochs=2)
    relations = relations_of(treebank)
    stage = PrunerStage(treebank, relations, resolved(options, treebank), seed=1)
    for epoch in range(2):
        stage.epoch(epoch, lambda *_: None)
    arrays = GraphStage(stage, relations, Schedule()).arrays()
    free = replace(
        stage.options, within="spanning", order="1", candidates=MOST_CANDIDATES, threshold=0.0, pruner="log-linear"
    )
    trainer = _core.GraphTrainer(native_graph_options(free, len(relations)), stage.bits)
    trainer.prune(stage.corpus, np.arange(40))
    for epoch in range(2):
        for part in portions(stage.schedule.order(40, epoch), lambda *_: None):
            _, gaps = trainer.learn(stage.corpus, part)
            assert (gaps == 0).all()
    marks, values = trainer.average(native_graph_options(free, 0)).pack("tree")
    assert np.array_equal(arrays["pruner.marks"], marks)
    assert np.array_equal(arrays["pruner.values"], values)


@pytest.mark.parametrize("options", [ARCS, npj.GraphOptions(within="Pr"), npj.GraphOptions(network=16)], ids=str)
def test_no_arc_is_longer(options: npj.GraphOptions) -> None:
    treebank = toy(120)
    assert max(longest(sentence.tree) for sentence in treebank) > 3
    parser = npj.Parser.train(treebank, options=replace(options, max_length=3), epochs=2, threads=1)
    parsed = parser.parse(treebank, threads=1)
    assert max(longest(sentence.tree) for sentence in parsed) == 3
    for sentence in treebank[:5]:
        chance = parser.marginals(sentence)
        far = np.abs(np.subtract.outer(np.arange(len(chance)), np.arange(len(chance)))) > 3
        assert chance[1:][far[1:]].max(initial=0) == 0
        assert chance.sum(axis=0)[1:] == pytest.approx(1)


def test_arcs_of_long_sentences_are_no_longer_either() -> None:
    tags = [(word.form, word.upos) for sentence in toy(200) for word in sentence][:600]
    rows = [f"{i}\t{form}\t{form}\t{tag}\t_\t_\t_\t_\t_\t_" for i, (form, tag) in enumerate(tags, 1)]
    found = []
    for length in (None, 4):
        options = replace(ARCS, max_length=length, single_root=False)
        parser = npj.Parser.train(toy(60), options=options, epochs=1, threads=1)
        (sentence,) = parser.parse(("\n".join(rows) + "\n\n").encode(), threads=1)
        found.append(longest(sentence.tree))
    assert found[0] > 4 == found[1]


def test_gap_minding_trees_of_long_sentences_are_proven_best() -> None:
    """Relaxation does not end on these soon; the chart of all arcs would take long, that of few arcs does not."""
    options = replace(ARCS, parsing_candidates=10, parsing_threshold=0.001)
    parser = npj.Parser.train(toy(60), options=options, epochs=2, threads=1)
    tags = [(word.form, word.upos) for sentence in toy(100) for word in sentence]
    found = SearchReport()
    for seed in range(2):
        chosen = np.random.default_rng(seed).integers(0, len(tags), 90)
        rows = [f"{i}\t{tags[j][0]}\t_\t{tags[j][1]}\t_\t_\t_\t_\t_\t_" for i, j in enumerate(chosen, 1)]
        (sentence,) = parser.parse(("\n".join(rows) + "\n\n").encode(), threads=1, searches=found)
        scores, single_root = parser.scores(sentence), bool(parser.options["single_root"])
        best = npj.decode(scores, within="M0I", single_root=single_root, strategy="chart")
        assert scores[sentence.tree.heads, np.arange(1, 91)].sum() == pytest.approx(best.score, abs=1e-3)
    assert found.proven == 2


def test_trees_proven_best_in_training_are_counted() -> None:
    """Of all epochs; those that are climbed to, rearranged ones among them, are proven nothing."""
    for options, proven in (
        (ARCS, True),
        (replace(ARCS, within="Pr", order="sibling"), True),
        (replace(ARCS, within="Pr", order="sibling", rearrange=True), False),
        (replace(ARCS, order="grandparent", search="climb"), False),
    ):
        parser = npj.Parser.train(toy(30), options=options, epochs=2, threads=1)
        found = parser.training_searches
        assert found is not None
        assert (found.trees, found.proven, found.unbounded) == (60, 60 * proven, 60 * (not proven))
        assert "climbing" not in str(found)
    assert npj.Parser.train(toy(30), options=npj.TransitionOptions(), epochs=1, threads=1).training_searches is None


def test_the_count_goes_on_with_the_training_and_into_the_file(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonproj.parser.training.SECONDS_BETWEEN_CHECKPOINTS", 0)
    path = tmp_path / "checkpoint"
    given: dict[str, Any] = {"options": ARCS, "seed": 3, "threads": 1, "checkpoint": path}
    npj.Parser.train(toy(30), epochs=2, keeps_checkpoint=True, **given)
    parser = npj.Parser.train(toy(30), epochs=3, **given)
    assert parser.training_searches is not None
    assert parser.training_searches.trees == 90
    parser.save(tmp_path / "model")
    assert npj.Parser.load(tmp_path / "model").training_searches == parser.training_searches
    header, arrays = parser.content()
    for wrong in ({"trees": -1}, {"trees": "x"}, {"trees": 1, "seen": 2}, {"climbing_errors": 3}, 5):
        with pytest.raises(npj.NonprojError, match="cannot be used as a model"):
            npj.Parser.from_content({**header, "searches": wrong}, arrays, "m.model")
    assert str(SearchReport.of_training({"trees": 1, "climbing_errors": None})).startswith("1 trees: 0 proven best")


def test_what_cannot_be_is_refused() -> None:
    for wrong in (
        {"max_length": 0},
        {"max_length": 2.5},
        {"pruner": "none"},
        {"candidates": True},
        {"candidates": "3"},
    ):
        with pytest.raises(npj.NonprojError, match=next(iter(wrong))):
            npj.GraphOptions(**wrong)
