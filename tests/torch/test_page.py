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


def words_only(scores: torch.Tensor) -> torch.Tensor:
    """As torch-struct has them: words from 0, the root's scores on the diagonal."""
    table = scores[:, 1:, 1:].clone()
    table.diagonal(dim1=1, dim2=2).copy_(scores[:, 0, 1:])
    return table


@pytest.mark.filterwarnings("ignore")
def test_in_place_of_torch_struct() -> None:
    structs = pytest.importorskip("torch_struct", reason="needs torch-struct: pip install torch-struct")
    scores = torch.randn(3, 7, 7)
    theirs = words_only(scores.requires_grad_())  # a leaf would be written into
    spanning = TreeDistribution(scores, within="spanning", single_root=False)
    assert torch.allclose(
        structs.NonProjectiveDependencyCRF(theirs, multiroot=True).partition, spanning.log_partition, atol=1e-4
    )
    projective = TreeDistribution(scores, within="Pr", single_root=False)
    assert torch.allclose(structs.DependencyCRF(theirs).partition, projective.log_partition, atol=1e-4)


@pytest.mark.filterwarnings("ignore")
def test_in_place_of_supar() -> None:
    structs = pytest.importorskip("supar.structs", reason="needs supar: pip install supar")
    lengths = torch.tensor([6, 4])
    theirs = torch.randn(2, 7, 7)  # dependents as rows
    for crf, within in ((structs.MatrixTree, "spanning"), (structs.DependencyCRF, "Pr")):
        ours = TreeDistribution(theirs.mT.contiguous(), lengths, within=within)
        assert torch.allclose(crf(theirs, lengths).log_partition, ours.log_partition, atol=1e-4)
    best = structs.DependencyCRF(theirs, lengths).argmax
    ours = TreeDistribution(theirs.mT.contiguous(), lengths, within="Pr")
    inside = torch.arange(1, 7) <= lengths[:, None]
    assert bool((best[:, 1:][inside] == ours.mode[inside]).all())


@pytest.mark.filterwarnings("ignore")
def test_in_place_of_stanza() -> None:
    decoder = pytest.importorskip(
        "stanza.models.common.chuliu_edmonds", reason="needs Stanza: pip install stanza"
    ).chuliu_edmonds_one_root
    for seed in range(5):
        theirs = torch.randn(6, 6, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        ours = TreeDistribution(theirs.mT[None].contiguous(), within="spanning").mode[0]
        assert decoder(theirs.numpy())[1:].tolist() == ours.tolist()
