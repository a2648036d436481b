"""To and from the directed graphs of networkx."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nonproj.errors import NonprojError
from nonproj.treebank.packages import package
from nonproj.treebank.rows import COLUMNS, comments, row


def to_networkx(facts: Mapping[str, str], words: Sequence[Mapping[str, Any]]) -> Any:
    """Nodes are 0, the root, and the words with their columns; arcs go from head to dependent."""
    graph = package("networkx").DiGraph(**facts)
    graph.add_node(0)
    for word in words:
        graph.add_node(word["id"], **{name: word[name] for name in COLUMNS if name != "deprel"})
    for word in words:
        graph.add_edge(word["head"], word["id"], deprel=word["deprel"])
    return graph


def from_networkx(graph: Any) -> str:
    """The text of a sentence: nodes 1 to n are its words, attributes their columns, the one arc into each its head."""
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
    return "".join(lines)
