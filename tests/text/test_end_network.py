"""The network that finds ends of sentences: its formulas, its gradient, its training, its use by a tokenizer."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.gru import Sizes, scores

import nonproj as npj
from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser.network import BoundaryStage
from nonproj.parser.training import Run
from nonproj.text import Pipeline, Tokenizer

SIZES = Sizes(embedding=16, hidden=32, features=3, rows=20)
NATIVE = _core.BoundarySizes(SIZES.embedding, SIZES.hidden, SIZES.features, SIZES.rows)


def drawn_network(seed: int) -> Any:
    """A network whose weights are all large enough to matter."""
    network, draws = _core.BoundaryNetwork(NATIVE), np.random.default_rng(seed)
    shared, vectors = network.pack()
    network.fill(draws.normal(0, 0.3, len(shared)).astype("f4"), draws.normal(0, 0.5, len(vectors)).astype("f4"))
    return network


def drawn_rows(tokens: int, seed: int) -> npt.NDArray[np.uint32]:
    """Of each feature one of five values; the first vectors are those of what is not known."""
    values = np.random.default_rng(seed).integers(0, 5, (tokens, SIZES.features))
    return (SIZES.features * (1 + values) + np.arange(SIZES.features)).astype(np.uint32).ravel()


def answers(rows: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Whether the first feature of a token has a certain value, or that of the token before."""
    first = rows[:: SIZES.features] == SIZES.features
    return first | np.concatenate([[False], first])[: len(first)]


@pytest.mark.parametrize("tokens", [0, 1, 2, 50, 116, 117, 128, 129, 232, 233, 1000, 2345])
def test_scores_are_those_of_the_formulas(tokens: int) -> None:
    network, rows = drawn_network(tokens), drawn_rows(tokens, 1)
    shared, vectors = network.pack()
    np.testing.assert_allclose(network.scores(rows), scores(SIZES, shared, vectors, rows), atol=1e-4)


@pytest.mark.parametrize("side_by_side", [1, 2, 5, 6, 7, 30])
def test_windows_are_read_alike_in_any_company(side_by_side: int) -> None:
    network, rows = drawn_network(1), drawn_rows(1500, 2)
    assert (network.scores(rows, side_by_side) == network.scores(rows)).all()


def drawn_trainer(tokens: int, seed: int = 1) -> Any:
    rows = drawn_rows(tokens, seed)
    is_asked = np.random.default_rng(seed).random(tokens) < 0.9
    return _core.BoundaryTrainer(NATIVE, rows, answers(rows).astype(np.uint8), is_asked.astype(np.uint8), seed)


def trained(tokens: int, seed: int = 1) -> Any:
    trainer = drawn_trainer(tokens, seed)
    Run().learn(BoundaryStage(trainer), ())
    return trainer.averaged()


def test_slopes_are_those_of_small_changes() -> None:
    trainer, begins = drawn_trainer(90), np.array([0, 13, 40])
    drawn = drawn_network(3)
    weights = drawn.pack()
    trainer.network.fill(*weights)
    _, *slopes = trainer.gradient(begins)
    draws, change = np.random.default_rng(5), np.float32(1 / 256)
    for kind, own in enumerate(slopes):
        # Of all matrices and biases, and the last two are what the output adds.
        for place in {*draws.choice(len(own), 250), *np.argsort(-abs(own))[:20], len(own) - 1}:
            losses = []
            for sign in (1, -1):
                changed = [each.copy() for each in weights]
                changed[kind][place] += sign * change
                trainer.network.fill(*changed)
                losses.append(trainer.gradient(begins)[0])
            difference = (losses[0] - losses[1]) / (2 * float(change))
            assert difference == pytest.approx(own[place], rel=0.02, abs=2e-3)


def test_a_training_learns_and_its_seed_settles_every_byte() -> None:
    first, again, other = (trained(3000, seed) for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(first.pack(), again.pack(), strict=True))
    assert (first.pack()[0] != other.pack()[0]).any()
    rows = drawn_rows(500, 7)
    assert ((first.scores(rows) > 0) == answers(rows)).mean() > 0.97


@pytest.mark.parametrize("tokens", [0, 1, 7, 49, 51])
def test_a_training_of_few_tokens_ends(tokens: int) -> None:
    shared, vectors = trained(tokens).pack()
    assert np.isfinite(shared).all()
    assert np.isfinite(vectors).all()


