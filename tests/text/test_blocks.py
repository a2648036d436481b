"""What a pipeline does not predict stays as it is byte for byte, wherever the blocks of its input end."""

import io
from collections.abc import Iterator
from typing import IO, cast

import pytest

import nonproj as npj
from nonproj.text import Pipeline, sources

FEATS, HEAD, DEPREL = 5, 6, 7
COLUMNS = {"lemma": 2, "upos": 3, "feats": FEATS}


def rows(*cells: str) -> str:
    return "\n".join("\t".join(each.split()) for each in cells) + "\n\n"


def clause(noun: str, verb: str) -> str:
    return rows(
        "1 The the DET _ _ 2 det _ _",
        f"2 {noun}s {noun} NOUN _ Number=Plur 3 nsubj _ _",
        f"3 {verb} {verb} VERB _ _ 0 root _ SpaceAfter=No",
        "4 . . PUNCT _ _ 3 punct _ _",
    )


TREEBANK = "".join(clause(noun, verb) for noun in ("dog", "cat", "cow") for verb in ("bark", "run", "eat")).encode()
BEGINNING = "# newdoc\n# text = The dogs bark.\n" + clause("dog", "bark")
REST = (
    "# a comment\n"
    + rows(
        "1-2 du _ _ _ _ _ _ _ SpaceAfter=No",
        "1 de de ADP _ _ 0 root 0:root Ä=ä",
        "2 le le DET _ Gender=Masc 1 det _ _",
        "2.1 x x X _ _ _ _ 1:dep _",
    )
    + rows("1 \ufeffx y X _ A=b 0 root _ \ufeff")
    + "# at the end\n"
)


@pytest.fixture(scope="module")
def models() -> dict[str, Pipeline]:
    """Models of all the steps that there are together; a parser with tags, and one that never saw any."""
    whole = Pipeline.train(TREEBANK, epochs=1, threads=1)
    treebank = npj.read(TREEBANK)
    nothing = ["_"] * len(treebank.heads)
    bare = npj.Parser.train(treebank.with_columns(lemma=nothing, upos=nothing, feats=nothing), epochs=1, threads=1)
    tokenizer, tagger, parser = whole.tokenizer, whole.tagger, whole.parser
    return {
        "tokens": Pipeline(tokenizer, None, None),
        "tags": Pipeline(None, tagger, None),
        "parse": Pipeline(None, None, parser),
        "tokens, tags": Pipeline(tokenizer, tagger, None),
        "tokens, parse": Pipeline(tokenizer, None, bare),
        "tags, parse": Pipeline(None, tagger, parser),
        "tokens, tags, parse": whole,
    }


MODELS = ("tokens", "tags", "parse", "tokens, tags", "tokens, parse", "tags, parse", "tokens, tags, parse")


class Pipe:
    """A file that gives one of these blocks at a time."""

    def __init__(self, blocks: list[bytes]) -> None:
        self.name, self._blocks = "blocks", iter(blocks)

    def read(self, size: int = -1) -> bytes:
        return next(filter(None, self._blocks), b"")


