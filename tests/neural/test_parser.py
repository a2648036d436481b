"""Neural parsers: trained, saved, loaded, resumed, within classes; and what is refused."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonproj as npj
from nonproj.errors import NonprojError
from nonproj.parser import training
from nonproj.parser.container import read_container, write_container
from nonproj.parser.prices import LEAST_SENTENCES

pytest.importorskip("torch", reason="needs torch: pip install 'nonproj[neural]'")
pytest.importorskip("safetensors", reason="needs safetensors: pip install 'nonproj[neural]'")

import torch

SMALL = npj.NeuralOptions(hidden=12, layers=1, words=100, rate=0.02)
ALONE = npj.NeuralOptions(hidden=24, layers=1, words=60, rate=0.02, dropout=0.0, linear=False)


@pytest.fixture(scope="module")
def treebank() -> npj.Treebank:
    return npj.example_treebank()


@pytest.fixture(scope="module")
def parser(treebank: npj.Treebank) -> npj.Parser:
    return npj.Parser.train(treebank, options=SMALL, epochs=3, threads=1)


@pytest.fixture(scope="module")
def alone(treebank: npj.Treebank) -> npj.Parser:
    return npj.Parser.train(treebank, options=ALONE, epochs=25, threads=1)


def test_a_network_alone_learns_the_trees_that_it_sees(alone: npj.Parser, treebank: npj.Treebank) -> None:
    assert alone.epochs[-1].loss < 0.3 * alone.epochs[0].loss
    found = alone.parse(treebank, threads=1)
    assert (found.heads == treebank.heads).mean() > 0.9
    same = [a == b for a, b in zip(found.column("deprel"), treebank.column("deprel"), strict=True)]
    assert np.mean(same) > 0.8


@pytest.mark.parametrize("kind", ["parser", "alone"])
def test_a_parser_is_the_same_after_saving_and_loading(
    kind: str, request: pytest.FixtureRequest, treebank: npj.Treebank, tmp_path: Path
) -> None:
    parser: npj.Parser = request.getfixturevalue(kind)
    parser.save(tmp_path / "m")
    loaded = npj.Parser.load(tmp_path / "m")
    assert repr(loaded) == repr(parser)
    assert bytes(loaded.parse(treebank, threads=1)) == bytes(parser.parse(treebank, threads=1))
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def test_the_same_seed_gives_the_same_weights(treebank: npj.Treebank, tmp_path: Path) -> None:
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        npj.Parser.train(treebank, options=SMALL, epochs=2, seed=seed, threads=1, save_as=tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_a_training_that_was_stopped_goes_on_to_the_same_weights(
    treebank: npj.Treebank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SECONDS_BETWEEN_CHECKPOINTS", 0)
    whole = npj.Parser.train(treebank, options=SMALL, epochs=4, threads=1, save_as=tmp_path / "whole")

    class Stopped(Exception):
        pass

    def stop(epoch: npj.parser.Epoch) -> None:
        if epoch.number == 3:  # before its checkpoint is written
            raise Stopped

    common: dict[str, Any] = {"options": SMALL, "epochs": 4, "threads": 1, "checkpoint": tmp_path / "checkpoint"}
    with pytest.raises(Stopped):
        npj.Parser.train(treebank, report=stop, **common)
    assert (tmp_path / "checkpoint").exists()
    resumed = npj.Parser.train(treebank, save_as=tmp_path / "resumed", **common)
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()
    assert resumed.epochs == whole.epochs
    assert not (tmp_path / "checkpoint").exists()


def test_another_training_does_not_go_on(treebank: npj.Treebank, tmp_path: Path) -> None:
    common: dict[str, Any] = {"threads": 1, "checkpoint": tmp_path / "checkpoint"}
    npj.Parser.train(treebank, options=SMALL, epochs=1, keeps_checkpoint=True, **common)
    with pytest.raises(NonprojError, match="other data or options"):
        npj.Parser.train(treebank, options=SMALL, epochs=2, **common)  # the rate falls over the epochs


@pytest.mark.parametrize("kind", ["parser", "alone"])
@pytest.mark.parametrize("within", ["Pr", "1EC", "WG1", {"Pr": 0, "WG1": 1, "spanning": 3}])
def test_trees_are_of_the_class_and_the_best_by_the_scores(
    kind: str, within: Any, request: pytest.FixtureRequest, treebank: npj.Treebank
) -> None:
    parser: npj.Parser = request.getfixturevalue(kind).restricted(within)
    few = treebank[:8]
    searches = npj.parser.SearchReport()
    found = parser.parse(few, threads=1, searches=searches)
    assert searches.proven == len(few)
    for sentence in found:
        parts: dict[str, Any] = parser.part_scores(sentence)
        single_root = bool(parser.options["single_root"])
        best = npj.decode(parser.scores(sentence), within=within, single_root=single_root, **parts)
        assert best.heads.tolist() == list(sentence.heads)
        if isinstance(within, str):
            assert npj.Tree(sentence.heads) in npj.tree_class(within)


def test_marginals_and_k_best(parser: npj.Parser, treebank: npj.Treebank) -> None:
    sentence = treebank[3]
    assert parser.marginals(sentence).sum(axis=0)[1:] == pytest.approx(1)
    best = parser.k_best(sentence, 3)
    assert best[0].heads.tolist() == list(parser.parse([sentence], threads=1)[0].heads)
    assert best[0].score >= best[1].score >= best[2].score


@pytest.mark.parametrize("within", ["Pr", "1EC", "spanning", "Pr:0,spanning:1"])
def test_the_crf_of_a_class(within: str, treebank: npj.Treebank) -> None:
    options = npj.NeuralOptions(within=within, loss="crf", hidden=12, layers=1, rate=0.02, linear=False)
    parser = npj.Parser.train(treebank, options=options, epochs=3, threads=1)
    widest = npj.tree_class(within.split(",")[-1].split(":")[0])
    assert parser.left_out == sum(npj.Tree(sentence.heads) not in widest for sentence in treebank)
    assert parser.epochs[-1].loss < parser.epochs[0].loss


def test_the_crf_is_the_negative_log_likelihood(treebank: npj.Treebank) -> None:
    from nonproj.neural.alphabets import Alphabets, coded
    from nonproj.neural.learning import Loss
    from nonproj.neural.network import Batch, Network, Sizes

    alphabets = Alphabets.of(treebank)
    corpus = coded(treebank, alphabets, [])
    few = np.flatnonzero(corpus.lengths <= 12)[:4]
    batch = Batch.of(corpus, few, torch.device("cpu"))
    torch.manual_seed(3)
    network = Network(alphabets, 0, Sizes(hidden=8, layers=1)).eval()
    torch.nn.init.normal_(network.arcs)
    roles = network(batch)
    found = Loss("crf", "spanning", False)(network, roles, batch).item()
    expected = 0.0
    for row, sentence in enumerate(few.tolist()):
        heads = list(treebank[sentence].heads)
        n = len(heads)
        scores = network.arc_scores(roles)[row, : n + 1, : n + 1].detach().numpy()
        expected += npj.log_partition(scores, within="spanning") - sum(scores[h, d] for d, h in enumerate(heads, 1))
    assert found == pytest.approx(expected, rel=1e-4)


def test_padding_changes_nothing(alone: npj.Parser, treebank: npj.Treebank) -> None:
    together = alone.parse(treebank, threads=1)
    one_by_one = np.concatenate([alone.parse([sentence], threads=1).heads for sentence in treebank])
    assert (together.heads == one_by_one).all()


def test_words_alone_are_enough(tmp_path: Path) -> None:
    text = b"".join(f"1\tA{i}\t_\t_\t_\t_\t2\t_\t_\t_\n2\tdog\t_\t_\t_\t_\t0\t_\t_\t_\n\n".encode() for i in range(5))
    words = npj.read(text)
    parser = npj.Parser.train(words, options=ALONE, epochs=20, threads=1, save_as=tmp_path / "m")
    assert parser.relations == []
    found = npj.Parser.load(tmp_path / "m").parse(words, threads=1)
    assert found.heads.tolist() == [2, 0] * 5
    assert set(found.column("deprel")) == {"_"}


def test_words_and_tags_that_it_never_saw(parser: npj.Parser) -> None:
    odd = npj.read("1\tЖ\U0001f642\t_\tODD\t_\tNo=Such\t_\t_\t_\t_\n\n".encode(), unparsed=True)
    assert parser.parse(odd, threads=1).heads.tolist() == [0]
    assert len(parser.parse(odd[:0], threads=1)) == 0


def test_a_dev_set_chooses_the_epoch_and_settles_weights_and_prices(treebank: npj.Treebank) -> None:
    dev = npj.Treebank(sentence for _ in range(2) for sentence in treebank)
    assert len(dev) >= LEAST_SENTENCES
    parser = npj.Parser.train(treebank, dev, options=SMALL, epochs=2, threads=1)
    assert all([score.name for score in epoch.scores] == ["UAS", "LAS"] for epoch in parser.epochs)
    projective = parser.restricted("Pr").parse(dev, threads=1)
    assert parser.priced(projective, threads=1).options["within"] == "Pr"


def broken(tmp_path: Path, parser: npj.Parser, change: Any) -> Path:
    """A file in which something was changed and which is whole otherwise."""
    parser.save(tmp_path / "m")
    header, arrays = read_container(tmp_path / "m")
    arrays = {name: np.array(array) for name, array in arrays.items()}
    change(header, arrays)
    write_container(tmp_path / "broken", header, arrays)
    return tmp_path / "broken"


def _cut(header: Any, arrays: Any) -> None:
    arrays["network"] = arrays["network"][:-8]


def _none(header: Any, arrays: Any) -> None:
    del arrays["network"]


def _larger(header: Any, arrays: Any) -> None:
    header["options"]["hidden"] = 13


def _huge(header: Any, arrays: Any) -> None:
    header["options"]["hidden"] = 10**9


def _infinite(header: Any, arrays: Any) -> None:
    arrays["network"][-4:] = 255


def _immense(header: Any, arrays: Any) -> None:
    arrays["network"][-4:] = np.frombuffer(np.float32(1e30).tobytes(), np.uint8)


def _alphabet(header: Any, arrays: Any) -> None:
    header["alphabets"]["characters"] = 5


def _no_linear(header: Any, arrays: Any) -> None:
    del arrays["linear.tree.marks"]


def _weights(header: Any, arrays: Any) -> None:
    header["weights"] = [1.0, float("nan")]


@pytest.mark.parametrize("change", [_cut, _none, _larger, _huge, _infinite, _immense, _alphabet, _no_linear, _weights])
def test_a_broken_file_is_an_error(change: Any, parser: npj.Parser, tmp_path: Path) -> None:
    with pytest.raises(NonprojError, match="cannot be used as a model"):
        npj.Parser.load(broken(tmp_path, parser, change))


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nonproj", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def test_the_commands(tmp_path: Path, treebank: npj.Treebank) -> None:
    (tmp_path / "t.conllu").write_bytes(bytes(treebank))
    small = ("--hidden", "8", "--layers", "1", "--epochs", "1", "--threads", "1", "--parser", "neural")
    trained = run("train", str(tmp_path / "t.conllu"), "-o", str(tmp_path / "m"), *small, "--steps", "parse")
    assert trained.returncode == 0, trained.stderr
    assert "epoch  1" in trained.stderr
    parsed = run("parse", str(tmp_path / "m"), str(tmp_path / "t.conllu"), "--within", "1EC", "--threads", "1")
    assert parsed.returncode == 0, parsed.stderr
    assert len(npj.read(parsed.stdout.encode())) == len(treebank)
    wrong = run("train", str(tmp_path / "t.conllu"), "-o", str(tmp_path / "m"), *small, "--beam", "3")
    assert wrong.returncode == 2
    assert "--beam has no meaning for --parser neural" in wrong.stderr


def test_without_torch_it_says_what_to_install(tmp_path: Path, parser: npj.Parser, treebank: npj.Treebank) -> None:
    (tmp_path / "hidden" / "torch").mkdir(parents=True)
    (tmp_path / "hidden" / "torch" / "__init__.py").write_text("raise ImportError('no torch here')")
    (tmp_path / "t.conllu").write_bytes(bytes(treebank))
    parser.save(tmp_path / "m")
    for arguments in (
        ("parse", str(tmp_path / "m"), str(tmp_path / "t.conllu")),
        ("train", str(tmp_path / "t.conllu"), "-o", str(tmp_path / "n"), "--parser", "neural"),
    ):
        found = run(*arguments, PYTHONPATH=str(tmp_path / "hidden"))
        assert found.returncode == 2
        assert "pip install 'nonproj[neural]'" in found.stderr
        assert "Traceback" not in found.stderr
