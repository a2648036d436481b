from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest

from nonproj import NonprojError
from nonproj.treebank import read, sources


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "b.conllu",
        "a.conll.gz",
        "deep/down/c.conllx",
        "deep/d.conllu.xz",
        "notes.txt",
        "x[1].conllu",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_folders_and_globs(folder: Path) -> None:
    inside = ["a.conll.gz", "b.conllu", "deep/d.conllu.xz", "deep/down/c.conllx", "x[1].conllu"]
    assert sources(".") == [os.path.join(".", name) for name in inside]
    assert sources(folder) == [str(folder / name) for name in inside]
    assert sources("*.conllu") == ["b.conllu", "x[1].conllu"]
    assert sources("**/*.conll*") == sorted(inside)
    assert sources("d*") == ["deep/d.conllu.xz", "deep/down/c.conllx"]
    assert sources("x[1].conllu") == ["x[1].conllu"]
    assert sources(["notes.txt", "-", "b.conllu", Path("b.conllu")]) == [
        "notes.txt",
        "-",
        "b.conllu",
        "b.conllu",
    ]
    file = io.BytesIO()
    assert sources([file, b"text"]) == [file, b"text"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("missing.conllu", "missing.conllu: no such file or folder"),
        ("missing/*.conllu", r"missing/\*.conllu: no file matches"),
        ("bare", "bare: the folder has no file that ends in .conllu, .conll or .conllx"),
        ([], "nothing to read"),
        ("1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n", "give it as bytes: text.encode()"),
        (["b.conllu", "missing.conllu"], "missing.conllu: no such file or folder"),
    ],
)
def test_nothing_there(folder: Path, source: object, message: str) -> None:
    with pytest.raises(NonprojError, match=message):
        read(source)  # type: ignore[arg-type]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_not_allowed(folder: Path) -> None:
    (folder / "b.conllu").chmod(0)
    with pytest.raises(NonprojError, match=r"b\.conllu: cannot be read: Permission denied"):
        read("b.conllu")


@pytest.mark.parametrize("ending", [".zip", ".tar.gz", ".7z"])
def test_what_is_packed_in_another_way_is_not_passed_over(folder: Path, ending: str) -> None:
    packed = {".zip": b"PK\x03\x04", ".7z": b"7z\xbc\xaf\x27\x1c"}
    tar = gzip.compress(bytes(257) + b"ustar")
    (folder / f"x.conllu{ending}").write_bytes(packed.get(ending, tar))
    with pytest.raises(NonprojError, match=f"x.conllu{ending}: .* which is not read: unpack it"):
        read(folder)


def test_zstandard_without_its_package_names_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "x.conllu.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    for module in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    for use in (lambda: read(folder / "x.conllu.zst"), lambda: read("b.conllu").write(folder / "y.conllu.zst")):
        with pytest.raises(NonprojError, match=r"conllu.zst: .*pip install 'nonproj\[zst\]', or use zstd -dc"):
            use()
