"""The training loop of docs/torch.md, run as it stands there; and what the page says of other libraries' layouts."""

from __future__ import annotations

import pathlib

import pytest

pytest.importorskip("torch.autograd", reason="needs the extra [torch]")

import torch

import nonproj as npj
from nonproj.torch import TreeDistribution

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "torch.md"


def test_the_training_loop_reaches_its_score() -> None:
    (loop,) = (part.partition("```")[0] for part in PAGE.read_text().split("```python\n") if "optimiser.step()" in part)
    assert len(loop.strip().splitlines()) <= 35
    names: dict[str, torch.Tensor] = {}
    exec(loop, names)
    assert names["right"].item() > 0.95


def test_layouts_of_other_libraries() -> None:
    dependents_as_rows = torch.randn(2, 5, 5, dtype=torch.float64)
    ours = TreeDistribution(dependents_as_rows.mT, within="Pr")
    for b in range(2):
        expected = npj.log_partition(dependents_as_rows[b].numpy().T, within="Pr", single_root=True)
        assert ours.log_partition[b].item() == pytest.approx(expected)
    words_only = torch.randn(1, 3, 3, dtype=torch.float64)  # torch-struct's, the root on the diagonal
    table = torch.zeros(1, 4, 4, dtype=torch.float64)
    table[:, 1:, 1:] = words_only
    table[:, 0, 1:] = words_only.diagonal(dim1=1, dim2=2)
    found = TreeDistribution(table, within="spanning", single_root=False)
    assert found.marginals[0, 0, 1:].sum() > 0
    assert torch.allclose(found.marginals[0].sum(0)[1:], torch.ones(3, dtype=torch.float64))
