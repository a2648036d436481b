"""Coverage against the reference's membership, tree by tree, and the shapes it comes in."""

import json
import pathlib
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
import reference

import nonproj
from nonproj import NonprojError, coverage, example_treebank, tree_class
from nonproj.trees.profile import DUMMIES

CLASSES = list(reference.CLASSES)


@pytest.fixture(scope="module")
def result() -> nonproj.Coverage:
    return coverage(example_treebank(), CLASSES)


def test_counts_agree_with_the_reference(result: nonproj.Coverage) -> None:
    for name in ("Pr", "1-P", "2-P", "1EC", "2-C", "WG1", "M0I", "M1IS"):
        expected = sum(not reference.CLASSES[name](sentence.heads) for sentence in example_treebank())
        assert result.treebanks[0].outside[name] == expected, name


def test_the_json_shape_is_fixed(result: nonproj.Coverage) -> None:
    (treebank,) = json.loads(result.to_json())["treebanks"]
    assert list(treebank) == ["name", "trees", "skipped", "outside", "unsettled"]
    assert (treebank["name"], treebank["trees"], treebank["skipped"]) == ("sample", 75, 0)
    assert list(treebank["outside"]) == CLASSES


def test_gaps_and_inheritance_tables_count_each_tree_once(result: nonproj.Coverage) -> None:
    row = [int(cell) for cell in result.table("gaps").rows[0][1:]]
    assert row[0] == 75
    assert row[1] == sum(row[2:6]) == sum(row[6:])
    assert row[8] == 1  # the strongly ill-nested tree of 10 words
    inside = [int(cell.split()[0]) for cell in result.table("inherit").rows[0][2:]]
    assert inside == [75 - result.treebanks[0].outside[name] for name in ("WG1", "M1I", "M0I", "Pr")]


def test_best_of_each_complexity_is_bold() -> None:
    table = coverage(example_treebank(), "1EC MH4 WG1").table()
    losses = {column.heading: float(cell) for column, cell in zip(table.columns[2:], table.rows[0][2:], strict=True)}
    best = min(("1EC", "MH4"), key=lambda name: losses[name])
    assert table.bold == {(0, 2 + ["1EC", "MH4", "WG1"].index(best))}


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    treebank = example_treebank()
    treebank[:40].write(tmp_path / "xx_yy-ud-train.conllu")
    treebank[40:].write(tmp_path / "xx_yy-ud-test.conllu.gz")
    treebank[:5].write(tmp_path / "other.conllu")
    return tmp_path


def test_grouping_by_file_treebank_and_total(folder: pathlib.Path) -> None:
    by_file = coverage(str(folder), "Pr WG1")
    assert sorted(t.name for t in by_file.treebanks) == ["other", "xx_yy-ud-test", "xx_yy-ud-train"]
    by_treebank = {t.name: t for t in coverage(str(folder), "Pr WG1", by="treebank").treebanks}
    assert by_treebank["xx_yy"].trees == 75
    assert by_treebank["xx_yy"].outside == coverage(example_treebank(), "Pr WG1").treebanks[0].outside
    (total,) = coverage(str(folder), "Pr WG1", by="total").treebanks
    assert (total.name, total.trees) == ("total", 80)
    with pytest.raises(NonprojError, match="by must be"):
        coverage(str(folder), by="language")


def test_the_macro_average_weighs_treebanks_alike(folder: pathlib.Path) -> None:
    table = coverage(str(folder), "Pr").table()
    losses = [float(row[2]) for row in table.rows]
    assert losses[-1] == pytest.approx(sum(losses[:-1]) / 3, abs=0.01)


def test_threads_do_not_change_the_answer(folder: pathlib.Path) -> None:
    assert coverage(str(folder), threads=1).to_dict() == coverage(str(folder), threads=3).to_dict()


def test_unusual_trees_are_outside_what_few_are_outside_of(folder: pathlib.Path) -> None:
    result = coverage(str(folder), by="treebank")
    odd = result.unusual(6)
    assert len(odd) == 6
    assert odd[0].sentence.sent_id == "x-outside-mh9"
    for tree in odd:
        assert tree.sentence.tree not in tree_class(tree.class_name)
        assert tree.explanation.class_name == tree.class_name
    assert [tree.outside for tree in odd] == sorted(tree.outside for tree in odd)
    assert result.unusual(0) == []
    assert len(coverage(example_treebank(), "Pr").unusual(1000)) == 61
    with pytest.raises(NonprojError, match="keep"):
        coverage(str(folder), keep=False).unusual(1)


