"""Every system against all trees of a few words: what it derives is its class, and what it derives it gives back."""

from __future__ import annotations

import numpy as np
import pytest
from reference.order import completion_order, projective_order, sort_parse
from transition_cases import SYSTEMS, all_trees, is_derived, offsets_of

import nonproj as npj
from nonproj import NonprojError, Tree, _core, transition_system
from nonproj.transition import SYSTEMS as KINDS
from nonproj.transition import Configuration, Transition, sort_words

# Trees of 3, 4, 5, 6 words, all and single-root, by the class of a system; None is sort-parse as printed.
COUNTS: dict[str | None, tuple[list[int], list[int]]] = {
    "Pr": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "AD1": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "MH3": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "spanning": ([16, 125, 1296, 16807], [9, 64, 625, 7776]),
    None: ([14, 91, 766, 7951], [8, 48, 385, 3869]),
    "AD2": ([16, 117, 1011, 9597], [9, 59, 475, 4308]),
    "AD3": ([16, 123, 1218, 14360], [9, 62, 563, 6176]),
    "DD1": ([12, 55, 273, 1428], [7, 30, 143, 728]),
    "DD2": ([16, 119, 1086, 11288], [9, 60, 509, 5026]),
    "DD3": ([16, 125, 1280, 16004], [9, 64, 613, 7260]),
    "1-P": ([16, 105, 756, 5738], [9, 48, 275, 1638]),
    "2-P": ([16, 125, 1296, 16379], [9, 64, 625, 7452]),
    "3-P": ([16, 125, 1296, 16807], [9, 64, 625, 7776]),
    "2-C": ([16, 121, 1018, 8521], [9, 60, 475, 3894]),
    "3-C": ([16, 125, 1290, 15823], [9, 64, 619, 7092]),
    "4-C": ([16, 125, 1296, 16799], [9, 64, 625, 7768]),
    "MH4": ([16, 118, 1019, 9496], [9, 60, 485, 4328]),
    "MH5": ([16, 125, 1276, 15566], [9, 64, 613, 7102]),
}
# The longest oracle sequence for n words with s swaps.
LONGEST = {
    "arc-standard": lambda n, s: 2 * n,
    "arc-hybrid": lambda n, s: 2 * n,
    "arc-eager": lambda n, s: 2 * n,
    "sort-parse": lambda n, s: 2 * n + s,
    "swap": lambda n, s: 2 * n + 2 * s,
    "attardi-back-1": lambda n, s: 2 * n,
    "attardi-back-2": lambda n, s: 3 * n,
    "attardi-back-3": lambda n, s: 4 * n,
    "attardi": lambda n, s: 2 * n,
    "1-planar": lambda n, s: 3 * n,
    "2-planar": lambda n, s: 5 * n,
    "3-planar": lambda n, s: 7 * n,
    "two-register": lambda n, s: 3.5 * n + 1.5,
    "3-register": lambda n, s: 3.5 * n + 1.5,
    "4-register": lambda n, s: 3.5 * n + 1.5,
    "covington": lambda n, s: n * (n + 1) / 2 + n,
    "mh": lambda n, s: 3 * n + 1,
}


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "oracle", "cls"), SYSTEMS)
def test_derives_exactly_its_class_and_gives_the_trees_back(
    name: str, oracle: str | None, cls: str | None, single_root: bool
) -> None:
    system = transition_system(name, oracle=oracle, single_root=single_root)
    longest = next(bound for key, bound in LONGEST.items() if name.startswith(key))
    for words in range(1, 7):
        heads, expected = all_trees(words, single_root), is_derived(cls, words, single_root)
        if words >= 3:
            assert expected.sum() == COUNTS[cls][single_root][words - 3]
        numbers, lengths = system._native.oracle_batch(heads.ravel(), offsets_of(heads), 1)
        assert np.array_equal(lengths >= 0, expected)
        derived = system._native.derive_batch(numbers, lengths, offsets_of(heads), 1).reshape(heads.shape)
        assert np.array_equal(derived[expected], heads[expected])
        assert (derived[~expected] == -1).all()
        if "SWAP" not in system.names(words):
            assert lengths.max() <= longest(words, 0)
            continue
        ends = np.cumsum(np.maximum(lengths, 0))
        for length, end in zip(lengths, ends, strict=True):
            swaps = int((numbers[end - max(length, 0) : end] == system.names(words).index("SWAP")).sum())
            assert length <= longest(words, swaps)


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5, 6])
def test_swaps_of_sorting_are_inversions(words: int) -> None:
    heads = all_trees(words)
    inversions = np.array([_core.projective_order(tree)[1] for tree in heads])
    _, sorting = transition_system("sorting")._native.oracle_batch(heads.ravel(), offsets_of(heads), 1)
    assert np.array_equal(sorting - words, inversions)


