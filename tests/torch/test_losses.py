"""Losses that need only the decoder, for every class: against enumeration, and their gradients."""

from __future__ import annotations

import itertools

import pytest

# The folder of these tests is called torch too, and would do for the name alone.
pytest.importorskip("torch.autograd", reason="needs the extra [torch]")

import torch

import nonproj as npj
from nonproj import NonprojError
from nonproj.torch import perceptron, perturb_and_map, sparse_map, sparse_map_loss, structured_hinge

CLASSES = ["spanning", *(cls.name for cls in npj.tree_classes()), {"Pr": 0.0, "MH4": 0.5}]
GOLD = [[0, 1, 1, 1], [2, 3, 0, 3]]


def drawn(seed: int = 0, spread: float = 1.0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return spread * torch.randn(2, 5, 5, generator=generator, dtype=torch.float64)


def every_tree(within: str | dict[str, float]) -> list[tuple[tuple[int, ...], float]]:
    steps = [(within, 0.0)] if isinstance(within, str) else list(within.items())
    found = []
    for heads in itertools.product(range(5), repeat=4):
        try:
            tree = npj.Tree(list(heads))
        except NonprojError:
            continue
        prices = [price for name, price in steps if tree in npj.tree_class(name)]
        if prices and len(tree.roots) == 1:
            found.append((heads, prices[0]))
    return found


def worth(table: torch.Tensor, heads: tuple[int, ...], gold: list[int], cost: float) -> float:
    pairs = enumerate(zip(heads, gold, strict=True), 1)
    return sum(table[head, d].item() + cost * (head != right) for d, (head, right) in pairs)


@pytest.mark.parametrize("within", CLASSES, ids=str)
def test_hinge_and_perceptron_against_enumeration(within: str | dict[str, float]) -> None:
    scores = drawn().requires_grad_()
    trees = every_tree(within)
    for cost, found in (
        (1.5, structured_hinge(scores, GOLD, within=within, cost=1.5)),
        (0.0, perceptron(scores, GOLD, within=within)),
    ):
        for b in range(2):
            gold = sum(scores[b, g, d].item() for d, g in enumerate(GOLD[b], 1))
            price = dict(trees).get(tuple(GOLD[b]), max(price for _, price in trees))
            expected = max(worth(scores[b], heads, GOLD[b], cost) - price for heads, price in trees) - gold + price
            assert found[b].item() == pytest.approx(max(0.0, expected))
    assert torch.autograd.gradcheck(lambda values: structured_hinge(values, GOLD, within=within), scores)


@pytest.mark.parametrize("within", ["Pr", "MH4", "2-P", "spanning"])
def test_sparse_map_is_the_nearest_point(within: str) -> None:
    scores = drawn(1)
    trees = every_tree(within)
    mean = sparse_map(scores, within=within)
    assert torch.allclose(mean[:, :, 1:].sum(1), torch.ones(2, 4, dtype=torch.float64))
    for b in range(2):
        # Nearest exactly when no tree lies further along the way to the scores.
        way = (scores - mean)[b]
        reached = [sum(way[h, d].item() for d, h in enumerate(heads, 1)) for heads, _ in trees]
        assert max(reached) <= (way * mean[b]).sum().item() + 1e-8
    values = scores.clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda given: sparse_map(given, within=within), values)
    assert torch.autograd.gradcheck(lambda given: sparse_map_loss(given, GOLD, within=within), values)
    assert (sparse_map_loss(scores, GOLD, within=within) >= -1e-9).all()


def test_perturbed_trees() -> None:
    scores = drawn(2).requires_grad_()
    torch.manual_seed(3)
    loss = perturb_and_map(scores, GOLD, within="MH4", samples=50)
    loss.sum().backward()
    assert scores.grad is not None
    mean = scores.grad.clone()
    for b in range(2):
        for d, head in enumerate(GOLD[b], 1):
            mean[b, head, d] += 1
    assert torch.allclose(mean[:, :, 1:].sum(1), torch.ones(2, 4, dtype=torch.float64))
    assert (mean > -1e-9).all()
    assert torch.isfinite(loss).all()
    quiet = perturb_and_map(scores, GOLD, within="MH4", samples=1, temperature=0.0)
    assert torch.allclose(quiet, perceptron(scores, GOLD, within="MH4"), atol=1e-9)


def test_errors() -> None:
    with pytest.raises(NonprojError, match="0 or more"):
        structured_hinge(drawn(), GOLD, cost=-1.0)
    with pytest.raises(NonprojError, match="samples must be 1 or more"):
        perturb_and_map(drawn(), GOLD, samples=0)
    with pytest.raises(NonprojError, match=r"heads must have the shape \(2, 4\)"):
        perceptron(drawn(), [[0, 1], [0, 1]])
