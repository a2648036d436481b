"""Padded scores of many sentences: checked, masked, and handed to the core and back."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from nonproj.decode import Within, decode_batch
from nonproj.decode.graded import Chain
from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.trees import Tree


@dataclass(frozen=True)
class Batch:
    """Scores of shape (batch, n+1, n+1), -inf where an arc is forbidden, and how many words each sentence has."""

    scores: Tensor
    lengths: npt.NDArray[np.int32]

    @classmethod
    def of(cls, scores: Tensor, lengths: Tensor | Sequence[int] | None, mask: Tensor | None = None) -> Batch:
        """Check scores, and forbid the arcs that a mask leaves out."""
        if not isinstance(scores, Tensor) or scores.dtype not in (torch.float32, torch.float64):
            kind = scores.dtype if isinstance(scores, Tensor) else type(scores).__name__
            raise NonprojError(f"scores must be a tensor of float32 or float64, not {kind}")
        if scores.ndim != 3 or scores.shape[1] != scores.shape[2] or scores.shape[1] < 2:
            raise NonprojError(
                f"scores must have the shape (batch, n+1, n+1) for sentences of up to n words, not "
                f"{tuple(scores.shape)}; give one sentence as scores[None]"
            )
        size, width = scores.shape[0], scores.shape[1]
        if lengths is None:
            words = np.full(size, width - 1, dtype=np.int32)
        else:
            words = np.asarray(_plain(lengths))
            if words.shape != (size,) or words.dtype.kind not in "iu" or (words < 1).any() or (words >= width).any():
                raise NonprojError(f"lengths must be {size} whole numbers from 1 to {width - 1}, one a sentence")
        if mask is not None:
            if mask.dtype != torch.bool:
                raise NonprojError(f"mask must be a boolean tensor, true for arcs that may be used, not {mask.dtype}")
            scores = scores.masked_fill(~mask, -torch.inf)
        _warn_of_moving(scores)
        batch = cls(scores, np.ascontiguousarray(words, dtype=np.int32))
        # The largest is no number where any is none; only then is it worth looking where that is.
        is_sound = bool(scores.detach().amax() < torch.inf)
        if not is_sound and bool((torch.isnan(scores) | (scores == torch.inf)).logical_and(batch.inside).any()):
            raise NonprojError("scores must be numbers or -inf: there is a NaN or an infinite score among them")
        return batch

    @property
    def inside(self) -> Tensor:
        """Which places hold arcs of their sentence: true for (head, word), heads from 0 and words from 1."""
        width, device = self.scores.shape[1], self.scores.device
        words = torch.arange(width, device=device)
        ends = torch.as_tensor(self.lengths, device=device)[:, None]
        known = words[None] <= ends
        return (
            known[:, :, None] & (known & (words > 0))[:, None, :] & ~torch.eye(width, dtype=torch.bool, device=device)
        )

    def array(self, of: Tensor | None = None) -> npt.NDArray[Any]:
        """Scores, or a tensor of their shape, as the core takes them: without a copy where it lies in one piece."""
        tensor = (self.scores if of is None else of).detach()
        return np.ascontiguousarray(tensor.to("cpu", self.scores.dtype).numpy())

    def tensor(self, array: npt.NDArray[Any]) -> Tensor:
        """An answer of the core in the type and at the place of the scores."""
        return torch.from_numpy(array).to(self.scores.device, self.scores.dtype)

    def tables(self, of: Tensor | None = None) -> list[npt.NDArray[Any]]:
        """The table of each sentence, without its padding."""
        array = self.array(of)
        return [array[b, : n + 1, : n + 1] for b, n in enumerate(self.lengths.tolist())]

    def best(self, scores: Tensor, within: Within, single_root: bool) -> Tensor:
        """The heads of the best trees by scores of this shape, (batch, n), -1 behind the last word."""
        found = decode_batch(self.tables(scores), within=within, single_root=single_root, threads=processors())
        return self.heads([best.heads for best in found])

    def heads(self, trees: Sequence[npt.NDArray[Any]]) -> Tensor:
        """Heads of each sentence in one tensor, -1 behind the last word."""
        table = np.full((len(trees), self.scores.shape[1] - 1), -1, dtype=np.int64)
        for row, tree in zip(table, trees, strict=True):
            row[: len(tree)] = tree
        return torch.from_numpy(table).to(self.scores.device)

    def arcs(self, heads: Tensor) -> Tensor:
        """Trees given by their heads, (..., batch, n), as 0 and 1 in the shape of the scores."""
        arcs = torch.zeros((*heads.shape[:-1], *self.scores.shape[1:]), dtype=self.scores.dtype, device=heads.device)
        known = self._known(heads)
        arcs[..., 1:].scatter_(-2, torch.where(known, heads, 0)[..., None, :], known[..., None, :].to(arcs.dtype))
        return arcs

    def score(self, scores: Tensor, heads: Tensor) -> Tensor:
        """The score of a tree of each sentence, with a gradient; heads are (..., batch, n)."""
        known = self._known(heads)
        chosen = torch.where(known, heads, 0)[..., None, :]
        table = scores[..., 1:].expand(*heads.shape[:-1], scores.shape[-2], scores.shape[-1] - 1)
        values = table.gather(-2, chosen)[..., 0, :]
        return torch.where(known, values, 0).sum(-1)

    def prices(self, heads: Tensor, steps: Chain) -> Tensor:
        """What a tree of each sentence costs in a graded class: the price of the widest where it is in none."""
        if len(steps) == 1:
            return torch.zeros(len(self.lengths), dtype=self.scores.dtype, device=self.scores.device)
        found = []
        for row, words in zip(heads.cpu().tolist(), self.lengths.tolist(), strict=True):
            tree = Tree(row[:words])
            found.append(next((price for cls, price in steps if tree in cls), steps[-1][1]))
        return torch.tensor(found, dtype=self.scores.dtype, device=self.scores.device)

    def checked(self, heads: Tensor | Sequence[Sequence[int]]) -> Tensor:
        """Gold heads as a tensor of shape (batch, n); an error names the sentence where they do not fit."""
        heads = torch.as_tensor(heads, device=self.scores.device).long()
        if heads.shape != (self.scores.shape[0], self.scores.shape[1] - 1):
            expected = (self.scores.shape[0], self.scores.shape[1] - 1)
            raise NonprojError(f"heads must have the shape {expected}, padded by anything, not {tuple(heads.shape)}")
        ends = torch.as_tensor(self.lengths, device=heads.device)[:, None]
        wrong = (self._known(heads) & ((heads < 0) | (heads > ends))).any(1)
        if bool(wrong.any()):
            raise NonprojError(f"sentence {int(wrong.nonzero()[0])}: a head lies outside the sentence")
        return heads

    def _known(self, heads: Tensor) -> Tensor:
        words = torch.arange(1, heads.shape[-1] + 1, device=heads.device)
        return (words <= torch.as_tensor(self.lengths, device=heads.device)[:, None]).expand(heads.shape)


def _plain(lengths: Tensor | Sequence[int]) -> npt.ArrayLike:
    return lengths.detach().cpu().numpy() if isinstance(lengths, Tensor) else lengths


def _warn_of_moving(scores: Tensor) -> None:
    if scores.device.type != "cpu":
        warnings.warn(
            f"nonproj works on the processor: scores on {scores.device} are moved there and the answers back",
            stacklevel=4,
        )