ORDERS = {"completion": completion_order, "printed": projective_order}


@pytest.mark.parametrize("oracle", ORDERS)
@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_sort_parse_takes_the_transitions_of_the_algorithm(oracle: str, words: int) -> None:
    heads = all_trees(words)
    system = transition_system("sort-parse", oracle=oracle)
    found = system.oracles([Tree(tree) for tree in heads], threads=1)
    for i, tree in enumerate(heads.tolist()):
        expected = sort_parse(tree, ORDERS[oracle](tree))
        steps = found[i]
        assert (None if steps is None else [step.name for step in steps]) == expected


@pytest.mark.parametrize(("words", "swaps", "inversions"), [(4, 98, 102), (5, 2087, 2240), (6, 45915, 50510)])
def test_sort_parse_swaps_less_than_sorting(words: int, swaps: int, inversions: int) -> None:
    """Over all trees, not tree by tree: sorting has to put every word in its place, also those that are linked."""
    heads = all_trees(words)
    for name, expected in (
        ("sort-parse", 2 * words * len(heads) + swaps),
        ("sorting", words * len(heads) + inversions),
    ):
        assert len(transition_system(name)._native.oracle_batch(heads.ravel(), offsets_of(heads), 1)[0]) == expected


def test_sorting_gives_the_projective_order() -> None:
    system = transition_system("sorting")
    for heads in all_trees(5)[::7]:
        tree = Tree(heads)
        configuration = system.initial(5)
        for step in system.oracle(tree):
            configuration = system.apply(configuration, step)
        assert system.is_final(configuration)
        assert configuration.parts["list"] == [0, *tree.projective_order]
        assert sort_words(tree).order == tree.projective_order
    with pytest.raises(NonprojError, match="makes no arcs"):
        system.derive(system.oracle(Tree([2, 0])))


# Words up to which all configurations are looked at here, and whether a legal sequence can get stuck.
GRAPHS = [
    ("arc-standard", None, "Pr", 5, False),
    ("arc-hybrid", None, "Pr", 5, False),
    ("arc-eager", None, "Pr", 5, False),
    ("sort-parse", None, "spanning", 4, False),
    ("swap", None, "spanning", 4, False),
    ("attardi-2", None, "AD2", 4, False),
    ("attardi-back-2", None, "DD2", 4, False),
    ("attardi-back-3", None, "DD3", 4, False),
    ("1-planar", None, "1-P", 4, False),
    ("2-planar", None, "2-P", 3, False),
    ("3-planar", None, "3-P", 2, False),
    ("two-register", None, "2-C", 4, True),
    ("3-register", None, "3-C", 3, True),
    ("covington", None, "spanning", 4, False),
    ("mh3", None, "MH3", 4, False),
    ("mh4", None, "MH4", 4, False),
]


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "oracle", "cls", "most", "can_get_stuck"), GRAPHS)
def test_legal_sequences_lead_to_all_trees_of_the_class_and_no_others(
    name: str, oracle: str | None, cls: str, most: int, can_get_stuck: bool, single_root: bool
) -> None:
    system = transition_system(name, oracle=oracle, single_root=single_root)
    for words in range(1, most + 1):
        found, stuck = reachable(system, words)
        heads = all_trees(words, single_root)
        assert found == {tuple(tree) for tree in heads[is_derived(cls, words, single_root)].tolist()}
        assert can_get_stuck or not stuck


def reachable(system: npj.TransitionSystem, words: int) -> tuple[set[tuple[int, ...]], int]:
    """The trees of all final configurations, and how many configurations are neither final nor lead on."""
    native, found, stuck = system._native, set(), 0
    start = native.initial(words)
    seen, pending = set(), [start]
    while pending:
        configuration = pending.pop()
        heads = tuple(native.heads(configuration))
        # What the parts do not show follows from the heads, but for the number of SWITCHes in a row.
        key = (str(native.columns(configuration)), heads, tuple(native.legal(configuration)))
        if key in seen:
            continue
        seen.add(key)
        legal = key[2]
        if native.is_final(configuration):
            found.add(heads[1:])
        elif not legal:
            stuck += 1
        pending.extend(native.apply(configuration, number) for number in legal)
    return found, stuck


