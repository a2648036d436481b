"""How entangled graphs are: crossings, planes, 1-endpoint-crossing and noncrossing graphs.

Nodes stand in the order of the sentence, empty ones where they are numbered. Two nodes are joined by one edge, whatever
the number and the directions of the arcs between them; arcs of the root, which has no place in the sentence, do not
count. A graph is *noncrossing* when no two edges cross; it has *k planes* (pagenumber k) when its edges can be divided
into k sets without crossings; it is *1-endpoint-crossing* when the edges that cross any one edge share a node.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from nonproj.report.names import path_of
from nonproj.report.table import Column, Table
from nonproj.report.tables import percent
from nonproj.treebank import Skipped, Source, Treebank, sources
from nonproj.treebank.formats import PREFIX
from nonproj.treebank.inputs import STDIN, distinct_names, label, read_bytes
from nonproj.treebank.reading import stream_treebanks
from nonproj.treebank.semantic import Graph, enhanced_graph, is_semantic, semantic_graphs

_MOST_STEPS = 20_000


@dataclass(frozen=True)
class GraphMeasures:
    """What a graph is like."""

    edges: int
    crossings: int
    is_1_endpoint_crossing: bool
    planes: tuple[int, ...] | None
    """The plane of each edge, from 0, with as few planes as there can be; None where that could not be settled."""

    @property
    def pagenumber(self) -> int | None:
        """The smallest number of planes; 0 without edges."""
        return None if self.planes is None else max(self.planes, default=-1) + 1


def measure_graph(graph: Graph) -> GraphMeasures:
    """Measure one graph.

    >>> graph = Graph("1", "file", 1, ("a", "b", "c", "d"), ((3, 1, "x"), (4, 2, "y"), (0, 3, "root")))
    >>> found = measure_graph(graph)
    >>> found.crossings, found.pagenumber, found.is_1_endpoint_crossing
    (1, 2, True)
    """
    edges = np.array(graph.edges, np.int64).reshape(-1, 2)
    left, right = edges.T
    over = (left[:, None] < left) & (left < right[:, None]) & (right[:, None] < right)
    crossed = over | over.T
    if not over.any():
        return GraphMeasures(len(edges), 0, True, (0,) * len(edges))
    return GraphMeasures(len(edges), int(over.sum()), _shares_ends(edges, crossed), _planes(crossed))


def _shares_ends(edges: npt.NDArray[np.int64], crossed: npt.NDArray[np.bool_]) -> bool:
    for row in np.flatnonzero(crossed.sum(axis=1) > 1):
        others = edges[crossed[row]]
        if not any((others == end).any(axis=1).all() for end in others[0]):
            return False
    return True


def _planes(crossed: npt.NDArray[np.bool_]) -> tuple[int, ...] | None:
    """Colour the crossing graph with as few colours as possible, as far as the steps last."""
    neighbours = [np.flatnonzero(row).tolist() for row in crossed]
    for count in range(2, len(neighbours) + 1):
        colouring = _Colouring(neighbours, count)
        if colouring.extend(0):
            return tuple(max(plane, 0) for plane in colouring.colour)
        if colouring.steps > _MOST_STEPS:
            return None
    raise AssertionError("as many planes as edges are always enough")


class _Colouring:
    """The search for a colouring: the vertex with the fewest colours left is always next."""

    def __init__(self, neighbours: list[list[int]], count: int) -> None:
        self.neighbours, self.count, self.steps = neighbours, count, 0
        self.colour = [-1] * len(neighbours)
        self.waiting = {vertex for vertex, others in enumerate(neighbours) if others}

    def extend(self, used: int) -> bool:
        """Colour what is waiting; colours are opened in order, since their names do not matter."""
        if not self.waiting:
            return True
        self.steps += 1
        if self.steps > _MOST_STEPS:
            return False
        taken = {vertex: {self.colour[other] for other in self.neighbours[vertex]} - {-1} for vertex in self.waiting}
        next_one = max(self.waiting, key=lambda vertex: (len(taken[vertex]), len(self.neighbours[vertex]), -vertex))
        self.waiting.remove(next_one)
        for choice in range(min(self.count, used + 1)):
            if choice not in taken[next_one]:
                self.colour[next_one] = choice
                if self.extend(max(used, choice + 1)):
                    return True
        self.colour[next_one] = -1
        self.waiting.add(next_one)
        return False


@dataclass
class GraphCounts:
    """What was found in one treebank."""

    name: str
    sentences: int = 0
    graphs: int = 0
    """Sentences that have a graph."""
    nodes: int = 0
    edges: int = 0
    crossings: int = 0
    noncrossing: int = 0
    one_endpoint_crossing: int = 0
    by_planes: Counter[int] = field(default_factory=Counter)
    unsettled: int = 0
    """Graphs whose planes could not be settled."""
    skipped: int = 0
    """Sentences that were left out."""

    def add(self, graph: Graph) -> None:
        """Take one graph in."""
        found = measure_graph(graph)
        self.graphs += 1
        self.nodes += len(graph)
        self.edges += found.edges
        self.crossings += found.crossings
        self.noncrossing += found.crossings == 0
        self.one_endpoint_crossing += found.is_1_endpoint_crossing
        if found.pagenumber is None:
            self.unsettled += 1
        else:
            self.by_planes[found.pagenumber] += 1

    def to_dict(self) -> dict[str, Any]:
        """The fixed JSON shape."""
        return {**vars(self), "by_planes": {str(planes): times for planes, times in sorted(self.by_planes.items())}}


@dataclass
class Graphs:
    """The graphs of one or more treebanks."""

    treebanks: list[GraphCounts]
    skipped: list[Skipped] = field(default_factory=list)
    """The sentences that were left out."""
    empty: list[str] = field(default_factory=list)
    """The sources in which there was no sentence at all, and what was there instead."""

    def table(self) -> Table:
        """A row for each treebank: shares of its graphs in percent."""
        names = ["treebank", "sentences", "graphs", "edges a node", "crossings", "noncrossing", "1EC"]
        columns = [Column(name, align_left=name == "treebank") for name in names]
        columns += [Column(f"≤ {planes} planes") for planes in (2, 3)] + [Column("most planes")]
        rows = []
        for each in self.treebanks:
            settled = each.graphs - each.unsettled
            within = [sum(n for p, n in each.by_planes.items() if p <= most) for most in (2, 3)]
            shares = [each.noncrossing / each.graphs, each.one_endpoint_crossing / each.graphs] if each.graphs else []
            cells = [percent(share) for share in shares] or ["-", "-"]
            cells += [percent(count / settled) if settled else "-" for count in within]
            mean = (
                [f"{each.edges / each.nodes:.2f}", f"{each.crossings / each.graphs:.2f}"] if each.graphs else ["-", "-"]
            )
            most = str(max(each.by_planes, default="-"))
            rows.append([each.name, str(each.sentences), str(each.graphs), *mean, *cells, most])
        unsettled = sum(each.unsettled for each in self.treebanks)
        note = f"{unsettled} graphs are too entangled to settle their planes." if unsettled else ""
        caption = "Graphs inside each class, in percent, and crossings a graph; arcs of the root do not count."
        return Table(columns, rows, caption=caption, note=note)

    def to_json(self) -> str:
        """Everything as JSON text."""
        treebanks = [each.to_dict() for each in self.treebanks]
        return json.dumps({"treebanks": treebanks}, ensure_ascii=False, indent=2) + "\n"

    def __str__(self) -> str:
        return self.table().to_text()


def graphs(
    data: Treebank | Source | Iterable[Treebank | Source], *, on_error: Literal["stop", "skip"] = "stop"
) -> Graphs:
    """Measure the enhanced dependencies of treebanks (their column DEPS), or semantic graphs in SDP's format.

    >>> text = b"1\\ta\\t_\\t_\\t_\\t_\\t0\\t_\\t0:root\\t_\\n2\\tb\\t_\\t_\\t_\\t_\\t1\\t_\\t1:x|1:y\\t_\\n\\n"
    >>> found = graphs(text).treebanks[0]
    >>> found.graphs, found.edges, found.noncrossing
    (1, 1, 1)
    """
    given: list[Any] = list(data) if isinstance(data, (list, tuple)) else [cast("Treebank | Source", data)]
    files = [part for part in given if not isinstance(part, Treebank)]
    inputs = [part for part in given if isinstance(part, Treebank)] + (sources(files) if files else [])
    found = Graphs([])
    for name, source in zip(distinct_names([path_of(each) for each in inputs]), inputs, strict=True):
        counts = GraphCounts(name)
        for graph in graphs_of(source, found, on_error=on_error):
            counts.sentences += 1
            if graph is not None:
                counts.add(graph)
        counts.skipped = len(found.skipped) - sum(each.skipped for each in found.treebanks)
        found.treebanks.append(counts)
    return found


def graphs_of(source: Any, found: Graphs, *, on_error: Literal["stop", "skip"] = "stop") -> Iterable[Graph | None]:
    """The graph of each sentence in order, None where a sentence has none; what is left out is noted in ``found``."""
    if isinstance(source, Treebank):
        yield from map(enhanced_graph, source)
        return
    text = read_bytes(source)
    if hasattr(source, "read") or source == STDIN:  # what was read once
        name, source = label(source), io.BytesIO(text)
        source.name = name
    if is_semantic(text[:PREFIX]):
        yield from semantic_graphs(source)
        return
    blocks = stream_treebanks(source, on_error=on_error)
    for block in blocks:
        yield from map(enhanced_graph, block)
    found.skipped += blocks.skipped
    found.empty += blocks.empty
