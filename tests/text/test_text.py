"""From raw text to trees: what is learnt, what is kept, what is restored, and what bad input gets."""

import itertools
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonproj as npj
from nonproj import _core
from nonproj.parser import training as parser_training
from nonproj.text import Pipeline, Tagger, Tokenizer
from nonproj.text.sources import checked_text
from nonproj.text.tokenizer import best_threshold

Row = tuple[str, str, str, str, int, str, str]  # form, lemma, upos, feats, head, relation, misc


def sentence(*rows: Row, paragraph: bool = False) -> str:
    lines = ["# newpar"] if paragraph else []
    for number, (form, lemma, upos, feats, head, relation, misc) in enumerate(rows, 1):
        lines.append(f"{number}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t{head}\t{relation}\t_\t{misc}")
    return "\n".join(lines) + "\n\n"


def noun_and_verb(noun: str, verb: str, mark: str) -> str:
    return sentence(
        ("The", "the", "DET", "_", 2, "det", "_"),
        (f"{noun}s", noun, "NOUN", "Number=Plur", 3, "nsubj", "_"),
        (verb, verb, "VERB", "_", 0, "root", "SpaceAfter=No"),
        (mark, mark, "PUNCT", "_", 3, "punct", "_"),
    )


NOUNS = ("dog", "cat", "bird", "horse", "cow", "wolf", "bear", "fox")
VERBS = ("bark", "run", "sing", "sleep", "eat")
TREEBANK = "".join(noun_and_verb(noun, verb, mark) for noun in NOUNS for verb in VERBS for mark in ".!").encode()


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline.train(TREEBANK, epochs=2, threads=1)


def test_raw_text_gets_words_tags_lemmas_and_trees(pipeline: Pipeline) -> None:
    first, second = pipeline("The dogs bark. The apes sing!")
    assert first.forms == ["The", "dogs", "bark", "."]
    assert second.forms == ["The", "apes", "sing", "!"]
    assert second.upos == ["DET", "NOUN", "VERB", "PUNCT"]
    assert second.lemmas == ["the", "ape", "sing", "!"]  # a form that was never seen, by the rule of others
    assert second.heads == (2, 3, 0, 3)
    assert second.deprels == ["det", "nsubj", "root", "punct"]
    assert second.text == "The apes sing!"


@pytest.mark.parametrize("text", ["The dogs bark. The apes sing!\n\nThe cow eats\t!", "", " \n", "\ufeffThe fox runs."])
def test_a_call_says_what_a_stream_says(pipeline: Pipeline, text: str) -> None:
    tagged = npj.read(TREEBANK)
    nothing = ["_"] * len(tagged.heads)
    without_tags = tagged.with_columns(lemma=nothing, upos=nothing, feats=nothing)
    for steps in (
        pipeline,
        Pipeline(pipeline.tokenizer, None, None),
        Pipeline(pipeline.tokenizer, pipeline.tagger, None),
        Pipeline(pipeline.tokenizer, None, npj.Parser.train(without_tags, epochs=1, threads=1)),
    ):
        assert bytes(steps(text)) == b"".join(steps.parse_stream(text.encode(), kind="text"))


def test_a_call_refuses_what_a_stream_refuses(pipeline: Pipeline) -> None:
    for refused, text in (
        (pipeline, "The dogs\0 bark."),
        (Pipeline(None, pipeline.tagger, pipeline.parser), "The dogs bark."),
        (Pipeline(pipeline.tokenizer, None, pipeline.parser), "The dogs bark."),
    ):
        with pytest.raises(npj.NonprojError) as by_call:
            refused(text)
        with pytest.raises(npj.NonprojError) as by_stream:
            b"".join(refused.parse_stream(text.encode(), kind="text"))
        assert str(by_call.value) == str(by_stream.value).replace("<bytes>", "<text>")


