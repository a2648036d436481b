"""The view of decoding: scores in, the best tree of every class out, and how it was found."""

from __future__ import annotations

import io
import json
import math
import time
import zipfile
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj.decode import Decoded, decode, k_best, marginals, search_tree
from nonproj.draw import scene
from nonproj.errors import NonprojError
from nonproj.text import Pipeline
from nonproj.treebank import Sentence
from nonproj.trees import Tree, tree_class, tree_classes
from nonproj.trees.classes import CATALOGUE
from nonproj.web.library import Library
from nonproj.web.model_view import parsed_text
from nonproj.web.query import Query

_CLASSES = "Pr 1-P 1EC MH4 M0I M1I WG1 MG1 2-P spanning"
_SECONDS = 1.0  # for the best tree of one class, and for the k best of one
_SUMMED = 2e11  # steps of a chart of sums, n to its exponent: some five seconds
_SEARCHED = 60  # nodes of a search that is shown
_MOST_TABLES = 20
_UNPACKED = 64 << 20

EXAMPLE = {
    "words": ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."],
    "note": "made up: the best spanning tree is that of en-hearing, which is outside 1EC",
}


def example(library: Library, query: Query) -> dict[str, Any]:
    """Scores to begin with: ``words``, ``scores`` and ``note``. Its best spanning tree is that of en-hearing."""
    words: list[str] = list(EXAMPLE["words"])
    heads = [2, 3, 0, 3, 2, 7, 5, 4, 3]
    chance = np.random.default_rng(1)
    scores = np.round(chance.normal(0, 1, (len(words) + 1, len(words) + 1)), 1)
    for word, head in enumerate(heads, 1):
        scores[head, word] = 4 + round(word / 10, 1)
    scores[3, 5] = 3.4  # "on" below "is" costs little
    np.fill_diagonal(scores, 0)
    scores[:, 0] = 0
    return {"words": words, "scores": scores.tolist(), "note": EXAMPLE["note"]}


def best_trees(library: Library, query: Query) -> dict[str, Any]:
    """The best tree in each of some classes, by ``scores``, or by those that the model has for ``text`` or a sentence.

    ``results`` have what ``nonproj decode`` prints, and ``class``, ``strategy``, ``relaxations``, ``seconds`` and
    ``scene``; a class without a tree has the reason in ``why`` instead. For the class ``within``: ``search``, the nodes
    of relax and check, ``marginals`` (null with the reason in ``no_marginals``), and ``k_best``, the ``k`` best trees
    with their scores, or as many as were proven in time, which ``unproven`` then says.
    """
    table, words, source = _scores(library, query)
    _check(table, library.limits.scored_words)
    single_root = query.flag("single_root")
    within = tree_class(query.text("within", "1EC")).name
    names = query.names("classes") or _CLASSES.split()
    results = _results(table, words, [cls.name for cls in tree_classes(names[:24])], single_root, query.width())
    nodes = search_tree(table, within=within, single_root=single_root, forms=words, limit=_SEARCHED)
    chances, why = _marginals(table, within, single_root)
    k = query.number("k", 5, 1, 50)
    found, unproven = _k_best(table, k, within, single_root)
    return {
        "words": words,
        "source": source,
        "scores": _plain(table),
        "within": within,
        "results": results,
        "search": [{**node.to_dict(), "bound": _number(node.bound)} for node in nodes],
        "is_whole": any(node.state == "best" for node in nodes),
        "marginals": chances,
        "no_marginals": why,
        "k_best": [{**best.to_dict(), "classes": _inside(best.tree)} for best in found],
        "unproven": unproven,
    }


def _results(
    table: npt.NDArray[np.float64], words: list[str], names: list[str], single_root: bool, width: int | None
) -> list[dict[str, Any]]:
    """The best tree of each class; an error only if no class has one."""
    results: list[dict[str, Any]] = []
    for name in names:
        try:
            results.append(_best(table, words, name, single_root, width))
        except NonprojError as error:
            results.append({"class": name, "why": str(error)})
    if not any("scene" in result for result in results):
        raise NonprojError(results[-1]["why"])
    return results


def _best(
    table: npt.NDArray[np.float64], words: list[str], name: str, single_root: bool, width: int | None
) -> dict[str, Any]:
    begun = time.perf_counter()
    best = decode(table, within=name, single_root=single_root, time_limit=_SECONDS)
    seconds = time.perf_counter() - begun
    told = {key: _number(value) if isinstance(value, float) else value for key, value in best.to_dict().items()}
    return {
        "class": name,
        **told,
        "strategy": str(best.strategy),
        "relaxations": int(best.relaxations),
        "seconds": seconds,
        "scene": scene(Tree(best.heads, forms=words), width=width),
    }


def _k_best(table: npt.NDArray[np.float64], k: int, within: str, single_root: bool) -> tuple[list[Decoded], str]:
    """The k best trees; or those that were proven when time was up, and a word about the others."""
    end = time.monotonic() + _SECONDS
    found: list[Decoded] = []
    count = 1
    while len(found) < count:  # by doubling, since a search that stops early gives none
        try:
            more = k_best(
                table, count, within=within, single_root=single_root, time_limit=max(0.01, end - time.monotonic())
            )
        except NonprojError:
            proven = f"only {len(found)}" if found else "none"
            why = f"{proven} of the {k} best trees could be proven in {_SECONDS:g} s: nonproj.k_best takes a time_limit"
            return found, why
        if len(more) < count:
            return more, ""  # there are no others
        found, count = more, min(2 * count, k)
    return found, ""


def _inside(tree: Tree) -> list[str]:
    return [cls.name for cls in CATALOGUE if cls.solver.contains(tree._array) == 1]


