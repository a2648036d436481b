"""Distributions over trees: values against enumeration, gradients against differences, for every class with sums."""

from __future__ import annotations

import doctest
import importlib
import itertools

import numpy as np
import pytest

# The folder of these tests is called torch too, and would do for the name alone.
pytest.importorskip("torch.autograd", reason="needs the extra [torch]")

import torch

import nonproj as npj
from nonproj import NonprojError
from nonproj.decode import offers
from nonproj.torch import TreeDistribution

SUMS = ["spanning", *(cls.name for cls in npj.tree_classes() if "marginals" in offers(cls).questions)]
GRADED = {"Pr": 0.0, "1EC": 0.7, "spanning": 2.0}


def drawn(words: int, size: int = 2, seed: int = 0, spread: float = 1.0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return spread * torch.randn(size, words + 1, words + 1, generator=generator, dtype=torch.float64)


def trees_of(words: int, within: str, single_root: bool) -> list[npj.Tree]:
    found = []
    for heads in itertools.product(range(words + 1), repeat=words):
        try:
            tree = npj.Tree(list(heads))
        except NonprojError:
            continue
        if tree in npj.tree_class(within) and not (single_root and len(tree.roots) > 1):
            found.append(tree)
    return found


@pytest.mark.parametrize("name", ["batch", "distribution", "losses", "sparse_map", "sums"])
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"nonproj.torch.{name}")).failed == 0


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("within", SUMS)
def test_values_against_enumeration(within: str, single_root: bool) -> None:
    scores = drawn(4)
    trees = trees_of(4, within, single_root)
    table = torch.tensor([tree.heads for tree in trees])
    each = torch.stack([scores[b][table, torch.arange(1, 5)].sum(1) for b in range(2)])
    log_z = torch.logsumexp(each, 1)
    chance = torch.exp(each - log_z[:, None])
    found = TreeDistribution(scores, within=within, single_root=single_root)
    assert torch.allclose(found.log_partition, log_z)
    assert torch.allclose(found.entropy, -(chance * chance.log()).sum(1))
    assert torch.allclose(found.log_prob(table[:1].expand(2, -1)), chance[:, 0].log())
    for b in range(2):
        best = trees[int(each[b].argmax())]
        assert found.mode[b].tolist() == list(best.heads)
        assert found.k_best(2)[b][0] == best
    other = TreeDistribution(drawn(4, seed=7), within=within, single_root=single_root)
    log_other = torch.stack([other.log_prob(heads.expand(2, -1)) for heads in table], 1)
    assert torch.allclose(found.kl(other), (chance * (chance.log() - log_other)).sum(1))


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("within", SUMS)
def test_first_and_second_derivatives(within: str, single_root: bool) -> None:
    """Of sentences of two lengths in one batch, some arcs forbidden."""
    scores = drawn(4, seed=3)
    scores[0, 1, 3] = -torch.inf
    allowed = scores > -torch.inf
    start = torch.where(allowed, scores, 0).requires_grad_()

    def made(values: torch.Tensor) -> TreeDistribution:
        return TreeDistribution(values, [4, 3], within=within, single_root=single_root, mask=allowed)

    check, check_twice = torch.autograd.gradcheck, torch.autograd.gradgradcheck
    assert check(lambda values: made(values).log_partition, start)
    assert check_twice(lambda values: made(values).log_partition, start)
    assert check(lambda values: made(values).entropy, start)
    assert check(lambda values: made(values).marginals, start, fast_mode=True)
    fixed = made(drawn(4, seed=5))
    assert check(lambda values: made(values).kl(fixed), start, fast_mode=True)
    assert check(lambda values: fixed.kl(made(values)), start, fast_mode=True)


@pytest.mark.parametrize("within", SUMS)
def test_second_derivatives_of_scores_that_lie_far_apart(within: str) -> None:
    """Where plain doubles do not reach: the change of the chances is their covariance, by enumeration."""
    trees = trees_of(3, within, False)
    table = torch.tensor([tree.heads for tree in trees])
    arcs = torch.zeros(len(trees), 4, 4, dtype=torch.float64)
    arcs.scatter_(1, torch.cat([torch.zeros(len(trees), 1, dtype=torch.long), table], 1)[:, None, :], 1)
    arcs[:, :, 0] = 0
    scores = drawn(3, 1, seed=2, spread=20)
    scores[0, 0] -= 900  # the sum over all trees underflows
    chance = torch.softmax((arcs * scores).sum((1, 2)), 0)
    mean = torch.einsum("t,tij->ij", chance, arcs)
    direction = drawn(3, 1, seed=4)[0]
    moved = (arcs * direction).sum((1, 2))
    expected = torch.einsum("t,tij->ij", chance * (moved - (chance * moved).sum()), arcs)
    values = scores.requires_grad_()
    found = TreeDistribution(values, within=within, single_root=False).marginals
    assert torch.allclose(found[0], mean, atol=1e-9)
    if within == "spanning":  # the one without a chart
        with pytest.raises(NonprojError, match="too far apart"):
            torch.autograd.grad(found, values, direction[None])
        return
    (change,) = torch.autograd.grad(found, values, direction[None])
    assert torch.allclose(change[0], expected, atol=1e-9)


