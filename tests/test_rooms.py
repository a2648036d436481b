"""A room imports only from rooms above it, and the public names are what they should be."""

import ast
import pathlib
from graphlib import CycleError, TopologicalSorter

import pytest

import nonproj

ROOMS = [
    "errors", "processors", "state", "trees", "treebank", "decode", "torch", "neural", "schema", "transition",
    "lifting", "grammar", "parser", "text", "report", "draw", "sharing", "distributed", "web", "cli",
]  # fmt: skip
SOURCE = pathlib.Path(nonproj.__file__).parent
# What a notebook shows, and pictures of a schema's counter-example: imports that look down, made only to draw.
ALLOWED = {
    ("trees/tree.py", "draw"),
    ("treebank/sentence.py", "draw"),
    ("treebank/treebank.py", "draw"),
    ("grammar/forest.py", "draw"),
    ("parser/evaluation.py", "draw"),
    ("report/coverage.py", "draw"),
    ("schema/pictures.py", "draw"),
}


def imports(path: pathlib.Path) -> set[str]:
    """All that a file imports, at its top, within functions and for type checkers alike, as dotted names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def imported_rooms(path: pathlib.Path) -> set[str]:
    return {name.split(".")[1] for name in imports(path) if name.startswith("nonproj.")} & set(ROOMS)


def test_rooms_import_only_from_above() -> None:
    for path in SOURCE.rglob("*.py"):
        relative = path.relative_to(SOURCE)
        room = relative.parts[0].removesuffix(".py")
        if room not in ROOMS:
            continue
        for other in imported_rooms(path):
            allowed = ROOMS.index(other) <= ROOMS.index(room) or (relative.as_posix(), other) in ALLOWED
            assert allowed, f"{relative} imports from {other}, which comes after {room}"


@pytest.mark.parametrize("room", [room for room in ROOMS if (SOURCE / room).is_dir()])
def test_modules_of_a_room_do_not_import_each_other_in_a_circle(room: str) -> None:
    def name(path: pathlib.Path) -> str:
        return ".".join(["nonproj", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")

    paths = {name(path): path for path in (SOURCE / room).rglob("*.py")}
    below: dict[str, set[str]] = {}
    for module, path in paths.items():
        # A name is imported from the module of that name, or from the module that it stands in.
        found = {full if full in paths else full.rpartition(".")[0] for full in imports(path)}
        below[module] = found & set(paths)
    assert not circle(below), f"{' -> '.join(circle(below))}: pass what is needed, or move it to a module below"


def circle(below: dict[str, set[str]]) -> list[str]:
    """Some modules that import each other in a circle; none when there are none."""
    try:
        list(TopologicalSorter(below).static_order())
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_public_names_exist_and_are_documented() -> None:
    for name in nonproj.__all__:
        assert name == "__version__" or getattr(nonproj, name).__doc__, name


def test_importing_nonproj_does_not_import_the_extras() -> None:
    import subprocess
    import sys

    extras = ("matplotlib", "pandas", "pyarrow", "torch", "rich", "click", "dask", "distributed", "fsspec")
    code = f"import nonproj, sys; print([m for m in {extras} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_a_function_is_not_lost_to_the_room_of_its_name() -> None:
    import subprocess
    import sys

    code = "from nonproj.draw import svg; import nonproj.draw.vector, nonproj.decode.best; "
    code += "print(callable(nonproj.draw), callable(nonproj.decode))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["True", "True"]
