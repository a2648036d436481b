"""The verbs ``oracle`` and ``sort``, and ``trace --system``."""

import json
import pathlib
import subprocess
import sys

import pytest

import nonproj as npj

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]
HEARING = ["--sample", "-s", "en-hearing"]
OF_SORT = ["sorting", "sort-parse", "as printed", "eager swap", "lazy swap"]


def run(*arguments: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [*NONPROJ, *arguments], input=stdin, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert result.returncode == code, result.stderr
    return result


def hearing() -> npj.Tree:
    return next(sentence.tree for sentence in npj.example_treebank() if sentence.sent_id == "en-hearing")


def test_oracle_of_a_file_and_of_standard_input(tmp_path: pathlib.Path) -> None:
    file, out = tmp_path / "sample.conllu", tmp_path / "out.txt"
    file.write_bytes(bytes(npj.example_treebank()))
    shown = run("oracle", str(file), "--system", "2-planar")
    lines = dict(line.split("\t") for line in shown.stdout.splitlines())
    system = npj.transition_system("2-planar")
    covered = [s for s in npj.example_treebank() if system.covers(s.tree)]
    assert list(lines) == [sentence.sent_id for sentence in covered]
    for sentence in covered:
        assert system.derive(lines[sentence.sent_id].split(" ")).deprels == sentence.tree.deprels
    assert f"{len(npj.example_treebank()) - len(covered)} trees are not derived by 2-planar" in shown.stderr
    assert "not derived: " in shown.stderr
    text = file.read_text(encoding="utf-8")
    run("oracle", "--system", "2-planar", "-o", str(out), "--strict", stdin=text, code=3)
    assert out.read_text(encoding="utf-8") == shown.stdout


def test_oracle_as_json_and_its_options() -> None:
    data = json.loads(run("oracle", *HEARING, "--system", "swap", "--oracle", "lazy", "--format", "json").stdout)
    lazy = npj.transition_system("swap", oracle="lazy").oracle(hearing())
    assert data == {
        "sent_id": "en-hearing", "system": "swap", "transitions": [str(step) for step in lazy], "not_derived": None,
    }  # fmt: skip
    data = json.loads(run("oracle", "--heads", "3 4 0 3", "--system", "pr", "--format", "json").stdout)
    assert data["transitions"] is None
    assert "cross" in data["not_derived"]
    assert "2 roots" in run("oracle", "--heads", "0 0", "--system", "swap", "--single-root").stderr
    listed = run("oracle", "--list").stdout
    assert all(name in listed for name in ("arc-hybrid", "two-register", "completion, printed", "lazy, eager"))
    assert "--system" in run("oracle", "--sample", code=2).stderr
    assert "no transition system is called 'x'" in run("oracle", "--sample", "--system", "x", code=2).stderr


def test_trace_prints_figure_8() -> None:
    shown = run("trace", "--system", "SORTPARSE", "--oracle", "printed", *HEARING).stdout.splitlines()
    assert shown[0] == "en-hearing: sort-parse, oracle printed, 24 transitions"
    assert shown[2].split() == ["transition", "m", "list", "buffer", "new", "arc"]
    assert len(shown) == 4 + 25 + 1
    assert "SWAP             2  [R₀, ..., the₆, issue₇, is₃, scheduled₄]  [today₈, .₉]" in shown
    full = run("trace", "--system", "sort-parse", "--oracle", "printed", *HEARING, "--full").stdout
    assert "[R₀, hearing₂, on₅, the₆, issue₇, is₃, scheduled₄]" in full


@pytest.mark.parametrize(
    ("form", "row"),
    [
        ("markdown", "| SWAP | 1 | [R₀, ..., is₃, **on₅**, scheduled₄] | [the₆, ..., .₉] |"),
        ("latex", r"SWAP & 1 & [R\textsubscript{0}, ..., is\textsubscript{3}, \textbf{on\textsubscript{5}}, "),
        ("csv", 'SWAP,1,"[R₀, ..., is₃, on₅, scheduled₄]","[the₆, ..., .₉]"'),
    ],
)
def test_trace_for_papers(form: str, row: str, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "trace"
    run("trace", "--system", "sorting", *HEARING, "--format", form, "-o", str(out))
    assert row in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["arc-standard", "arc-eager", "two-register", "3-planar", "mh4", "covington", "sorting"]
)
def test_trace_of_other_systems(name: str) -> None:
    heads = "3 0 2 3" if npj.transition_system(name).covers(npj.Tree([3, 0, 2, 3])) else "2 0 2 3"
    steps = npj.transition_system(name).oracle(npj.Tree([int(head) for head in heads.split()]))
    assert f"tree: {name}, {len(steps)} transitions" in run("trace", "--system", name, "--heads", heads).stdout
    data = json.loads(run("trace", "--system", name, "--heads", heads, "--format", "json").stdout)
    assert [step["transition"] for step in data["steps"]] == [None, *(step.name for step in steps)]
    assert data["steps"][0]["buffer"][0] in (0, 1)


def test_trace_says_what_cannot_be_traced() -> None:
    assert "cross" in run("trace", "--system", "arc-eager", "--heads", "3 4 0 3", code=1).stderr
    printed = run("trace", "--system", "sort-parse", "--oracle", "printed", "--heads", "3 0 0", code=0).stdout
    assert "tree: sort-parse, oracle printed, 7 transitions" in printed
    missed = run("trace", "--system", "sort-parse", "--oracle", "printed", "--heads", "2 0 1", code=1)
    assert "as printed" in missed.stderr
    assert "tree: sort-parse, oracle printed, 5 transitions, not derived" in missed.stdout
    assert missed.stdout.splitlines()[-2].split() == ["RA", "1", "[R₀,", "1,", "2]", "[]", "(1,", "3)"]
    data = json.loads(run("trace", "--system", "pr", "--heads", "3 4 0 3", "--format", "json", code=1).stdout)
    assert not data["derived"]
    assert "cross" in data["why"]
    assert [step["transition"] for step in data["steps"]] == [None, *["SHIFT"] * 4]
    both = run("trace", "--system", "swap", "--schema", "WG1", "--heads", "0", code=2)
    assert "--schema NAME, --system NAME or --model MODEL" in both.stderr
    run("trace", "--system", "swap", "--heads", "0", "--format", "picture", code=2)
    run("trace", "--schema", "WG1", "--heads", "0", "--full", code=2)
    run("trace", "--system", "swap", "--words", "a", code=2)


def test_trace_of_a_tree_with_words_and_relations() -> None:
    """The sentence of Figure 2 of Nivre 2009, as Figure 4 shows it."""
    words = ["--heads", "2 6 2 5 3 0 6 7 6", "--forms", "A hearing on the issue is scheduled today ."]
    relations = ["--deprels", "DET SBJ NMOD DET PC ROOT VG ADV P"]
    shown = run("trace", "--system", "PARSE", *words, *relations).stdout
    assert "RA_NMOD     [R₀, hearing₂]                 [is₆, ..., .₉]         (2, NMOD, 3)" in shown
    sequence = run("oracle", "--system", "PARSE", *words, *relations).stdout
    assert sequence.startswith("tree\tSHIFT SHIFT LA_DET SHIFT SHIFT SHIFT LA_DET RA_PC RA_NMOD SHIFT LA_SBJ")
    assert "--deprels goes with --heads" in run("trace", "--system", "PARSE", "--sample", *relations, code=2).stderr


def test_trace_marks_what_the_paper_does_not_have() -> None:
    shown = run("trace", "--system", "covington", "--heads", "0 1").stdout
    assert shown.startswith("tree: covington, 4 transitions; not in Covington 2001: ROOT\n")


def test_trace_of_a_parser(tmp_path: pathlib.Path) -> None:
    model = tmp_path / "swap.model"
    options = npj.TransitionOptions("sort-parse")
    parser = npj.Parser.train(npj.example_treebank(), options=options, epochs=2, threads=1)
    npj.Pipeline(None, None, parser).save(model)
    shown = run("trace", "--model", str(model), *HEARING).stdout.splitlines()
    assert shown[0].startswith("en-hearing: sort-parse, parsed by swap.model, ")
    sentence = next(sentence for sentence in npj.example_treebank() if sentence.sent_id == "en-hearing")
    arcs = {tuple(line.split("(")[-1].rstrip(")").split(", ")) for line in shown if line.endswith(")")}
    (parsed,) = parser.parse([sentence])
    labels = zip(parsed.heads, parsed.deprels, strict=True)
    assert arcs == {(str(head), deprel, str(word)) for word, (head, deprel) in enumerate(labels, 1)}
    assert "no sentence has the id x" in run("trace", "--model", str(model), "--sample", "-s", "x", code=2).stderr
    new = tmp_path / "new.conllu"
    new.write_text("1\tDogs\tdog\tNOUN\t_\t_\t_\t_\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    assert "4 transitions" in run("trace", "--model", str(model), str(new)).stdout
    for wrong in (["--heads", "0"], [*HEARING, "--oracle", "printed"], [*HEARING, "--single-root"]):
        run("trace", "--model", str(model), *wrong, code=2)


def test_sort_writes_a_treebank_and_puts_it_back(tmp_path: pathlib.Path) -> None:
    there, back = tmp_path / "sorted.conllu", tmp_path / "back.conllu"
    run("sort", "--sample", "-o", str(there))
    assert all(sentence.tree.is_projective for sentence in npj.read(there))
    run("sort", str(there), "--back", "-o", str(back))
    assert back.read_bytes() == bytes(npj.example_treebank())
    one = run("sort", *HEARING, "--format", "conllu").stdout
    assert "3\ton\t" in one
    assert one.count("SortedFrom=") == 9
    assert "sorted already" in run("sort", str(there), "--format", "conllu", code=2).stderr
    assert "does not say with SortedFrom" in run("sort", "--sample", "--back", code=2).stderr
    run("sort", "--back", "--heads", "0", code=2)


def test_sort(tmp_path: pathlib.Path) -> None:
    line = "en-hearing\t6\tA/1 hearing/2 on/5 the/6 issue/7 is/3 scheduled/4 today/8 ./9\n"
    assert run("sort", *HEARING).stdout == line
    assert run("sort", "--heads", "2 3 0 3 2 7 5 4 3").stdout == "tree\t6\t1 2 5 6 7 3 4 8 9\n"
    assert json.loads(run("sort", "--heads", "0 0 1", "--format", "json").stdout)["order"] == [1, 3, 2]
    assert line in run("sort", "--sample", "--orders").stdout
    shown = run("sort", "--sample").stdout
    assert "75 trees" in shown
    assert "derived       75          75          59          75         75" in shown
    assert "mean    4.293       3.187       2.000       2.867      1.947" in shown
    assert "Transitions grow as sorting: n^" in shown
    file = tmp_path / "one.conllu"
    file.write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    assert "no growth to measure" in run("sort", str(file)).stdout
    data = [json.loads(line) for line in run("sort", str(file), "--format", "json").stdout.splitlines()]
    assert data[0]["means"] == dict.fromkeys(OF_SORT, 0.0)
    assert data[0]["derived"] == dict.fromkeys(OF_SORT, 1)
    assert data[0]["exponents"]["sorting"] is None
    assert json.loads(run("sort", "--sample", "--format", "json").stdout)["trees"] == 75
    run("sort", "--sample", "--forms", "a", code=2)
