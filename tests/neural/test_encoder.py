"""Pretrained encoders under the neural parser, tried with tiny ones that are made here."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import nonproj as npj
from nonproj.cli import cli
from nonproj.errors import NonprojError
from nonproj.parser import training
from nonproj.parser.container import read_container, write_container

pytest.importorskip("torch", reason="needs torch: pip install 'nonproj[neural]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'nonproj[neural]'")

import tokenizers
import torch
import transformers
from tokenizers import models, pre_tokenizers, processors

from nonproj.neural.alphabets import Alphabets, coded
from nonproj.neural.encoder import Encoder
from nonproj.neural.learning import Learning, Loss, Pace
from nonproj.neural.network import Network, Sizes

POSITIONS = 12
CPU = torch.device("cpu")
transformers.utils.logging.disable_progress_bar()


@pytest.fixture(scope="module", autouse=True)
def _offline() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield


@pytest.fixture(scope="module")
def treebank() -> npj.Treebank:
    return npj.example_treebank()[:16]


def saved(folder: Path, tokenizer: Any, model: Any, **special: str) -> str:
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)
    model.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT of one layer, with all letters of the sample treebank, alone and as pieces, and some endings."""
    letters = sorted({letter for form in npj.example_treebank().column("form") for letter in form})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters), "##ing", "##en"]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = tokenizers.Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=POSITIONS,
        initializer_range=0.5,
    )
    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return saved(tmp_path_factory.mktemp("tiny"), tokenizer, transformers.BertModel(config), **special)