def test_invalid_sentences_are_skipped_counted_and_listed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bad.conllu"
    good = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    path.write_text(good + good.replace("\t0\t", "\t7\t") + good, encoding="utf-8")
    with pytest.raises(nonproj.FormatError, match=r"bad\.conllu:3"):
        coverage(str(path))
    result = coverage(str(path), on_error="skip")
    assert (result.treebanks[0].trees, len(result.skipped)) == (2, 1)
    assert "1 invalid sentence was left out." in str(result)


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_plot_is_written(result: nonproj.Coverage, tmp_path: pathlib.Path, ending: str) -> None:
    path = tmp_path / f"plot.{ending}"
    coverage(example_treebank()).plot(str(path))
    assert path.stat().st_size > 5000


def test_a_plot_needs_a_class_with_a_parser_and_a_known_ending(tmp_path: pathlib.Path) -> None:
    with pytest.raises(NonprojError, match="exact parser"):
        coverage(example_treebank(), "2-P").plot(str(tmp_path / "a.png"))
    with pytest.raises(NonprojError, match=r"written as \.png"):
        coverage(example_treebank()).plot(str(tmp_path / "a.nope"))


def test_unknown_tables_are_refused(result: nonproj.Coverage) -> None:
    with pytest.raises(NonprojError, match="no table"):
        result.table("nope")


GOOD = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def test_rows_are_files_whatever_their_names(tmp_path: pathlib.Path) -> None:
    for folder, trees in (("a", 1), ("b", 2), ("c", 3)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "test.conllu").write_text(GOOD * trees, encoding="utf-8")
    (tmp_path / "a" / "dev.conllu").write_text(GOOD * 4, encoding="utf-8")
    result = coverage(str(tmp_path), "Pr")
    expected = [("dev", 4), ("a/test", 1), ("b/test", 2), ("c/test", 3)]
    assert [(t.name, t.trees) for t in result.treebanks] == expected
    by_treebank = coverage(str(tmp_path), "Pr", by="treebank")
    assert [(t.name, t.trees) for t in by_treebank.treebanks] == [("a", 5), ("b", 2), ("c", 3)]
    file = str(tmp_path / "a" / "test.conllu")
    assert [t.name for t in coverage([file, file], "Pr").treebanks] == ["test", "test (2)"]
    twice = coverage([example_treebank(), example_treebank()], "Pr")
    assert [t.name for t in twice.treebanks] == ["sample", "sample (2)"]


def test_no_trees_are_no_coverage(tmp_path: pathlib.Path) -> None:
    (tmp_path / "zero.conllu").write_bytes(b"")
    example_treebank().write(tmp_path / "some.conllu")
    alone = coverage(str(tmp_path / "some.conllu"), "Pr 1EC WG1 M1I")
    result = coverage(str(tmp_path), "Pr 1EC WG1 M1I")
    assert result.mean_loss == alone.mean_loss == alone.treebanks[0].loss
    assert result.table().rows[1][1:] == ["0", "-", "-", "-", "-"]
    assert result.table().rows[2][2:] == result.table().rows[0][2:]
    assert result.table("inherit").rows[1][1:] == ["0", "-", "-", "-", "-"]
    assert set(result.table("least-k").rows[1][2:]) == {"-"}
    assert result.empty == [f"{tmp_path / 'zero.conllu'}: no sentence: it is empty, 0 bytes"]
    assert "1 row has no trees" in str(result)
    result.plot(str(tmp_path / "x.svg"))
    nothing = coverage(str(tmp_path / "zero.conllu"), "Pr")
    assert nothing.mean_loss == {"Pr": None}
    assert "-" in str(nothing)
    with pytest.raises(NonprojError, match="no trees"):
        nothing.plot(str(tmp_path / "x.svg"))


