"""Prices of graded classes that a parser learns for itself."""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import pytest

import nonproj as npj
from nonproj.decode.graded import chain, parse_within
from nonproj.parser.learner import LEAST_SHARE, projective_part, unpacked, usual_share
from nonproj.parser.prices import CHAIN, Answers, best_trees, learnt_prices
from nonproj.parser.training import silent

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_parsers import toy


def planted(prices: tuple[float, ...], sentences: int = 600, seed: int = 0) -> Answers:
    """Sentences of ten words where a wider class is right just where it gains more than its price."""
    rng = np.random.default_rng(seed)
    gains = rng.exponential(2.0, (len(prices), sentences)) * (rng.random((len(prices), sentences)) < 0.5)
    scores = np.vstack([np.zeros(sentences), np.maximum.accumulate(gains, axis=0)])
    best = np.argmax(scores - np.array([0.0, *prices])[:, None], axis=0)
    right = np.full(scores.shape, 6)
    right[best, np.arange(sentences)] = 9
    for k in range(1, len(scores)):  # the same tree
        same = scores[k] == scores[k - 1]
        right[k, same] = right[k - 1, same]
    return Answers(scores, right)


@pytest.mark.parametrize("price", [0.5, 1.5, 3.0])
def test_a_planted_price_is_found(price: float) -> None:
    found = learnt_prices(["Pr", "spanning"], planted((price,)))
    assert list(found) == ["Pr", "spanning"]
    assert found["spanning"] == pytest.approx(price, rel=0.3)


def test_two_planted_prices_are_found() -> None:
    found = learnt_prices(CHAIN, planted((1.0, 3.0), 2000))
    assert [found[name] for name in CHAIN] == pytest.approx([0, 1.0, 3.0], rel=0.4)


def test_a_class_that_is_never_right_is_dropped() -> None:
    answers = planted((1.0,))
    never = Answers(answers.scores, np.vstack([np.full(600, 9), np.full(600, 6)]))
    assert learnt_prices(["Pr", "spanning"], never) == {"Pr": 0.0}
    assert learnt_prices(["Pr", "spanning"], Answers(answers.scores, never.right[::-1])) == {"spanning": 0.0}


def test_trees_that_are_alike_settle_nothing() -> None:
    alike = Answers(np.ones((3, 50)), np.ones((3, 50), np.int64))
    assert learnt_prices(CHAIN, alike) == {CHAIN[0]: 0.0}


def noisy(sentences: int, seed: int) -> npj.Treebank:
    """Sentences where an adverb at the end belongs to the verb or, as often and for no reason, to the first word."""
    lines = toy(sentences, seed).to_text().split("\n")
    rng = np.random.default_rng(seed)
    for i, line in enumerate(lines):
        cells = line.split("\t")
        if len(cells) == 10 and cells[1] == "again" and rng.random() < 0.5:
            verb = next(row.split("\t")[0] for row in reversed(lines[:i]) if "\tVERB\t" in row)
            lines[i] = "\t".join([*cells[:6], verb, *cells[7:]])
    return npj.read("\n".join(lines).encode(), name="noisy")


@pytest.fixture(scope="module")
def with_dev() -> npj.Parser:
    return npj.Parser.train(noisy(150, 1), noisy(150, 2), epochs=2, threads=1)


def test_prices_are_learnt_on_the_dev_set(with_dev: npj.Parser, tmp_path: pathlib.Path) -> None:
    within = with_dev.options["within"]
    steps = chain(parse_within(within))
    assert {cls.name for cls, _ in steps} <= set(CHAIN)
    dev = noisy(150, 2)
    answers = best_trees([with_dev.restricted(name)._model for name in CHAIN], dev, 1, silent)
    assert with_dev.priced(dev).options == with_dev.options
    # What the parser parses is what its prices choose.
    names, prices = zip(*((cls.name, price) for cls, price in steps), strict=True)
    rows = [CHAIN.index(name) for name in names]
    chosen = np.argmax(answers.scores[rows] - np.array(prices)[:, None], axis=0)
    expected = answers.right[rows][chosen, np.arange(len(dev))].sum()
    assert (with_dev.parse(dev).heads == dev.heads).sum() == expected
    assert expected >= answers.right.sum(axis=1).max() - 3
    with_dev.save(tmp_path / "model")
    loaded = npj.Parser.load(tmp_path / "model")
    assert loaded.options["within"] == within
    assert (loaded.parse(dev).heads == with_dev.parse(dev).heads).all()
    assert f"within={within!r}" in repr(loaded)


