"""The verb ``rules``."""

import json
import pathlib

from test_cli_lift import run

import nonproj as npj
from nonproj.lifting import RuleSet, learn


def test_learn_apply_and_explain(tmp_path: pathlib.Path) -> None:
    path, text = tmp_path / "sample.rules", tmp_path / "sample.conllu"
    text.write_bytes(bytes(npj.example_treebank()))
    result = run("rules", "learn", str(text), "--categories", "deprel", "-o", str(path), "--held-out", str(text))
    assert "(100.00%) are pseudo-projective" in result.stderr
    assert RuleSet.load(str(path)) == learn(npj.example_treebank(), "deprel")
    assert run("rules", "learn", "--categories", "deprel", stdin=text.read_text()).stdout == path.read_text()
    lifted = tmp_path / "lifted.conllu"
    covered = json.loads(
        run("rules", "apply", str(path), str(text), "--format", "json", "--lifted", str(lifted)).stdout
    )
    assert (covered["trees"], covered["percent"], covered["outside"]) == (75, 100.0, {})
    assert all(sentence.tree.is_projective for sentence in npj.read(lifted))
    told = run("rules", "explain", str(path), "-s", "en-hearing", stdin=text.read_text()).stdout
    assert "lifts 'on' (5) from 'hearing' (2) to 'is' (3) by" in told
    path.write_text("categories upos\n")
    told = json.loads(run("rules", "explain", str(path), "--sample", "-n", "1", "--format", "json").stdout)
    assert not told["pseudo_projective"]
    assert "no rule lifts" in told["reason"]
    assert "0 (0.00%)" in run("rules", "apply", str(path), "--sample").stdout


def test_mistakes_end_with_two(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bad.rules"
    path.write_text("N ^ V V*\n")
    assert "bad.rules:1:7:" in run("rules", "apply", str(path), "--sample", code=2).stderr
