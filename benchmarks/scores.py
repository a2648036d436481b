"""What decoders are measured on: scores at random, and scores as a trained parser gives them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt

import nonproj
from benchmarks import treebanks

Scores = npt.NDArray[np.float64]

SIZES = (10, 20, 40, 80)
GOLD = 4.0
"""What an arc of the real tree scores more than others."""


def decoder(name: str) -> Any:
    """A function of `nonproj.decode`."""
    return getattr(importlib.import_module("nonproj.decode"), name)


def random_scores(words: int, count: int) -> list[Scores]:
    """Tables for sentences of that many words, N(0, 1), rounded so that single precision holds them exactly."""
    rng = np.random.default_rng(words)
    tables = rng.normal(size=(count, words + 1, words + 1)).astype(np.float32)
    return [table.astype(np.float64) for table in tables]


def model_scores() -> list[Scores]:
    """Tables for real trees: N(0, 1), less the log of the arc's length, with `GOLD` on the arcs of the tree."""
    treebank = nonproj.read(treebanks.text("ud/nl_alpino-ud-test"))[:600]
    rng = np.random.default_rng(0)
    return [like_a_model(np.array(sentence.tree.heads), rng) for sentence in treebank]


def like_a_model(heads: npt.NDArray[np.int64], rng: np.random.Generator) -> Scores:
    """Scores around one tree."""
    places = np.arange(len(heads) + 1)
    lengths = np.abs(places[:, None] - places[None, :])
    scores: Scores = rng.normal(size=lengths.shape) - np.log(np.maximum(lengths, 1))
    scores[heads, places[1:]] += GOLD
    return scores


def total(scores: Scores, heads: npt.ArrayLike) -> float:
    """The score of a tree."""
    return float(scores[np.asarray(heads), np.arange(1, len(scores))].sum())
