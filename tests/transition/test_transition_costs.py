"""Dynamic oracles against all that can still be reached."""

from __future__ import annotations

import numpy as np
import pytest
from transition_cases import all_trees, is_derived

import nonproj as npj
from nonproj import NonprojError, Tree, _core, transition_system

UNREACHED = 99


# Covington's configurations of 5 words are compared for every 97th tree here: all of them take minutes.
@pytest.mark.parametrize(
    ("name", "single_root", "cls", "every"),
    [("arc-hybrid", False, "Pr", 1), ("arc-hybrid", True, "Pr", 1), ("arc-eager", False, "Pr", 1),
     ("covington", False, "spanning", 97)],
)  # fmt: skip
def test_costs_are_what_can_no_longer_be_reached(name: str, single_root: bool, cls: str, every: int) -> None:
    system = transition_system(name, single_root=single_root)
    for words in range(1, 6):
        gold = all_trees(words, single_root)[is_derived(cls, words, single_root)]
        compare(system._native, np.ascontiguousarray(gold[:: every if words == 5 else 1]), words)


def compare(native: _core.TransitionSystem, gold: np.ndarray, words: int) -> None:
    """After a transition of cost k the nearest tree has k more wrong heads than the nearest before it."""
    nearest: dict[tuple[object, ...], np.ndarray] = {}

    def visit(configuration: _core.Configuration) -> np.ndarray:
        heads = native.heads(configuration)
        key = (str(native.columns(configuration)), *heads)
        if key in nearest:
            return nearest[key]
        best = np.full(len(gold), UNREACHED)
        if native.is_final(configuration):
            best = (gold != np.array(heads[1:])).sum(axis=1)
        after = {number: visit(native.apply(configuration, number)) for number in native.legal(configuration)}
        for distances in after.values():
            best = np.minimum(best, distances)
        for number, distances in after.items():
            costs = [native.cost(configuration, number, tree) for tree in gold]
            assert costs == (distances - best).tolist()
        nearest[key] = best
        return best

    assert (visit(native.initial(words)) == 0).all()


def test_costs_lead_to_the_tree() -> None:
    for sentence in npj.example_treebank():
        for name in ("arc-hybrid", "arc-eager", "covington"):
            system = transition_system(name)
            if not system.covers(sentence.tree):
                continue
            configuration = system.initial(len(sentence.tree))
            while not system.is_final(configuration):
                costs = system.costs(configuration, sentence.tree)
                free = [step for step, cost in costs.items() if cost == 0]
                configuration = system.apply(configuration, free[-1])
            assert configuration.heads == list(sentence.tree.heads)
            assert configuration.arcs == sentence.tree.arcs


def test_costs_that_would_not_be_exact_are_refused() -> None:
    eager = transition_system("arc-eager")
    crossing, start = Tree([3, 4, 0, 3]), eager.initial(4)
    with pytest.raises(NonprojError, match="exact for trees that it derives"):
        eager.cost(start, "SHIFT", crossing)
    for name in ("arc-eager", "covington"):
        system = transition_system(name, single_root=True)
        assert not system.has_cost
        with pytest.raises(NonprojError, match="several roots"):
            system.cost(system.initial(2), "SHIFT", Tree([2, 0]))
    system = transition_system("swap")
    with pytest.raises(NonprojError, match="no dynamic oracle"):
        system.cost(system.initial(2), "SHIFT", Tree([2, 0]))
    with pytest.raises(NonprojError, match="different numbers of words"):
        eager.cost(start, "SHIFT", Tree([2, 0]))
    with pytest.raises(NonprojError, match="not legal"):
        eager.cost(start, "LA", Tree([2, 0, 2, 3]))
