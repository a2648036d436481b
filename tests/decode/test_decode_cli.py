"""The verb ``decode``, file to file and stdin to stdout."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from nonproj import NonprojError
from nonproj.cli import cli
from nonproj.decode import decode


@pytest.fixture
def archive(tmp_path: Path) -> tuple[Path, dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    tables = {f"s{n}": rng.normal(size=(n + 1, n + 1)) for n in (3, 1, 12)}
    tables["labelled"] = rng.normal(size=(5, 5, 3)).astype(np.float32)
    path = tmp_path / "scores.npz"
    np.savez(path, **tables)  # type: ignore[arg-type]
    return path, tables


def test_json_lines(archive: tuple[Path, dict[str, np.ndarray]]) -> None:
    path, tables = archive
    result = CliRunner().invoke(cli, ["decode", str(path), "--within", "WG1", "--single-root"], catch_exceptions=False)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["sent_id"] for row in rows] == list(tables)
    for row in rows:
        best = decode(tables[row["sent_id"]], within="WG1", single_root=True)
        assert row["heads"] == best.heads.tolist()
        assert row["score"] == best.score
        assert row["is_optimal"] is True
        assert row.get("labels") == (None if best.labels is None else best.labels.tolist())


def test_conllu_from_stdin_to_a_file(archive: tuple[Path, dict[str, np.ndarray]], tmp_path: Path) -> None:
    from nonproj import read

    path, tables = archive
    output = tmp_path / "trees.conllu"
    arguments = ["decode", "-", "--within", "Pr", "--format", "conllu", "-o", str(output)]
    result = CliRunner().invoke(cli, arguments, input=path.read_bytes(), catch_exceptions=False)
    assert result.exit_code == 0
    assert result.stdout == ""
    treebank = read(str(output))
    assert [sentence.sent_id for sentence in treebank] == list(tables)
    for sentence in treebank:
        assert sentence.tree == decode(tables[sentence.sent_id], within="Pr").tree


@pytest.mark.parametrize("form", ["json", "conllu"])
def test_a_chain_of_classes_with_prices(archive: tuple[Path, dict[str, np.ndarray]], form: str) -> None:
    path, tables = archive
    arguments = ["decode", str(path), "--within", "Pr:0, 1EC:0.5, spanning:2", "--format", form]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    best = [decode(scores, within={"Pr": 0, "1EC": 0.5, "spanning": 2}) for scores in tables.values()]
    if form == "json":
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        assert [(row["heads"], row["grade"], row["price"], row["score"]) for row in rows] == [
            (each.heads.tolist(), each.grade, each.price, each.score) for each in best
        ]
    else:
        assert [line for line in result.stdout.splitlines() if line.startswith("# grade")] == [
            f"# grade = {each.grade}" for each in best
        ]


def test_unproven_trees_are_marked(tmp_path: Path) -> None:
    path = tmp_path / "hard.npz"
    np.savez(path, hard=np.random.default_rng(0).normal(size=(31, 31)))
    arguments = ["decode", str(path), "--within", "2-C", "--work-limit", "3"]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    row = json.loads(result.stdout)
    assert not row["is_optimal"]
    assert row["bound"] > row["score"]
    assert "1 tree is not proven optimal" in result.stderr
    assert CliRunner().invoke(cli, [*arguments, "--strict"]).exit_code == 3
    text = CliRunner().invoke(cli, [*arguments, "--format", "conllu"]).stdout
    assert "# bound = " in text


def test_errors_name_the_file_and_the_sentence(tmp_path: Path) -> None:
    bad = np.zeros((3, 3))
    bad[0, 1] = np.nan
    np.savez(tmp_path / "bad.npz", good=np.zeros((3, 3)), broken=bad)
    with pytest.raises(NonprojError, match=r"bad\.npz: broken: scores\[0, 1\] is NaN"):
        CliRunner().invoke(cli, ["decode", str(tmp_path / "bad.npz")], catch_exceptions=False)
    np.save(tmp_path / "single.npy", np.zeros((3, 3)))
    with pytest.raises(NonprojError, match="one array a sentence"):
        CliRunner().invoke(cli, ["decode", str(tmp_path / "single.npy")], catch_exceptions=False)
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(NonprojError, match=r"not an \.npz file"):
        CliRunner().invoke(cli, ["decode", str(tmp_path / "text.npz")], catch_exceptions=False)
    stream = io.BytesIO()
    np.savez(stream, objects=np.array([{}, None], dtype=object))
    with pytest.raises(NonprojError, match="-: Object arrays"):
        CliRunner().invoke(cli, ["decode", "-"], input=stream.getvalue(), catch_exceptions=False)
    with pytest.raises(FileNotFoundError):
        CliRunner().invoke(cli, ["decode", str(tmp_path / "absent.npz")], catch_exceptions=False)


def test_planes(archive: tuple[Path, dict[str, np.ndarray]]) -> None:
    path, tables = archive
    arguments = ["decode", str(path), "--within", "MH4", "--planes"]
    rows = [json.loads(line) for line in CliRunner().invoke(cli, arguments).stdout.splitlines()]
    for row in rows:
        best = decode(tables[row["sent_id"]], within="MH4")
        assert row["planes"] == best.planes.tolist()
        assert set(row["planes"]) <= {-1, 0, 1}
        plane_of = {dependent: plane for (_, dependent), plane in best.tree.plane_of.items()}
        assert {word: plane for word, plane in enumerate(row["planes"], 1) if plane >= 0} == plane_of
    text = CliRunner().invoke(cli, [*arguments, "--format", "conllu"]).stdout
    assert text.count("Plane=") == sum(plane >= 0 for row in rows for plane in row["planes"])
