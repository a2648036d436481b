"""Best trees and marginals, against compiled and neural decoders. Times are for one sentence."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, agree, peer, race
from benchmarks.scores import SIZES, Scores, decoder, model_scores, random_scores, total

NAME = "decoding"
QUESTION = "How fast are the decoders that others have too? (one thread; times for one sentence)"
PEERS = ("ufal.chu_liu_edmonds", "supar", "torch-struct", "torch")

COUNT = 20
"""Sentences of each size, and in a batch."""
LABELS = 40
"""Labels of an arc, about as many as Universal Dependencies has relations."""
ALONE = 3
"""How many of them are given one by one to a peer that takes long over each."""
TOLERANCE = 1e-4
"""For a word: the neural peers add in single precision, so they may take one of two trees that score the same."""


def run() -> Iterator[Row]:
    """Every comparison with sentences of every size."""
    random = {f"n = {words}": random_scores(words, COUNT) for words in SIZES}
    few = {size: tables[:ALONE] for size, tables in random.items()}
    every = {**random, f"{treebanks.label('nl_alpino test')}, model-like": model_scores()}
    many = {f"{10 * COUNT} of n = 40": random["n = 40"] * 10}
    comparisons: list[tuple[str, dict[str, list[Scores]], Target, Callable[[Row, list[Scores]], Row]]] = [
        ("spanning tree: ufal", every, Target("share", 0.7), spanning),
        ("single-root spanning tree: ufal, several roots", every, Target("share", 1), spanning_single_root),
        ("projective, one by one: supar", few, Target("faster", 150), projective_supar_alone),
        ("projective, one by one: torch-struct", few, Target("faster", 150), projective_torch_struct_alone),
        (f"projective, batch of {COUNT}: supar", random, Target("faster", 20), projective_supar_batch),
        (f"projective, batch of {COUNT}: torch-struct", random, Target("faster", 20), projective_torch_struct_batch),
        ("matrix-tree marginals, one by one: torch-struct", few, Target("faster", 3), marginals),
        ("spanning tree, 40 labels, float64: numpy's max", random, Target("share", 0.35), labelled(np.float64)),
        ("spanning tree, 40 labels, float32: numpy's max", random, Target("share", 0.35), labelled(np.float32)),
        ("decode_batch MH4, 2 threads: 1 thread", many, Target("faster", 1.7), two_threads),
    ]
    for what, inputs, target, compare in comparisons:
        for size, tables in inputs.items():
            row = Row(what, size, target=target)
            try:
                yield compare(row, tables)
            except Absent as absent:
                yield row.unmeasured(absent)


def filled(row: Row, ours: Timed[Any], theirs: Timed[Any], tables: list[Scores]) -> Row:
    """The row with the times for one sentence."""
    return replace(row, ours=ours.best / len(tables), peer=theirs.best / len(tables))


def spanning(row: Row, tables: list[Scores]) -> Row:
    """Best spanning trees, against Chu-Liu-Edmonds in C++, whose tables have a row a dependent."""
    decode, chu_liu_edmonds = decoder("decode"), peer("ufal.chu_liu_edmonds").chu_liu_edmonds
    turned = [np.ascontiguousarray(table.T) for table in tables]
    ours, theirs = race(
        lambda: [decode(table, within="spanning").heads for table in tables],
        lambda: [chu_liu_edmonds(table) for table in turned],
        rounds=20,
        limit=1.0,
    )
    for mine, (heads, _) in zip(ours.answer, theirs.answer, strict=True):
        agree(mine.tolist() == heads[1:], f"{row.what}, {row.size}: other heads")
    return filled(row, ours, theirs, tables)


def spanning_single_root(row: Row, tables: list[Scores]) -> Row:
    """The same with a single root, which the peer cannot ask for; its tree is a bound, and the answer if it has one."""
    decode, chu_liu_edmonds = decoder("decode"), peer("ufal.chu_liu_edmonds").chu_liu_edmonds
    turned = [np.ascontiguousarray(table.T) for table in tables]
    ours, theirs = race(
        lambda: [decode(table, within="spanning", single_root=True).heads for table in tables],
        lambda: [chu_liu_edmonds(table) for table in turned],
        rounds=20,
        limit=1.0,
    )
    for table, mine, (heads, bound) in zip(tables, ours.answer, theirs.answer, strict=True):
        agree((mine == 0).sum() == 1, f"{row.what}, {row.size}: not a single root")
        agree(total(table, mine) <= bound + TOLERANCE, f"{row.what}, {row.size}: better than the best")
        agree(heads.count(0) > 1 or mine.tolist() == heads[1:], f"{row.what}, {row.size}: other heads")
    return filled(row, ours, theirs, tables)


def projective_supar_alone(row: Row, tables: list[Scores]) -> Row:
    """Eisner's algorithm, one sentence after the other."""
    argmax = supar_argmax()
    tensors = [as_supar([table]) for table in tables]
    return projective(row, tables, one_by_one, lambda: [argmax(tensor)[0] for tensor in tensors], supar_heads)