def test_examples_that_do_not_fit_are_refused() -> None:
    rows, flags = drawn_rows(9, 1), np.zeros(9, np.uint8)
    for bad in (
        (rows[:-1], flags, flags),
        (rows, flags[:-1], flags[:-1]),
        (rows, flags, flags[:-1]),
        (rows + 15, flags, flags),
    ):
        with pytest.raises(NonprojError, match="do not fit"):
            _core.BoundaryTrainer(NATIVE, *bad, 1)
    with pytest.raises(NonprojError, match="past the end"):
        drawn_trainer(60).gradient(np.array([11]))
    for bad_rows, side_by_side in ((rows[:-1], 1), (rows + 15, 1), (rows, 0)):
        with pytest.raises(NonprojError, match="do not fit"):
            drawn_network(1).scores(bad_rows, side_by_side)
    for sizes in ((15, 32, 3, 20), (16, 0, 3, 20), (16, 32, 0, 20), (16, 32, 3, 1 << 40)):
        with pytest.raises(NonprojError):
            _core.BoundaryNetwork(_core.BoundarySizes(*sizes))


WORDS = [a + b for a in "bdfgk" for b in "aeiou"]


def told_later(sentences: int, seed: int) -> list[list[str]]:
    """Sentences of clauses that all begin with "so": only its fifth word says whether a clause begins a sentence."""
    draws = np.random.default_rng(seed)

    def clause(tells: str) -> list[str]:
        before, behind = draws.choice(WORDS, 3).tolist(), draws.choice(WORDS, int(draws.integers(1, 4))).tolist()
        return ["so", *before, tells, *behind]

    return [
        clause("indeed") + [w for _ in range(draws.integers(0, 3)) for w in clause("again")] for _ in range(sentences)
    ]


def treebank_of(sentences: list[list[str]]) -> npj.Treebank:
    rows = ("".join(f"{i + 1}\t{word}\t_\t_\t_\t_\t{i}\t_\t_\t_\n" for i, word in enumerate(s)) for s in sentences)
    return npj.read("\n".join([*rows, ""]).encode())


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(treebank_of(told_later(300, 1)))


def cut(tokenizer: Tokenizer, text: str) -> list[list[str]]:
    return [sentence.forms for sentence in npj.read(tokenizer.cut(text), unparsed=True)]


def share_right(tokenizer: Tokenizer) -> float:
    """Sentences that are found, of those of a new text."""
    expected = told_later(200, 2)
    ends, found = (
        {*np.cumsum([0, *map(len, each)]).tolist()}
        for each in (expected, cut(tokenizer, " ".join(word for s in expected for word in s)))
    )
    return len(ends & found) / len(ends | found)


def test_what_only_a_wide_context_tells_is_learnt(tokenizer: Tokenizer) -> None:
    header, arrays = tokenizer.content()
    assert header["end_share"] == np.float32(0.4)
    assert share_right(tokenizer) > 0.85
    assert share_right(Tokenizer.from_content({**header, "end_share": 0.0}, arrays)) < 0.5


def test_a_training_gives_the_same_bytes(tokenizer: Tokenizer) -> None:
    header, arrays = Tokenizer.train(treebank_of(told_later(300, 1))).content()
    assert header == tokenizer.content()[0]
    assert all((array == arrays[name]).all() for name, array in tokenizer.content()[1].items())


def test_few_sentences_have_no_network() -> None:
    header, arrays = Tokenizer.train(treebank_of(told_later(99, 1))).content()
    assert header["end_share"] == 0
    assert not any(name.startswith("end_network") for name in arrays)


def test_a_saved_tokenizer_says_the_same(tokenizer: Tokenizer, tmp_path: pathlib.Path) -> None:
    Pipeline(tokenizer, None, None).save(tmp_path / "m")
    loaded = Pipeline.load(tmp_path / "m").tokenizer
    assert loaded is not None
    text = " ".join(word for s in told_later(100, 3) for word in s)
    assert loaded.cut(text) == tokenizer.cut(text)
    Pipeline(loaded, None, None).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


pieces = st.sampled_from(
    [*WORDS, "so", "indeed", "again", "So", "new", ".", "7", "ß", "日本", " ", "  ", "\n", "\n\n", "\t"]
)


@given(st.lists(pieces, min_size=1, max_size=300).map("".join))
def test_text_is_restored_byte_for_byte(tokenizer: Tokenizer, text: str) -> None:
    if text.strip():
        assert npj.restored_text(tokenizer.cut(text)) == text


