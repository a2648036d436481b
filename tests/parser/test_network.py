"""The small network of graph-based parsers: its formulas, its gradient, its training, and what a parser makes of it."""

from __future__ import annotations

import pathlib
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from reference.network import Sizes, log_chances

import nonproj as npj
from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser import network as network_module
from nonproj.parser import training
from nonproj.parser.learner import NETWORK, unpacked
from nonproj.parser.network import NetworkStage, network_schedule
from nonproj.parser.options import Schedule
from nonproj.parser.training import relations_of, silent
from nonproj.treebank import example_treebank

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_parsers import toy

TREEBANK = example_treebank()
RELATIONS = relations_of(TREEBANK)
CORPUS = _core.Corpus(TREEBANK.block(), RELATIONS)


def trained(layers: int, steps: int = 30) -> tuple[Any, _core.TreeSizes, Sizes]:
    """A little network after a few steps, so that no weight is special."""
    sizes = {"word": 48, "hidden": 32, "layers": layers, "arc": 16, "relation": 32, "relations": len(RELATIONS)}
    native = _core.TreeSizes(**sizes, bits=16)
    trainer = _core.TreeTrainer(native, CORPUS, 1)
    for _ in range(steps):
        trainer.learn(np.arange(len(TREEBANK)), 0.01)
    return trainer, native, Sizes(**sizes)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("sentence", [0, 3, 17, 40])
def test_chances_are_those_of_the_formulas(layers: int, sentence: int) -> None:
    trainer, native, sizes = trained(layers)
    shared, (marks, values) = trainer.network.pack()
    network = _core.TreeNetwork(native)
    network.fill(shared, marks, values)
    found = network.log_chances(CORPUS, sentence)
    given = _core.network_input(network, CORPUS, sentence)
    assert (given[0] == shared[: sizes.word]).all()
    assert len(np.unique(given, axis=0)) > 2
    expected = log_chances(sizes, shared, given[1:].astype(np.float64))
    is_arc = ~np.eye(len(found), dtype=bool)
    is_arc[:, 0] = False
    np.testing.assert_allclose(found[is_arc], np.maximum(expected, -30)[is_arc], atol=2e-4)
    assert (found[~is_arc] == 0).all()
    chances = np.exp(np.where(is_arc, found, -np.inf))[:, 1:].sum(axis=0)
    np.testing.assert_allclose(chances, 1, atol=1e-5)


def rounded(exact: Fraction) -> np.float32:
    """The float that is nearest, of two that are as near the one with an even last bit."""
    near = np.float32(float(exact))
    around = [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf))]
    return min(around, key=lambda each: (abs(Fraction(float(each)) - exact), int(each.view(np.uint32)) % 2))


@pytest.mark.parametrize("narrow", [False, True])
def test_products_round_once_a_term(narrow: bool) -> None:
    rng = np.random.default_rng(5)
    for rows, depth, columns in ((1, 3, 64), (7, 4, 32), (2, 1, 16)):
        left, right, given = (
            (
                rng.choice([1, 1 + 2.0**-23, 3, 2**12 + 1, rng.normal()], size) * 2.0 ** rng.integers(-30, 9, size)
            ).astype(np.float32)
            for size in ((rows, depth), (depth, columns), (rows, columns))
        )
        expected = given.copy()
        for i, j in np.ndindex(rows, columns):
            for k in range(depth):
                term = Fraction(float(left[i, k])) * Fraction(float(right[k, j]))
                expected[i, j] = rounded(term + Fraction(float(expected[i, j])))
        found = _core.network_product(left, right, given, narrow)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("narrow", [False, True])
def test_a_sum_that_is_nearly_half_way_is_rounded_once(narrow: bool) -> None:
    # 1 + 2^-23 + 2^-24 - 2^-64: in doubles the last term is lost, and half way goes up to the even 1 + 2^-22.
    left = np.full((1, 1), 1 + 2.0**-20, np.float32)
    right = np.full((1, 16), 2.0**-24 * (1 - 2.0**-20), np.float32)
    given = np.full((1, 16), 1 + 2.0**-23, np.float32)
    np.testing.assert_array_equal(_core.network_product(left, right, given, narrow), given)


