"""Treebanks with their words in projective order, and back: a way to non-projective trees by a projective parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.treebank import Treebank
from nonproj.treebank.document import Document
from nonproj.trees import Tree

KEY = b"SortedFrom"
"""What MISC calls the place of a word before it was moved."""

_KEPT = b"# unsorted = "
"""What a line of a multiword token or an empty node is called while its words are out of order."""

_MARK = b"\xef\xbb\xbf"
_EMPTY_NODE = re.compile(rb"\d+\.\d+")
_ENHANCED = re.compile(rb"(?:^|(?<=\|))\d+(?=:)")
_ID, _HEAD, _DEPS, _MISC = 0, 6, 8, 9


def sort_treebank(treebank: Treebank) -> Treebank:
    """Put the words of each sentence into projective order (Nivre 2009), heads and enhanced heads renumbered.

    Every tree is then projective. MISC says of each word where it stood, and comments keep multiword tokens and empty
    nodes, so that `unsort_treebank` gives the treebank back, or what a parser made of the sorted one.

    >>> from nonproj.treebank import example_treebank
    >>> hearing = next(sentence for sentence in example_treebank() if sentence.sent_id == "en-hearing")
    >>> found = sort_treebank(Treebank([hearing]))
    >>> print(*found[0].forms), found[0].heads, found[0].tree.is_projective
    A hearing on the issue is scheduled today .
    (None, (2, 6, 2, 5, 3, 0, 6, 7, 6), True)
    >>> bytes(unsort_treebank(found)) == bytes(hearing)
    True
    """
    return _rewritten(treebank, _sorted)


def unsort_treebank(treebank: Treebank) -> Treebank:
    """Undo `sort_treebank`, for trees of any kind: words go back to where they stood."""
    return _rewritten(treebank, _unsorted)


Body = list[list[bytes]]


def _rewritten(treebank: Treebank, change: Callable[[list[bytes], Body], list[bytes]]) -> Treebank:
    """The treebank with the comments and the lines of each sentence changed; each place keeps its line end."""
    if treebank.format != "conllu" and len(treebank) > 0:
        raise NonprojError(f"{treebank.name}: only CoNLL-U can say where a word stood, in MISC; this is CoNLL-X")
    text = b"".join(_changed(bytes(treebank), change))
    document = Document(text, treebank.name)
    document.raise_first_fault()
    return Treebank.from_documents([document], treebank.name)


def _changed(text: bytes, change: Callable[[list[bytes], Body], list[bytes]]) -> Iterator[bytes]:
    if text.startswith(_MARK):
        yield _MARK
        text = text.removeprefix(_MARK)
    lines: list[bytes] = []
    for line in [*re.findall(rb"[^\n]*\n|[^\n]+$", text), b""]:
        if line.rstrip(b"\r\n"):
            lines.append(line)
            continue
        bare = [each.rstrip(b"\r\n") for each in lines]
        comments = [each for each in bare if each.startswith(b"#")]
        body = [each.split(b"\t") for each in bare[len(comments) :]]
        if body:
            try:
                changed = change(comments, body)
            except NonprojError as error:
                raise NonprojError(f"sentence {_name(comments)}: {error}") from None
            bare = changed
        for each, old in zip(bare, lines, strict=True):
            yield each + old[len(old.rstrip(b"\r\n")) :]
        yield line
        lines = []


def _name(comments: list[bytes]) -> str:
    ids = [line.partition(b"=")[2].strip().decode() for line in comments if re.match(rb"#\s*sent_id\s*=", line)]
    return ids[0] if ids else "without an id"


def _sorted(comments: list[bytes], body: Body) -> list[bytes]:
    words = [cells for cells in body if cells[_ID].isdigit()]
    others = [cells for cells in body if not cells[_ID].isdigit()]
    if any(cells[_HEAD] == b"_" for cells in words):
        raise NonprojError("some words have no head: there is no projective order without a tree")
    if any(re.search(rb"(?:^|\|)" + KEY + b"=", cells[_MISC]) for cells in words):
        raise NonprojError(f"MISC has {KEY.decode()}: the words are sorted already")
    heads = [int(cells[_HEAD]) for cells in words]
    order, _ = _core.projective_order(Tree(heads)._array)
    place = {0: 0, **{word: at for at, word in enumerate(order, 1)}}
    moved = []
    for word in order:
        cells = _renumbered(words[word - 1], place)
        misc = b"" if cells[_MISC] == b"_" else cells[_MISC] + b"|"
        moved.append([*cells[:_MISC], misc + KEY + b"=%d" % word])
    kept = [_KEPT + b"\t".join(cells) for cells in others]
    return [*comments, *kept, *map(b"\t".join, moved)]


def _unsorted(comments: list[bytes], body: Body) -> list[bytes]:
    own = re.compile(rb"(?:^|\|)" + KEY + rb"=(\d+)$")
    found = [own.search(cells[_MISC]) for cells in body]
    was = [int(match[1]) for match in found if match is not None]
    if sorted(was) != list(range(1, len(body) + 1)):
        raise NonprojError(f"MISC of its words does not say with {KEY.decode()} where each of them stood")
    place = dict(enumerate([0, *was]))
    words = {}
    for cells, match in zip(body, found, strict=True):
        assert match is not None
        misc = cells[_MISC][: match.start()] or b"_"
        words[int(match[1])] = b"\t".join([*_renumbered(cells, place)[:_MISC], misc])
    kept = [line.removeprefix(_KEPT) for line in comments if line.startswith(_KEPT)]
    lines = [line for line in comments if not line.startswith(_KEPT)]
    for word in range(len(words) + 1):
        first = b"%d" % word
        lines += [line for line in kept if line.startswith(first + b"-")]
        lines += [words[word]] if word else []
        lines += [line for line in kept if _EMPTY_NODE.match(line) and line.startswith(first + b".")]
    if len(lines) != len(comments) + len(body):
        raise NonprojError(f"a comment that begins with '{_KEPT.decode()}' has no place among its words")
    return lines


def _renumbered(cells: list[bytes], place: dict[int, int]) -> list[bytes]:
    """The word at its new place, with its head and its enhanced heads; heads that are empty nodes stay."""
    head = cells[_HEAD] if cells[_HEAD] == b"_" else b"%d" % place[int(cells[_HEAD])]
    deps = _ENHANCED.sub(lambda match: b"%d" % place.get(int(match[0]), int(match[0])), cells[_DEPS])
    return [b"%d" % place[int(cells[_ID])], *cells[1:_HEAD], head, cells[7], deps, *cells[_MISC:]]
