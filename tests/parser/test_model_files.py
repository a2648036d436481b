"""Model files of strangers: whole files with weights that nobody learnt, and files with a bit changed."""

import pathlib
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import nonproj as npj
from nonproj import NonprojError, _core
from nonproj.parser.container import MAGIC, VERSION, read_container, write_container
from nonproj.parser.learner import TransitionStage
from nonproj.parser.options import Schedule
from nonproj.parser.training import silent

Content = tuple[dict[str, Any], dict[str, np.ndarray]]

HOSTILE = (np.nan, np.inf, -np.inf, 3e38, -3e38, 1e30, 3.6e36, 1.01e6)
"""Weights that no training makes; nor is a weight of more than a million."""


def sentences(count: int) -> npj.Treebank:
    """The sample, over and over, as long as it takes."""
    sample = npj.example_treebank()
    return sum([sample] * (count // len(sample) + 1), start=sample[:0])[:count]


@pytest.fixture(scope="module", params=["graph", "network", "transition", "beam", "tokens,tags"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The file of a model of each kind, small and whole."""
    path = tmp_path_factory.mktemp("models") / "m"
    common: dict[str, Any] = {"epochs": 1, "threads": 1, "save_as": path}
    options: dict[str, npj.GraphOptions | npj.TransitionOptions] = {
        "graph": npj.GraphOptions(network=0),
        "network": npj.GraphOptions(network=16),
        "transition": npj.TransitionOptions(),
        "beam": npj.TransitionOptions(beam=3),
    }
    if request.param in options:
        npj.Parser.train(sentences(20), options=options[request.param], **common)
    else:
        npj.Pipeline.train(sentences(120), steps=request.param, **common)
    return path


def content(path: pathlib.Path) -> Content:
    """What a file keeps, to be changed."""
    header, arrays = read_container(path)
    return header, {name: np.array(array) for name, array in arrays.items()}


def test_weights_that_nobody_learnt_are_refused(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    header, arrays = content(path)
    weights = [name for name, array in arrays.items() if array.dtype == np.float32 and len(array)]
    assert weights
    for name in weights:
        for number, weight in enumerate(HOSTILE):
            changed = arrays[name].copy()
            changed[number % len(changed)] = weight
            write_container(tmp_path / "m", header, {**arrays, name: changed})
            with pytest.raises(NonprojError, match="the weights are damaged"):
                npj.Pipeline.load(tmp_path / "m")


def test_the_largest_weights_make_a_model(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """What is within the bounds is parsed with, by legal transitions and climbs that end."""
    header, arrays = content(path)
    draws = np.random.default_rng(1)
    for name, array in arrays.items():
        if array.dtype == np.float32:
            arrays[name] = (draws.choice([-1, 1], len(array)) * _core.LARGEST_WEIGHT).astype(np.float32)
    write_container(tmp_path / "m", header, arrays)
    model = npj.Pipeline.load(tmp_path / "m")
    sample = npj.example_treebank()
    if model.parser is not None:
        assert len(model.parser.parse(sample, threads=1)) == len(sample)
    else:
        assert len(model("A hearing is scheduled. It is on the issue today.")) > 0


def test_integer_weights_that_are_too_large_are_refused(tmp_path: pathlib.Path) -> None:
    npj.Pipeline.train(sentences(20), steps="tags", epochs=1, threads=1).save(tmp_path / "m")
    header, arrays = content(tmp_path / "m")
    for weight in (4096, -4096, 32767, -32768):
        changed = arrays["tagger.tag.values"].copy()
        changed[3] = weight
        write_container(tmp_path / "changed", header, {**arrays, "tagger.tag.values": changed})
        with pytest.raises(NonprojError, match="the weights are damaged"):
            npj.Pipeline.load(tmp_path / "changed")


@pytest.mark.parametrize("price", ["nan", "inf", "-inf", "-1"])
def test_prices_that_are_none_are_refused(price: str, tmp_path: pathlib.Path) -> None:
    options = npj.GraphOptions(within="Pr:0,spanning:2")
    npj.Parser.train(sentences(20), options=options, epochs=1, threads=1, save_as=tmp_path / "m")
    header, arrays = content(tmp_path / "m")
    header["options"]["within"] = f"Pr:0,spanning:{price}"
    write_container(tmp_path / "changed", header, arrays)
    with pytest.raises(NonprojError):
        npj.Parser.load(tmp_path / "changed")


@pytest.mark.parametrize("threshold", [float("nan"), float("inf")])
def test_a_threshold_that_is_no_number_is_refused(threshold: float, tmp_path: pathlib.Path) -> None:
    npj.Pipeline.train(sentences(20), steps="tokens", save_as=tmp_path / "m")
    header, arrays = content(tmp_path / "m")
    header["tokenizer"]["end_threshold"] = threshold
    write_container(tmp_path / "changed", header, arrays)
    with pytest.raises(NonprojError, match="threshold"):
        npj.Pipeline.load(tmp_path / "changed")


@pytest.mark.parametrize("system", ["swap", "arc-eager", "covington"])
def test_no_weights_lead_to_an_illegal_transition(system: str) -> None:
    """No model is loaded with weights that are no numbers; a checkpoint may make them, whose sums are not looked at."""
    treebank = npj.example_treebank()
    stage = TransitionStage(treebank, ["dep"], npj.TransitionOptions(system=system), Schedule())
    stage.epoch(0, silent)
    state = stage.state()
    for wrong in (np.nan, np.inf, -np.inf):
        state["0.tree.late_values"] = np.full_like(state["0.tree.late_values"], wrong)
        stage.resume(state)
        block = treebank.block()
        stage._trainer.average(*stage._native).run(block, ["dep"], 1, False)
        heads = block.heads
        sizes = [len(sentence) for sentence in treebank]
        lengths = np.repeat(sizes, sizes)
        assert ((heads >= 0) & (heads <= lengths)).all()


def flips(size: int, header_end: int) -> Iterator[tuple[int, int]]:
    """Bits to change: all before the header, and some of the header, of what follows it, and of the whole."""
    draws = np.random.default_rng(5)
    yield from ((place, bit) for place in range(20) for bit in range(8))
    for begin, end, count in ((20, header_end, 300), (header_end, header_end + 70, 40), (20, size, 60)):
        for place in draws.integers(begin, min(end, size), count).tolist():
            yield place, int(draws.integers(8))


def test_no_bit_of_a_file_changes_unseen(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    whole = path.read_bytes()
    _, _, length, _ = struct.unpack_from("<8sIII", whole)
    changed = bytearray(whole)
    for place, bit in flips(len(whole), 20 + length):
        changed[place] ^= 1 << bit
        (tmp_path / "m").write_bytes(changed)
        with pytest.raises(NonprojError, match=r"damaged|not a nonproj model|a model of version"):
            npj.Pipeline.load(tmp_path / "m")
        changed[place] ^= 1 << bit
    assert changed == whole


def test_a_model_of_the_format_before_is_to_be_trained_anew(tmp_path: pathlib.Path) -> None:
    header = b'{"arrays": {}, "content": "parser"}'
    old = MAGIC + struct.pack("<II", VERSION - 1, len(header)) + header
    (tmp_path / "m").write_bytes(old.ljust(64, b"\0"))
    with pytest.raises(NonprojError, match=f"a model of version {VERSION - 1}, this .*: train it anew"):
        npj.Pipeline.load(tmp_path / "m")
    (tmp_path / "m.checkpoint").write_bytes(old.ljust(64, b"\0"))
    with pytest.raises(NonprojError, match="it is a checkpoint: to start anew, delete it"):
        npj.Parser.train(sentences(5), epochs=1, threads=1, checkpoint=tmp_path / "m.checkpoint")


@pytest.mark.parametrize("train", [npj.Parser.train, npj.Pipeline.train])
def test_a_file_that_is_there_is_not_replaced_by_chance(train: Any, tmp_path: pathlib.Path) -> None:
    (tmp_path / "m").write_bytes(b"precious")

    def learns(*_: Any) -> None:
        raise AssertionError("it began to learn")

    with pytest.raises(NonprojError, match=r"there is a file already, .* --replace"):
        train(sentences(20), epochs=1, threads=1, save_as=tmp_path / "m", progress=learns)
    assert (tmp_path / "m").read_bytes() == b"precious"
    assert [each.name for each in tmp_path.iterdir()] == ["m"]
    train(sentences(20), epochs=1, threads=1, save_as=tmp_path / "m", replace=True)
    assert npj.Pipeline.load(tmp_path / "m").parser is not None
    train(sentences(20), epochs=1, threads=1, save_as="/dev/null")
