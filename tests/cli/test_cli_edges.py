"""What goes wrong at the edges is said, in time, and nothing is lost: outputs, formats, encodings, odd input."""

import contextlib
import gzip
import io
import json
import lzma
import os
import pathlib
import random
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator

import click
import numpy as np
import pytest

from nonproj import example_treebank, read
from nonproj.cli import cli

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]
SAMPLE = example_treebank()
TEXT = SAMPLE.to_text()


def run(
    *arguments: object, stdin: str = "", code: int = 0, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [*NONPROJ, *map(str, arguments)],
        input=stdin.encode(),
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    decoded = subprocess.CompletedProcess(
        result.args, result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")
    )
    assert decoded.returncode == code, decoded.stderr
    assert "Traceback" not in decoded.stderr
    return decoded


# Outputs


def commands(group: click.Group = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


# What each verb needs besides its output; the files need not be there, since the output comes first.
NEEDED = {
    ("census",): ["5"],
    ("diff",): ["x.conllu", "y.conllu"],
    ("decode",): ["x.npz"],
    ("schema", "show"): ["WG1"],
    ("rules", "apply"): ["x.rules"],
    ("rules", "explain"): ["x.rules"],
    ("grammar", "parse"): ["x.gdg"],
    ("grammar", "derive"): ["x.gdg"],
    ("grammar", "forest"): ["x.gdg"],
    ("grammar", "show"): ["x.gdg"],
    ("grammar", "evaluate"): ["x.gdg", "x.conllu"],
    ("grammar", "train"): ["x.conllu"],
    ("train",): ["x.conllu"],
    ("parse",): ["x.model"],
    ("evaluate",): ["x.conllu", "y.conllu"],
}
OUTPUTS = [
    (path, option.opts[0])
    for path, command in commands()
    for option in command.params
    if {"-o", "--plot", "--save", "--lifted"} & set(option.opts)
]


def test_every_verb_that_writes_is_tried() -> None:
    # serve writes no file, and --export a folder
    assert {path for path, _ in OUTPUTS} == {path for path, _ in commands()} - {("serve",)}


@pytest.mark.parametrize(("path", "option"), OUTPUTS, ids=str)
def test_outputs_are_tried_before_the_work(path: tuple[str, ...], option: str, tmp_path: pathlib.Path) -> None:
    ending = ".png" if option == "--plot" else ""
    (tmp_path / f"folder{ending}").mkdir()
    for target, said in (
        (tmp_path / f"folder{ending}", "it is a folder: name a file in it"),
        (tmp_path / "missing" / f"out{ending}", f"make the folder {tmp_path / 'missing'} first"),
    ):
        # Nothing is given to read: the complaint about the output comes first.
        stderr = run(*path, *NEEDED.get(path, []), option, target, code=2).stderr
        assert said in stderr
        assert str(target) in stderr
    assert [entry.name for entry in tmp_path.iterdir()] == [f"folder{ending}"]


@pytest.mark.parametrize("path", sorted({path for path, _ in OUTPUTS}), ids=str)
def test_an_ending_chooses_the_format_or_is_an_error(path: tuple[str, ...], tmp_path: pathlib.Path) -> None:
    promised = ".png" if path != ("draw",) else ".csv"
    stderr = run(*path, *NEEDED.get(path, []), "-o", tmp_path / f"out{promised}", code=2).stderr
    assert "ending" in stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("ending", "begins"),
    [
        (".json", "{"),
        (".tex", r"\begin{tabular}"),
        (".csv", "treebank,trees"),
        (".md", "| treebank"),
        (".txt", "Trees"),
        ("", "Trees"),
        (".tex.gz", r"\begin{tabular}"),
    ],
)
def test_tables_by_ending(ending: str, begins: str, tmp_path: pathlib.Path) -> None:
    out = tmp_path / f"out{ending}"
    run("coverage", "--sample", "-c", "Pr", "-o", out)
    content = gzip.decompress(out.read_bytes()) if ending.endswith(".gz") else out.read_bytes()
    assert content.decode().startswith(begins)


def test_three_processes_with_one_output(treebank: pathlib.Path, tmp_path: pathlib.Path) -> None:
    command = [*NONPROJ, "classify", str(treebank), "-o", str(tmp_path / "out.json")]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    for process in running:
        assert process.communicate()[1] == b""
        assert process.returncode == 0
    assert len((tmp_path / "out.json").read_text(encoding="utf-8").splitlines()) == len(SAMPLE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "toy.conllu"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "arguments", [["coverage", "--sample"], ["lift", "--sample"], ["classes"], ["--help"]], ids=str
)
def test_a_full_disk_is_named(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run([*NONPROJ, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    said = result.stderr.decode()
    assert result.returncode == 2
    assert said.splitlines()[-1] == "nonproj: standard output: cannot be written: No space left on device" or (
        said.splitlines()[-1] == "nonproj: standard output: No space left on device"
    )
    assert "nonproj: :" not in said
    assert "No space left on device" in said
    if arguments != ["--help"]:
        assert "/dev/full: cannot be written" in run(*arguments, "-o", "/dev/full", code=2).stderr


# Encodings


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
@pytest.mark.parametrize(
    "arguments",
    [["coverage", "--sample"], ["draw", "--sample"], ["explain", "--sample", "-n", "0"], ["classes"], ["--help"]],
    ids=str,
)
def test_standard_output_that_is_not_utf_8(encoding: str, arguments: list[str]) -> None:
    result = run(*arguments, environment={"PYTHONIOENCODING": encoding})
    if arguments[0] == "coverage" and encoding != "utf-16":
        assert f"standard output is {encoding} and lacks some characters" in result.stderr
        assert "81.33" in result.stdout


def test_data_are_utf_8_whatever_the_terminal(treebank: pathlib.Path) -> None:
    environment = {"PYTHONIOENCODING": "cp1252"}
    objects = run("explain", treebank, "--format", "json", "-n", "0", environment=environment)
    assert objects.stderr == ""
    assert all(json.loads(line)["heads"] for line in objects.stdout.splitlines())
    marked = run("classify", "--format", "conllu", stdin=TEXT, environment=environment).stdout
    assert "".join(line for line in marked.splitlines(True) if not line.startswith("# nonproj")) == TEXT


# Odd input


def archive(kind: str) -> bytes:
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as packed:
            packed.writestr("toy.conllu", TEXT)
    else:
        with tarfile.open(fileobj=out, mode="w:gz" if kind == "tar.gz" else "w") as packed_tar:
            entry = tarfile.TarInfo("toy.conllu")
            entry.size = len(TEXT.encode())
            packed_tar.addfile(entry, io.BytesIO(TEXT.encode()))
    return out.getvalue()


ARCHIVES = {
    "zip": (archive("zip"), "a zip archive"),
    "tar": (archive("tar"), "a tar archive"),
    "tar.gz": (archive("tar.gz"), "a tar archive"),
    "7z": (b"7z\xbc\xaf\x27\x1c" + bytes(300), "a 7z archive"),
    "lzma": (lzma.compress(TEXT.encode(), lzma.FORMAT_ALONE), "compressed with LZMA"),
    "tgz": (gzip.compress(gzip.compress(TEXT.encode())), "compressed more than once"),
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives_are_refused_by_name(kind: str, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    content, name = ARCHIVES[kind]
    path = tmp_path / f"toy.{kind}"
    path.write_bytes(content)
    for arguments in (["coverage", path], ["classify", path], ["parse", model, path, "--input", "text"]):
        assert f"{path}: {name}, which is not read" in run(*arguments, code=2).stderr
    assert "compressed as .gz" in run("coverage", "--sample", "-o", tmp_path / f"out.{kind}", code=2).stderr


NOT_TREEBANKS = {
    "the text is UTF-16": TEXT.encode("utf-16"),
    "the text is UTF-32": TEXT.encode("utf-32"),
    "a picture, not a treebank": b"\x89PNG\r\n\x1a\n" + bytes(40),
    "a PDF document, not a treebank": b"%PDF-1.4\n",
    "a pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n",
}


@pytest.mark.parametrize("said", NOT_TREEBANKS)
def test_what_is_no_treebank_is_named(said: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "toy.conllu"
    path.write_bytes(NOT_TREEBANKS[said])
    for verb in ("coverage", "classify"):
        assert said in run(verb, path, code=2).stderr
    assert "pickle" not in run("decode", path, code=2).stderr


def test_a_model_is_no_treebank(model: pathlib.Path) -> None:
    assert f"{model}: a parser's model, not a treebank" in run("coverage", model, code=2).stderr


def test_standard_input_is_read_once() -> None:
    for verb in ("coverage", "classify", "evaluate", "diff"):
        assert "'-' is given more than once" in run(verb, "-", "-", stdin=TEXT, code=2).stderr
    said = run("train", "-", "--dev", "-", "-o", "m", stdin=TEXT, code=2).stderr
    assert "'-' is given more than once" in said


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such paths")
def test_what_is_open_already_is_written_to_as_it_is(tmp_path: pathlib.Path) -> None:
    lifted = run("lift", "--sample").stdout
    assert run("lift", "--sample", "-o", "/dev/stdout").stdout == lifted
    log = tmp_path / "log"
    log.write_text("before\n", encoding="utf-8")
    command = [*NONPROJ, "lift", "--sample", "-o"]
    subprocess.run(["sh", "-c", f'"$@" >> {log}', "sh", *command, "/dev/stdout"], check=True, timeout=120)
    assert log.read_text(encoding="utf-8") == f"before\n{lifted}"
    out, into = os.pipe()
    with subprocess.Popen([*command, f"/dev/fd/{into}"], pass_fds=[into]) as process:
        os.close(into)
        with open(out, encoding="utf-8") as file:
            assert file.read() == lifted
        assert process.wait() == 0
    assert "/dev/fd/77: cannot be written: Bad file descriptor" in run(*command[3:], "/dev/fd/77", code=2).stderr


def test_a_file_that_is_read_twice_is_named(treebank: pathlib.Path, tmp_path: pathlib.Path) -> None:
    state = tmp_path / "toy.state"
    assert "warning" not in run("coverage", treebank, "--format", "state", "-o", state).stderr
    link = tmp_path / "link.state"
    link.symlink_to(state)
    for arguments in (("coverage", tmp_path, treebank), ("merge", state, state), ("merge", state, link)):
        said = run(*arguments, "--by", "total").stderr
        assert said.count("warning: ") == 1
        assert f"warning: {arguments[2]}: named more than once" in said
    (tmp_path / "toy.conllu.gz").write_bytes(gzip.compress(TEXT.encode()))
    said = run("classify", tmp_path).stderr
    assert f"warning: {treebank} and {treebank}.gz are both read: if one is the other packed" in said


@pytest.mark.parametrize("arguments", ["coverage --sample", "lift --sample", "draw --sample", "classes", "--version"])
def test_standard_output_that_is_closed(arguments: str) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *NONPROJ, *arguments.split()]
    shown = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert (shown.returncode, shown.stderr.decode()[:9]) == (2, "nonproj: ")
    assert "Bad file descriptor" in shown.stderr.decode()


@pytest.mark.parametrize("arguments", ["coverage -", "coverage", "decode -"])
def test_standard_input_that_is_closed(arguments: str) -> None:
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *NONPROJ, *arguments.split()]
    shown = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert (shown.returncode, shown.stderr.decode()[:9]) == (2, "nonproj: ")
    assert "cannot be read" in shown.stderr.decode()


def test_no_stream_is_needed_to_write_a_file(tmp_path: pathlib.Path) -> None:
    """No file that is opened gets the number of a stream, and what is said does not go into it."""
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *NONPROJ, "lift", "--sample", "-o", str(tmp_path / "x")]
    assert subprocess.run(command, timeout=120, check=False).returncode == 0
    assert (tmp_path / "x").read_text(encoding="utf-8") == run("lift", "--sample").stdout


@pytest.mark.parametrize("verb", ["classify", "draw", "explain", "coverage", "causes", "unusual", "lift"])
def test_a_filter_that_nothing_passes_is_said(verb: str) -> None:
    said = run(verb, "--sample", "--where", "upos=NOSUCH").stderr
    assert said.count("warning: there is no sentence where upos=NOSUCH\n") == 1
    assert "warning" not in run(verb, "--sample").stderr
    if verb not in ("classify", "draw", "explain"):
        return
    said = run(verb, "--sample", "--where", "upos=NOSUCH", "-s", "en-hearing", code=2).stderr
    assert "no sentence has the id en-hearing among those where upos=NOSUCH" in said


def test_a_missing_file_is_reported_before_the_work(treebank: pathlib.Path) -> None:
    for verb in ("classify", "lift", "sort"):
        result = run(verb, treebank, "missing.conllu", code=2)
        assert "missing.conllu: no such file or folder" in result.stderr
        assert result.stdout == ""


def test_a_sentence_too_long_for_a_picture(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "long.conllu"
    rows = [f"{i}\tw\t_\t_\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 30001)]
    path.write_text("# sent_id = huge\n" + "".join(rows) + "\n", encoding="utf-8")
    for format in ("text", "html", "svg"):
        assert "sentence huge has 30000 words" in run("draw", path, "--format", format, code=2).stderr


def test_one_tree_too_entangled_does_not_end_the_job(tmp_path: pathlib.Path) -> None:
    chance, rows = random.Random(1), []
    for words in (500, 3000):
        order = chance.sample(range(1, words + 1), words)
        heads = {word: chance.choice(order[:i]) if i else 0 for i, word in enumerate(order)}
        rows += [f"# sent_id = w{words}\n"]
        rows += [f"{word}\tw\t_\t_\t_\t_\t{heads[word]}\tdep\t_\t_\n" for word in range(1, words + 1)] + ["\n"]
    one, other = tmp_path / "one.conllu", tmp_path / "other.conllu"
    one.write_text("".join(rows), encoding="utf-8")
    run("lift", one, "-o", other)
    found = json.loads(run("causes", one, "-c", "Pr,2-P,3-P", "--format", "json").stdout)["classes"]
    assert [each["outside"] for each in found] == [2, 2, 1]
    assert found[1]["reasons"] == {"planes": 1, "too entangled": 1}
    assert "w3000" in run("coverage", one, "-c", "2-P", "--unusual", "2").stdout
    assert "w500" in run("diff", one, other, "-c", "1-P,3-P", "--table", "sentences").stdout
    told = run("explain", one, "-c", "2-P,MH4", "--format", "json")
    assert [json.loads(line)["sent_id"] for line in told.stdout.splitlines()] == ["w500"]
    assert "warning: w3000: mh of this tree could not be settled" in told.stderr
    assert "crossings in many planes" in run("explain", one, "-c", "3-P", "-s", "w500").stdout


def test_a_name_that_is_empty() -> None:
    assert "nonproj: the name of the file to write is empty" in run("lift", "--sample", "-o", "", code=2).stderr


def test_a_table_is_no_json_a_line(tmp_path: pathlib.Path) -> None:
    assert "ending .jsonl" in run("coverage", "--sample", "-o", tmp_path / "out.jsonl", code=2).stderr


def test_a_chain_that_names_a_class_twice_and_a_file_without_arrays(tmp_path: pathlib.Path) -> None:
    scores = tmp_path / "scores.npz"
    np.savez(scores)
    assert "'Pr' has two" in run("decode", scores, "--within", "Pr:0,Pr:1", code=2).stderr
    assert run("decode", scores, "--within", "XX", code=2).stderr.startswith("nonproj: no class of trees")
    assert f"warning: {scores}: no sentence: it has no arrays" in run("decode", scores).stderr


def test_a_file_without_rules_lifts_nothing(treebank: pathlib.Path, tmp_path: pathlib.Path) -> None:
    rules = tmp_path / "empty.rules"
    rules.write_text("", encoding="utf-8")
    result = run("lift", treebank, "--rules", rules)
    assert "trees, 0 of" in result.stderr
    assert "trees outside the rules" in result.stderr


def test_a_grammar_needs_a_tree(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "zero.conllu"
    path.write_text("# none\n", encoding="utf-8")
    assert (
        "there is no tree to read a grammar off"
        in run("grammar", "train", path, "-o", tmp_path / "g.gdg", code=2).stderr
    )
    said = run("grammar", "parse", "beans.gdg", "x " * 300, code=2).stderr
    assert "the lexicon has no word 'x': add it" in said


EMPTY = {
    "it is empty, 0 bytes": "",
    "it has nothing but comments": "# a\n# b\n",
    "it has nothing but empty lines": "\n",
}


@pytest.mark.parametrize(("said", "text"), EMPTY.items())
def test_empty_input_is_said_to_be_so(said: str, text: str, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "zero.conllu"
    path.write_text(text, encoding="utf-8")
    for arguments in (["coverage"], ["classify"], ["lift"], ["sort"], ["parse", model]):
        assert f"warning: {path}: no sentence: {said}" in run(*arguments, path).stderr
    assert "warning: <stdin>: no sentence" in run("classify", stdin=text).stderr


def test_cr_alone_does_not_end_a_line(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "mac.conllu"
    path.write_bytes(TEXT.encode().replace(b"\n", b"\r"))
    for verb in ("coverage", "classify"):
        assert f"{path}:1: the lines end in CR alone" in run(verb, path, code=2).stderr


def test_drawings_and_explanations_say_where_they_stopped(tmp_path: pathlib.Path) -> None:
    assert "there are more trees than -n 20 shows" in run("draw", "--sample").stderr
    assert "there are more trees than -n 10 shows" in run("explain", "--sample").stderr
    assert run("draw", "--sample", "-n", "75").stderr == ""
    assert run("explain", "--sample", "-n", "0").stderr == ""
    run("rules", "learn", "--sample", "-o", tmp_path / "x.rules")
    assert "-n 1 shows" in run("rules", "explain", tmp_path / "x.rules", "--sample", "-n", "1").stderr


def test_options_of_pictures_work_or_are_refused(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page.html"
    run("draw", "--sample", "-n", "0", "-o", page)
    with_labels = page.read_text(encoding="utf-8")
    run("draw", "--sample", "-n", "0", "--boxes", "gaps", "--no-labels", "-o", page)
    boxed = page.read_text(encoding="utf-8")
    assert ('class="label' in with_labels, 'class="label' in boxed) == (True, False)
    assert ('class="box' in with_labels, 'class="box' in boxed) == (False, True)
    assert "--boxes" in run("draw", "--sample", "--boxes", "gaps", code=2).stderr
    assert "--ascii" in run("draw", "--sample", "--ascii", "-o", page, code=2).stderr


@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")])
def test_drawings_as_png_and_pdf(ending: str, begins: bytes, tmp_path: pathlib.Path) -> None:
    out = tmp_path / f"tree.{ending}"
    run("draw", "--sample", "-s", "en-hearing", "--boxes", "gaps", "-o", out)
    assert out.read_bytes().startswith(begins)
    assert "holds one tree, not 20 and more" in run("draw", "--sample", "-o", out, code=2).stderr


WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None
from nonproj.cli import main
main()
"""


@pytest.mark.parametrize(
    "arguments", [["coverage", "missing.conllu", "--plot", "x.png"], ["draw", "missing.conllu", "-o", "x.png"]], ids=str
)
def test_a_missing_extra_is_reported_before_the_work(arguments: list[str], tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-c", WITHOUT_MATPLOTLIB, *arguments]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "pip install 'nonproj[plot]'" in result.stderr  # and not that missing.conllu is missing


def test_what_the_last_step_of_a_training_needs_is_said_before_the_first(
    treebank: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    without = WITHOUT_MATPLOTLIB.replace("matplotlib", "torch")
    command = [sys.executable, "-c", without, "train", str(treebank), "-o", "m", "--parser", "neural"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "nonproj: a neural parser needs PyTorch and safetensors: pip install 'nonproj[neural]'\n"
    empty, bare = tmp_path / "empty.conllu", tmp_path / "bare.conllu"
    empty.write_text("", encoding="utf-8")
    bare.write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    for dev, message in ((empty, "no sentences to choose the best epoch by"), (bare, "is in the dev set")):
        said = run("train", treebank, "--dev", dev, "-o", tmp_path / "m", code=2).stderr
        assert message in said
        assert "epoch  1" not in said
    assert not list(tmp_path.glob("m*"))


def test_schemata_too_large_are_refused() -> None:
    for name in ("MG5", "MG99", "WG99", "MH99"):
        assert "to write out: ask for a smaller number" in run("schema", "show", name, code=2).stderr


def test_rules_over_tags_need_no_header(tmp_path: pathlib.Path) -> None:
    (tmp_path / "tags.rules").write_text("N -> V\nV -> <root>\n", encoding="utf-8")
    arguments = ["trace", "--schema", "Eisner", "--words", "dogs bark", "--rules", tmp_path / "tags.rules"]
    assert ", derived" in run(*arguments, "--tags", "N V").stdout
    run(*arguments, code=1)


# Parsing


def test_a_long_sentence_does_not_end_the_job(model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "long.conllu"
    long = "".join(f"{i}\tw\t_\tNOUN\t_\t_\t0\t_\t_\t_\n" for i in range(1, 33001))
    path.write_text(f"{TEXT}# sent_id = huge\n{long}\n{TEXT}", encoding="utf-8")
    line = TEXT.count("\n") + 1
    stopped = run("parse", model, path, code=2)
    assert f"{path}:{line}: sentence huge: a sentence of 33000 words is too long" in stopped.stderr
    skipped = run("parse", model, path, "--on-error", "skip")
    assert f"skipped: {path}:{line}: sentence huge" in skipped.stderr
    assert len(read(skipped.stdout.encode())) == 2 * len(SAMPLE)
    run("parse", model, path, "--on-error", "skip", "--strict", code=3)


def test_heads_that_are_not_predicted_are_said_to_stay(treebank: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A model without a parser gives the trees of the input back: whoever evaluates them has to know."""
    cutter, tagger = tmp_path / "tokens.model", tmp_path / "tags.model"
    run("train", treebank, "--steps", "tokens", "-o", cutter)
    run("train", treebank, "--steps", "tags", "-o", tagger)
    shown = run("parse", cutter, treebank)
    assert shown.stdout == TEXT
    stay = f"warning: {treebank}: the model has no parser: heads and relations stay as they are"
    assert shown.stderr == f"{stay}, and there is nothing else that it would predict here\n"
    assert f"{stay}\n" in run("parse", tagger, treebank, "--retag").stderr
    assert "warning" not in run("parse", cutter, "-", stdin="One two.").stderr
    assert "--report have no meaning" in run("parse", cutter, treebank, "--report", code=2).stderr


def test_heads_of_the_input_do_not_matter(model: pathlib.Path) -> None:
    expected = run("parse", model, stdin=TEXT).stdout
    for heads in ("_", "99", "x", "", "-1"):
        lines = [line.split("\t") for line in TEXT.splitlines()]
        for number, cells in enumerate(lines):
            if len(cells) == 10 and cells[0].isdigit() and number % 2:
                cells[6] = heads
        assert run("parse", model, stdin="".join("\t".join(cells) + "\n" for cells in lines)).stdout == expected


def test_input_that_a_model_cannot_do_justice_to(model: pathlib.Path) -> None:
    assert run("parse", model, stdin=TEXT).stderr == ""
    raw = run("parse", model, "--input", "words", stdin="Dogs bark\n", code=2).stderr
    assert raw.count("\n") == 1
    assert "has no tags, the parser was trained with them (upos), and the model has no tagger" in raw
    rows = [line.split("\t") for line in TEXT.split("\n")]
    bare = "\n".join("\t".join([*row[:2], "_", *row[3:]] if len(row) == 10 else row) for row in rows)
    assert "the input has no lemma, which the model was trained with" in run("parse", model, stdin=bare).stderr
    strange = run("parse", model, stdin=TEXT.replace("\tNOUN\t", "\tNN\t")).stderr
    assert "words have a tag (upos) that the model never saw, such as NN" in strange
    relations = run("parse", model, stdin=TEXT.replace("\tdep\t", "\tATR\t")).stderr
    assert "words have a relation that the model never saw, such as ATR" in relations


@pytest.mark.parametrize("verb", ["parse", "classify"])
def test_progress_is_shown_on_a_terminal(verb: str, model: pathlib.Path, treebank: pathlib.Path) -> None:
    arguments = ["parse", model, treebank] if verb == "parse" else ["classify", treebank]
    ours, theirs = os.openpty()
    command = [*NONPROJ, *map(str, arguments), "-o", str(treebank.with_name("out.conllu"))]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    subprocess.run(command, stderr=theirs, env=environment, check=True, timeout=120)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal that nobody writes to any more
        while part := os.read(ours, 1 << 16):
            shown += part
    os.close(ours)
    assert b"75/?" in shown


# Evaluating


def test_evaluations_in_every_format(treebank: pathlib.Path, tmp_path: pathlib.Path, model: pathlib.Path) -> None:
    parsed = tmp_path / "parsed.conllu"
    run("parse", model, treebank, "-o", parsed)
    for ending, begins in ((".csv", "system,UAS all,LAS all"), (".tex", r"\begin{tabular}"), (".md", "| system")):
        run("evaluate", treebank, treebank, parsed, "-o", tmp_path / f"out{ending}")
        assert (tmp_path / f"out{ending}").read_text(encoding="utf-8").startswith(begins)
    for table in ("classes", "lengths", "differences"):
        rows = run("evaluate", treebank, treebank, parsed, "--table", table, "--format", "csv").stdout.splitlines()
        assert len({row.count(",") for row in rows}) == 1
    assert "p < 0.001" in run("evaluate", treebank, treebank, parsed).stdout
    assert run("evaluate", treebank, treebank, parsed, "--table", "differences", "--format", "latex").stdout.count(
        "$<$"
    )
    assert "two or more" in run("evaluate", treebank, parsed, "--table", "differences", code=2).stderr


def test_evaluate_gives_no_advice_that_it_does_not_take(tmp_path: pathlib.Path) -> None:
    (tmp_path / "bad.conllu").write_text(TEXT.replace("\t3\tnsubj\t", "\t33\tnsubj\t", 1), encoding="utf-8")
    stderr = run("evaluate", tmp_path / "bad.conllu", tmp_path / "bad.conllu", code=2).stderr
    assert "bad.conllu:" in stderr
    assert "on-error" not in stderr


def test_shell_completion_works() -> None:
    completed = run(
        environment={"_NONPROJ_COMPLETE": "bash_complete", "COMP_WORDS": "nonproj cov", "COMP_CWORD": "1"},
    )
    assert "coverage" in completed.stdout
