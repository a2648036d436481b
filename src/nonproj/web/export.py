"""The page as static files: the same views for the sample treebank, with every step computed beforehand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nonproj.errors import NonprojError
from nonproj.transition import SYSTEMS
from nonproj.treebank import example_treebank
from nonproj.web.library import Library, Shelf
from nonproj.web.query import Query
from nonproj.web.steps_view import GRAMMARS
from nonproj.web.views import POSTED, VIEWS

_SCHEMATA_UP_TO = 10  # words: longer sentences have three of them
_SCHEMATA = ("Eisner", "1EC", "M0I", "M1I", "WG1", "MG1", "MH4", "MH5")
_WIDTH = 860  # of pictures, in pixels: what fits the page on most screens
_HINT = (
    "Loading … If nothing comes, these files were opened as files: browsers load such pages from a web server only, "
    "for example <code>python -m http.server</code> in this folder."
).encode()
_LIFTS = ("smallest", "structural", "iterated")


def _silent(done: int, total: int) -> None:
    pass


def export_site(folder: str | os.PathLike[str], *, progress: Callable[[int, int], None] = _silent) -> int:
    """Write the page for the sample treebank into a folder, which any web server can serve; gives how many files.

    What asks for an answer to something new, such as dragging an arc, needs ``nonproj serve`` and is switched off.
    """
    from nonproj.web.app import encoded, static_files
    from nonproj.web.serving import need_web

    need_web()
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()) and not (target / "index.html").exists():
        raise NonprojError(f"{target}: the folder is not empty and holds no earlier export: choose another")
    library = Library([example_treebank()])
    shelf = library.shelf("sample")
    data = target / "data"
    data.mkdir(exist_ok=True)
    written = 0
    for name, content in static_files().items():
        if name == "index.html":
            content = content.replace(b'data-static="no"', b'data-static="yes"').replace(b"Loading \xe2\x80\xa6", _HINT)
        (target / name).write_bytes(content)
        written += 1
    for done, (name, value) in enumerate(_answers(library, shelf), 1):
        (data / f"{name}.json").write_bytes(encoded(value))
        written += 1
        progress(done, len(shelf.treebank) + 20)
    return written


def _answers(library: Library, shelf: Shelf) -> Iterator[tuple[str, dict[str, Any]]]:
    def view(name: str, **values: Any) -> dict[str, Any]:
        return VIEWS[name](library, Query({"treebank": shelf.name, **values}))

    yield "library", view("library")
    yield "coverage", view("coverage")
    yield "sentences", {"rows": [row for page in _pages(view, shelf) for row in page]}
    for known in GRAMMARS:
        yield f"grammar-{known['name']}", view("grammar", grammar=known["name"], words=known["words"])
    for name in _SCHEMATA:
        yield f"schema-{name}", view("schema_text", schema=name)
    scores = view("scores")
    yield "scores", scores
    yield "decode", POSTED["decode"](library, Query({**scores, "within": "1EC", "width": 560}))
    for number, sentence in enumerate(shelf.treebank):
        yield f"sentence-{number}", _sentence(view, number, len(sentence))


def _pages(view: Callable[..., dict[str, Any]], shelf: Shelf) -> Iterator[list[dict[str, Any]]]:
    for page in range(-(-len(shelf.treebank) // 200)):
        yield view("sentences", size=200, page=page)["rows"]


def _sentence(view: Callable[..., dict[str, Any]], number: int, words: int) -> dict[str, Any]:
    """A sentence with all that can be asked of it, by the name of the view and what chooses in it."""

    def tried(name: str, **values: Any) -> dict[str, Any]:
        try:
            return view(name, number=number, width=_WIDTH, **values)
        except NonprojError as error:
            return {"error": str(error)}

    systems = [kind.shown(kind.example) for kind in SYSTEMS]
    small = _SCHEMATA if words <= _SCHEMATA_UP_TO else ("Eisner", "1EC", "MH4")
    return {
        "sentence": view("sentence", number=number, width=_WIDTH),
        "copy": {form: tried("copy", format=form) for form in ("conllu", "svg", "latex")},
        "transitions": {name: tried("transitions", system=name) for name in systems},
        "schema": {name: tried("schema", schema=name) for name in small},
        "sorting": tried("sorting"),
        "lifting": {how: tried("lifting", how=how) for how in _LIFTS},
    }
