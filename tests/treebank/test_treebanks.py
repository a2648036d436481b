from __future__ import annotations

import gc
from itertools import pairwise

import numpy as np
import pytest
from conll_texts import DUTCH, SPANISH, VIETNAMESE, words
from hypothesis import given
from hypothesis import strategies as st

from nonproj import NonprojError, _core
from nonproj.treebank import Treebank, read

TEXT = "".join(words(*range(n)) for n in range(1, 9)).encode()


def lengths(tb: Treebank) -> list[int]:
    assert len(tb) == len(list(tb))
    assert tb.offsets[-1] == len(tb.heads)
    assert [len(tb[i]) for i in range(len(tb))] == np.diff(tb.offsets).tolist()
    assert tb.heads.tolist() == [head for sentence in tb for head in sentence.heads]
    return [len(sentence) for sentence in tb]


slices = st.builds(
    slice,
    st.none() | st.integers(-12, 12),
    st.none() | st.integers(-12, 12),
    st.none() | st.integers(-3, 3).filter(bool),
)


@given(slices, slices)
def test_slices_and_sums_are_those_of_lists(one: slice, other: slice) -> None:
    tb, plain = read(TEXT), list(range(1, 9))
    assert lengths(tb[one]) == plain[one]
    assert lengths(tb[one][other]) == plain[one][other]
    assert lengths(tb[one] + tb[other]) == plain[one] + plain[other]
    assert lengths((tb + tb)[one]) == (plain + plain)[one]
    assert lengths(Treebank(tb[one])) == plain[one]
    assert bytes(Treebank(tb[one])) == bytes(tb[one]) == "".join(map(str, tb[one])).encode()


@given(st.lists(st.booleans(), max_size=8), slices)
def test_slices_around_skipped_sentences(good: list[bool], part: slice) -> None:
    sentences = [words(*range(i)) if is_good else words(*[i] * i) for i, is_good in enumerate(good, 1)]
    tb = read("".join(sentences).encode(), on_error="skip")
    kept = [i for i, is_good in enumerate(good, 1) if is_good]
    assert lengths(tb) == kept
    assert [sentence.sent_id for sentence in tb] == [str(i) for i in kept]
    assert lengths(tb[part]) == kept[part]
    assert tb[part].to_text() == "".join(sentences[i - 1] for i in kept[part])
    assert [skipped.sent_id for skipped in tb.skipped] == [str(i) for i in range(1, len(good) + 1) if i not in kept]


def test_indices() -> None:
    tb = read(TEXT)
    assert len(tb[np.int64(-1)]) == 8
    for index in (8, -9):
        with pytest.raises(IndexError, match=f"has 8 sentences, there is no sentence {index}"):
            tb[index]
    with pytest.raises(TypeError):
        tb["1"]  # type: ignore[call-overload]
    assert tb[2] in tb
    assert tb.index(tb[3]) == 3


def test_the_arrays_are_read_only_and_made_once() -> None:
    for tb in (read(TEXT), read(TEXT)[2:5], read(TEXT) + read(TEXT), read(b"")):
        for array in (tb.heads, tb.offsets):
            assert not array.flags.writeable
        assert tb.heads is tb.heads
        assert tb.offsets is tb.offsets


def test_arrays_outlive_their_treebank() -> None:
    heads = read(TEXT).heads
    assert heads.tolist() == [head for n in range(1, 9) for head in range(n)]


def test_empty() -> None:
    for tb in (Treebank(), read(b""), read(TEXT)[3:3], read(b"") + read(b"")):
        assert lengths(tb) == []
        assert (tb.heads.dtype, tb.offsets.tolist(), bytes(tb)) == (np.dtype(np.int32), [0], b"")
        assert tb.format == "conllu"


def test_repr_and_name() -> None:
    tb = read(TEXT + words(1).encode(), on_error="skip", name="tiny")
    assert repr(tb) == "<Treebank tiny: 8 sentences, 36 words, 1 skipped>"
    assert repr(tb[:2] + tb) == "<Treebank tiny + tiny: 10 sentences, 39 words, 1 skipped>"
    assert Treebank(tb, name="copy").name == "copy"


def test_columns() -> None:
    tb = read((SPANISH + VIETNAMESE + DUTCH).encode())
    for part in (tb, tb[1:], tb[::2], tb + tb):
        for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"):
            expected = [cell for sentence in part for cell in sentence.column(name)]
            assert part.column(name) == expected
            cells = []
            for offsets, text in part.cells(name):
                cells += [bytes(text[a:b]).decode() for a, b in pairwise(offsets)]
            assert cells == expected
    with pytest.raises(NonprojError, match="no column 'id', expected one of form, lemma"):
        tb.column("id")


def test_text_without_sentences_is_kept_where_it_can_be() -> None:
    comment, sentences = read(b"# nothing\n"), read(TEXT)
    assert bytes(comment + sentences) == TEXT + b"# nothing\n"
    assert bytes((comment + sentences)[:]) == TEXT + b"# nothing\n"
    assert bytes((comment + sentences)[:2]) == bytes(sentences[:2])


def test_runs_are_those_of_the_index() -> None:
    text = SPANISH + words(1) + VIETNAMESE + DUTCH
    tb = read(text.encode(), on_error="skip")
    assert [run.column(1) for run in tb.runs] == [tb[0].forms, tb[1].forms + tb[2].forms]
    index = tb[0].document.index
    assert index.run(1, 1).column(1) == []
    for first, last in ((0, 4), (4, 4), (2, 1), (2**63, 2**63 + 1)):
        with pytest.raises(NonprojError, match="the text has 3"):
            index.run(first, last)
    with pytest.raises(TypeError):
        index.run(-1, 1)
    with pytest.raises(NonprojError, match="ten columns"):
        index.run(0, 1).column(10)


def test_runs_keep_their_text() -> None:
    runs = read((SPANISH + DUTCH).encode()).runs
    gc.collect()
    assert runs[0].column(1) == read((SPANISH + DUTCH).encode()).column("form")


def test_a_text_half_read_has_no_runs() -> None:
    index = _core.ConllIndex(TEXT, 0, True, True, False, False, 1, 1)
    index.advance(30)
    with pytest.raises(NonprojError, match="not been read to its end"):
        index.run(0, 1)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_other_heads_across_runs(line_end: str) -> None:
    text = ("\ufeff" + SPANISH + words(1) + "# lost\n\n\n" + VIETNAMESE + DUTCH).replace("\n", line_end).encode()
    skipped = read(text, on_error="skip")
    assert len(skipped.runs) == 2
    unended = read(DUTCH.rstrip("\n").replace("\n", line_end).encode())
    for tb in (skipped, skipped[::2], unended + skipped + unended, read(b"# nothing\n") + unended):
        assert tb.text_with_heads(tb.heads, tb.column("deprel")) == bytes(tb)
        assert bytes(tb.with_heads(tb.heads)) == bytes(tb)
    broken = skipped.heads.copy()
    broken[-1] = -1
    with pytest.raises(NonprojError, match="the heads given for sentence 3 are no tree"):
        skipped.with_heads(broken)
