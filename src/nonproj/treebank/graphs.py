"""To and from the directed graphs of networkx."""

from __future__ import annotations

from typing import Any

from nonproj.errors import NonprojError
from nonproj.treebank.packages import package
from nonproj.treebank.rows import comments, row
from nonproj.treebank.sentence import COLUMNS, Sentence


def to_networkx(sentence: Sentence) -> Any:
    """Nodes are 0, the root, and the words with their columns; arcs go from head to dependent."""
    graph = package("networkx").DiGraph(sent_id=sentence.sent_id, text=sentence.text)
    graph.add_node(0)
    names = [name for name in COLUMNS if name != "deprel"]
    for word, cells in enumerate(zip(*(sentence.column(name) for name in names), strict=True), 1):
        graph.add_node(word, **dict(zip(names, cells, strict=True)))
    for word, (head, deprel) in enumerate(zip(sentence.heads, sentence.deprels, strict=True), 1):
        graph.add_edge(head, word, deprel=deprel)
    return graph


def from_networkx(graph: Any) -> Sentence:
    """Take nodes 1 to n as words, their attributes as columns, and the one arc into each as its head."""
    package("networkx")
    words = range(1, len(set(graph.nodes) - {0}) + 1)
    if set(graph.nodes) - {0} != set(words):
        raise NonprojError(f"the nodes of the graph must be 0 (the root) and 1 to {len(words)} (the words)")
    lines = list(comments({key: graph.graph.get(key) for key in ("sent_id", "text")}))
    for word in words:
        arcs = list(graph.in_edges(word, data=True))
        if len(arcs) != 1:
            raise NonprojError(f"word {word} has {len(arcs)} arcs coming in, expected one from its head")
        head, _, attributes = arcs[0]
        lines.append(row({**graph.nodes[word], "id": word, "head": head, "deprel": attributes.get("deprel")}))
    return Sentence.parse("".join(lines))
