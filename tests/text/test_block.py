"""A block is written as it was read, but for what was filled in, and its tokens know where they stood in the text."""

import itertools
from collections.abc import Iterator
from typing import IO, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonproj as npj
from nonproj import _core
from nonproj.text import Pipeline, Tokenizer
from nonproj.text.sources import Kind

TREEBANK = npj.example_treebank()
ROWS = (
    "# a comment\n"
    "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "1\tde\tde\tADP\t_\t_\t0\troot\t0:root\tÄ=ä\n"
    "2\tle\tle\tDET\t_\tGender=Masc\t1\tdet\t_\t_\n"
    "2.1\tx\tx\tX\t_\t_\t_\t_\t1:dep\t_\n\n\n"
    "1\tA\ta\tX\tY\t_\t0\troot\t_\t_\n"
)
FORMS = {
    "as usual": ROWS,
    "Windows lines": ROWS.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + ROWS,
    "no end": ROWS.removesuffix("\n"),
    "twice": ROWS + "\n" + ROWS + "\n",
}
SMALL = Tokenizer.train(TREEBANK, epochs=2)


def written(block: _core.Block) -> bytes:
    return b"".join(block.written())


def cells_of(treebank: npj.Treebank) -> dict[str, list[str]]:
    return {name: treebank.column(name) for name in ("form", "lemma", "upos", "xpos", "feats", "deprel")}


@pytest.mark.parametrize("form", FORMS)
def test_what_was_read_is_written_to_the_byte(form: str) -> None:
    treebank = npj.read(FORMS[form].encode())
    block = treebank.block()
    assert written(block) == FORMS[form].encode()
    for first, last in itertools.combinations(range(len(treebank) + 1), 2):
        assert written(block[first:last]) == bytes(treebank[first:last])
    assert {name: block.column(name) for name in cells_of(treebank)} == cells_of(treebank)
    assert block.heads.tolist() == treebank.heads.tolist()
    assert block.offsets.tolist() == treebank.offsets.tolist()


@pytest.mark.parametrize("form", FORMS)
def test_only_what_is_filled_in_changes(form: str) -> None:
    treebank = npj.read(FORMS[form].encode())
    block = treebank.block()
    last = block[len(block) - 1 :]
    last.fill("upos", ["NEW"] * last.words)
    last.fill_heads(np.array([0, *range(1, last.words)], np.int32))
    last.fill_relations(np.full(last.words, 1, np.int32), ["root", "all"])
    # Of sentences before it the same cells are written anew.
    assert written(block)[: -len(written(last))] == written(treebank.block())[: -len(bytes(treebank[-1:]))]
    found = npj.read(written(last))
    assert found.column("upos") == ["NEW"] * last.words
    assert found.column("deprel") == ["all"] * last.words
    for name in ("form", "lemma", "xpos", "feats", "deps", "misc"):
        assert found.column(name) == treebank[-1:].column(name)


def test_what_does_not_fit_is_refused() -> None:
    block = npj.read(ROWS.encode()).block()
    with pytest.raises(npj.NonprojError, match="got 2 cells for 3 words: give one for every word"):
        block.fill("upos", ["A", "B"])
    with pytest.raises(npj.NonprojError, match="has no column misc"):
        block.column("misc")
    with pytest.raises(npj.NonprojError, match="there is no relation 2"):
        block.fill_relations(np.array([0, 1, 2], np.int32), ["a", "b"])
    block.fill_heads(np.array([2, 1, 0], np.int32))
    with pytest.raises(npj.NonprojError, match="the heads given for sentence 1 are no tree"):
        written(block)
    with pytest.raises(npj.NonprojError, match="read from rows, not from a text"):
        block.tokens  # noqa: B018
    with pytest.raises(npj.NonprojError, match="sentences that follow each other"):
        block[::2]
    broken: list[list[list[str]]] = [[[]], [["a", ""]], [["a\tb"]], [["a\nb"]]]
    for words in broken:
        with pytest.raises(npj.NonprojError, match=r"leave it out|take out tabs"):
            _core.Block.of_words(words)


def test_ready_made_words() -> None:
    sentences = [["New York", "is", "große"], ["Ja"]]
    block = _core.Block.of_words(sentences)
    found = npj.read(written(block), unparsed=True)
    assert [sentence.forms for sentence in found] == sentences
    text = "\n".join(" ".join(words) for words in sentences)
    assert [text[begin:end] for begin, end, _ in block.tokens.tolist()] == ["New York", "is", "große", "Ja"]
    assert b"# text = New York is gro" in written(block)
    assert [block.place(i) for i in range(2)] == [(1, 1), (2, 2)]


