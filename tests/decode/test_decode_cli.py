"""The verb ``decode``, file to file and stdin to stdout."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize("within", ["M0I", "Pr", "spanning"])
def test_larger_parts_stand_beside_the_arcs(tmp_path: Path, within: str) -> None:
    """Lists or tables, for some sentences or all: as `decode` has it."""
    rng = np.random.default_rng(3)
    path = tmp_path / "parts.npz"
    tables: dict[str, Any] = {}
    given: dict[str, dict[str, Any]] = {}
    for i in range(6):
        n = int(rng.integers(2, 7))
        tables[f"s.{i}"] = rng.normal(size=(n + 1, n + 1))
        triples = [
            (g, h, d) for g in range(n + 1) for h in range(1, n + 1) for d in range(1, n + 1) if len({g, h, d}) == 3
        ]
        listed = np.array([(*triple, 3 * rng.normal()) for triple in triples]).reshape(-1, 4)
        parts: list[dict[str, Any]] = [{"grandparents": listed}, {"siblings": rng.normal(size=(n + 1,) * 3)}, {}, {}]
        parts[2] = {**parts[0], "valency": rng.normal(size=(n + 1, 3, 2)), "ends": rng.normal(size=(n + 1, n + 1))}
        given[f"s.{i}"] = parts[i % 4]
    named: dict[str, Any] = {f"{name}.{kind}": each for name, parts in given.items() for kind, each in parts.items()}
    np.savez(path, **named, **tables)
    result = CliRunner().invoke(cli, ["decode", str(path), "--within", within], catch_exceptions=False)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["sent_id"] for row in rows] == list(tables)
    for row in rows:
        best = decode(tables[row["sent_id"]], within=within, **given[row["sent_id"]])
        assert row["heads"] == best.heads.tolist()
        assert row["score"] == pytest.approx(best.score)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (
            {"s.siblings": np.zeros((3, 3, 3))},
            "'s.siblings' has scores of larger parts, but no array 's' those of the arcs",
        ),
        ({"s": np.zeros((3, 3)), "s.siblings": np.zeros((2, 3))}, "s: siblings must be an array of shape"),
        ({"s": np.zeros((3, 3)), "s.ends": np.zeros((2, 3))}, "s: ends must have the shape (3, 3), not (2, 3)"),
    ],
)
def test_larger_parts_that_do_not_fit(tmp_path: Path, named: dict[str, Any], said: str) -> None:
    path = tmp_path / "parts.npz"
    np.savez(path, **named)
    result = CliRunner().invoke(cli, ["decode", str(path)])
    assert isinstance(result.exception, NonprojError)
    assert said in str(result.exception)


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
    with pytest.raises(NonprojError, match="-: objects: Object arrays"):
        CliRunner().invoke(cli, ["decode", "-"], input=stream.getvalue(), catch_exceptions=False)
    with pytest.raises(FileNotFoundError):
        CliRunner().invoke(cli, ["decode", str(tmp_path / "absent.npz")], catch_exceptions=False)


def _zipped(members: list[tuple[str, bytes]], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", compression) as made:
        warnings.simplefilter("ignore")  # of names that are there already
        for name, content in members:
            made.writestr(name, content)
    return stream.getvalue()


def _array(value: float = 0, header: bytes = b"") -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.full((3, 3), value))
    content = stream.getvalue()
    return content.replace(b"{'descr'", header, 1) if header else content


def _changed(content: bytes, position: int, value: int, central: int) -> bytes:
    """A zip file with a number of its only member changed, in the member's own header and in the central directory."""
    where = content.index(b"PK\x01\x02") + central
    changed = bytearray(content)
    changed[position : position + 2] = changed[where : where + 2] = value.to_bytes(2, "little")
    return bytes(changed)


ONE = _zipped([("s1.npy", _array())])
SQUEEZED = {
    name: _zipped([("s1.npy", _array())], method)
    for name, method in (
        ("deflate", zipfile.ZIP_DEFLATED),
        ("bzip2", zipfile.ZIP_BZIP2),
        ("lzma", zipfile.ZIP_LZMA),
    )
}
DAMAGED = {
    "encrypted": (_changed(ONE, 6, 1, 8), "s1: .*encrypted"),
    **{f"method {n}": (_changed(ONE, 8, n, 10), "s1: .*compression") for n in (1, 9, 93, 95, 99)},
    "version": (_changed(ONE, 4, 99, 6), "version 9.9"),
    "unbalanced header": (_zipped([("s1.npy", _array(header=b"{((descr'"))]), "s1: "),
    "empty member": (_zipped([("s1.npy", b"")]), "s1: "),
    "no array": (_zipped([("s1.npy", b"text")]), "s1: "),
    "cut member": (_zipped([("s1.npy", _array()[:-8])]), "s1: "),
    "empty file": (b"", "no .npz file|not an .npz file"),
    **{name: (content[:45] + bytes(8) + content[53:], r"bad\.npz: s1: .") for name, content in SQUEEZED.items()},
    "twice": (_zipped([("a.npy", _array(1)), ("a.npy", _array(2))]), "2 arrays have the name 'a'"),
    "with and without ending": (_zipped([("a.npy", _array(1)), ("a", _array(2))]), "2 arrays have the name 'a'"),
    "line end": (_zipped([("a\n1\tw\n\n# sent_id = evil.npy", _array())]), "a line end"),
    "terminal": (_zipped([("a\x1b]0;title\x07.npy", _array())]), "a line end or another control character"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_archives_are_named(damage: str, tmp_path: Path) -> None:
    content, said = DAMAGED[damage]
    (tmp_path / "bad.npz").write_bytes(content)
    with pytest.raises(NonprojError, match=said) as raised:
        CliRunner().invoke(cli, ["decode", str(tmp_path / "bad.npz")], catch_exceptions=False)
    assert "bad.npz: " in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("seed", range(3))
def test_archives_with_flipped_bytes(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    for content in (ONE, *SQUEEZED.values()):
        for _ in range(100):
            changed = np.frombuffer(content, dtype=np.uint8).copy()
            changed[rng.integers(len(changed), size=2)] = rng.integers(256, size=2)
            (tmp_path / "bad.npz").write_bytes(changed.tobytes())
            with contextlib.suppress(NonprojError):
                result = CliRunner().invoke(cli, ["decode", str(tmp_path / "bad.npz")], catch_exceptions=False)
                assert (result.exit_code, result.output.count("sent_id")) == (0, 1)


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


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is bounded on Linux")
def test_memory_that_there_is_not(tmp_path: Path) -> None:
    import resource

    np.savez(tmp_path / "long.npz", long=np.random.default_rng(0).normal(size=(161, 161)))
    command = "import nonproj_main; nonproj_main.main()"
    arguments = ["decode", "long.npz", "-w", "WG1", "--strategy", "chart", "--memory-limit", "1000000", "-j", "1"]
    result = subprocess.run(
        [sys.executable, "-c", command, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)),
    )
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert re.search(
        r"^nonproj: decode: long\.npz: there is not enough memory for the chart of WG1 for 160 words, about \d+ MiB: "
        r"set memory_limit below that; less is taken with a lower --memory-limit or --threads$",
        result.stderr,
        re.MULTILINE,
    )