def test_trees_too_entangled_are_not_inside() -> None:
    measured = coverage(example_treebank(), "Pr 2-P")
    table = measured.treebanks[0].profiles.table.copy()
    planes = nonproj.trees.profile.PROPERTIES.index("planes")
    inside = np.flatnonzero(tree_class("2-P").holds(measured.treebanks[0].profiles) == 1)[:5]
    table[inside, planes] = -1
    measured.treebanks[0].profiles = nonproj.trees.Profiles(table)
    (treebank,) = json.loads(measured.to_json())["treebanks"]
    assert treebank["unsettled"] == {"Pr": 0, "2-P": 5}
    assert measured.treebanks[0].loss["2-P"] == treebank["outside"]["2-P"] / 70
    assert measured.to_csv().splitlines()[0] == "treebank,trees,Pr,Pr outside,2-P,2-P outside,unsettled"
    assert measured.to_csv().splitlines()[1].endswith(",5")
    assert "5 trees are too entangled" in str(measured)


def test_what_is_read_in_blocks_counts_the_same(folder: pathlib.Path) -> None:
    kept, streamed = (nonproj.coverage(str(folder), by="treebank", keep=keep) for keep in (True, False))
    assert kept.to_dict() == streamed.to_dict()
    for table in ("loss", "gaps", "inherit"):
        assert kept.to_csv(table) == streamed.to_csv(table)


def test_the_side_of_the_dummy_shows_in_coverage(tmp_path: pathlib.Path) -> None:
    two_roots = "".join(f"{i}\tw\t_\t_\t_\t_\t{head}\tdep\t_\t_\n" for i, head in enumerate([2, 0, 0, 1], 1)) + "\n"
    (path := tmp_path / "two.conllu").write_text(two_roots, encoding="utf-8")
    left, right = (
        nonproj.coverage(str(path), "MH4", dummy=cast("Any", side)).treebanks[0].outside["MH4"] for side in DUMMIES[:2]
    )
    assert (left, right) == (1, 0)
    with pytest.raises(NonprojError, match="expected one of left, right, none"):
        nonproj.coverage(str(path), "MH4", dummy="above")  # type: ignore[arg-type]


def conll(heads: Sequence[int]) -> str:
    """Write a tree as CoNLL-U."""
    return "".join(f"{i}\tw\t_\t_\t_\t_\t{head}\tdep\t_\t_\n" for i, head in enumerate(heads, 1)) + "\n"


@pytest.fixture(name="two_styles")
def two_styles_fixture(tmp_path: pathlib.Path) -> dict[str, str]:
    """Two groups of treebanks, of which files have the same names."""
    crossing, plain = conll([3, 4, 0, 3]), conll([0, 1, 2, 3])
    for group, files in {"one": {"a": crossing + plain, "b": plain}, "two": {"a": crossing}}.items():
        (tmp_path / group).mkdir()
        for name, text in files.items():
            (tmp_path / group / f"{name}.conllu").write_text(text, encoding="utf-8")
    return {"Stanford": str(tmp_path / "one"), "Prague": str(tmp_path / "two")}


def test_groups_have_averages_of_their_own(two_styles: dict[str, str]) -> None:
    result = coverage(two_styles, "Pr WG1")
    assert [(t.group, t.name, t.trees) for t in result.treebanks] == [
        ("Stanford", "a", 2),
        ("Stanford", "b", 1),
        ("Prague", "a", 1),
    ]
    assert {name: group.mean_loss["Pr"] for name, group in result.groups.items()} == {"Stanford": 0.25, "Prague": 1.0}
    assert [row[:3] for row in result.table().rows] == [
        ["a", "2", "50.00"],
        ["b", "1", "0.00"],
        ["macro average, Stanford", "3", "25.00"],
        ["a", "1", "100.00"],
        ["macro average, Prague", "1", "100.00"],
    ]
    assert result.to_csv().splitlines()[:2] == [
        "group,treebank,trees,Pr,Pr outside,WG1,WG1 outside",
        "Stanford,a,2,50.00,1,0.00,0",
    ]
    assert result.to_latex().count(r"\multicolumn{4}{l}{\textit{") == 2
    for text in (result.to_markdown(), result.table().to_html(), str(result)):
        assert text.index("Stanford") < text.index("Prague")
    assert result.table("gaps").rows[2][:3] == ["sum, Stanford", "3", "1"]
    assert [row[0] for row in result.table("inherit").rows] == ["a", "b", "a"]
    total = coverage(two_styles, "Pr", by="total")
    assert [(t.name, t.trees, t.outside["Pr"]) for t in total.treebanks] == [("Stanford", 3, 1), ("Prague", 1, 1)]
    assert [group["name"] for group in json.loads(result.to_json())["groups"]] == ["Stanford", "Prague"]