def projective_supar_batch(row: Row, tables: list[Scores]) -> Row:
    """Eisner's algorithm, all sentences at once."""
    argmax, tensor = supar_argmax(), as_supar(tables)
    return projective(row, tables, all_at_once, lambda: argmax(tensor), supar_heads)


def projective_torch_struct_alone(row: Row, tables: list[Scores]) -> Row:
    """Eisner's algorithm, one sentence after the other."""
    argmax = torch_struct_argmax()
    tensors = [as_torch_struct([table]) for table in tables]
    return projective(row, tables, one_by_one, lambda: [argmax(tensor)[0] for tensor in tensors], torch_struct_heads)


def projective_torch_struct_batch(row: Row, tables: list[Scores]) -> Row:
    """Eisner's algorithm, all sentences at once."""
    argmax, tensor = torch_struct_argmax(), as_torch_struct(tables)
    return projective(row, tables, all_at_once, lambda: argmax(tensor), torch_struct_heads)


def projective(
    row: Row,
    tables: list[Scores],
    decode_all: Callable[[list[Scores]], list[Any]],
    theirs: Callable[[], Any],
    heads_of: Callable[[Any], list[int]],
) -> Row:
    """Race our chart against a peer, and see that its trees score the same."""
    us, them = race(lambda: decode_all(tables), theirs, limit=2.0)
    for table, mine, tensor in zip(tables, us.answer, them.answer, strict=True):
        difference = abs(total(table, mine.heads) - total(table, heads_of(tensor)))
        agree(difference < TOLERANCE * len(table), f"{row.what}, {row.size}: the trees differ by {difference:g}")
    return filled(row, us, them, tables)


def one_by_one(tables: list[Scores]) -> list[Any]:
    """Our chart for projective trees, called for each sentence."""
    decode = decoder("decode")
    return [decode(table, within="Pr", strategy="chart") for table in tables]


def all_at_once(tables: list[Scores]) -> list[Any]:
    """Our chart for projective trees, called once."""
    answers: list[Any] = decoder("decode_batch")(tables, within="Pr", strategy="chart", threads=1)
    return answers


def torch() -> Any:
    """Torch, on one thread, as everything here."""
    module = peer("torch")
    module.set_num_threads(1)
    return module


def supar_argmax() -> Callable[[Any], Any]:
    """supar's best trees. A new distribution each time, for it keeps its answers."""
    torch()
    crf = peer("supar.structs").DependencyCRF
    return lambda tensor: crf(tensor.detach(), multiroot=True).argmax


def as_supar(tables: list[Scores]) -> Any:
    """Tables with a row a dependent, in single precision."""
    return torch().tensor(np.stack([table.T for table in tables]), dtype=torch().float32)


def supar_heads(answer: Any) -> list[int]:
    """The heads of a sentence; place 0 is the root's."""
    heads: list[int] = answer[1:].tolist()
    return heads


