"""Sentences as graphs: enhanced dependencies, and semantic graphs in the format of the SDP tasks of 2014 and 2015."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nonproj.errors import FormatError
from nonproj.treebank.document import BYTE_ORDER_MARK
from nonproj.treebank.inputs import Source, label, read_bytes
from nonproj.treebank.sentence import Sentence

_SEMANTIC = re.compile(rb"\s*#(?:SDP 2015|\d{8})\r?\n")  # the earlier format begins with a sentence's number
_NODE = re.compile(r"(0|[1-9]\d*)(?:\.([1-9]\d*))?")


@dataclass(frozen=True)
class Graph:
    """Nodes in the order of the sentence, and labelled arcs between their places, from 1; 0 is the root."""

    name: str
    file: str
    line: int
    forms: tuple[str, ...]
    arcs: tuple[tuple[int, int, str], ...]
    """Each (head, dependent, label); those of the root are arcs from 0."""
    empty: frozenset[int] = frozenset()
    """The places of nodes that are no words."""

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def edges(self) -> list[tuple[int, int]]:
        """The pairs of nodes that an arc joins in either direction, left one first, each once; the root is no node."""
        return sorted({(min(arc[:2]), max(arc[:2])) for arc in self.arcs if arc[0] and arc[0] != arc[1]})


def enhanced_graph(sentence: Sentence) -> Graph | None:
    """The enhanced dependencies of a sentence with its empty nodes; None where it has none.

    >>> rows = [("Sue", 2, "2:nsubj|4:nsubj"), ("sings", 0, "0:root"), ("and", 4, "4:cc"), ("plays", 2, "2:conj")]
    >>> text = "".join(f"{i}\\t{form}\\t_\\t_\\t_\\t_\\t{head}\\tdep\\t{deps}\\t_\\n"
    ...                for i, (form, head, deps) in enumerate(rows, 1))
    >>> enhanced_graph(Sentence.parse(text)).edges
    [(1, 2), (1, 4), (2, 4), (3, 4)]
    """
    deps = sentence.deps
    if sentence.format != "conllu" or all(cell == "_" for cell in deps):
        return None
    nodes = [((word, 0), form, cell) for word, (form, cell) in enumerate(zip(sentence.forms, deps, strict=True), 1)]
    nodes += [((node.after, node.nth), node.form, node.deps) for node in sentence.empty_nodes]
    nodes.sort()
    place = {node: at for at, (node, _, _) in enumerate(nodes, 1)}
    arcs = []
    for at, (_, _, cell) in enumerate(nodes, 1):
        for head, name in _heads(cell, sentence):
            if head != (0, 0) and head not in place:
                raise FormatError(f"{_where(sentence)}: DEPS {cell!r} names the node {head[0]}.{head[1]}, not there")
            arcs.append((place.get(head, 0), at, name))
    empty = frozenset(at for at, (node, _, _) in enumerate(nodes, 1) if node[1])
    forms = tuple(form for _, form, _ in nodes)
    return Graph(sentence.sent_id, sentence.file, sentence.line, forms, tuple(arcs), empty)


def _heads(cell: str, sentence: Sentence) -> Iterator[tuple[tuple[int, int], str]]:
    if cell == "_":
        return
    for part in cell.split("|"):
        head, colon, name = part.partition(":")
        found = _NODE.fullmatch(head)
        if found is None or not colon:
            raise FormatError(f"{_where(sentence)}: DEPS is {cell!r}, expected HEAD:DEPREL|HEAD:DEPREL ...")
        yield (int(found[1]), int(found[2] or 0)), name


def _where(sentence: Sentence) -> str:
    return f"{sentence.file}:{sentence.line}: sentence {sentence.sent_id}"


def is_semantic(text: bytes) -> bool:
    """Whether a text is in the format of the SDP tasks.

    >>> is_semantic(b"#SDP 2015\\n#20001001\\n"), is_semantic(b"# sent_id = 1\\n1\\tYes\\t_")
    (True, False)
    """
    return _SEMANTIC.match(text.removeprefix(BYTE_ORDER_MARK)) is not None


def semantic_graphs(source: Source) -> Iterator[Graph]:
    """Read semantic graphs: columns ID, FORM, LEMMA, POS, TOP, PRED, maybe a frame, and one for each predicate.

    >>> text = b"#SDP 2015\\n#1\\n1\\tSue\\t_\\t_\\t-\\t-\\t_\\tARG1\\n2\\tsings\\t_\\t_\\t+\\t+\\tv\\t_\\n"
    >>> [graph.arcs for graph in semantic_graphs(text)]
    [((2, 1, 'ARG1'), (0, 2, 'top'))]
    """
    file = label(source)
    text = read_bytes(source).removeprefix(BYTE_ORDER_MARK).decode("utf-8", "surrogateescape")
    has_frames = "#SDP" in text[:200]
    name, rows, first = "", [], 0
    for number, line in enumerate([*(each.rstrip("\r") for each in text.split("\n")), ""], 1):
        if line.startswith("#"):
            name = "" if line.startswith("#SDP") else line[1:].strip()
        elif line.strip():
            first = first or number
            rows.append(line.split("\t"))
        elif rows:
            yield _semantic(name or str(first), file, first, rows, 7 if has_frames else 6)
            name, rows, first = "", [], 0


def _semantic(name: str, file: str, line: int, rows: list[list[str]], before: int) -> Graph:
    predicates = [at for at, row in enumerate(rows, 1) if len(row) > 5 and row[5] == "+"]
    arcs = []
    for at, row in enumerate(rows, 1):
        if len(row) != before + len(predicates):
            raise FormatError(
                f"{file}:{line + at - 1}: {len(row)} columns, expected {before} and one for each of the "
                f"{len(predicates)} predicates of the sentence"
            )
        arcs += [(head, at, role) for head, role in zip(predicates, row[before:], strict=True) if role != "_"]
        arcs += [(0, at, "top")] if row[4] == "+" else []
    return Graph(name, file, line, tuple(row[1] for row in rows), tuple(arcs))
