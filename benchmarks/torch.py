"""The layer for PyTorch beside those of torch-struct and supar: a batch of scores forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.measure import Absent, Row, Target, Timed, agree, in_turn, peer, race

NAME = "torch"
QUESTION = "How long do log-partitions of a batch and their gradients take, beside the layers of others?"
PEERS = ("torch", "torch_struct", "supar")

BATCH = 32
LENGTHS = (20, 40)
OURS_ONLY = ("1EC", "WG1", "1-P", "M0I")


def run() -> Iterator[Row]:
    """Pr and spanning trees beside peers, then classes that no peer has."""
    try:
        torch = peer("torch")
    except Absent as absent:
        yield Row("log-partition and gradient", target=Target("faster", 20)).unmeasured(absent)
        return
    for n in LENGTHS:
        torch.manual_seed(n)
        scores = torch.randn(BATCH, n + 1, n + 1)
        for within, theirs in (("Pr", _torch_struct_projective), ("spanning", _torch_struct_spanning), ("Pr", _supar)):
            yield compared(torch, scores, n, within, theirs)
        for within in OURS_ONLY:
            timed = Timed(asked(torch, scores, within))
            in_turn(timed, rounds=3, limit=30)
            yield Row(f"{within}: log-partition and gradient", f"{BATCH} x {n} words", ours=timed.best)


def asked(torch: Any, scores: Any, within: str) -> Callable[[], Any]:
    """Our log-partition with its gradient."""
    from nonproj.torch import TreeDistribution

    def ask() -> Any:
        values = scores.clone().requires_grad_()
        total = TreeDistribution(values, within=within, single_root=within == "Pr").log_partition
        total.sum().backward()
        return total.detach()

    return ask


def compared(torch: Any, scores: Any, n: int, within: str, theirs: Callable[..., Any]) -> Row:
    """A row beside a peer."""
    name = theirs.__name__.lstrip("_").split("_")[0]
    name = "torch-struct" if name == "torch" else name
    row = Row(f"{within}: log-partition and gradient, {name}", f"{BATCH} x {n} words", target=Target("faster", 20))
    try:
        ask = theirs(torch, scores, n)
        first = ask()
    except Absent as absent:
        return row.unmeasured(absent)
    except Exception as error:
        return row.unmeasured(Absent(f"not measured: {type(error).__name__}: {error}"))
    ours, other = race(asked(torch, scores, within), ask, rounds=30, limit=60)
    if theirs is not _torch_struct_projective:  # that one allows several roots or one as it likes, by version
        agree(bool(torch.allclose(ours.answer, first, rtol=1e-3, atol=1e-2)), f"log-partitions of {name}")
    return Row(row.what, row.size, ours=ours.best, peer=other.best, target=row.target)


def _words_only(torch: Any, scores: Any) -> Any:
    """As torch-struct has them: words from 0, the root's scores on the diagonal."""
    table = scores[:, 1:, 1:].clone()
    table.diagonal(dim1=1, dim2=2).copy_(scores[:, 0, 1:])
    return table


def _torch_struct_projective(torch: Any, scores: Any, n: int) -> Callable[[], Any]:
    structure = peer("torch_struct").DependencyCRF
    table = _words_only(torch, scores)

    def ask() -> Any:
        values = table.clone().requires_grad_()
        total = structure(values).partition
        total.sum().backward()
        return total.detach()

    return ask


def _torch_struct_spanning(torch: Any, scores: Any, n: int) -> Callable[[], Any]:
    structure = peer("torch_struct").NonProjectiveDependencyCRF
    table = _words_only(torch, scores)

    def ask() -> Any:
        values = table.clone().requires_grad_()
        total = structure(values, multiroot=True).partition
        total.sum().backward()
        return total.detach()

    return ask


def _supar(torch: Any, scores: Any, n: int) -> Callable[[], Any]:
    structure = peer("supar.structs").DependencyCRF
    table, lengths = scores.mT.contiguous(), torch.full((BATCH,), n)

    def ask() -> Any:
        values = table.clone().requires_grad_()
        total = structure(values, lengths).log_partition
        total.sum().backward()
        return total.detach()

    return ask
