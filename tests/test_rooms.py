"""A room imports only from rooms above it, and the public names are what they should be."""

import ast
import pathlib

import nonproj

ROOMS = [
    "errors", "processors", "trees", "treebank", "decode", "schema", "transition", "lifting", "grammar", "parser",
    "report", "draw", "web", "cli",
]  # fmt: skip
SOURCE = pathlib.Path(nonproj.__file__).parent
# Pictures of a tree in a notebook and of a schema's counter-example: imports that look down, made only to draw.
ALLOWED = {("trees/tree.py", "draw"), ("schema/pictures.py", "draw")}


def imported_rooms(path: pathlib.Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module]
            if node.module == "nonproj":
                names = [f"nonproj.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("nonproj.")}
    return rooms & set(ROOMS)


def test_rooms_import_only_from_above() -> None:
    for path in SOURCE.rglob("*.py"):
        relative = path.relative_to(SOURCE)
        room = relative.parts[0].removesuffix(".py")
        if room not in ROOMS:
            continue
        for other in imported_rooms(path):
            allowed = ROOMS.index(other) <= ROOMS.index(room) or (relative.as_posix(), other) in ALLOWED
            assert allowed, f"{relative} imports from {other}, which comes after {room}"


def test_public_names_exist_and_are_documented() -> None:
    for name in nonproj.__all__:
        assert name == "__version__" or getattr(nonproj, name).__doc__, name


def test_importing_nonproj_does_not_import_the_extras() -> None:
    import subprocess
    import sys

    extras = ("matplotlib", "pandas", "pyarrow", "torch", "rich", "click")
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
