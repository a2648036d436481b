"""The core without Python: a C++ program links it."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "cpp"


def built_library() -> pathlib.Path | None:
    """The library as the last installation from this folder left it; without one, CMake builds it anew."""
    kept = [path for path in (ROOT / "build").glob("*/libnonproj_core.a") if path.parent.name != "sanitize"]
    return max(kept, key=lambda path: path.stat().st_mtime, default=None)


def test_a_cpp_program_links_the_core(tmp_path: pathlib.Path) -> None:
    program, library = tmp_path / "best_trees", built_library()
    compiler = os.environ.get("CXX", "c++")
    if library is not None and shutil.which(compiler):
        source = EXAMPLE / "best_trees.cpp"
        command: list[str | pathlib.Path]
        command = [compiler, "-std=c++20", "-I", ROOT / "cpp", source, library, "-pthread", "-o", program]
        subprocess.run(command, check=True)
    elif shutil.which("cmake"):
        # Debug: the charts take long to optimise, and the answers are the same.
        subprocess.run(["cmake", "-S", EXAMPLE, "-B", tmp_path, "-DCMAKE_BUILD_TYPE=Debug"], check=True)
        subprocess.run(["cmake", "--build", tmp_path, "--parallel", "2"], check=True)
    else:
        pytest.skip("no C++ compiler is installed here")
    told = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert told.splitlines() == [
        "spanning  score 34.0  heads 3 4 0 3  of 64 trees",
        "1EC       score 34.0  heads 3 4 0 3  of 64 trees",
        "Pr        score 26.0  heads 3 3 0 3  of 30 trees",
    ]