def test_graded_classes() -> None:
    scores = drawn(4).requires_grad_()
    found = TreeDistribution(scores, within=GRADED, single_root=False)
    for b in range(2):
        table = scores[b].detach().numpy()
        assert found.log_partition[b].item() == pytest.approx(npj.log_partition(table, within=GRADED))
        assert np.allclose(found.marginals[b].detach(), npj.marginals(table, within=GRADED))
    check = torch.autograd.gradcheck
    assert check(lambda values: TreeDistribution(values, within=GRADED).log_partition, scores)
    assert check(lambda values: TreeDistribution(values, within=GRADED).marginals, scores, fast_mode=True)
    total = sum(
        found.log_prob(torch.tensor([tree.heads] * 2)).exp() for tree in trees_of(4, "spanning", single_root=False)
    )
    assert torch.allclose(total, torch.ones(2, dtype=torch.float64))


def test_padding_and_types() -> None:
    scores = drawn(6, 3).float().requires_grad_()
    found = TreeDistribution(scores, torch.tensor([6, 2, 4]), within="WG1")
    for b, words in enumerate([6, 2, 4]):
        alone = scores[b, : words + 1, : words + 1].detach().double().numpy()
        expected = npj.log_partition(alone, within="WG1", single_root=True)
        assert found.log_partition[b].item() == pytest.approx(expected, rel=1e-5)
    found.log_partition.sum().backward()
    assert scores.grad is not None
    assert scores.grad.dtype == torch.float32
    assert scores.grad[1, :, 3:].abs().sum() == 0
    assert scores.grad[1, :, 1:3].sum().item() == pytest.approx(2, rel=1e-5)
    assert found.mode[1].tolist()[2:] == [-1] * 4


def test_samples_follow_the_generator_and_the_chances() -> None:
    scores = drawn(3, 1)
    found = TreeDistribution(scores, within="1EC", single_root=False)
    torch.manual_seed(5)
    first = found.sample(2000)
    torch.manual_seed(5)
    assert torch.equal(first, found.sample(2000))
    assert first.shape == (2000, 1, 3)
    assert torch.allclose(found.batch.arcs(first).mean(0), found.marginals, atol=0.05)


def test_errors() -> None:
    scores = drawn(3)
    for within in ("MH4", "MG1", "2-P"):
        with pytest.raises(
            NonprojError, match=f"TreeDistribution is offered for .*not for {npj.tree_class(within).name}"
        ):
            TreeDistribution(scores, within=within)
    with pytest.raises(NonprojError, match=r"shape \(batch, n\+1, n\+1\)"):
        TreeDistribution(scores[0])
    with pytest.raises(NonprojError, match="float32 or float64"):
        TreeDistribution(scores.half())
    with pytest.raises(NonprojError, match="whole numbers from 1 to 3"):
        TreeDistribution(scores, [3, 4])
    with pytest.raises(NonprojError, match="NaN"):
        TreeDistribution(scores * torch.nan)
    found = TreeDistribution(scores, within="Pr")
    with pytest.raises(NonprojError, match="sentence 1: the tree is not in Pr"):
        found.log_prob([[0, 1, 1], [3, 0, 2]])
    with pytest.raises(NonprojError, match="sentence 0: the tree has 2 roots"):
        found.log_prob([[0, 1, 0], [0, 1, 2]])
    with pytest.raises(NonprojError, match="sentence 0: a head lies outside"):
        found.log_prob([[0, 1, 7], [0, 1, 2]])
    assert TreeDistribution(scores, within="Pr", validate_args=False).log_prob([[0, 1, 1], [3, 0, 2]]).isfinite().all()
    with pytest.raises(NonprojError, match="sentence 0: no tree of the class"):
        _ = TreeDistribution(torch.full((1, 3, 3), -torch.inf)).log_partition


def test_the_functions_of_arrays_do_not_lose_a_gradient_in_silence() -> None:
    scores = torch.zeros(4, 4, requires_grad=True)
    for question in (npj.log_partition, npj.marginals, npj.entropy):
        with pytest.raises(NonprojError, match=r"nonproj\.torch\.TreeDistribution"):
            question(scores)
        assert question(scores.detach()) is not None
    assert npj.decode(scores).score == 0  # the best tree has no gradient to lose


def test_workers_of_a_loader() -> None:
    loader = torch.utils.data.DataLoader(_Scored(), batch_size=2, num_workers=2)
    assert torch.cat(list(loader)).shape == (4,)


@pytest.mark.filterwarnings("ignore")  # the compiler tells of the graph it breaks
def test_compiled_code_around_it() -> None:
    values = drawn(3).requires_grad_()

    def loss(given: torch.Tensor) -> torch.Tensor:
        return TreeDistribution(given * 2, within="1EC").log_partition.sum()

    compiled = torch.compile(loss, backend="eager")
    assert torch.allclose(compiled(values), loss(values))
    (found,) = torch.autograd.grad(compiled(values), values)
    (expected,) = torch.autograd.grad(loss(values), values)
    assert torch.allclose(found, expected)


def test_directions_of_forbidden_arcs_do_not_count() -> None:
    # The derivative of a logarithm at 0 is no number.
    scores = drawn(3).requires_grad_()
    allowed = torch.ones(4, 4, dtype=torch.bool)
    allowed[1, 2] = False
    for within in SUMS:
        marginals = TreeDistribution(scores, within=within, mask=allowed[None]).marginals
        direction = torch.ones_like(scores).masked_fill(~allowed, torch.nan)
        (found,) = torch.autograd.grad(marginals, scores, direction)
        assert torch.allclose(found, torch.zeros_like(found))  # every tree has as many arcs


class _Scored:
    def __len__(self) -> int:
        return 4

    def __getitem__(self, at: int) -> torch.Tensor:
        return TreeDistribution(drawn(4, 1, seed=at), within="1EC").log_partition[0]