@pytest.mark.parametrize("layers", [1, 2])
def test_slopes_are_those_of_small_changes(layers: int) -> None:
    trainer, _, _ = trained(layers)
    shared, (marks, values) = trainer.network.pack()
    _, slopes, vector_slopes = trainer.gradient(np.array([3]))
    rng = np.random.default_rng(layers)
    change = np.float32(1 / 256)

    def difference(place: int, weights: np.ndarray, of_shared: bool) -> float:
        losses = []
        for sign in (1, -1):
            changed = weights.copy()
            changed[place] += sign * change
            trainer.network.fill(*((changed, marks, values) if of_shared else (shared, marks, changed)))
            losses.append(trainer.gradient(np.array([3]))[0])
        return (losses[0] - losses[1]) / (2 * float(change))

    steepest = np.argsort(-abs(slopes))[:30]
    for place in (*steepest, *rng.choice(len(slopes), 150)):
        assert difference(place, shared, True) == pytest.approx(slopes[place], rel=0.05, abs=0.02)
    known = np.flatnonzero(unpacked((marks, values)))
    steep = [k for k in rng.permutation(len(known)) if vector_slopes[known[k]] != 0][:60]
    for k in steep:
        assert difference(k, values, False) == pytest.approx(vector_slopes[known[k]], rel=0.05, abs=0.02)


def test_what_occurs_once_has_no_vector() -> None:
    once = TREEBANK[:1]
    corpus = _core.Corpus(once.block(), RELATIONS)
    trainer = _core.TreeTrainer(_core.TreeSizes(16, 16, 1, 16, 16, len(RELATIONS), 20), corpus, 1)
    twice = _core.TreeTrainer(
        _core.TreeSizes(16, 16, 1, 16, 16, len(RELATIONS), 20),
        _core.Corpus((once + once).block(), RELATIONS),
        1,
    )
    assert len(trainer.network.pack()[1][1]) < len(twice.network.pack()[1][1])


def test_a_network_learns_and_its_seed_settles_the_weights() -> None:
    def learnt(seed: int) -> tuple[list[float], dict[str, Any]]:
        stage = NetworkStage(TREEBANK, RELATIONS, 32, Schedule(epochs=3, seed=seed))
        losses = [stage.epoch(number, silent) for number in range(3)]
        return losses, stage.arrays()

    losses, arrays = learnt(5)
    assert losses[0] > losses[1] > losses[2]
    assert all((learnt(5)[1][name] == array).all() for name, array in arrays.items())
    assert (learnt(6)[1]["shared"] != arrays["shared"]).any()


def test_a_resumed_training_is_the_same() -> None:
    whole, first, second = (NetworkStage(TREEBANK, RELATIONS, 32, Schedule(epochs=4, seed=1)) for _ in range(3))
    for number in range(4):
        whole.epoch(number, silent)
    for number in range(2):
        first.epoch(number, silent)
    second.resume(first.state())
    for number in range(2, 4):
        second.epoch(number, silent)
    assert all((second.arrays()[name] == array).all() for name, array in whole.arrays().items())


def test_a_parser_has_a_network_where_there_is_enough_to_learn_from(tmp_path: pathlib.Path) -> None:
    small, large = toy(99, 1), toy(100, 1)
    assert "network" not in npj.Parser.train(small, epochs=1, threads=1).content()[0]
    parser = npj.Parser.train(large, toy(50, 2), epochs=1, threads=1)
    header, arrays = parser.content()
    assert header["network"]["hidden"] == header["options"]["network"] == NETWORK
    assert {"network.shared", "network.marks", "network.values"} <= set(arrays)
    none = npj.Parser.train(large, toy(50, 2), options=npj.GraphOptions(network=0), epochs=1, threads=1)
    assert "network" not in none.content()[0]
    parser.save(tmp_path / "m.model")
    loaded = npj.Parser.load(tmp_path / "m.model")
    test = toy(50, 3)
    assert bytes(loaded.parse(test)) == bytes(parser.parse(test))
    linear, _, _ = none._model.scores(test[:1])
    joined, _, _ = parser._model.scores(test[:1])
    assert (linear[np.isfinite(linear)].size, linear.tolist()) != (joined[np.isfinite(joined)].size, joined.tolist())


