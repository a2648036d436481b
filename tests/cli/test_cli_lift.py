"""The verbs ``lift`` and ``lower``, file to file and stdin to stdout."""

import pathlib
import subprocess
import sys

import pytest

import nonproj as npj

NONPROJ = [sys.executable, "-c", "from nonproj.cli import main; main()"]


def run(*arguments: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [*NONPROJ, *arguments], input=stdin, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert result.returncode == code, result.stderr
    return result


@pytest.mark.parametrize("encoding", ["head", "path", "head+path"])
def test_lift_and_lower_in_pipes_and_files(encoding: str, tmp_path: pathlib.Path) -> None:
    lifted = run("lift", "--sample", "-e", encoding)
    assert "words lifted" in lifted.stderr
    treebank = npj.read(lifted.stdout.encode())
    assert all(sentence.tree.is_projective for sentence in treebank)
    lowered = run("lower", "-e", encoding, stdin=lifted.stdout).stdout
    assert npj.read(lowered.encode()).column("deprel") == npj.example_treebank().column("deprel")
    path, out = tmp_path / "lifted.conllu", tmp_path / "lowered.conllu.gz"
    path.write_text(lifted.stdout, encoding="utf-8")
    run("lower", str(path), "-e", encoding, "-o", str(out))
    assert npj.read(out).to_text() == lowered


def test_lifting_twice_is_an_error() -> None:
    lifted = run("lift", "--sample").stdout
    assert "lower the treebank first" in run("lift", stdin=lifted, code=2).stderr


def test_a_broken_sentence_is_skipped_and_said() -> None:
    text = "1\ta\t_\t_\t_\t_\t7\tdep\t_\t_\n\n1\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    result = run("lift", "--on-error", "skip", "--strict", stdin=text, code=3)
    assert "skipped" in result.stderr
    assert "\tb\t" in result.stdout


def test_what_was_lifted_is_not_lifted_again(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "lifted.conllu"
    path.write_text(npj.lift(npj.example_treebank()).to_text(), encoding="utf-8")
    with pytest.raises(npj.NonprojError, match=r"lifted\.conllu:\d+: sentence .*: the relation '.*[↑↓⇑].*' has one of"):
        npj.lift(npj.read(path))