def test_without_a_dev_set_halves_judge_each_other() -> None:
    stages: list[str] = []
    parsers = [
        npj.Parser.train(
            noisy(200, 1), epochs=1, threads=threads, progress=lambda stage, done, total: stages.append(stage)
        )
        for threads in (1, 2)
    ]
    assert "prices" in stages
    assert parsers[0].options == parsers[1].options
    assert [len(parser.epochs) for parser in parsers] == [1, 1]


def test_prices_are_left_where_there_is_nothing_to_learn() -> None:
    few = npj.Parser.train(noisy(50, 1), epochs=1, threads=1)
    assert few.options["within"] == "spanning"
    named = npj.Parser.train(noisy(200, 1), options=npj.GraphOptions(within="1EC"), epochs=1, threads=1)
    assert named.options["within"] == "1EC"
    projective = npj.Treebank(sentence for sentence in toy(300) if sentence.tree.is_projective)
    assert npj.Parser.train(projective, epochs=1, threads=1).options["within"] == "Pr"


def table(parser: npj.Parser, name: str) -> np.ndarray:
    _, arrays = parser.content()
    return unpacked((arrays[f"{name}.marks"], arrays[f"{name}.values"]))


def test_weights_of_projective_trees_join_those_of_all_trees() -> None:
    def trained(within: str, share: float = 0.0) -> npj.Parser:
        options = npj.GraphOptions(within=within, projective_share=share)
        return npj.Parser.train(noisy(60, 1), options=options, epochs=2, threads=1)

    every, projective, joined = trained("spanning"), trained("Pr"), trained("spanning", 0.25)
    assert joined.options["within"] == "spanning"
    assert (table(every, "tree") != table(projective, "tree")).any()
    assert (table(joined, "tree") == 0.75 * table(every, "tree") + 0.25 * table(projective, "tree")).all()
    # Both trainings end with the same pruner and relations: there is nothing to join.
    for name in ("pruner", "label"):
        assert (table(joined, name) == table(every, name)).all()
        assert (table(joined, name) == table(projective, name)).all()


@pytest.mark.parametrize(
    ("options", "share"),
    [
        (npj.GraphOptions(), usual_share(projective_part(noisy(20, 1)))),
        (npj.GraphOptions(order="1", search="climb"), usual_share(projective_part(noisy(20, 1)))),
        (npj.GraphOptions(projective_share=0.5), 0.5),
        (npj.GraphOptions(within="WG1"), 0.0),
        (npj.GraphOptions(within="Pr", projective_share=0.5), 0.0),
        (npj.GraphOptions(search="climb"), 0.0),
        (npj.GraphOptions(rearrange=True), 0.0),
        (npj.GraphOptions(lifting="head"), 0.0),
    ],
    ids=str,
)
def test_where_weights_of_projective_trees_join(options: npj.GraphOptions, share: float) -> None:
    assert npj.Parser.train(noisy(20, 1), options=options, epochs=1, threads=1).options["projective_share"] == share


def test_no_weights_of_projective_trees_join_where_most_trees_are_not_projective() -> None:
    crossing = npj.Treebank(sentence for sentence in toy(100) if not sentence.tree.is_projective)
    projective = npj.Treebank(sentence for sentence in toy(100) if sentence.tree.is_projective)
    for part, share in ((projective[:10] + crossing[:11], 0.0), (projective[:11] + crossing[:11], LEAST_SHARE)):
        assert npj.Parser.train(part, epochs=1, threads=1).options["projective_share"] == share


def test_the_more_trees_are_projective_the_larger_is_their_share() -> None:
    shares = [usual_share(percent / 100) for percent in range(101)]
    assert shares == sorted(shares)
    assert (shares[49], shares[50], shares[75], shares[100]) == (0, LEAST_SHARE, LEAST_SHARE, 0.5)
    crossing = npj.Treebank(sentence for sentence in toy(200) if not sentence.tree.is_projective)
    projective = npj.Treebank(sentence for sentence in toy(200) if sentence.tree.is_projective)
    parser = npj.Parser.train(projective[:18] + crossing[:2], epochs=1, threads=1)
    assert parser.options["projective_share"] == 0.32


def test_a_share_is_a_share() -> None:
    for share in (-0.1, 1.5):
        with pytest.raises(npj.NonprojError, match="projective_share must be a number, at least 0 and at most 1"):
            npj.GraphOptions(projective_share=share)
