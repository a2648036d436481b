"""Line breaks in raw text: wrapped text is that without breaks, and a text of a sentence a line keeps its lines."""

import random
import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonproj as npj
from nonproj.text import Pipeline, Tokenizer, tokenizer

WORDS = [
    "an",
    "old",
    "river",
    "carries",
    "stones",
    "towards",
    "valley",
    "quietly",
    "under",
    "bridges",
    "again",
    "green",
]
draws = random.Random(1)


def written(least: int, most: int) -> list[str]:
    """The tokens of a sentence with a capital and a mark."""
    words = draws.choices(WORDS, k=draws.randint(least, most))
    comma = [","] if len(words) > 3 else []
    return [words[0].capitalize(), *words[1:3], *comma, *words[3:], draws.choice(".?!")]


def text_of(tokens: list[str]) -> str:
    return re.sub(r" ([.,?!])", r"\1", " ".join(tokens))


def rows(tokens: list[str]) -> str:
    misc = ["SpaceAfter=No" if after in {".", ",", "?", "!"} else "_" for after in [*tokens[1:], ""]]
    cells = (
        f"{i}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{space}"
        for i, (form, space) in enumerate(zip(tokens, misc, strict=True), 1)
    )
    return "\n".join(cells) + "\n\n"


def trained(sentences: int) -> Tokenizer:
    text = "".join(rows(written(2, 20)) for _ in range(sentences))
    return Tokenizer.train(npj.read(text.encode(), unparsed=True))


SMALL = trained(60)


@pytest.fixture(scope="module", params=["regression", "network"])
def model(request: pytest.FixtureRequest) -> Tokenizer:
    """A tokenizer; from 100 sentences on, a network has a share in it."""
    if request.param == "regression":
        return SMALL
    found = trained(150)
    assert found.content()[0]["end_share"] > 0
    return found


def cut(model: Tokenizer, text: str) -> list[list[str]]:
    conllu = model.cut(text)
    assert npj.restored_text(conllu) == text
    return [each.forms for each in npj.read(conllu, unparsed=True)] if conllu else []


def wrapped(text: str, column: int) -> str:
    return "\n".join(textwrap.wrap(text, column))


def prose(sentences: int, least: int = 6, most: int = 20) -> str:
    return " ".join(text_of(written(least, most)) for _ in range(sentences))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("column", [25, 40, 79, 80, 120])
def test_wrapped_text_is_cut_like_text_without_breaks(model: Tokenizer, column: int, end: str) -> None:
    for sentences in (1, 3, 12, 40):
        text = prose(sentences)
        assert cut(model, wrapped(text, column).replace("\n", end)) == cut(model, text)


def test_text_wrapped_by_hand_is_cut_like_text_without_breaks(model: Tokenizer) -> None:
    words = prose(60).split()
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > draws.randint(58, 75):
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += word + " "
    assert cut(model, "\n".join(lines).rstrip()) == cut(model, " ".join(words))


def test_a_few_long_lines_are_no_column(model: Tokenizer) -> None:
    text = wrapped(prose(30), 60)
    long = "x" * 300
    found = cut(model, f"{text} \n{long}\n" + wrapped(prose(20), 60))
    assert max(map(len, found)) > 15
    assert len(found) < 60


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
def test_an_empty_line_ends_a_paragraph_and_a_sentence(model: Tokenizer, end: str) -> None:
    first, second = "the old river carries", "an old bridge under stones"
    for gap in (end * 2, f"{end} {end}", end * 5):
        text = f"{first}{gap}{second}"
        assert cut(model, text) == [first.split(), second.split()]
        assert model.cut(text).count(b"# newpar") == 2
    # So it is in wrapped text.
    text = end.join(["the old", "river carries", "stones", "", "an old bridge", "under stones"])
    assert cut(model, text) == [
        ["the", "old", "river", "carries", "stones"],
        ["an", "old", "bridge", "under", "stones"],
    ]


def test_few_lines_are_no_evidence_that_they_are_sentences(model: Tokenizer) -> None:
    assert cut(model, "An old river\ncarries stones.") == cut(model, "An old river carries stones.")
    assert len(cut(model, "An old river carries stones\ntowards an old valley.")) == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("lengths", [(2, 20), (7, 7)], ids=["of any length", "of one length"])