def test_what_is_not_legal_says_why() -> None:
    for kind in KINDS:
        system = transition_system(kind.shown(kind.example))
        configuration = system.initial(2)
        legal = {step.name for step in system.legal(configuration)}
        assert legal
        for name in system.names(2):
            why = system.objection(configuration, name)
            assert (why is None) == (name in legal)
            if why is not None:
                with pytest.raises(NonprojError, match=why):
                    system.apply(configuration, name)
    with pytest.raises(NonprojError, match="transition 1 of 1, RA, is not legal: the stack holds nothing but the root"):
        transition_system("arc-standard")._native.derive(np.array([2], dtype=np.int32), 1)
    with pytest.raises(NonprojError, match="end before"):
        transition_system("arc-standard").derive(["SHIFT"])
    with pytest.raises(NonprojError, match="no transition 'JUMP'; it has SHIFT, LA, RA"):
        transition_system("arc-standard").derive(["JUMP"])
    with pytest.raises(NonprojError, match="number of words"):
        transition_system("arc-standard").derive([])


def test_trees_that_are_not_derived_say_why() -> None:
    ill = Tree([2, 5, 5, 1, 0])
    for name, oracle, cls in SYSTEMS:
        system = transition_system(name, oracle=oracle)
        if system.covers(ill):
            assert system.explain(ill) is None
            continue
        assert (cls or "as printed") in str(system.explain(ill))
        with pytest.raises(NonprojError, match=r"derives the trees of|as printed"):
            system.oracle(ill)
    with pytest.raises(NonprojError, match="2 roots"):
        transition_system("swap", single_root=True).oracle(Tree([0, 0]))


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("name", "oracle", "cls"), SYSTEMS)
def test_a_partial_trace_goes_as_far_as_the_oracle(
    name: str, oracle: str | None, cls: str | None, single_root: bool
) -> None:
    system = transition_system(name, oracle=oracle, single_root=single_root)
    for heads in all_trees(5)[:: 7 if single_root else 3]:
        tree = Tree(heads)
        trace = system.trace(tree, partial=True)
        assert trace.why == system.explain(tree)
        arcs = [row.arc for row in trace if row.arc is not None]  # an illegal transition would be an error
        assert all(tree.heads[dependent - 1] == head for head, _, dependent in arcs)
        assert (len(arcs) == 5) == (trace.why is None)
        if trace.why is not None:
            with pytest.raises(NonprojError):
                system.trace(tree)


def test_every_tree_that_the_printed_algorithm_misses_is_explained() -> None:
    system = transition_system("sort-parse", oracle="printed")
    for heads in all_trees(5)[~is_derived(None, 5, False)]:
        assert "as printed" in str(system.explain(Tree(heads)))


def test_labels_go_round() -> None:
    for sentence in npj.example_treebank():
        for kind in KINDS:
            system = transition_system(kind.shown(kind.example))
            if kind.has_arcs and system.covers(sentence.tree):
                steps = [str(step) for step in system.oracle(sentence.tree)]
                derived = system.derive(steps)
                assert derived == sentence.tree
                assert derived.deprels == sentence.tree.deprels


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Arc_Standard", "arc-standard"), ("pr", "arc-standard"), ("SORTPARSE", "sort-parse"), ("AD_3", "attardi-3"),
        ("attardi7", "attardi-7"), ("Attardi-Back-2", "attardi-back-2"), ("DD_3", "attardi-back-3"),
        ("PARSE", "arc-standard"), ("SORT", "sorting"), ("2p", "2-planar"), ("2-P", "2-planar"),
        ("12 planar", "12-planar"), ("2-C", "two-register"), ("two_registers", "two-register"),
        ("2-register", "two-register"), ("3 registers", "3-register"), ("4-C", "4-register"), ("MH_4", "mh4"),
        ("spanning", "swap"),
    ],
)  # fmt: skip
def test_names(name: str, shown: str) -> None:
    assert transition_system(name).name == shown