def test_groups_are_kept_in_states(two_styles: dict[str, str]) -> None:
    whole = coverage(two_styles, "Pr WG1")
    parts = [coverage({name: path}, "Pr WG1") for name, path in two_styles.items()]
    assert parts[1] + parts[0] == whole
    (_, content), *_ = nonproj.state.states_in(whole.to_state().encode(), "whole")
    assert nonproj.Coverage.from_state(content) == whole
    assert whole.groups.keys() == two_styles.keys()
    assert not coverage(two_styles["Prague"], "Pr").groups
    for groups in ({}, {"": two_styles["Prague"]}):
        with pytest.raises(NonprojError, match="groups"):
            coverage(groups, "Pr")


def test_the_least_k_that_is_enough() -> None:
    """One tree of 20 needs more: 95% are then covered with less, 99% and all are not."""
    text = conll([0, 1]) * 19 + conll([2, 0, 0, 1])
    table = coverage([text.encode()], "Pr").table("least-k")
    cells = {(column.heading, column.under): cell for column, cell in zip(table.columns, table.rows[0], strict=True)}
    expected = {"MH_k": "3 5 5", "WG_k": "0 1 1", "MG_k": "0 1 1", "k-P": "1 1 1", "k-C": "1 2 2", "AD_d": "1 3 3"}
    for family, values in expected.items():
        assert [cells[family, share] for share in ("95%", "99%", "all")] == values.split(), family
    ill_nested = coverage([conll([3, 4, 0, 3]).encode(), conll([2, 0, 0, 1, 2, 3]).encode()], "Pr").table("least-k")
    assert [row[0] for row in ill_nested.rows] == ["<bytes>", "<bytes> (2)", "together"]
    assert coverage(example_treebank(), "Pr", dummy="none").table("least-k").columns[2].heading == "WG_k"


def test_the_least_k_agrees_with_the_classes() -> None:
    result = coverage(example_treebank(), "Pr")
    table = result.table("least-k")
    trees = [sentence.tree for sentence in example_treebank()]
    for column, cell in list(zip(table.columns, table.rows[0], strict=True))[2:]:
        needed = {"95%": 0.95, "99%": 0.99, "all": 1.0}[column.under] * len(trees)
        form = column.heading.replace("_", "").replace("d", "k")
        first = next((k for k in range(1, 40) if covered(form, k, trees) >= needed), None)
        assert cell == str(first or "none"), column


def covered(form: str, k: int, trees: Sequence[nonproj.Tree]) -> int:
    """How many trees the class of a family has."""
    if form == "MHk" and k < 3:
        return 0
    cls = tree_class(form.replace("k", str(k)))
    return sum(tree in cls for tree in trees)


def test_without_a_known_complexity_nothing_is_the_best() -> None:
    result = coverage(example_treebank(), "1EC MH4 2-P 2-C")
    row = next(line for line in result.to_latex().splitlines() if line.startswith("sample"))
    assert [r"\textbf" in cell for cell in row.split("&")] == [False, False, True, False, False, False]


def test_unusual_trees_are_explained_where_the_dummy_is() -> None:
    text = conll([0, 1]) * 3 + conll([2, 0, 1, 3, 4, 4, 5])
    result = coverage([text.encode()], "2-C", dummy="right")
    (tree,) = result.unusual(3)
    assert tree.class_name == "2-C"
    assert "2-C@right" in str(tree.explanation)
    assert "The dummy root stands on the right." in str(result)
    assert result.treebanks[0].outside == {"2-C": 1}
    assert coverage([text.encode()], "2-C").treebanks[0].outside == {"2-C": 0}
