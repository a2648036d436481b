"""The progress of an installation: what is shown of what pip says, and that failures are not hidden."""

import pathlib
import runpy
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).parents[1] / ".ci" / "install.py"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Collecting numpy>=1.24 (from nonproj==0.1.0)\n", ("fetching numpy", True)),
        ("  Installing build dependencies: started\n", ("fetching what the build needs", True)),
        ("  *** Configuring CMake...\n", ("configuring", True)),
        ("  *** Building project with Ninja...\n", ("compiling the C++ core", True)),
        ("  [12/38] Building CXX object CMakeFiles/_core.dir/cpp/bind/decode.cpp.o\n", ("[12/38] decode.cpp", False)),
        ("  [ 31%] Building CXX object CMakeFiles/_core.dir/cpp/bind/decode.cpp.o\n", ("[ 31%] decode.cpp", False)),
        ("  [3/9] Building CXX object CMakeFiles/_core.dir/Unity/unity_learn_cxx.cxx.o\n", ("[3/9] learn", False)),
        ("Installing collected packages: numpy, nonproj\n", ("installing", True)),
        ("  -- The CXX compiler identification is GNU 12.2.0\n", None),
    ],
)
def test_what_is_shown(line: str, shown: tuple[str, bool] | None) -> None:
    assert list(runpy.run_path(str(SCRIPT))["told"](line)) == ([] if shown is None else [shown])


def test_a_failure_is_shown_whole_and_keeps_its_code(tmp_path: pathlib.Path) -> None:
    (tmp_path / "pip.py").write_text(
        "print('  [1/2] Building CXX object a.cpp.o'); print('a.cpp:1: error: no'); raise SystemExit(7)"
    )
    # A module pip in the folder that it is started from is found before the real one.
    command = [sys.executable, str(SCRIPT), "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 7
    assert "a.cpp:1: error: no" in result.stdout
    assert "failed with exit code 7" in result.stdout


def test_versions_that_are_tested_are_pinned_outside_the_extras(tmp_path: pathlib.Path) -> None:
    """An extra takes any torch from one on, so that nonproj fits beside others; the tests take one version."""
    (tmp_path / "pip.py").write_text("import sys; print(sys.argv); raise SystemExit(1)")
    command = [sys.executable, str(SCRIPT), "--extra", "torch"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    constraints = SCRIPT.with_name("constraints.txt")
    assert f"'--constraint', {str(constraints)!r}, 'torch>=2.3'" in shown
    pinned = [line for line in constraints.read_text().splitlines() if not line.startswith("#")]
    assert [line.split("==")[0] for line in pinned] == ["torch"]


def test_an_extra_is_its_requirements_alone() -> None:
    requirements = runpy.run_path(str(SCRIPT))["requirements"]
    assert requirements("plot") == ["matplotlib>=3.7"]
    with pytest.raises(SystemExit, match="no extra nowhere"):
        requirements("nowhere")
