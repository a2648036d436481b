"""Scores against counts by hand, in the conventions of the shared tasks."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.enumeration import trees as all_trees

import nonproj as npj
from nonproj.parser.evaluation import CONTENT, is_punctuation, non_projective_words


def conllu(rows: list[tuple[str, int, str]], upos: str = "X") -> bytes:
    lines = [f"{i}\t{form}\t_\t{upos}\t_\t_\t{head}\t{rel}\t_\t_" for i, (form, head, rel) in enumerate(rows, 1)]
    return ("\n".join(lines) + "\n\n").encode()


FORMS = ("A", "dog", "barks", "at", "me", ".")
GOLD_RELATIONS = ("det", "nsubj", "root", "case", "obl:at", "punct")
SYSTEM_RELATIONS = ("det", "obj", "root", "case", "obl", "punct")
GOLD = conllu(list(zip(FORMS, (2, 3, 0, 5, 3, 3), GOLD_RELATIONS, strict=True)))
SYSTEM = conllu(list(zip(FORMS, (2, 3, 0, 3, 3, 2), SYSTEM_RELATIONS, strict=True)))


def test_scores_by_hand() -> None:
    result = npj.evaluate(GOLD, SYSTEM, convention="conllu")
    assert result.all.words == 6
    assert result.all.uas == pytest.approx(100 * 4 / 6)
    assert result.all.las == pytest.approx(100 * 3 / 6)  # the subtype of obl:at does not count
    assert result.no_punctuation.words == 5
    assert result.no_punctuation.uas == pytest.approx(100 * 4 / 5)
    # Content words: nsubj/obj, root, obl on both sides; root and obl are right.
    assert (result.clas.right, result.clas.gold, result.clas.system) == (2, 3, 3)
    assert result.exact == result.exact_labeled == 0
    assert result.lengths["root"].f1 == 100
    assert result.right_heads.tolist() == [4]


def test_whole_relations_in_conllx() -> None:
    result = npj.evaluate(GOLD, SYSTEM, convention="conllx")
    assert result.all.las == pytest.approx(100 * 2 / 6)


def official_2018(gold: npj.Treebank, system: npj.Treebank) -> tuple[float, float, float]:
    """UAS, LAS and CLAS as the script of the shared task counts them on gold tokenisation, written plainly."""
    heads = labels = content = of_gold = of_system = total = 0
    for a, b in zip(gold, system, strict=True):
        for x, y, r, s in zip(a.heads, b.heads, a.deprels, b.deprels, strict=True):
            r, s = r.split(":")[0], s.split(":")[0]
            total += 1
            heads += x == y
            labels += (x, r) == (y, s)
            of_gold += r in CONTENT
            of_system += s in CONTENT
            content += r in CONTENT and (x, r) == (y, s)
    return 100 * heads / total, 100 * labels / total, 200 * content / (of_gold + of_system)


def test_agrees_with_the_shared_task_of_2018_on_the_sample() -> None:
    gold = npj.example_treebank()
    rng = np.random.default_rng(3)
    sentences = []
    for sentence in gold:
        heads = [h if rng.random() < 0.7 else 0 for h in sentence.heads]
        deprels = [r if rng.random() < 0.8 else "nsubj:pass" for r in sentence.deprels]
        sentences.append(sentence.with_heads(heads, deprels))
    system = npj.Treebank(sentences)
    result = npj.evaluate(gold, system)
    assert (result.all.uas, result.all.las, result.clas.f1) == pytest.approx(official_2018(gold, system))


@given(st.sampled_from([tree for n in range(1, 6) for tree in all_trees(n)]))
def test_a_tree_is_projective_if_all_its_arcs_are(heads: tuple[int, ...]) -> None:
    assert (not non_projective_words(np.array(heads)).any()) == npj.Tree(heads).is_projective


def test_non_projective_arcs() -> None:
    gold = conllu([("a", 3, "x"), ("b", 4, "x"), ("c", 0, "x"), ("d", 3, "x")])
    flat = conllu([("a", 3, "x"), ("b", 3, "x"), ("c", 0, "x"), ("d", 3, "x")])
    found = npj.evaluate(gold, flat).non_projective
    assert (found.recall, found.precision, found.gold, found.system) == (0, 0, 1, 0)
    assert npj.evaluate(gold, gold).non_projective.f1 == 100
    inside = {c.name: c for c in npj.evaluate(gold, flat).classes}["Pr"]
    assert (inside.sentences_inside, inside.sentences_outside, inside.system_inside) == (0, 1, 1)


def test_punctuation() -> None:
    assert [is_punctuation(form) for form in (".", "--", "´", "a.", "")] == [True, True, False, False, False]


def test_other_words_are_an_error() -> None:
    with pytest.raises(npj.NonprojError, match=r"'dog'.*'cat'"):
        npj.evaluate(GOLD, GOLD.replace(b"dog", b"cat"))
    with pytest.raises(npj.NonprojError, match="1 sentences and"):
        npj.evaluate(GOLD, GOLD + GOLD)


def test_significance() -> None:
    good = npj.evaluate(GOLD * 40, GOLD * 40)
    bad = npj.evaluate(GOLD * 40, SYSTEM * 40)
    uas, las = bad.compare(good, samples=200)
    assert uas.difference == pytest.approx(100 * 2 / 6)
    assert uas.p_value == las.p_value == pytest.approx(2 / 201)  # no sample in 200 tells that there are none
    assert (uas.low, uas.high) == pytest.approx((uas.difference, uas.difference))
    same = good.compare(good, samples=50)[0]
    assert same.p_value == 1
    # One better and one worse sentence in many: no significance.
    mixed = npj.evaluate(GOLD * 40, SYSTEM + GOLD * 39)
    other = npj.evaluate(GOLD * 40, GOLD * 39 + SYSTEM)
    assert mixed.compare(other, samples=500)[0].p_value > 0.5


def test_command_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "gold.conllu").write_bytes(GOLD)
    (tmp_path / "system.conllu").write_bytes(SYSTEM)
    code = "from nonproj.cli import main; main()"
    files = ["gold.conllu", "system.conllu", "gold.conllu"]
    command = [sys.executable, "-c", code, "evaluate", *files, "--samples", "100"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "66.67" in shown
    assert "p = " in shown
    rows = json.loads(
        subprocess.run([*command, "--format", "json"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    )
    assert rows[0]["all"]["uas"] == pytest.approx(66.6667, abs=1e-3)
    assert rows[1]["against_first"][0]["name"] == "UAS"
