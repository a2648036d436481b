"""The verb ``grammar``."""

import json
import pathlib

import pytest
from test_cli_lift import run

import nonproj as npj
from nonproj.grammar import Grammar

CASES = {"NOUN": "Case=Nom|Number=Sing", "PRON": "Case=Acc"}
BEANS = "beans Fernando thought yesterday Milagro claims Carlos eats slowly"


def test_parse(tmp_path: pathlib.Path) -> None:
    shown = run("grammar", "parse", "beans.gdg", *BEANS.split()).stdout
    assert "analysis 2 of 2" in shown
    assert "eats (8)  lifted to thought (3)" in shown
    out = tmp_path / "parses.jsonl"
    run("grammar", "parse", "beans.gdg", "--best", "--format", "json", "-o", str(out), stdin=f"{BEANS}\n\n")
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["syntactic"][0], found["linear"][0]) == (8, 3)
    assert "obj" in run("grammar", "parse", "beans.gdg", "Carlos", "eats", "rice").stdout
    assert "╭" in run("grammar", "parse", "beans.gdg", "--format", "tree", stdin="Carlos eats rice").stdout


def test_a_failure_says_what_died_where() -> None:
    result = run("grammar", "parse", "beans.gdg", *BEANS.replace("claims", "regrets").split(), code=1)
    assert "died at 'regrets' (6)" in result.stderr


def test_derive_and_forest() -> None:
    shown = run("grammar", "derive", "beans.gdg", "-n", "0", stdin=BEANS).stdout
    assert shown == "\n".join(Grammar.load("beans.gdg").derive(BEANS))
    forest = json.loads(run("grammar", "forest", "beans.gdg", "--format", "json", stdin=BEANS).stdout)
    assert forest["analyses"] == 2
    assert "2 analyses" in run("grammar", "forest", "beans.gdg", *BEANS.split()).stdout


def test_check(tmp_path: pathlib.Path) -> None:
    assert "2 s-rules" in run("grammar", "check", "beans.gdg", "--strict").stdout
    path = tmp_path / "odd.gdg"
    path.write_text("start: V\nword go: V\nword now: Adv\n")
    assert "warning: unreachable category: Adv" in run("grammar", "check", str(path), "--strict", code=3).stdout
    path.write_text("start: V\ns v: V -> N,\n")
    assert "odd.gdg:2:13: expected a category" in run("grammar", "check", str(path), code=2).stderr
    treebank, saved = tmp_path / "sample.conllu", tmp_path / "sample.gdg"
    single = npj.Treebank([sentence for sentence in npj.example_treebank() if len(sentence.tree.roots) == 1])
    single.write(treebank)
    shown = run("grammar", "check", "--from", str(treebank), "--save", str(saved), "--held-out", str(treebank)).stdout
    assert shown.count("(100.00%)") == 2
    assert Grammar.load(saved) == Grammar.from_treebank(single)
    assert "give a grammar" in run("grammar", "check", code=2).stderr


def test_train_and_evaluate(tmp_path: pathlib.Path) -> None:
    treebank, trained, parsed = tmp_path / "a.conllu", tmp_path / "a.gdg", tmp_path / "parsed.conllu"
    treebank.write_bytes(bytes(npj.example_treebank()))
    told = run("grammar", "train", str(treebank), "-o", str(trained)).stderr
    assert "75 trees" in told
    assert "5 trees with several roots were left out" in told
    assert "held out from training" in told
    assert "chosen: upos" in told
    loaded = Grammar.load(trained)
    assert loaded.steps == Grammar.from_treebank(npj.example_treebank(), weighted=True).steps
    assert (loaded.columns, loaded.max_lifts) == ("upos", 1)
    told = run("grammar", "train", str(treebank), "-o", str(trained), "--dev", str(treebank)).stderr
    assert "sentences of at most 20 words" in told
    given = ("--categories", "deprel", "--lift-weight", "2.5")
    assert "chosen" not in run("grammar", "train", str(treebank), "-o", str(trained), *given).stderr
    loaded = Grammar.load(trained)
    assert loaded.columns == "deprel"
    assert {rule.weight for rule in loaded.l_rules} == {2.5}
    run("grammar", "train", str(treebank), "-o", str(trained))
    command = ("grammar", "evaluate", str(trained), str(treebank), "--max-words", "10", "--parsed", str(parsed))
    shown = run(*command).stdout
    assert "proven best" in shown
    assert "UAS" in shown
    assert parsed.read_text().count("# sent_id") > 20
    for arguments in ((), ("--arguments", "obj,nsubj")):
        run("grammar", "train", str(treebank), "-o", str(trained), "--categories", "upos+deprel", *arguments)
        assert any(rule.dependents for rule in Grammar.load(trained).s_rules) == bool(arguments)
        assert "LAS" in run("grammar", "evaluate", str(trained), str(treebank), "--max-words", "5").stdout
    run("grammar", "train", str(treebank), "-o", str(trained))
    best = json.loads(run("grammar", "parse", str(trained), "--best", "--format", "json", stdin="Yes .").stdout)
    assert best["weight"] < 0
    assert best["is_optimal"]