def test_a_sentence_a_line_stays_one(model: Tokenizer, lengths: tuple[int, int], end: str) -> None:
    sentences = [written(*lengths) for _ in range(60)]
    # Some that the model alone would not end.
    for at in range(0, 60, 6):
        del sentences[at][-1]
        sentences[at + 1][0] = sentences[at + 1][0].lower()
    assert cut(model, end.join(map(text_of, sentences))) == sentences
    assert cut(model, " ".join(map(text_of, sentences))) != sentences


def test_lines_without_punctuation_are_sentences_if_they_have_no_column(model: Tokenizer) -> None:
    sentences = [draws.choices(WORDS, k=draws.choice((3, 5, 8, 12, 17, 23, 30))) for _ in range(60)]
    assert cut(model, "\n".join(map(" ".join, sentences))) == sentences
    text = "\n\n".join("\n".join(map(" ".join, sentences[at : at + 10])) for at in range(0, 60, 10))
    assert cut(model, text) == sentences  # also with paragraphs


def test_words_of_a_list_are_sentences(model: Tokenizer) -> None:
    assert cut(model, "\n".join(WORDS)) == [[word] for word in WORDS]


def test_paragraphs_a_line_are_cut_into_sentences(model: Tokenizer) -> None:
    paragraphs = [prose(draws.randint(2, 9)) for _ in range(20)]
    expected = [forms for paragraph in paragraphs for forms in cut(model, paragraph)]
    assert cut(model, "\n".join(paragraphs)) == expected
    assert len(expected) > 60


line_alphabet = st.sampled_from(
    ["old", "River", "9", "870", ".", ",", " ", " ", "\n", "\r\n", "\r", "\n\n", "\t", "\u00a0"]
)


@given(st.lists(line_alphabet, min_size=1, max_size=80).map("".join))
def test_no_token_has_a_line_break_in_it(text: str) -> None:
    for forms in cut(SMALL, text) if text.strip() else []:
        assert not any(mark in form for form in forms for mark in "\n\r")


def test_spaces_within_words_are_none_where_a_line_ends() -> None:
    numbers = [[str(n), f"{n} {k:03}"] for n in range(1, 10) for k in (0, 120, 500)]
    treebank = "".join(rows(["About", number, "stones", "."]) for _, number in numbers)
    model = Tokenizer.train(npj.read(treebank.encode() * 2, unparsed=True))
    assert cut(model, "About 9 870 stones.") == [["About", "9 870", "stones", "."]]
    for end in ("\n", "\r\n", "\r"):
        assert cut(model, f"About 9{end}870 stones.")[0][:3] == ["About", "9", "870"]


@pytest.mark.parametrize("form", ["wrapped", "a sentence a line", "paragraphs"])
def test_pieces_of_a_text_are_cut_like_the_whole(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [text_of(written(6, 20)) for _ in range(200)]
    if form == "wrapped":
        text = wrapped(" ".join(sentences), 70)
    elif form == "a sentence a line":
        text = "\n".join(sentence.rstrip(".") for sentence in sentences)
    else:
        text = "\n\n".join(wrapped(" ".join(sentences[at : at + 3]), 60) for at in range(0, 200, 3))
    expected = SMALL.cut(text)
    for size in (1500, 2001, 4000):
        monkeypatch.setattr(tokenizer, "_PIECE", size)
        assert b"".join(SMALL.cut_stream(iter([text.encode()]))) == expected


def test_a_pipeline_gives_the_same_trees_of_wrapped_text() -> None:
    treebank = npj.example_treebank()
    pipeline = Pipeline.train(treebank, epochs=1, threads=1)
    text = npj.restored_text(treebank).strip()
    answers = [
        [(s.forms, s.heads, s.deprels) for s in npj.read(b"".join(pipeline.parse_stream(form.encode())))]
        for form in (text, wrapped(text, 80), wrapped(text, 60))
    ]
    assert answers[0] == answers[1] == answers[2]