def test_half_of_a_character_is_no_text(pipeline: Pipeline) -> None:
    with pytest.raises(npj.NonprojError, match="<text>: character 5 is half of a surrogate pair"):
        pipeline("The \ud800 barks.")


def test_saved_and_loaded_it_says_the_same(pipeline: Pipeline, tmp_path: pathlib.Path) -> None:
    pipeline.save(tmp_path / "m")
    loaded = Pipeline.load(tmp_path / "m")
    text = "The dogs bark. The apes sing!"
    assert bytes(loaded(text)) == bytes(pipeline(text))
    assert repr(loaded) == repr(pipeline)
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    # A parser alone can be had from the same file.
    assert npj.Parser.load(tmp_path / "m").relations == ["det", "nsubj", "punct", "root"]


def test_threads_do_not_matter(pipeline: Pipeline) -> None:
    text = "The dogs bark. The apes sing! " * 40
    assert bytes(pipeline(text, threads=1)) == bytes(pipeline(text, threads=3))


def test_columns_of_the_input_are_kept_unless_it_is_tagged_anew(pipeline: Pipeline) -> None:
    given = sentence(("dogs", "_", "X", "_", 0, "_", "_"), ("run", "_", "VERB", "_", 1, "_", "_")).encode()
    told: list[str] = []
    kept = npj.read(b"".join(pipeline.parse_stream(given, tell=told.append)))
    assert kept.column("upos") == ["X", "VERB"]
    assert kept.column("lemma")[1] == "run"
    assert "predicting lemma, feats, heads and relations" in told[0]
    anew = npj.read(b"".join(pipeline.parse_stream(given, retag=True)))
    assert anew.column("upos") == ["NOUN", "VERB"]


def test_words_line_by_line(pipeline: Pipeline) -> None:
    parsed = npj.read(b"".join(pipeline.parse_stream(b"The dogs bark.\n\nThe cats run", kind="words")))
    assert [s.forms for s in parsed] == [["The", "dogs", "bark."], ["The", "cats", "run"]]


alphabet = st.sampled_from(
    [*"aTe.,!? \n\t\r-'7", "ß", "İ", "日", "本", "。", "\u00a0", "\u2028", "𝔘", "#", "\\", "|", "_"]
)


@given(st.text(alphabet, min_size=1, max_size=60))
def test_text_is_restored_byte_for_byte(text: str) -> None:
    if not text.strip():
        return
    conllu = TOKENIZER.cut(text)
    assert npj.restored_text(conllu) == text


TOKENIZER = Tokenizer.train(npj.read(TREEBANK))


def cut_by(threshold: float, text: str) -> list[int]:
    """Where sentences end, in letters that are no spaces, with another threshold."""
    header, arrays = TOKENIZER.content()
    found = Tokenizer.from_content(header | {"end_threshold": threshold}, arrays).cut(text)
    lengths = [sum(map(len, each.forms)) for each in npj.read(found, unparsed=True)]
    return np.cumsum(lengths).tolist()


def test_sentences_found_with_each_threshold_are_those_of_a_tokenizer_that_has_it() -> None:
    # Orders of words that were not seen, so that few ends are sure; spaces leave no doubt of tokens.
    def spaced(*forms: str) -> str:
        return sentence(*((form, "_", "X", "_", i, "dep", "_") for i, form in enumerate(forms)))

    words = ("The", "the", "dogs", "bark", ".", "!")
    conllu = "".join(spaced(*forms) for size in (1, 2, 3) for forms in itertools.product(words, repeat=size))
    held_out = npj.read(conllu.encode())
    trainer = _core.TokenTrainer(npj.read(TREEBANK).runs, TOKENIZER.content()[0]["bits"])
    for _ in range(20):
        trainer.learn_ends()
    gold = np.cumsum([sum(map(len, each.forms)) for each in held_out]).tolist()
    text = npj.restored_text(held_out)
    counts = trainer.try_ends(held_out.runs, 0).reshape(-1, 3).tolist()
    for threshold, (found, there, right) in zip(_core.end_thresholds(), counts, strict=True):
        ends = cut_by(threshold, text)
        both = set(itertools.pairwise([0, *ends])) & set(itertools.pairwise([0, *gold]))
        assert (found, there, right) == (len(ends), len(gold), len(both))