@pytest.mark.parametrize("columns", ["xpos", "lemma", "deprel", "xpos+deprel", "lemma+Case", "upos+feats"])
def test_a_grammar_keeps_its_columns(columns: str, tmp_path: pathlib.Path) -> None:
    treebank, trained, parsed = tmp_path / "a.conllu", tmp_path / "a.gdg", tmp_path / "parsed.conllu"
    single = npj.Treebank([s for s in npj.example_treebank() if len(s.tree.roots) == 1])
    tags = single.column("upos")
    some = single.with_columns(xpos=[tag.lower() for tag in tags], feats=[CASES.get(tag, "_") for tag in tags])
    some.write(treebank)
    given = ("--categories", columns, "--lift-weight", "0")
    run("grammar", "train", str(treebank), "-o", str(trained), *given)
    assert trained.read_text().startswith(f"categories: {columns}\nlifts: 1\n")
    command = ("grammar", "evaluate", str(trained), str(treebank), "--max-words", "8", "--max-lifts", "8")
    shown = run(*command, "--parsed", str(parsed)).stdout
    assert f"categories from {columns}" in shown
    assert " 0 proven to have none, 0 too large" in shown
    assert [len(sentence) <= 8 for sentence in npj.read(parsed)]
    assert "(100.00%)" in run("grammar", "check", str(trained), "--held-out", str(treebank)).stdout
    loaded = Grammar.load(trained)
    assert all(map(loaded.covers, some))


def test_columns_that_do_not_fit(tmp_path: pathlib.Path) -> None:
    treebank, trained = tmp_path / "a.conllu", tmp_path / "a.gdg"
    sample = npj.example_treebank()
    sample.with_columns(feats=[CASES.get(tag, "_") for tag in sample.column("upos")]).write(treebank)
    train = ("grammar", "train", str(treebank), "-o", str(trained), "--categories")
    told = run(*train, "upos+Foo", code=2).stderr
    assert "no word has the feature Foo: those of the treebank are Case, Number" in told
    assert "the treebank has no xpos: every word has '_'" in run(*train, "xpos", code=2).stderr
    assert "the treebank has no xpos" in run(*train, "upos+xpos", code=2).stderr
    run(*train, "deprel")
    told = run("grammar", "evaluate", str(trained), str(treebank), "--categories", "upos", code=2).stderr
    assert "no word has a category that the grammar knows: from upos come ADJ, ADP" in told
    told = run("grammar", "check", str(trained), "--held-out", str(treebank), "--categories", "upos", code=2).stderr
    assert "and the grammar has" in told
    assert "--categories" in told
    trained.write_text(trained.read_text().replace("categories: deprel", "categories: deprels"))
    assert "a.gdg:1:13: categories come from upos" in run("grammar", "check", str(trained), code=2).stderr


def test_show(tmp_path: pathlib.Path) -> None:
    assert run("grammar", "show", "beans.gdg").stdout.startswith("start: V[finite +]")
    assert "4 -> 5  Adv" in run("grammar", "show", "beans.gdg", "--fsm", "V[trans +]").stdout
    assert run("grammar", "show", "beans.gdg", "--fsm", "Adv", "--format", "dot").stdout.startswith("digraph {")
    picture = tmp_path / "fsm.svg"
    run("grammar", "show", "beans.gdg", "--fsm", "Adv", "-o", str(picture))
    assert picture.read_text().startswith("<svg")
    assert "no word of the grammar is a Det" in run("grammar", "show", "beans.gdg", "--fsm", "Det", code=2).stderr
    assert "one picture" in run("grammar", "show", "beans.gdg", "--fsm", "V", "--format", "svg", code=2).stderr
    assert "--fsm" in run("grammar", "show", "beans.gdg", "--format", "dot", code=2).stderr
    assert run("grammar", "parse", "beans.gdg", "--format", "svg", stdin=BEANS).stdout.count("<svg") == 1
    assert "the nearest one" in run("grammar", "parse", "beans.gdg", "Carlos", "eats", code=1).stderr