def test_a_text_may_come_in_pieces_and_be_empty(tokenizer: Tokenizer) -> None:
    assert tokenizer.cut("") == b""
    assert cut(tokenizer, "so") == [["so"]]
    text = (" ".join(word for s in told_later(3000, 4) for word in s) + "\n").encode() * 5
    conllu = b"".join(tokenizer.cut_stream(text[i : i + 70_001] for i in range(0, len(text), 70_001)))
    assert npj.restored_text(conllu).encode() == text


def changed(array: npt.NDArray[Any], place: int, value: Any) -> npt.NDArray[Any]:
    made = array.copy()
    made[place] = value
    return made


@pytest.mark.parametrize(
    ("name", "damage", "said"),
    [
        ("shared", lambda a: changed(a, 7, np.nan), "the weights are damaged"),
        ("vectors", lambda a: changed(a, -1, np.inf), "the weights are damaged"),
        ("shared", lambda a: a[:-1], "number of weights"),
        ("vectors", lambda a: a[:-1], "number of weights|lacks vectors"),
        ("vectors", lambda a: a[:-32], "lacks vectors"),
        ("vectors", lambda a: a[: 5 * 32], "lacks vectors|no vectors"),
        ("vectors", lambda a: a[:0], "damaged|no vectors"),
        ("vectors", lambda a: a.astype(np.float64), "of another type"),
        ("keys", lambda a: a.astype(np.int64), "of another type"),
        ("keys", lambda a: a[:-1], "damaged"),
        ("ends", lambda a: a[::-1].copy(), "damaged"),
        ("ends", lambda a: changed(a, -1, 1 << 40), "damaged"),
        ("entries", lambda a: changed(a, 3, 1 << 31), "damaged"),
        ("entries", lambda a: changed(a, 3, a.max() % (1 << 32) + 1), "lacks vectors"),
    ],
)
def test_a_damaged_network_is_refused(tokenizer: Tokenizer, name: str, damage: Any, said: str) -> None:
    header, arrays = tokenizer.content()
    damaged = {**arrays, f"end_network.{name}": damage(arrays[f"end_network.{name}"])}
    with pytest.raises(NonprojError, match=said):
        Tokenizer.from_content(header, damaged)


@pytest.mark.parametrize("share", [-0.1, 1.0, 7.0, float("nan"), float("inf")])
def test_a_damaged_share_is_refused(tokenizer: Tokenizer, share: float) -> None:
    header, arrays = tokenizer.content()
    with pytest.raises(NonprojError, match="lies between 0 and 1"):
        Tokenizer.from_content({**header, "end_share": share}, arrays)


def test_a_network_that_is_missing_is_refused(tokenizer: Tokenizer, tmp_path: pathlib.Path) -> None:
    header, arrays = tokenizer.content()
    del arrays["end_network.vectors"]

    class Damaged(Tokenizer):
        def content(self) -> tuple[dict[str, Any], Any]:
            return header, arrays

    Pipeline(Damaged(tokenizer._model, 16), None, None).save(tmp_path / "m")
    with pytest.raises(NonprojError, match="cannot be used as a model"):
        Pipeline.load(tmp_path / "m")


def test_a_network_is_learnt_before_it_is_used() -> None:
    treebank = treebank_of(told_later(3, 1))
    trainer = _core.TokenTrainer(treebank.runs, 16)
    for use in (lambda: trainer.model(0, 0.4), lambda: trainer.try_ends(treebank.runs, 0.4)):
        with pytest.raises(NonprojError, match="before it is learnt"):
            use()


def test_a_network_that_was_trained_for_another_tokenizer_is_refused() -> None:
    trainer = _core.TokenTrainer(treebank_of(told_later(30, 1)).runs, 16)
    with pytest.raises(NonprojError, match="for another tokenizer"):
        trainer.set_end_network(drawn_trainer(60))
    trainer.end_trainer(1)
    with pytest.raises(NonprojError, match="for another tokenizer"):
        trainer.set_end_network(drawn_trainer(60))


def test_huge_weights_do_no_harm(tokenizer: Tokenizer) -> None:
    header, arrays = tokenizer.content()
    for name in ("shared", "vectors"):
        weights = arrays[f"end_network.{name}"]
        huge = np.full_like(weights, _core.LARGEST_WEIGHT) * np.resize([1, -1], len(weights))
        model = Tokenizer.from_content(header, {**arrays, f"end_network.{name}": huge.astype(np.float32)})
        text = " ".join(word for s in told_later(50, 3) for word in s)
        assert npj.restored_text(model.cut(text)) == text
