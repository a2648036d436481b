"""From what a file keeps to a parser of any kind; the neural kind is imported only when it is met."""

from __future__ import annotations

from typing import Any

from nonproj.errors import NonprojError
from nonproj.parser.learner import (
    GraphLearner,
    Model,
    NativeModel,
    TransitionLearner,
    filled,
    filled_graph_model,
    transition_model,
)
from nonproj.parser.network import join_network


def loaded_model(
    kind: str, header: dict[str, Any], relations: list[str], arrays: Any, like: Model | None = None
) -> Model:
    """A parser as its file keeps it: what its header says, with the weights in `arrays`.

    One that has the same weights may lend its network, which may be large.
    """
    if kind == "neural":
        import nonproj.neural  # noqa: F401 (says what to install)
        from nonproj.parser.neural import NeuralModel

        network = like.network if isinstance(like, NeuralModel) else None
        return NeuralModel.from_content(header, relations, arrays, network)
    if kind == "graph":
        graph = filled_graph_model(header, len(relations), arrays)
        if header.get("network") is not None:
            join_network(graph, header["network"], len(relations), arrays)
        return NativeModel(graph, relations, GraphLearner.tables)
    if kind == "transition":
        model = filled(transition_model(header, len(relations)), TransitionLearner.tables, arrays)
        return NativeModel(model, relations, TransitionLearner.tables)
    raise NonprojError(f"a parser of kind {kind!r} is not known to this nonproj")
