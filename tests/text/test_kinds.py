"""What input is taken for: raw text, or CoNLL, also where it is broken; and what the errors say."""

import pathlib
import subprocess
import sys

import pytest

import nonproj as npj
from nonproj.text import Pipeline
from nonproj.text.sources import looks_like_conll

TREEBANK = npj.example_treebank()
ROW = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"

TEXTS = {
    "Markdown": "# Title of my notes\n\nDogs bark.\n",
    "headings alone": "# Title\n## Another\n",
    "a hashtag alone": "#dogs bark.",
    "a list of Markdown": "# Title\n\n1. Dogs bark.\n2. Cats sleep.\n",
    "a heading about text": "# Text of my talk\n\nDogs bark.\n",
    "a heading about a new document": "# newspapers\n\nDogs bark.\n",
    "hashtags": "#dogs bark\n#cats sleep\n",
    "a table": "name\tsays\nDog\tDogs bark.\n",
    "a table of ten columns": "\t".join("abcdefghij") + "\n" + "\t".join("klmnopqrst") + "\n",
    "indented": "\tDogs bark.\n",
    "a line with tabs that are no cells": "Dogs\t\t\t\t\t\t\t\t\tbark.\n",
    "numbers": "1 dog barks, 2 cats sleep and 3 birds sing today.\n",
    "underscores": "Fill in: _ _ _ _\n",
    "Windows lines": "# Title\r\n\r\nDogs bark.\r\n",
    "old Mac lines": "# Title\r\rDogs bark.\r",
    "a byte order mark": "\ufeff# Title\n\nDogs bark.\n",
}
TREEBANKS = {
    "rows": ROW,
    "comments": "# sent_id = 1\n" + ROW,
    "a comment of one's own": "# of 1990\n" + ROW,
    "empty lines before": "\n\n# of 1990\n" + ROW,
    "a multiword token": "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n" + ROW,
    "CoNLL-X": "1\tHunde\tHund\tN\tNN\tpl\t2\tSB\t2\tSB\n",
    "nothing": "",
    "empty lines": "\n \n",
    "comments alone": "# newdoc\n# sent_id = 1\n",
    "any comments alone": "# a\n# b\n",
    "a byte order mark": "\ufeff" + ROW,
    "Windows lines": "# of 1990\r\n" + ROW.replace("\n", "\r\n"),
}
BROKEN = {
    "spaces for tabs": ROW.replace("\t", " "),
    "many spaces for tabs": ROW.replace("\t", "   "),
    "spaces for tabs and a comment": "# text = Dogs bark\n1 Dogs bark\n",
    "nine columns": ROW.replace("\t_\n", "\n"),
    "no ID": "Dogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n",
    "a number and a tab": "1\tDogs bark.\n2\tCats sleep.\n",
    "a comment with words": "# sent_id = 1\nDogs bark.\n",
    "a document of words": "# newdoc id = 1\nDogs bark.\n",
    "global columns": "# global.columns = ID FORM\n1\tDogs\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_raw_text_is_told(name: str) -> None:
    assert not looks_like_conll(TEXTS[name].encode())


@pytest.mark.parametrize("name", [*TREEBANKS, *BROKEN])
def test_what_is_meant_as_conll_is_told(name: str) -> None:
    assert looks_like_conll((TREEBANKS | BROKEN)[name].encode())


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline.train(TREEBANK, epochs=1, threads=1)


def models(pipeline: Pipeline) -> list[Pipeline]:
    tokenizer, tagger = pipeline.tokenizer, pipeline.tagger
    return [pipeline, Pipeline(tokenizer, tagger, None), Pipeline(tokenizer, None, None)]


@pytest.mark.parametrize("name", TEXTS)
def test_raw_text_is_parsed_without_an_option(pipeline: Pipeline, name: str) -> None:
    given = TEXTS[name].encode()
    for model in models(pipeline):
        answer = b"".join(model.parse_stream(given))
        assert answer == b"".join(model.parse_stream(given, kind="text"))
        assert npj.restored_text(answer) == TEXTS[name].removeprefix("\ufeff")


@pytest.mark.parametrize("name", BROKEN)
def test_broken_conll_is_no_raw_text_and_the_error_says_how_it_would_be(pipeline: Pipeline, name: str) -> None:
    given = BROKEN[name].encode()
    for model in models(pipeline):
        with pytest.raises(npj.NonprojError, match=r"<bytes>:\d+: sentence .*--input text") as error:
            b"".join(model.parse_stream(given))
        assert "10" in str(error.value) or "ID" in str(error.value)
        assert b"".join(model.parse_stream(given, kind="text"))
    with pytest.raises(npj.NonprojError) as error:
        b"".join(pipeline.parse_stream(given, kind="conll"))
    assert "--input text" not in str(error.value)


def test_a_fault_further_on_does_not_make_it_raw_text(pipeline: Pipeline) -> None:
    given = f"{ROW}\n{BROKEN['nine columns']}\n".encode()
    with pytest.raises(npj.NonprojError, match="<bytes>:4: sentence 2") as error:
        b"".join(pipeline.parse_stream(given))
    assert "--input text" not in str(error.value)


def test_broken_sentences_can_still_be_left_out(pipeline: Pipeline) -> None:
    skipped: list[npj.treebank.Skipped] = []
    given = f"{BROKEN['nine columns']}\n{ROW}\n".encode()
    answer = npj.read(b"".join(pipeline.parse_stream(given, on_error="skip", skipped=skipped)))
    assert [each.forms for each in answer] == [["Dogs", "bark"]]
    assert [each.line for each in skipped] == [1]


def test_the_command_takes_notes_and_tables_for_text(pipeline: Pipeline, tmp_path: pathlib.Path) -> None:
    pipeline.save(tmp_path / "m")
    command = [sys.executable, "-m", "nonproj", "parse", "m"]
    for name in ("Markdown", "a table"):
        (tmp_path / "notes").write_text(TEXTS[name])
        found = subprocess.run([*command, "notes"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "notes: predicting sentences and words" in found.stderr
        assert npj.restored_text(found.stdout.encode()) == TEXTS[name]
    (tmp_path / "notes").write_text(BROKEN["spaces for tabs"])
    refused = subprocess.run([*command, "notes"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "put tabs where the columns have spaces" in refused.stderr
    assert "--input text" in refused.stderr