def test_classes_name_their_systems() -> None:
    names = "spanning Pr 1-P 2-P 5-P 1-C 2-C 3-C MH3 MH4 MH9 AD1 AD2 AD7 DD2"
    for name in names.split():
        cls = npj.tree_class(name)
        assert cls.transition_system is not None
        system = transition_system(cls.transition_system)
        assert system.tree_class is not None
        same = {"1-C": "Pr"}
        assert system.tree_class.name == same.get(cls.name, cls.name)
    for name in ["WG1", "1EC", "65-C", "MH65", "65-P"]:
        assert npj.tree_class(name).transition_system is None


@pytest.mark.parametrize(
    "name", ["arc", "attardi", "attardi-0", "attardi-back-0", "0-planar", "65-planar", "mh2", "mh65", ""]
)
def test_unknown_names_are_errors(name: str) -> None:
    with pytest.raises(NonprojError, match=r"no transition system is called|must be from"):
        transition_system(name)


def test_unknown_oracles_are_errors() -> None:
    with pytest.raises(NonprojError, match="it has lazy and eager"):
        transition_system("swap", oracle="printed")
    with pytest.raises(NonprojError, match="one oracle only"):
        transition_system("arc-eager", oracle="lazy")


def test_configurations_stay_with_their_system() -> None:
    two, three = transition_system("2-planar"), transition_system("3-planar")
    with pytest.raises(NonprojError, match="another system"):
        three.legal(two.initial(4))
    start = two.initial(4)
    after = two.apply(start, "SHIFT")
    assert start.parts["buffer"] == [1, 2, 3, 4]
    assert after.parts["buffer"] == [2, 3, 4]
    assert isinstance(start, Configuration)
    assert "stack 1=[]" in repr(start)


def test_lazy_swaps_less() -> None:
    eager, lazy = transition_system("swap", oracle="eager"), transition_system("swap")
    lengths = [system.oracles(npj.example_treebank(), threads=1).lengths for system in (eager, lazy)]
    assert (lengths[1] <= lengths[0]).all()
    assert lengths[1].sum() < lengths[0].sum()


def test_sequences() -> None:
    system = transition_system("arc-eager")
    found = system.oracles([Tree([2, 0]), Tree([3, 4, 0, 3])])
    assert len(found) == 2
    assert found[0] == [Transition(name) for name in ("SHIFT", "LA", "SHIFT", "LA")]
    assert found[1] is None
    assert system.oracles([]).derive().tolist() == []
    with pytest.raises(NonprojError, match="add up"):
        system._native.derive_batch(found.numbers[1:], found.lengths, found.offsets, 1)
    with pytest.raises(NonprojError, match="sentence 0: transition 1"):
        system._native.derive_batch(found.numbers + 90, found.lengths, found.offsets, 1)
    with pytest.raises(NonprojError, match="offsets"):
        system._native.oracle_batch(np.zeros(3, dtype=np.int32), np.array([0, 5], dtype=np.int64), 1)
    with pytest.raises(NonprojError, match="tree 0: word 1 is its own head"):
        system._native.oracle_batch(np.ones(1, dtype=np.int32), np.array([0, 1], dtype=np.int64), 1)


@pytest.mark.parametrize(("name", "oracle", "cls"), SYSTEMS)
def test_a_sequence_that_ends_early_leaves_words_to_the_root(name: str, oracle: str | None, cls: str | None) -> None:
    system = transition_system(name, oracle=oracle)
    tree = Tree([2, 0, 2, 3, 3], deprels=["a", "root", "b", "c", "d"])
    sequence = system.oracle(tree)
    for end in range(len(sequence) + 1):
        begun = system.derive(sequence[:end], words=len(tree))
        assert all(head in (0, whole) for head, whole in zip(begun.heads, tree.heads, strict=True))
    assert begun == tree
    assert system.derive([], words=3).heads == (0, 0, 0)
    with pytest.raises(NonprojError, match="end before the configuration is final; give the number of words"):
        system.derive(sequence[:-1])


def test_a_sequence_that_ends_early_keeps_to_one_root() -> None:
    system = transition_system("swap", single_root=True)
    with pytest.raises(NonprojError, match="several words without a head, and swap ends with one root"):
        system.derive(["SHIFT"], words=2)
    assert system.derive(["SHIFT", "SHIFT", "LA"], words=2).heads == (2, 0)