def _marginals(table: npt.NDArray[np.float64], within: str, single_root: bool) -> tuple[Any, str]:
    if len(table) ** (tree_class(within).exponent or 0) > _SUMMED:
        return None, f"for {len(table) - 1} words within {within} they take long: see nonproj.marginals"
    try:
        return np.round(marginals(table, within=within, single_root=single_root), 4).tolist(), ""
    except NonprojError as error:
        return None, str(error)


def _scores(library: Library, query: Query) -> tuple[npt.NDArray[np.float64], list[str], str]:
    given = query.raw("scores")
    if given is not None and given != "":
        table, words = read_scores(given)
        named = query.words("words") or [word[:80] for word in words]
        return table, _named(named, len(table) - 1), "scores"
    if library.model is None:
        raise NonprojError("there are no scores: paste some, or start the page with --model to score sentences")
    if text := query.text("text"):
        sentences = parsed_text(library, text)
        sentence = sentences[query.number("place", 0, 0, len(sentences) - 1)]
    else:
        _, _, sentence, _ = library.asked(query)
    return _model_scores(library.model, sentence, library.limits.scored_words), sentence.forms, "model"


def has_scores(model: Pipeline) -> bool:
    """Whether a model has a parser that scores arcs, and not transitions."""
    return model.parser is not None and model.parser.kind == "graph"


def _model_scores(model: Pipeline, sentence: Sentence, most: int) -> npt.NDArray[np.float64]:
    if len(sentence) > most:
        raise NonprojError(f"the sentence has {len(sentence)} words, more than {most}")
    if model.parser is None:
        raise NonprojError("the model has no parser, so there are no scores: train it with the step parse")
    return np.asarray(model.parser.scores(sentence), dtype=np.float64)


def read_scores(given: Any) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Scores as a table of numbers, or as text: rows of numbers, spaces, tabs or commas between them, or JSON.

    The first line of a text may have the words.

    >>> table, words = read_scores("dogs bark\\n0 1 5\\n0 0 1\\n0 2 0")
    >>> table.shape, words
    ((3, 3), ['dogs', 'bark'])
    """
    words: list[str] = []
    if isinstance(given, str):
        text = given.strip()
        if text.startswith("["):
            try:
                given = json.loads(text)
            except ValueError as error:
                raise NonprojError(f"scores: this is not JSON: {error}") from None
            except RecursionError:
                raise NonprojError("scores: expected rows of numbers, not lists within lists within lists") from None
        else:
            rows = [line.replace(",", " ").replace(";", " ").split() for line in text.splitlines() if line.strip()]
            if rows and not all(map(_is_number, rows[0])):
                words, rows = rows[0], rows[1:]
            given = rows
    if not isinstance(given, list) or not all(isinstance(row, list) for row in given):
        raise NonprojError("scores: expected rows of numbers, one row a head, the root's first")
    sizes = {len(row) for row in given}
    if sizes != {len(given)} or len(given) < 2:
        shown = ", ".join(map(str, sorted(sizes)[:5]))
        raise NonprojError(f"scores: expected n+1 rows of n+1 numbers, not {len(given)} rows of {shown}")
    try:
        table = np.array([[-math.inf if value is None else float(value) for value in row] for row in given])
    except OverflowError:
        raise NonprojError("scores: expected numbers below 1e300, not an integer of more than 300 digits") from None
    except (TypeError, ValueError) as error:
        raise NonprojError(f"scores: {error}") from None
    return table, words


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check(table: npt.NDArray[np.float64], most: int) -> None:
    if len(table) - 1 > most:
        raise NonprojError(f"scores for {len(table) - 1} words: the page takes at most {most}; use nonproj decode")
    if np.isnan(table).any() or (table == math.inf).any():
        raise NonprojError("scores: expected numbers, or -inf for an arc that is forbidden")


def _named(words: list[str], count: int) -> list[str]:
    if len(words) == count + 1:
        words = words[1:]
    return words if len(words) == count else [str(number) for number in range(1, count + 1)]


def _plain(table: npt.NDArray[np.float64]) -> list[list[float | None]]:
    return [[_number(value) for value in row] for row in table.tolist()]


def _number(value: float) -> float | None:
    """A number that JSON has; None for those it has not."""
    return value if math.isfinite(value) else None


def uploaded_scores(name: str, content: bytes, most_words: int) -> dict[str, Any]:
    """The tables of an ``.npz`` file: ``sentences`` with ``name`` and ``scores``, at most 20 of them."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(info.file_size for info in archive.infolist()) > _UNPACKED:
                raise NonprojError(f"{name}: unpacked it has more than {_UNPACKED >> 20} MiB: use nonproj decode")
        arrays = np.load(io.BytesIO(content), allow_pickle=False)
        twice = [key for key, times in Counter(arrays.keys()).items() if times > 1]
        if twice:
            raise NonprojError(f"{name}: several arrays have the name {twice[0]!r}: give each table a name of its own")
        found = [(key, np.asarray(arrays[key], dtype=np.float64)) for key in list(arrays.keys())[:_MOST_TABLES]]
    except (NonprojError, MemoryError):
        raise
    except Exception as error:
        # What zipfile, its decompressors and numpy raise at broken bytes is of a dozen unrelated types.
        why = str(error) or type(error).__name__
        raise NonprojError(f"{name}: not an .npz file of arrays that can be read ({why})") from None
    sentences = []
    for key, table in found:
        flat = table.max(axis=2) if table.ndim == 3 and table.shape[2] else table
        if flat.ndim != 2 or flat.shape[0] != flat.shape[1] or not 2 <= len(flat) <= most_words + 1:
            raise NonprojError(
                f"{name}: {key}: expected a table (n+1, n+1) of at most {most_words} words, not {table.shape}"
            )
        sentences.append({"name": key, "scores": _plain(flat)})
    return {"sentences": sentences}