def pipe(blocks: list[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", Pipe(blocks))


def cut_by(text: bytes, first: int, sizes: tuple[int, ...]) -> Iterator[list[bytes]]:
    """The beginning of a text and the rest in blocks of each size, then cut once at each byte."""
    for size in sizes:
        yield [text[:first], *(text[at : at + size] for at in range(first, len(text), size))]
    for at in range(first + 1, len(text)):
        yield [text[:at], text[at:]]


def without(names: list[str], text: bytes) -> bytes:
    """The text of a treebank with these columns empty in all words."""
    return with_cells(text, {COLUMNS[name]: "_" for name in names})


def with_cells(text: bytes, cells: dict[int, str]) -> bytes:
    lines = []
    for line in text.decode().split("\n"):
        columns = line.split("\t")
        if len(columns) == 10 and columns[0].removeprefix("\ufeff").isdigit():
            for at, cell in cells.items():
                columns[at] = cell
        lines.append("\t".join(columns))
    return "\n".join(lines).encode()


FORMS = {
    "as usual": lambda text: text,
    "Windows lines": lambda text: text.replace("\n", "\r\n"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "many empty lines": lambda text: text.replace("\n\n", "\n\n\n"),
    "no end": lambda text: text.removesuffix("\n\n# at the end\n"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("absent", [[], ["feats"], ["lemma", "upos", "feats"]], ids=str)
def test_what_is_not_predicted_is_the_same_bytes(
    models: dict[str, Pipeline], form: str, model: str, absent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = models[model]
    first, text = (without(absent, FORMS[form](each).encode()) for each in (BEGINNING, BEGINNING + REST))
    first = text[: len(first)]
    monkeypatch.setattr(sources, "BEGINNING", len(first))  # a longer beginning is one block
    if model == "parse" and len(absent) == 3:
        with pytest.raises(npj.NonprojError, match="has no tags, the parser was trained with them"):
            b"".join(pipeline.parse_stream(pipe([text])))
        return
    predicted = [*(absent if "tags" in model else []), *(["heads"] if "parse" in model else [])]
    hidden = {COLUMNS[name]: "?" for name in predicted if name != "heads"}
    hidden |= {HEAD: "?", DEPREL: "?"} if "heads" in predicted else {}
    found = set()
    for blocks in cut_by(text, len(first), (1, 2, 3, 7, len(text))):
        assert b"".join(blocks) == text
        found.add(b"".join(pipeline.parse_stream(pipe(blocks), threads=1)))
    (answer,) = found  # blocks do not matter
    assert with_cells(answer, hidden) == with_cells(text, hidden)
    if predicted and absent != ["feats"]:
        assert answer != text


@pytest.mark.parametrize("model", ["tokens", "tags", "tokens, tags"])
def test_sources_are_an_empty_line_apart_and_have_one_byte_order_mark(
    models: dict[str, Pipeline], model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BEGINNING", len(BEGINNING.encode()))
    for form, gap in (("as usual", ""), ("no end", "\n\n"), ("Windows lines", ""), ("a byte order mark", "")):
        text = FORMS[form](BEGINNING + REST.removesuffix("# at the end\n")).removesuffix("\n\n" if gap else "")
        files = [pipe([bytes([byte]) for byte in text.encode()]) for _ in range(3)]
        again = text.removeprefix("\ufeff")
        answer = b"".join(models[model].parse_stream(files))
        assert answer.decode() == text + gap + again + gap + again


def test_a_treebank_of_many_blocks_is_not_changed(models: dict[str, Pipeline]) -> None:
    text = TREEBANK * 2000
    assert len(text) > 2 * sources.BEGINNING
    assert b"".join(models["tokens"].parse_stream(io.BytesIO(text))) == text


@pytest.mark.parametrize("model", ["tags", "tokens, tags", "tags, parse", "tokens, tags, parse"])
def test_columns_that_come_late_are_kept_also_from_a_slow_pipe(models: dict[str, Pipeline], model: str) -> None:
    # The first sentence has no features, and those of the others are none that the tagger would give.
    bare = rows("1 Run run VERB _ _ 0 root _ _").encode()
    marked = TREEBANK.replace(b"Number=Plur", b"Number=Other")
    for text in (bare + marked, bare + marked + bare + marked):
        for size in (1, 6, len(bare), len(text)):
            blocks = pipe([text[at : at + size] for at in range(0, len(text), size)])
            answer = b"".join(models[model].parse_stream(blocks))
            assert answer.count(b"Number=Other") == text.count(b"Number=Other")
            assert b"Number=Plur" not in answer


@pytest.mark.parametrize("model", ["tags", "tokens, tags, parse"])
def test_what_comes_after_the_beginning_is_kept_sentence_by_sentence(
    models: dict[str, Pipeline], model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a column is predicted, the sentences that have it are the same bytes, and the others get it."""
    empty = with_cells(TREEBANK, {FEATS: "_", COLUMNS["lemma"]: "_"})
    lemmas = with_cells(TREEBANK.replace(b"\tdog\t", b"\thound\t"), {FEATS: "_"})
    other = TREEBANK.replace(b"Number=Plur", b"Number=Other").replace(b"\tdog\t", b"\thound\t")
    parts = [empty, other, lemmas, empty, other, empty]
    text = b"".join(parts)
    monkeypatch.setattr(sources, "BEGINNING", len(empty))
    hidden = {HEAD: "?", DEPREL: "?"} if "parse" in model else {}
    for size in (50, 333, len(text)):
        first = [text[: len(empty)]]
        blocks = [*first, *(text[at : at + size] for at in range(len(empty), len(text), size))]
        answer = with_cells(b"".join(models[model].parse_stream(pipe(blocks))), hidden)
        whole, given = with_cells(TREEBANK, hidden), with_cells(other, hidden)
        assert answer == b"".join([whole, given, given.replace(b"Number=Other", b"Number=Plur"), whole, given, whole])
    retagged = b"".join(models[model].parse_stream(pipe([text]), retag=True))
    assert b"hound" not in retagged
    assert b"Other" not in retagged