def torch_struct_argmax() -> Callable[[Any], Any]:
    """torch-struct's best trees; with this torch it needs scores that ask for a gradient."""
    crf = torch_struct().DependencyCRF
    return lambda tensor: crf(tensor.requires_grad_(), multiroot=True).argmax


def torch_struct() -> Any:
    """torch-struct, without the warning that it gives for every distribution."""
    torch()
    module = peer("torch_struct")
    warnings.filterwarnings("ignore", message=".*does not define `arg_constraints`", category=UserWarning)
    return module


def as_torch_struct(tables: list[Scores]) -> Any:
    """Tables without the root's row, whose scores are on the diagonal, in single precision."""
    stacked = np.stack([table[1:, 1:] for table in tables])
    for rows, table in zip(stacked, tables, strict=True):
        np.fill_diagonal(rows, table[0, 1:])
    return torch().tensor(stacked, dtype=torch().float32)


def torch_struct_heads(answer: Any) -> list[int]:
    """The heads of a sentence from the table of its arcs; an arc on the diagonal is one from the root."""
    chosen = answer.detach().numpy().argmax(axis=0)
    return [0 if head == word else int(head) + 1 for word, head in enumerate(chosen)]


def marginals(row: Row, tables: list[Scores]) -> Row:
    """The chance of every arc among all spanning trees; the peer adds 1e-5 to every weight, so digits are lost."""
    ours_of, crf, no_grad = decoder("marginals"), torch_struct().NonProjectiveDependencyCRF, torch().no_grad
    tensors = [as_torch_struct([table]) for table in tables]

    def theirs() -> list[Any]:
        with no_grad():
            return [crf(tensor, multiroot=True).marginals[0] for tensor in tensors]

    us, them = race(lambda: [ours_of(table, within="spanning") for table in tables], theirs, rounds=20, limit=1.0)
    for mine, tensor in zip(us.answer, them.answer, strict=True):
        other = tensor.numpy()
        agree(np.allclose(mine[0, 1:], other.diagonal(), atol=1e-3), f"{row.what}, {row.size}: other roots")
        between = ~np.eye(len(other), dtype=bool)
        agree(np.allclose(mine[1:, 1:][between], other[between], atol=1e-3), f"{row.what}, {row.size}: other arcs")
    return filled(row, us, them, tables)


def labelled(dtype: type[np.floating[Any]]) -> Callable[[Row, list[Scores]], Row]:
    """Best trees from scores of labelled arcs, as biaffine parsers have them, against labels that numpy takes first."""

    def compare(row: Row, tables: list[Scores]) -> Row:
        decode, rng = decoder("decode"), np.random.default_rng(len(tables[0]))
        given = [(table[..., None] - rng.exponential(size=(*table.shape, LABELS))).astype(dtype) for table in tables]
        us, them = race(
            lambda: [decode(table) for table in given],
            lambda: [decode(table.max(axis=2)) for table in given],
            rounds=20,
        )
        for table, mine, other in zip(given, us.answer, them.answer, strict=True):
            agree(np.array_equal(mine.heads, other.heads), f"{row.what}, {row.size}: other heads")
            best = table[mine.heads, np.arange(1, len(table))].argmax(axis=1)
            agree(np.array_equal(mine.labels, best), f"{row.what}, {row.size}: other labels")
        return filled(row, us, them, tables)

    return compare


def two_threads(row: Row, tables: list[Scores]) -> Row:
    """A batch by its chart on two threads and on one: the same trees."""
    decode_batch = decoder("decode_batch")

    def decoded(threads: int) -> list[Any]:
        answers: list[Any] = decode_batch(tables, within="MH4", strategy="chart", threads=threads)
        return answers

    two, one = race(lambda: decoded(2), lambda: decoded(1), rounds=10)
    for mine, other in zip(two.answer, one.answer, strict=True):
        agree(np.array_equal(mine.heads, other.heads), f"{row.what}: other heads")
    return filled(row, two, one, tables)
