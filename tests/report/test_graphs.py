"""Graphs against brute force, and their readers."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.enumeration import trees

from nonproj import NonprojError, Tree, example_treebank, graphs, read
from nonproj.draw.graph import graph_svg
from nonproj.errors import FormatError
from nonproj.report import measure_graph
from nonproj.treebank.semantic import Graph, enhanced_graph, semantic_graphs

NODES = 6
PAIRS = list(itertools.permutations(range(1, NODES + 1), 2))


def graph_of(arcs: list[tuple[int, int]], nodes: int = NODES) -> Graph:
    return Graph("g", "f", 1, tuple("abcdefgh"[:nodes]), tuple((head, dependent, "x") for head, dependent in arcs))


def cross(one: tuple[int, int], two: tuple[int, int]) -> bool:
    (a, b), (c, d) = sorted(one), sorted(two)
    return a < c < b < d or c < a < d < b


@given(st.lists(st.sampled_from(PAIRS), max_size=9))
def test_measures_are_those_of_their_definitions(arcs: list[tuple[int, int]]) -> None:
    found = measure_graph(graph_of(arcs))
    edges = sorted({(min(arc), max(arc)) for arc in arcs})
    crossings = [pair for pair in itertools.combinations(edges, 2) if cross(*pair)]
    assert (found.edges, found.crossings) == (len(edges), len(crossings))
    is_1ec = all(
        not (over := [other for other in edges if cross(edge, other)])
        or any(all(node in other for other in over) for node in range(1, NODES + 1))
        for edge in edges
    )
    assert found.is_1_endpoint_crossing == is_1ec
    assert found.planes is not None
    assert all(found.planes[edges.index(a)] != found.planes[edges.index(b)] for a, b in crossings)
    fewest = next(
        (
            count
            for count in range(1, len(edges) + 1)
            if any(
                all(colours[edges.index(a)] != colours[edges.index(b)] for a, b in crossings)
                for colours in itertools.product(range(count), repeat=len(edges))
            )
        ),
        0,
    )
    assert found.pagenumber == fewest


@pytest.mark.parametrize("n", [3, 5])
def test_trees_are_graphs_without_the_arcs_of_the_root(n: int) -> None:
    for heads in itertools.islice(trees(n), 0, None, 7):
        found = measure_graph(graph_of([(h, d) for d, h in enumerate(heads, 1)], n))
        tree = Tree(heads)
        assert found.crossings == sum(a[0] != 0 and b[0] != 0 for a, b in tree.crossings)
        assert max(found.pagenumber or 1, 1) == tree.planes


def test_enhanced_dependencies_with_empty_nodes() -> None:
    rows = [
        "1\tSue\t_\t_\t_\t_\t2\tnsubj\t2:nsubj|3.1:nsubj\t_",
        "2\tlikes\t_\t_\t_\t_\t0\troot\t0:root\t_",
        "3\tand\t_\t_\t_\t_\t4\tcc\t3.1:cc\t_",
        "3.1\tlikes\t_\t_\t_\t_\t_\t_\t2:conj:and\t_",
        "4\ttea\t_\t_\t_\t_\t2\tobj\t3.1:obj\t_",
    ]
    treebank = read("\n".join(rows).encode())
    graph = enhanced_graph(treebank[0])
    assert graph is not None
    assert (graph.forms, graph.empty) == (("Sue", "likes", "and", "likes", "tea"), frozenset({4}))
    assert graph.edges == [(1, 2), (1, 4), (2, 4), (3, 4), (4, 5)]
    found = graphs([treebank, example_treebank()]).treebanks
    assert (found[0].graphs, found[0].noncrossing, found[0].by_planes) == (1, 1, {1: 1})
    assert found[1].graphs == 0
    assert graphs(example_treebank()).table().rows[0][5:] == ["-", "-", "-", "-", "-"]
    for wrong in ("9:nsubj", "2.7:x", "nsubj", "a:b"):
        broken = read("\n".join([rows[0].replace("2:nsubj|3.1:nsubj", wrong), *rows[1:]]).encode())
        with pytest.raises(FormatError, match="DEPS"):
            graphs(broken)


SDP = "#SDP 2015\n#200\n"
SDP += "1\tSue\t_\t_\t-\t-\t_\tARG1\tARG1\n2\tsings\t_\t_\t+\t+\tv\t_\t_\n3\tplays\t_\t_\t-\t+\tv\t_\t_\n\n"


def test_semantic_graphs() -> None:
    (graph,) = semantic_graphs(SDP.encode())
    assert graph.name == "200"
    assert set(graph.arcs) == {(2, 1, "ARG1"), (3, 1, "ARG1"), (0, 2, "top")}
    assert graphs(SDP.encode()).treebanks[0].noncrossing == 1
    with pytest.raises(FormatError, match=":3: 8 columns, expected 7 and one for each of the 2 predicates"):
        list(semantic_graphs(SDP.replace("ARG1\tARG1", "ARG1").encode()))


def test_only_line_feeds_end_rows_of_semantic_graphs() -> None:
    (graph,) = semantic_graphs(SDP.encode())
    (same,) = semantic_graphs(SDP.replace("\n", "\r\n").encode())
    assert (same.forms, same.arcs) == (graph.forms, graph.arcs)
    word = graph.forms[0]
    (odd,) = semantic_graphs(SDP.replace(word, word + "\u2028\x0b\x85").encode())
    assert (odd.forms[0], odd.arcs) == (word + "\u2028\x0b\x85", graph.arcs)


def test_pictures() -> None:
    picture = graph_svg(
        ["<a>", "b", "c", "d"], [(0, 1, "root"), (1, 3, "x&"), (4, 2, "y"), (3, 1, "z")], planes={(2, 4): 1}
    )
    assert picture.count('class="arc') == 4
    assert "&lt;a&gt;" in picture
    assert "x&amp;" in picture
    assert "nan" not in picture
    for arcs in ([(1, 5, "x")], [(1, 0, "x")]):
        with pytest.raises(NonprojError, match="out of"):
            graph_svg(["a", "b"], arcs)
    with pytest.raises(NonprojError, match="1 to"):
        graph_svg([], [])