def test_the_best_threshold_is_good_with_its_neighbours() -> None:
    thresholds = np.array(_core.end_thresholds())
    counts = np.tile([100, 100, 50], (len(thresholds), 1))
    assert best_threshold(counts) == (0, 0.5)  # all are as good
    counts[thresholds > 1.95] = [100, 100, 100]  # alone, at the edge
    counts[(thresholds > -2.05) & (thresholds < -0.95)] = [100, 100, 90]  # a plateau
    assert best_threshold(counts) == pytest.approx((-1.5, 0.9))
    assert best_threshold(counts // 2).threshold == 0  # too few to tell


@pytest.mark.parametrize("sentences", [1, 2, 3])
def test_few_sentences_settle_what_they_can(sentences: int) -> None:
    tokenizer = Tokenizer.train(npj.read(TREEBANK)[:sentences])
    assert tokenizer.cut("The dogs bark.").count(b"\n1\t") == 1


def test_text_is_restored_when_it_comes_in_pieces() -> None:
    text = ("The dogs bark. The cats run!\n\n" * 12_000).encode()
    pieces = (text[i : i + 70_001] for i in range(0, len(text), 70_001))
    conllu = b"".join(TOKENIZER.cut_stream(pieces))
    assert npj.restored_text(conllu).encode() == text
    assert conllu.count(b"# sent_id = 24000\n") == 1


def test_an_endless_line_is_cut() -> None:
    conllu = TOKENIZER.cut(b"dogs " * 60_000, longest=500)
    longest = max(len(each) for each in npj.read(conllu, unparsed=True))
    assert longest == 500
    assert npj.restored_text(TOKENIZER.cut(b"a" * 300_000)) == "a" * 300_000


def test_multiword_tokens_are_learnt_with_their_words() -> None:
    first = sentence(("Falo", "_", "VERB", "_", 0, "root", "_")).rstrip("\n")
    rows = f"{first}\n2-3\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n2\tde\t_\tADP\t_\t_\t4\tcase\t_\t_\n"
    rows += "3\to\t_\tDET\t_\t_\t4\tdet\t_\t_\n4\tmar\t_\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No\n"
    rows += "5\t.\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
    tokenizer = Tokenizer.train(npj.read(rows.encode() * 20))
    cut = npj.read(tokenizer.cut("Falo do mar. Do mar."), unparsed=True)
    assert [s.forms for s in cut] == [["Falo", "de", "o", "mar", "."], ["De", "o", "mar", "."]]
    assert npj.restored_text(cut) == "Falo do mar. Do mar."


def test_spaces_inside_words() -> None:
    def counted(number: str) -> str:
        return sentence(
            ("About", "about", "ADV", "_", 2, "advmod", "_"),
            (number, number, "NUM", "_", 3, "nummod", "_"),
            ("dogs", "dog", "NOUN", "_", 0, "root", "SpaceAfter=No"),
            (".", ".", "PUNCT", "_", 3, "punct", "_"),
        )

    numbers = [f"{thousands} {rest:03}" for thousands in range(1, 9) for rest in (0, 120, 500)]
    tokenizer = Tokenizer.train(npj.read("".join(map(counted, numbers)).encode() + TREEBANK))
    text = "About 9 870 dogs. The cats run. About 12 400 dogs."
    cut = npj.read(tokenizer.cut(text), unparsed=True)
    assert [s.forms for s in cut] == [
        ["About", "9 870", "dogs", "."],
        ["The", "cats", "run", "."],
        ["About", "12 400", "dogs", "."],
    ]
    assert npj.restored_text(cut) == text
    # A line that ends is no inner space.
    lines = npj.read(tokenizer.cut("About 9\n870 dogs."), unparsed=True)
    assert "9" in lines[0].forms


def test_line_ends_are_no_part_of_what_rows_say() -> None:
    cut = TOKENIZER.cut(b"Falo do mar. Do mar.")
    assert b"SpaceAfter=No\n" in cut
    assert npj.restored_text(cut.replace(b"\n", b"\r\n")) == npj.restored_text(cut)


def test_spaces_that_a_treebank_writes_by_their_code() -> None:
    rows = sentence(
        ("have", "_", "X", "_", 0, "root", r"SpacesAfter=\u00A0"),
        ("been", "_", "X", "_", 1, "dep", r"SpacesAfter=\\u00A0"),
        ("it", "_", "X", "_", 1, "dep", "SpaceAfter=No"),
    )
    assert npj.restored_text(rows.encode()) == "have\u00a0been\\u00A0it"


def test_what_was_never_seen_is_cut_like_what_was() -> None:
    (found,) = npj.read(TOKENIZER.cut("The xylophones xylophone."), unparsed=True)
    assert found.forms == ["The", "xylophones", "xylophone", "."]


def test_a_sentence_ends_or_goes_on_by_how_the_next_word_begins() -> None:
    # "part..." goes on after a full stop, "when..." begins anew; neither word was seen, and their ends are alike.
    draws = np.random.default_rng(1)

    def new_word(beginning: str) -> str:
        return beginning + "".join(draws.choice(list("abcdefgh"), 5))

    def clause(beginning: str) -> list[str]:
        return [new_word(beginning), *["it"] * int(draws.integers(1, 4)), "."]

    def clauses() -> list[str]:
        beginnings = ["when", *["part"] * int(draws.integers(0, 3))]
        return [word for beginning in beginnings for word in clause(beginning)]

    treebank = "".join(
        sentence(*((word, "_", "X", "_", k, "dep", "_") for k, word in enumerate(clauses()))) for _ in range(200)
    )
    tokenizer = Tokenizer.train(npj.read(treebank.encode()))
    expected = [clauses() for _ in range(50)]
    found = npj.read(tokenizer.cut(" ".join(word for words in expected for word in words)), unparsed=True)
    assert [s.forms for s in found] == expected


def test_a_mark_belongs_to_a_word_or_not_by_the_word_that_follows() -> None:
    def with_dash(noun: str, follows: str, *, is_own: bool) -> str:
        word = ("_", "NOUN", "_", 0, "root")
        dash: list[Row] = [("-", "_", "PUNCT", "_", 1, "punct", "_")] if is_own else []
        begun: Row = (noun, *word, "SpaceAfter=No") if is_own else (f"{noun}-", *word, "_")
        return sentence(begun, *dash, (follows, "_", "X", "_", 1, "dep", "_"), ("fish", "_", "X", "_", 1, "dep", "_"))

    treebank = "".join(
        with_dash(noun, follows, is_own=follows in ("but", "never"))
        for noun in NOUNS
        for follows in ("and", "but", "or", "never")
    )
    tokenizer = Tokenizer.train(npj.read(treebank.encode()))
    cut = npj.read(tokenizer.cut("sheep- and fish\n\nsheep- but fish"), unparsed=True)
    assert [s.forms for s in cut] == [["sheep-", "and", "fish"], ["sheep", "-", "but", "fish"]]


def test_columns_that_the_dev_set_lacks_are_not_learnt() -> None:
    said: list[str] = []
    dev = npj.read(TREEBANK.replace(b"Number=Plur", b"_"))
    pipeline = Pipeline.train(TREEBANK, dev, steps="tags", tell=said.append)
    assert pipeline.tagger is not None
    assert pipeline.tagger.columns == ["lemma", "upos"]
    assert "tags: the dev set has no feats, so it is not learnt" in said
    bare = sentence(("The", "_", "_", "_", 0, "root", "_")).encode()
    with pytest.raises(npj.NonprojError, match="leave the step tags out"):
        Pipeline.train(TREEBANK, bare, steps="tags")


@pytest.mark.parametrize("steps", ["all", "parse"])
def test_trees_are_not_learnt_from_columns_that_the_dev_set_lacks(steps: str) -> None:
    # XPOS tells the relation, but only in training.
    def either(xpos: str, relation: str, number: int) -> str:
        rows = sentence(("go", "go", "VERB", "_", 0, "root", "_"), (f"w{number}", "w", "NOUN", "_", 1, relation, "_"))
        return rows.replace("NOUN\t_", f"NOUN\t{xpos}")

    told = "".join(either(f"@{relation}", relation, i) for i in range(30) for relation in ("obj", "obl", "obj"))
    untold = npj.read("".join(either("_", "obj", i) for i in range(30)).encode())
    said: list[str] = []
    pipeline = Pipeline.train(told.encode(), untold, steps=steps, epochs=2, threads=1, tell=said.append)
    assert "trees: the dev set has no xpos, so it is not learnt from" in said
    given = b"".join(pipeline.parse_stream(told.encode(), kind="conll"))
    assert npj.read(given).column("deprel").count("obl") == 0


def test_words_without_spaces_between_them() -> None:
    words = ["我们", "喜欢", "猫", "。", "你", "看", "书"]
    texts = ["".join(words[i] for i in order) for order in ((0, 1, 2, 3), (4, 5, 6, 3), (4, 1, 6, 3), (0, 5, 2, 3))]
    orders = ((0, 1, 2, 3), (4, 5, 6, 3), (4, 1, 6, 3), (0, 5, 2, 3))
    treebank = "".join(
        sentence(*((words[i], "_", "X", "_", k, "dep", "SpaceAfter=No") for k, i in enumerate(order)))
        for order in orders
    )
    tokenizer = Tokenizer.train(npj.read((treebank * 20).encode()))
    cut = npj.read(tokenizer.cut("".join(texts)), unparsed=True)
    assert [s.forms for s in cut] == [[words[i] for i in order] for order in orders]


def test_a_tagger_agrees_with_the_columns_that_are_kept() -> None:
    tagger = Tagger.train(npj.read(TREEBANK), epochs=3)
    given = npj.read(sentence(("dogs", "_", "NOUN", "_", 0, "root", "_")).encode() * 2)
    assert tagger.fill_in(given, ("feats",)).column("feats") == ["Number=Plur"] * 2
    verb = npj.read(sentence(("dogs", "_", "VERB", "_", 0, "root", "_")).encode())
    assert tagger.fill_in(verb, ("feats",)).column("feats") == ["_"]


def test_an_attribute_may_have_more_values_than_a_line_has_weights() -> None:
    # Values 16 apart would be one, and "it" agrees with the word before it by its value alone.
    kinds = [f"Class=C{i:02}" for i in range(40)]
    words = [a + b for a in "bdfgk" for b in "aeiouxyz"]
    alone = [sentence((word, word, "NOUN", kind, 0, "root", "_")) for word, kind in zip(words, kinds, strict=True)]
    pairs = [
        sentence((words[i], words[i], "NOUN", kinds[i], 0, "root", "_"), ("it", "it", "PRON", kinds[i], 1, "det", "_"))
        for i in (3, 19, 35)
    ]
    treebank = npj.read("".join((alone + pairs) * 4).encode())
    assert Tagger.train(treebank, epochs=10).fill_in(treebank).column("feats") == treebank.column("feats")


def test_steps_can_be_chosen(tmp_path: pathlib.Path) -> None:
    tagger_only = Pipeline.train(TREEBANK, steps="tokens,tags", save_as=tmp_path / "m")
    assert tagger_only.parser is None
    (found,) = Pipeline.load(tmp_path / "m")("The cows eat.")
    assert found.upos == ["DET", "NOUN", "VERB", "PUNCT"]
    with pytest.raises(npj.NonprojError, match="no step 'trees'"):
        Pipeline.train(TREEBANK, steps="trees")


def test_no_tags_and_no_tagger_is_an_error_with_the_remedy(pipeline: Pipeline) -> None:
    alone = Pipeline(pipeline.tokenizer, None, pipeline.parser)
    with pytest.raises(npj.NonprojError, match="--steps all"):
        alone("The dogs bark.")
    with pytest.raises(npj.NonprojError, match="--input words"):
        list(Pipeline(None, pipeline.tagger, pipeline.parser).parse_stream(b"The dogs bark."))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b"good\nbad \xff line", "line 2: not UTF-8"),
        (b"one\n\n\x00\x01", "line 3: a NUL byte"),
        ("caf\u00e9".encode("utf-16"), "NUL byte|UTF-8"),
        (b"cut off \xc3", "not UTF-8"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(pipeline: Pipeline, bad: bytes, message: str) -> None:
    with pytest.raises(npj.NonprojError, match=message):
        list(pipeline.parse_stream(bad, kind="text"))


@given(st.text(alphabet, max_size=40), st.integers(1, 7))
def test_blocks_are_cut_between_characters(text: str, size: int) -> None:
    raw = text.encode()
    pieces = list(checked_text([raw[i : i + size] for i in range(0, len(raw), size)], "text"))
    assert b"".join(pieces) == raw
    for piece in pieces:
        piece.decode()


def test_an_empty_text_is_said_to_be_empty(pipeline: Pipeline) -> None:
    said: list[str] = []
    assert b"".join(pipeline.parse_stream(b" \n\n", kind="text", notice=said.append)).strip() == b""
    assert any("no sentence" in each for each in said)


@pytest.mark.parametrize("seconds", [0, 20])
def test_a_killed_training_goes_on_from_its_checkpoints(tmp_path: pathlib.Path, monkeypatch: Any, seconds: int) -> None:
    monkeypatch.setattr(parser_training, "SECONDS_BETWEEN_CHECKPOINTS", seconds)

    class Killed(Exception):
        pass

    def train(stop_after: int) -> list[str]:
        seen: list[str] = []

        def report(epoch: object) -> None:
            seen.append(str(epoch))
            if len(seen) == stop_after:
                raise Killed

        checkpoint = tmp_path / "m.checkpoint"
        save_as = tmp_path / "m"
        options: dict[str, Any] = {"epochs": 2, "threads": 1, "checkpoint": checkpoint, "save_as": save_as}
        Pipeline.train(TREEBANK, TREEBANK, replace=True, report=report, **options)
        return seen

    whole = train(-1)
    expected = (tmp_path / "m").read_bytes()
    for stop in (3, 7, len(whole) - 8, len(whole) - 1):
        with pytest.raises(Killed):
            train(stop)
        assert list(tmp_path.glob("m.checkpoint*")) or (seconds and stop < 20)
        train(-1)
        assert (tmp_path / "m").read_bytes() == expected
        assert not list(tmp_path.glob("m.checkpoint*"))


def test_a_kill_while_ends_are_settled_costs_one_of_their_parts(tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    treebank = npj.read(TREEBANK * 30)
    options: dict[str, Any] = {"steps": "tokens", "threads": 1, "checkpoint": tmp_path / "m.checkpoint"}
    Pipeline.train(treebank, treebank, save_as=tmp_path / "expected", steps="tokens", threads=1)
    trained: list[str] = []

    class Watched(_core.TokenTrainer):
        def end_trainer(self, seed: int) -> Any:
            trained.append("network")
            if len(trained) == 3:
                raise KeyboardInterrupt
            return super().end_trainer(seed)

    monkeypatch.setattr(_core, "TokenTrainer", Watched)
    with pytest.raises(KeyboardInterrupt):
        Pipeline.train(treebank, treebank, **options)
    assert (tmp_path / "m.checkpoint.tokens-ends").exists()
    Pipeline.train(treebank, treebank, save_as=tmp_path / "m", **options)
    # Two parts were done; the third was lost, three more come after it, and the whole has to have its own again.
    assert len(trained) == 3 + 4 + 1
    assert (tmp_path / "m").read_bytes() == (tmp_path / "expected").read_bytes()
    assert not list(tmp_path.glob("m.checkpoint*"))


def test_a_kill_while_prices_are_settled_costs_an_epoch(tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    crossing = sentence(
        ("The", "the", "DET", "_", 3, "dep", "_"),
        ("dogs", "dog", "NOUN", "_", 4, "dep", "_"),
        ("bark", "bark", "VERB", "_", 0, "root", "_"),
        (".", ".", "PUNCT", "_", 3, "punct", "_"),
    )
    treebank = npj.read(TREEBANK * 3 + crossing.encode() * 5)
    linear = npj.GraphOptions(network=0)
    options: dict[str, Any] = {"options": linear, "epochs": 2, "threads": 1, "checkpoint": tmp_path / "m.checkpoint"}
    expected = npj.Parser.train(treebank, options=linear, epochs=2, threads=1).content()
    epochs: list[str] = []

    def killed(*arguments: Any) -> None:
        epochs.append("learnt")
        if len(epochs) == 4:  # two of the parser, one and a half of the first that settles the prices
            raise KeyboardInterrupt
        return save(*arguments)

    save = parser_training._save
    monkeypatch.setattr(parser_training, "_save", killed)
    monkeypatch.setattr(parser_training, "SECONDS_BETWEEN_CHECKPOINTS", 0)
    with pytest.raises(KeyboardInterrupt):
        npj.Parser.train(treebank, **options)
    assert (tmp_path / "m.checkpoint.half-1").exists()
    epochs.clear()
    epochs.extend(["before"] * 10)
    header, arrays = npj.Parser.train(treebank, **options).content()
    assert len(epochs) - 10 == 3  # the epoch that was lost, and two of the other half
    assert header == expected[0]
    assert all((arrays[name] == array).all() for name, array in expected[1].items())
    assert not list(tmp_path.glob("m.checkpoint*"))


@pytest.mark.parametrize(
    ("model", "table", "kind"),
    [(_core.TagModel(["X\t_\t_"], [], 22, False), "tag", np.int16), (_core.TokenModel([], 22, 0), "cut", np.float32)],
)
def test_tables_of_many_pages_are_filled_as_they_were_packed(model: Any, table: str, kind: type) -> None:
    draws = np.random.default_rng(1)
    is_set = draws.random(1 << 22) < 0.1
    is_set[1 << 20 : 3 << 20] = False
    marks = np.packbits(is_set, bitorder="little").view(np.uint64)
    values: Any = (draws.random(int(is_set.sum()), np.float32) * 4000 + 1).astype(kind)
    model.fill(table, marks, values)
    found_marks, found_values = model.pack(table)
    assert (found_marks == marks).all()
    assert (found_values == values).all()
    assert found_values.dtype == kind
    for damaged in (values[:-1], np.append(values, values[:1])):
        with pytest.raises(npj.NonprojError, match="the weights are damaged"):
            model.fill(table, marks, damaged)
    with pytest.raises(npj.NonprojError, match="the weights are of another type"):
        model.fill(table, marks, values.astype(np.float64))
    if kind is np.int16:  # sums of eight have to fit into 16 bits
        for too_large in (4096, -4096):
            with pytest.raises(npj.NonprojError, match="the weights are damaged: one is too large"):
                model.fill(table, marks, np.append(values[:-1], kind(too_large)))


def test_an_ordinal_is_told_by_the_numbers_that_were_seen() -> None:
    # "yirmi." is one token before a small letter; that "seksen." is too follows from both being numbers.
    def ordinal(number: str) -> str:
        return sentence(
            ("bu", "_", "DET", "_", 3, "det", "_"),
            (f"{number}.", "_", "NUM", "_", 3, "amod", "_"),
            ("sayfa", "_", "NOUN", "_", 0, "root", "SpaceAfter=No"),
            (".", "_", "PUNCT", "_", 3, "punct", "_"),
        )

    def word(form: str, upos: str) -> str:
        first = (form, "_", upos, "_", 2, "nmod", "_"), ("kitap", "_", "NOUN", "_", 0, "root", "SpaceAfter=No")
        return sentence(*first, (".", "_", "PUNCT", "_", 2, "punct", "_"))

    numbers, others = ["yirmi", "otuz", "elli"], ["kalem", "masa", "defter", "silgi"]
    rows = [ordinal(number) for number in numbers * 4]
    rows += [word(form, "NUM") for form in [*numbers, "seksen"] * 2] + [word(form, "NOUN") for form in others * 4]
    rows += [
        sentence((form, "_", "NOUN", "_", 0, "root", "SpaceAfter=No"), (".", "_", "PUNCT", "_", 1, "punct", "_"))
        for form in others * 8
    ]
    tokenizer = Tokenizer.train(npj.read("".join(rows).encode() * 2))
    found = [
        line.split("\t")[1]
        for line in tokenizer.cut("bu seksen. sayfa. bu masa. kalem.").decode().split("\n")
        if line[:1].isdigit()
    ]
    assert found == ["bu", "seksen.", "sayfa", ".", "bu", "masa", ".", "kalem", "."]


def test_an_unknown_word_is_tagged_by_the_known_word_that_it_begins_with() -> None:
    # They all begin and end alike: nothing but the word within tells a noun from a verb.
    stems = [f"wonder{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnr"]
    known = [(stem, "NOUN" if sum(map(ord, stem)) % 7 < 3 else "VERB") for stem in stems]
    rows = [sentence((word, word, tag, "_", 0, "root", "_")) for word, tag in known]
    rows += [
        sentence((stem + "tok", stem, tag, "Number=Plur", 0, "root", "_")) for stem, tag in known[: len(known) * 3 // 4]
    ]
    tagger = Tagger.train(npj.read("".join(rows).encode() * 2), epochs=10)
    new = known[len(known) * 3 // 4 :]
    text = "".join(sentence((stem + "tok", "_", "_", "_", 0, "root", "_")) for stem, _ in new)
    found = tagger.fill_in(npj.read(text.encode())).column("upos")
    assert sum(a == b for a, (_, b) in zip(found, new, strict=True)) > 0.8 * len(new)


@pytest.mark.parametrize("place", [40, 200, 2000, -100])
def test_a_damaged_model_is_an_error(pipeline: Pipeline, tmp_path: pathlib.Path, place: int) -> None:
    pipeline.save(tmp_path / "m")
    data = bytearray((tmp_path / "m").read_bytes())
    data[place] ^= 0x55
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(npj.NonprojError, match="the model is damaged"):
        Pipeline.load(tmp_path / "m")


def test_the_verbs_from_a_treebank_to_trees_of_raw_text(tmp_path: pathlib.Path) -> None:
    (tmp_path / "train.conllu").write_bytes(TREEBANK)
    command = [sys.executable, "-m", "nonproj"]
    train = [*command, "train", "train.conllu", "-o", "m", "--epochs", "2"]
    trained = subprocess.run(train, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "tokens: done in" in trained.stderr
    assert "tags of the training set, predicted in 10 folds" in trained.stderr
    text = "The dogs bark.\nThe cats sing!\n"
    parsed = subprocess.run(
        [*command, "parse", "m"], cwd=tmp_path, input=text, capture_output=True, text=True, check=True
    )
    assert "predicting sentences and words, lemma, upos, feats, heads and relations" in parsed.stderr
    assert npj.restored_text(parsed.stdout.encode()) == text
    assert len(npj.read(parsed.stdout.encode())) == 2