@pytest.fixture(scope="module")
def byte_level(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A RoBERTa, whose pieces are bytes and whose positions begin behind the padding."""
    letters = pre_tokenizers.ByteLevel.alphabet()
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *sorted(letters)]
    model = models.BPE({piece: number for number, piece in enumerate(pieces)}, [], unk_token="<unk>")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    config = transformers.RobertaConfig(
        vocab_size=len(pieces),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=POSITIONS,
        pad_token_id=1,
    )
    special = {"unk_token": "<unk>", "pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>"}
    return saved(tmp_path_factory.mktemp("bytes"), tokenizer, transformers.RobertaModel(config), **special)


def options(encoder: str, **given: Any) -> npj.NeuralOptions:
    settled = {"hidden": 12, "layers": 1, "words": 100, "rate": 0.02, "linear": False, **given}
    return npj.NeuralOptions(encoder=encoder, **settled)


@pytest.fixture(scope="module")
def parser(tiny: str, treebank: npj.Treebank) -> npj.Parser:
    return npj.Parser.train(treebank, options=options(tiny), epochs=2, threads=1)


def vectors(encoder: Encoder, sentences: list[list[str]]) -> list[np.ndarray]:
    spelt = sorted({form for sentence in sentences for form in sentence})
    forms = torch.zeros(len(sentences), max(map(len, sentences)), dtype=torch.long)
    for row, sentence in enumerate(sentences):
        forms[row, : len(sentence)] = torch.tensor([spelt.index(form) for form in sentence])
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    with torch.inference_mode():
        found = encoder.eval()(spelt, forms, lengths).numpy()
    return [row[: len(sentence)] for row, sentence in zip(found, sentences, strict=True)]


def test_a_word_is_the_mean_of_its_pieces_as_the_model_itself_has_them(tiny: str) -> None:
    sentence = ["is", "a", "on"]
    tokenizer, model = (kind.from_pretrained(tiny) for kind in (transformers.AutoTokenizer, transformers.AutoModel))
    given = tokenizer(sentence, is_split_into_words=True, return_tensors="pt")
    with torch.inference_mode():
        states = model.eval()(**given).last_hidden_state[0].numpy()
    words = given.word_ids(0)
    expected = [states[[k for k, own in enumerate(words) if own == word]].mean(0) for word in range(len(sentence))]
    assert len(words) > len(sentence) + 2
    encoder = Encoder.pretrained(tiny)
    assert vectors(encoder, [sentence])[0] == pytest.approx(np.array(expected), abs=1e-5)
    # Nor does it matter what else is in the batch.
    beside = vectors(encoder, [["today", "a", "hearing", "is", "scheduled"], sentence])[1]
    assert beside == pytest.approx(np.array(expected), abs=1e-5)


def test_long_sentences_are_read_in_windows(tiny: str) -> None:
    encoder = Encoder.pretrained(tiny)
    window = POSITIONS - 2
    assert encoder.description.window == window
    letters = list("abcdehinorstabcdehinorst")  # of one piece each
    found = vectors(encoder, [letters])[0]
    begins = [0, 5, 10, 14]
    assert begins[-1] + window == len(letters)
    parts = [vectors(encoder, [letters[begin : begin + window]])[0] for begin in begins]
    for place in range(len(letters)):
        offered = [(abs(begin + (window - 1) / 2 - place), k) for k, begin in enumerate(begins)]
        nearest = min(offered)[1]
        assert found[place] == pytest.approx(parts[nearest][place - begins[nearest]], abs=1e-5)


def test_a_form_without_pieces_and_one_of_very_many(tiny: str) -> None:
    encoder = Encoder.pretrained(tiny)
    assert encoder.pieces(["\u200d", "\U0001f642"]) == [[1], [1]]
    assert len(encoder.pieces(["s" * 90])[0]) == 24
    assert np.isfinite(vectors(encoder, [["s" * 90] * 3])[0]).all()


def test_bytes_with_a_space_before_each_word_and_positions_behind_the_padding(byte_level: str) -> None:
    encoder = Encoder.pretrained(byte_level)
    assert encoder.description.window == POSITIONS - 2 - 2
    tokenizer = transformers.AutoTokenizer.from_pretrained(byte_level)
    assert encoder.pieces(["on"])[0] == tokenizer(" on", add_special_tokens=False).input_ids
    assert np.isfinite(vectors(encoder, [["word", "by", "word"], ["on"]])[0]).all()


@pytest.mark.parametrize("layers", [0, 1])
def test_a_parser_needs_nothing_but_its_file(layers: int, tiny: str, treebank: npj.Treebank, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "encoder")
    given = options(str(tmp_path / "encoder"), layers=layers)
    parser = npj.Parser.train(treebank, options=given, epochs=2, threads=1, save_as=tmp_path / "m")
    shutil.rmtree(tmp_path / "encoder")
    loaded = npj.Parser.load(tmp_path / "m")
    assert bytes(loaded.parse(treebank, threads=1)) == bytes(parser.parse(treebank, threads=1))
    assert bytes(loaded.restricted("Pr").parse(treebank[:5], threads=1)) != b""
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    # JSON, and safetensors: nothing to unpickle, and no trace of where the encoder lay but its name.
    header, arrays = read_container(tmp_path / "m")
    assert json.loads(header["encoder"]["tokenizer"])["model"]["type"] == "WordPiece"
    assert "words.encoder.model.embeddings.word_embeddings.weight" in arrays["network"].tobytes()[:20_000].decode(
        errors="replace"
    )
    assert str(tmp_path) not in json.dumps(header["encoder"])


def test_the_encoder_learns_by_a_smaller_rate(tiny: str, treebank: npj.Treebank) -> None:
    alphabets = Alphabets.of(treebank)
    encoder = Encoder.pretrained(tiny)
    before = encoder.model.embeddings.word_embeddings.weight.detach().clone()
    network = Network(alphabets, 0, Sizes(hidden=8, layers=1), encoder)
    learning = Learning(network, Loss(), Pace(3, rate=0.01, encoder_rate=0.0001), 1, CPU)
    for epoch in range(3):
        learning.epoch(coded(treebank, alphabets, []), np.arange(len(treebank)), epoch, lambda done: None)
    others, own = learning._optimizer.param_groups
    assert own["lr"] == pytest.approx(others["lr"] / 100)
    assert len(own["params"]) == len(list(encoder.parameters()))
    moved = (encoder.model.embeddings.word_embeddings.weight - before).abs().max().item()
    assert 0 < moved < 0.01


def test_it_learns_without_a_bilstm(tiny: str, treebank: npj.Treebank) -> None:
    given = options(tiny, layers=0, dropout=0.0, words=20, encoder_rate=0.002)
    parser = npj.Parser.train(treebank, options=given, epochs=8, threads=1)
    assert parser.epochs[-1].loss < 0.5 * parser.epochs[0].loss


def test_the_same_weights_after_an_interruption(
    tiny: str, treebank: npj.Treebank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SECONDS_BETWEEN_CHECKPOINTS", 0)
    common: dict[str, Any] = {"options": options(tiny), "epochs": 3, "threads": 1}
    npj.Parser.train(treebank, save_as=tmp_path / "whole", **common)

    class Stopped(Exception):
        pass

    def stop(epoch: npj.parser.Epoch) -> None:
        if epoch.number == 2:
            raise Stopped

    with pytest.raises(Stopped):
        npj.Parser.train(treebank, checkpoint=tmp_path / "checkpoint", report=stop, **common)
    npj.Parser.train(treebank, checkpoint=tmp_path / "checkpoint", save_as=tmp_path / "resumed", **common)
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_what_is_no_encoder(tiny: str, treebank: npj.Treebank, tmp_path: Path) -> None:
    with pytest.raises(NonprojError, match="no encoder can be loaded"):
        npj.Parser.train(treebank, options=options(str(tmp_path / "nowhere")), epochs=1)
    shutil.copytree(tiny, tmp_path / "pickled")
    (tmp_path / "pickled" / "model.safetensors").unlink()
    torch.save(transformers.AutoModel.from_pretrained(tiny).state_dict(), tmp_path / "pickled" / "pytorch_model.bin")
    with pytest.raises(NonprojError, match=r"model\.safetensors"):
        npj.Parser.train(treebank, options=options(str(tmp_path / "pickled")), epochs=1)
    shutil.copytree(tiny, tmp_path / "coded")
    config = json.loads((tmp_path / "coded" / "config.json").read_text())
    config |= {"model_type": "unheard-of", "auto_map": {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"}}
    (tmp_path / "coded" / "config.json").write_text(json.dumps(config))
    (tmp_path / "coded" / "evil.py").write_text("raise SystemExit('run')")
    with pytest.raises(NonprojError, match="no encoder can be loaded"):
        npj.Parser.train(treebank, options=options(str(tmp_path / "coded")), epochs=1)
    with pytest.raises(NonprojError, match="there must be an encoder"):
        npj.NeuralOptions(layers=0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("config", {"model_type": "bert", "hidden_size": 17}),
        ("config", {"model_type": "no such"}),
        ("config", {}),
        ("tokenizer", "{}"),
        ("tokenizer", 5),
        ("window", 1),
        ("before", ["x"]),
        ("unknown", -1),
    ],
)
def test_a_damaged_description(name: str, value: Any, parser: npj.Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "m")
    header, arrays = read_container(tmp_path / "m")
    header["encoder"][name] = value
    write_container(tmp_path / "broken", header, {key: np.array(array) for key, array in arrays.items()})
    with pytest.raises(NonprojError, match="cannot be used as a model"):
        npj.Parser.load(tmp_path / "broken")


def test_the_command_and_what_it_says_without_transformers(
    tiny: str, treebank: npj.Treebank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.conllu").write_bytes(bytes(treebank))
    small = ("--hidden", "8", "--layers", "0", "--epochs", "1", "--threads", "1", "--alone", "--steps", "parse")
    train = ("train", str(tmp_path / "t.conllu"), "-o", str(tmp_path / "m"), "--replace", "--parser", "neural", *small)
    parse = ("parse", str(tmp_path / "m"), str(tmp_path / "t.conllu"), "--threads", "1")

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(cli, arguments)

    trained = run(*train, "--encoder", tiny)
    assert trained.exit_code == 0, trained.output
    assert "Loading" not in trained.output
    parsed = run(*parse)
    assert parsed.exit_code == 0, parsed.output
    assert len(npj.read(parsed.stdout.encode())) == len(treebank)
    monkeypatch.setitem(sys.modules, "transformers", None)
    for found in (run(*train, "--encoder", tiny), run(*parse)):
        assert isinstance(found.exception, NonprojError)
        assert "needs transformers: pip install 'nonproj[neural]'" in str(found.exception)