def test_a_kill_while_a_network_learns_costs_an_epoch(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    treebank, dev = toy(120, 1), toy(30, 2)
    monkeypatch.setattr(network_module, "_EPOCHS", (4, 4))
    options: dict[str, Any] = {"epochs": 1, "threads": 1, "checkpoint": tmp_path / "m.checkpoint"}
    expected = npj.Parser.train(treebank, dev, epochs=1, threads=1).content()
    saved: list[str] = []
    save = training._save

    def killed(*arguments: Any) -> None:
        saved.append("epoch")
        if len(saved) == 4:  # one of the linear parser, two and a half of the network
            raise KeyboardInterrupt
        return save(*arguments)

    monkeypatch.setattr(training, "_save", killed)
    monkeypatch.setattr(training, "SECONDS_BETWEEN_CHECKPOINTS", 0)
    with pytest.raises(KeyboardInterrupt):
        npj.Parser.train(treebank, dev, **options)
    assert (tmp_path / "m.checkpoint.network").exists()
    saved[:] = ["before"] * 10
    header, arrays = npj.Parser.train(treebank, dev, **options).content()
    assert len(saved) - 10 == 2  # the epoch that was lost, and the last
    assert header == expected[0]
    assert all((arrays[name] == array).all() for name, array in expected[1].items())
    assert not list(tmp_path.glob("m.checkpoint*"))


@pytest.fixture(scope="module")
def content() -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file keeps of a parser with a network."""
    return npj.Parser.train(toy(100, 1), toy(30, 2), epochs=1, threads=1).content()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"shares": [0.1]}, "cannot be used"),
        ({"shares": [0.1, -1.0]}, "share"),
        ({"shares": [0.1, float("nan")]}, "share"),
        ({"bits": 27}, "2\\^27"),
        ({"hidden": 64}, "number of weights"),
        ({"hidden": 15}, "multiples of 16"),
        ({"layers": 0}, "layers"),
        ({"width": 16}, "cannot be used"),
    ],
)
def test_a_network_that_does_not_fit_is_refused(
    content: tuple[dict[str, Any], dict[str, Any]], changes: dict[str, Any], said: str
) -> None:
    header, arrays = content
    damaged = {**header, "network": {**header["network"], **changes}}
    with pytest.raises(NonprojError, match=said):
        npj.Parser.from_content(damaged, arrays, "m.model")


@pytest.mark.parametrize("name", ["network.shared", "network.values"])
def test_weights_that_are_no_numbers_are_refused(content: tuple[dict[str, Any], dict[str, Any]], name: str) -> None:
    header, arrays = content
    damaged = {**arrays, name: np.where(np.arange(len(arrays[name])) == 7, np.nan, arrays[name]).astype(np.float32)}
    with pytest.raises(NonprojError, match="the weights are damaged"):
        npj.Parser.from_content(dict(header), damaged, "m.model")
    with pytest.raises(NonprojError):
        npj.Parser.from_content(dict(header), {**arrays, name: arrays[name][:-1]}, "m.model")
    with pytest.raises(NonprojError, match="of another type"):
        npj.Parser.from_content(dict(header), {**arrays, name: arrays[name].astype(np.float64)}, "m.model")


def test_threads_and_search_agree_with_a_network(content: tuple[dict[str, Any], dict[str, Any]]) -> None:
    parser = npj.Parser.from_content(dict(content[0]), content[1], "m.model")
    test = toy(80, 4)
    assert bytes(parser.parse(test, threads=1)) == bytes(parser.parse(test, threads=2))
    exact, climbed = parser.parse(test), parser.restricted(search="climb").parse(test)
    assert (exact.heads == climbed.heads).mean() > 0.95


def test_a_sentence_is_parsed_alike_in_any_company(content: tuple[dict[str, Any], dict[str, Any]]) -> None:
    parser = npj.Parser.from_content(dict(content[0]), content[1], "m.model")
    test = toy(30, 6) + TREEBANK[:30]
    together = parser.parse(test).heads.tolist()
    assert together == [head for i in range(len(test)) for head in parser.parse(test[i : i + 1]).heads.tolist()]


def test_chances_of_arcs_are_the_networks(content: tuple[dict[str, Any], dict[str, Any]]) -> None:
    parser = npj.Parser.from_content(dict(content[0]), content[1], "m.model")
    table = parser._model.log_chances(toy(1, 5))
    np.testing.assert_allclose(np.exp(table[:, 1:]).sum(axis=0) - 1, 1, atol=1e-5)  # the diagonal has 0s


def test_sizes_of_options_and_epochs() -> None:
    with pytest.raises(NonprojError, match="multiple of 16"):
        npj.GraphOptions(network=50)
    assert network_schedule(10**7, 1).epochs == 15
