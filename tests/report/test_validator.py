"""Punctuation beside the validator of Universal Dependencies itself: the same marks, sentence by sentence."""

import io
import os
import pathlib

import numpy as np
import pytest

pytest.importorskip("udtools.validator", reason="the validator is not installed: pip install udtools")

import reference
from reference.lifts import ancestors
from udtools.validator import Validator

from nonproj import Treebank, read
from nonproj.report.punctuation import punctuation_faults
from nonproj.treebank.words import Words

DATA = pathlib.Path(os.environ.get("NONPROJ_DATA") or pathlib.Path(__file__).parents[3] / "shared" / "data") / "ud"
TESTS = ("punct-causes-nonproj", "punct-is-nonproj")
Found = set[tuple[str, str, int]]


def told_by_the_validator(treebank: Treebank) -> Found:
    """(test, sentence, word) of what it says of punctuation."""
    state = Validator(lang="ud", level=3, output=None).validate_file_handle(io.StringIO(treebank.to_text()))
    return {(each.testid, each.sentid, each.nodeid) for each in state.error_tracker if each.testid in TESTS}


def told_by_us(treebank: Treebank) -> Found:
    words = Words(treebank)
    faults = punctuation_faults(words)
    ids = [sentence.sent_id for sentence in treebank]
    return {
        (test, ids[words.sentence[place]], int(words.number_in_sentence[place]))
        for test, marked in zip(TESTS, (faults.causes, faults.is_nonprojective), strict=True)
        for place in np.flatnonzero(marked)
    }


def moved(treebank: Treebank) -> Treebank:
    """The marks attached elsewhere by lot, as long as there is a tree."""
    rng, every = np.random.default_rng(1), []
    for sentence in treebank:
        heads = list(sentence.heads)
        for mark, relation in enumerate(sentence.deprels, 1):
            head = int(rng.integers(1, len(heads) + 1))
            is_mark = relation.split(":")[0] == "punct"
            if is_mark and heads[mark - 1] and mark not in (head, *ancestors(tuple(heads), head)):
                heads[mark - 1] = head
        every += heads
    return treebank.with_heads(every)


def test_every_small_tree() -> None:
    """All trees of one root up to four words, each word in turn the mark."""
    cases = [
        (heads, mark) for n in range(1, 5) for heads in reference.trees(n) if heads.count(0) == 1 for mark in range(n)
    ]
    texts = []
    for number, (heads, mark) in enumerate(cases):
        rows = (
            f"{w + 1}\tw\tw\tX\t_\t_\t{head}\t{'punct' if w == mark else 'dep' if head else 'root'}\t_\t_\n"
            for w, head in enumerate(heads)
        )
        texts.append(f"# sent_id = {number}\n# text = {' '.join('w' * len(heads))}\n{''.join(rows)}\n")
    treebank = read("".join(texts).encode())
    found = told_by_the_validator(treebank)
    assert {test for test, *_ in found} == set(TESTS)
    assert told_by_us(treebank) == found


@pytest.mark.parametrize("name", ["en_ewt-ud-dev", "hu_szeged-ud-dev"])
@pytest.mark.parametrize("is_moved", [False, True])
def test_real_treebanks(name: str, is_moved: bool) -> None:
    """As they are, where there is little to say, and with marks attached elsewhere."""
    path = DATA / f"{name}.conllu.gz"
    if not path.exists():
        pytest.skip(f"{path} is not there: set NONPROJ_DATA to the folder of the treebanks")
    treebank = read(str(path))[:300]
    if is_moved:
        treebank = moved(treebank)
    found = told_by_the_validator(treebank)
    assert told_by_us(treebank) == found
    if is_moved:
        assert min(sum(test == name for name, *_ in found) for test in TESTS) > 100