def pieces_of(text: bytes, size: int) -> list[bytes]:
    """Pieces of whole characters, about so many bytes each."""
    characters = [each.encode() for each in text.decode()]
    return [b"".join(characters[at : at + size]) for at in range(0, len(characters), size)]


TEXT = "The hearing is scheduled on the issue today. It rains.\n\nA “hearing” – é 𝔸 is.  No?\nYes! I see. " * 3


@pytest.mark.parametrize("size", [1, 7, 50, 10**6])
@pytest.mark.parametrize("may_wait", [False, True])
def test_tokens_know_where_they_stand_in_the_text(size: int, may_wait: bool) -> None:
    """However the text comes, and however early its sentences do."""
    blocks = list(SMALL.blocks(pieces_of(TEXT.encode(), size), may_wait=may_wait))
    assert b"".join(map(written, filter(len, blocks))) == SMALL.cut(TEXT)
    tokens = [token for block in blocks for token in block.tokens.tolist()]
    forms = iter([form for block in blocks for form in block.column("form")])
    for begin, end, count in tokens:
        words = [next(forms) for _ in range(count)]
        assert words == [TEXT[begin:end]] or count > 1
    assert any(count > 1 for _, _, count in tokens)  # "No" is Portuguese too
    assert not list(forms)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(tokens))
    lines = [block.place(i)[0] for block in blocks for i in range(len(block))]
    firsts = []
    for block in blocks:
        words_before = np.cumsum(block.tokens[:, 2]) - block.tokens[:, 2]
        firsts += block.tokens[np.searchsorted(words_before, block.offsets[:-1]), 0].tolist()
    assert lines == [1 + TEXT.count("\n", 0, first) for first in firsts]


@given(st.text(st.sampled_from("ab. \n\r\tÄ,!1"), max_size=60), st.integers(1, 9))
def test_sentences_that_are_known_early_are_those_of_the_whole(text: str, size: int) -> None:
    early = b"".join(written(block) for block in SMALL.blocks(pieces_of(text.encode(), size), may_wait=True))
    assert early == SMALL.cut(text)


def test_a_sentence_comes_as_soon_as_it_is_known() -> None:
    given: list[str] = []

    def pieces() -> Iterator[bytes]:
        for piece in ("It rains. ", "It is late. ", "The issue ", "is scheduled on"):
            given.append(piece)
            yield piece.encode()

    for block in SMALL.blocks(pieces(), may_wait=True):
        if len(block):
            assert block.column("form") == ["It", "rains", "."]
            assert len(given) == 3  # the two tokens that follow tell that it ends, and two words that these are tokens
            break


def test_a_broken_line_waits_until_it_is_known_what_line_breaks_are() -> None:
    """Unless the sentence surely ends, or surely not, as in a paragraph of one line."""
    text = "It rains\nand it is late\n\nThe issue is here.\n\nIt is late.\n\n"
    found = [block for block in SMALL.blocks([text.encode(), b"It "], may_wait=True) if len(block)]
    assert b"".join(map(written, found)) == SMALL.cut(text + "It ")


def test_a_pipe_is_answered_before_it_ends() -> None:
    pipeline = Pipeline.train(TREEBANK, epochs=1, threads=1)

    class Pipe:
        name = "pipe"

        def __init__(self, *pieces: bytes) -> None:
            self.pieces = iter(pieces)

        def read(self, size: int) -> bytes:
            return next(self.pieces)  # the end is never reached

    rows = bytes(TREEBANK[0:1])
    cases: list[tuple[Kind, tuple[bytes, ...]]] = [
        ("auto", (rows[:10], rows[10:])),
        ("words", (b"It rains .\n",)),
        ("text", (b"It rains. ", b"It is late. ", b"The issue ", b"is here ")),
        ("auto", (b"It rains. It is\n", b"late today. ", b"The issue ", b"is here ")),
    ]
    for kind, pieces in cases:
        answer = next(pipeline.parse_stream(cast("IO[bytes]", Pipe(*pieces)), kind=kind, threads=1))
        assert answer.count(b"\n\n") == 1, (kind, answer)
