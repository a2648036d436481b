"""Networks that predict tags and lemmas with the tree, so that words are enough."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import nonproj as npj
from nonproj.cli import cli
from nonproj.errors import NonprojError
from nonproj.parser.container import read_container, write_container

pytest.importorskip("torch", reason="needs torch: pip install 'nonproj[neural]'")
pytest.importorskip("safetensors", reason="needs safetensors: pip install 'nonproj[neural]'")

from nonproj.neural.tags import TagSet

OPTIONS = npj.NeuralOptions(hidden=24, layers=1, words=30, rate=0.02, dropout=0.0, joint=True)
COLUMNS = ("lemma", "upos", "xpos", "feats")


@pytest.fixture(scope="module")
def treebank() -> npj.Treebank:
    """Sentences with all four columns."""
    few = npj.example_treebank()[:20]
    upos = few.column("upos")
    endings = [form[-1] for form in few.column("form")]
    return few.with_columns(
        xpos=[tag[:1] for tag in upos],
        feats=[
            f"End={end}|Tag={tag}" if tag in ("NOUN", "VERB") else "_" for end, tag in zip(endings, upos, strict=True)
        ],
    )


@pytest.fixture(scope="module")
def words(treebank: npj.Treebank) -> npj.Treebank:
    return treebank.with_columns(**{name: ["_"] * len(treebank.heads) for name in COLUMNS})


@pytest.fixture(scope="module")
def pipeline(treebank: npj.Treebank) -> npj.Pipeline:
    return npj.Pipeline.train(treebank, options=OPTIONS, epochs=18, threads=1)


def share(found: npj.Treebank, gold: npj.Treebank, column: str) -> float:
    return float(np.mean([a == b for a, b in zip(found.column(column), gold.column(column), strict=True)]))


def test_words_are_enough(pipeline: npj.Pipeline, treebank: npj.Treebank, words: npj.Treebank) -> None:
    assert pipeline.tagger is None
    assert pipeline.parser is not None
    assert repr(pipeline) == "<Pipeline: tokens, tags (lemma, upos, xpos, feats), parse>"
    found = pipeline.parser.parse(words, threads=1)
    assert [share(found, treebank, name) > 0.9 for name in COLUMNS] == [True] * 4
    assert (found.heads == treebank.heads).mean() > 0.8
    assert pipeline.parser.misfits(words) == []
    streamed = b"".join(pipeline.parse_stream(bytes(words), kind="conll", threads=1))
    assert streamed == bytes(found)


def test_raw_text(pipeline: npj.Pipeline, treebank: npj.Treebank) -> None:
    told: list[str] = []
    text = " ".join(treebank[0].forms).encode()
    parsed = npj.read(b"".join(pipeline.parse_stream(text, kind="text", threads=1, tell=told.append)))
    assert set(parsed[0].upos) <= {*treebank.column("upos")}
    assert "lemma, upos, xpos, feats" in told[0]


def test_what_is_there_is_kept_and_heeded(pipeline: npj.Pipeline, treebank: npj.Treebank, words: npj.Treebank) -> None:
    wrong = ["NOUN"] * len(words.heads)
    given = words.with_columns(upos=wrong)
    parser = pipeline.parser
    assert parser is not None
    found = parser.parse(given, threads=1)
    assert found.column("upos") == wrong
    assert set(found.column("xpos")) == {"N"}  # of the tags that agree
    strange = parser.parse(words.with_columns(upos=["?"] * len(wrong)), threads=1)
    assert set(strange.column("upos")) == {"?"}
    assert share(strange, treebank, "xpos") > 0.9  # none agrees, so all may be
    whole = parser.parse(treebank, threads=1)
    assert [whole.column(name) == treebank.column(name) for name in COLUMNS] == [True] * 4
    tail = b"# behind the last sentence\n"
    anew = b"".join(pipeline.parse_stream(bytes(given) + tail, kind="conll", retag=True, threads=1))
    assert anew == bytes(parser.parse(words, threads=1)) + tail


def test_the_same_after_saving_and_loading(pipeline: npj.Pipeline, words: npj.Treebank, tmp_path: Path) -> None:
    pipeline.save(tmp_path / "m")
    loaded = npj.Pipeline.load(tmp_path / "m")
    assert repr(loaded) == repr(pipeline)
    assert loaded.parser is not None
    assert pipeline.parser is not None
    assert bytes(loaded.parser.parse(words, threads=1)) == bytes(pipeline.parser.parse(words, threads=1))
    assert loaded.parser.restricted("Pr").predicted_columns == list(COLUMNS)


def test_scores_are_those_of_the_parse(pipeline: npj.Pipeline, words: npj.Treebank) -> None:
    assert pipeline.parser is not None
    sentence = words[3]
    parts: dict[str, Any] = pipeline.parser.part_scores(sentence)
    best = npj.decode(pipeline.parser.scores(sentence), single_root=True, **parts)
    assert best.heads.tolist() == list(pipeline.parser.parse([sentence], threads=1)[0].heads)


def test_tags_that_were_not_seen_are_no_lesson_and_no_answer(treebank: npj.Treebank) -> None:
    tags = TagSet.of(treebank[:10], COLUMNS)
    numbers, rules = tags.numbered(treebank)
    assert (numbers[: treebank.offsets[10]] >= 0).all()
    assert (numbers[treebank.offsets[10] :] < 0).any()
    # Each part of a tag is there once, and a tag is at least itself, its UPOS and its XPOS.
    assert (tags.parts.sum(0) >= 3).all()
    assert (tags.parts.sum(1) >= 1).all()
    gold = tags.cells(treebank, np.maximum(numbers, 0), np.maximum(rules, 0)[:, None], COLUMNS)
    known = (numbers >= 0) & (rules >= 0)
    for name in COLUMNS:
        assert [cell for cell, is_known in zip(gold[name], known, strict=True) if is_known] == [
            cell for cell, is_known in zip(treebank.column(name), known, strict=True) if is_known
        ]


def test_a_rule_that_does_not_fit_gives_way(treebank: npj.Treebank) -> None:
    tags = TagSet(["lemma"], ["_\t_\t_"], ["0\t9\t\t9\t", "0\t0\t\t1\t"])
    two = npj.read(b"1\tab\t_\t_\t_\t_\t0\t_\t_\t_\n2\ta\t_\t_\t_\t_\t1\t_\t_\t_\n\n")
    found = tags.cells(two, np.zeros(2, np.int64), np.array([[0, 1], [0, 0]]), ["lemma"])
    assert found == {"lemma": ["a", "a"]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tags", ["NOUN"]),
        ("tags", ["A\t_\t_"] * 2),
        ("tags", ["A\t_\t_\n"]),
        ("tags", []),
        ("rules", ["no rule"]),
        ("columns", ["form"]),
        ("columns", 3),
    ],
)
def test_damaged_tags(name: str, value: Any, pipeline: npj.Pipeline, tmp_path: Path) -> None:
    pipeline.save(tmp_path / "m")
    header, arrays = read_container(tmp_path / "m")
    header["alphabets"]["tags"][name] = value
    write_container(tmp_path / "broken", header, {key: np.array(array) for key, array in arrays.items()})
    with pytest.raises(NonprojError, match="cannot be used as a model"):
        npj.Pipeline.load(tmp_path / "broken")


def test_without_tags_there_is_nothing_to_predict(words: npj.Treebank) -> None:
    with pytest.raises(NonprojError, match="no tags and no lemmas"):
        npj.Parser.train(words, options=OPTIONS, epochs=1, threads=1)


def test_the_linear_parser_learns_from_predicted_tags(treebank: npj.Treebank, words: npj.Treebank) -> None:
    common: dict[str, Any] = {"options": OPTIONS, "epochs": 1, "threads": 1}
    gold = npj.Parser.train(treebank, **common)
    blind = npj.Parser.train(treebank, predicted=words, **common)
    assert (gold._arrays["network"] == blind._arrays["network"]).all()
    assert len(gold._arrays["linear.tree.values"]) > len(blind._arrays["linear.tree.values"])


def test_the_command(treebank: npj.Treebank, words: npj.Treebank, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_bytes(bytes(treebank))
    (tmp_path / "words.conllu").write_bytes(bytes(words))
    small = ("--hidden", "8", "--layers", "1", "--epochs", "1", "--threads", "1", "--parser", "neural", "--joint")
    trained = CliRunner().invoke(cli, ["train", str(tmp_path / "t.conllu"), "-o", str(tmp_path / "m"), *small])
    assert trained.exit_code == 0, trained.output
    assert "tags (lemma, upos, xpos, feats)" in trained.output
    parsed = CliRunner().invoke(cli, ["parse", str(tmp_path / "m"), str(tmp_path / "words.conllu"), "--threads", "1"])
    assert parsed.exit_code == 0, parsed.output
    assert "_" not in npj.read(parsed.stdout.encode()).column("upos")
