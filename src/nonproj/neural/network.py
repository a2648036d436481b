"""The network: vectors of words, an encoder of sentences, biaffine scores of arcs and relations (Dozat & Manning 2017).

words       the concatenation of vectors of form, lemma, tags, features (summed over Name=Value) and characters
            (a convolution, once for each distinct form of a batch); in training each is left out now and then
            a pretrained encoder, if there is one, adds a vector of the word in its sentence
sentence    a BiLSTM of several layers, or none over a pretrained encoder, with the same places dropped at every word
tags        if they are predicted: s(tag) = sum of W_part t over its parts, and of rules for lemmas, s(r) = W_r l
arcs        s(h, d) = (H h, 1) A (D d)          relations   s(r; h, d) = (H' h, 1) R_r (D' d, 1)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from nonproj.neural.alphabets import PADDING, UNKNOWN, Alphabets, Coded, Numbers, size_of
from nonproj.neural.encoder import Encoder
from nonproj.neural.tags import TagSet


@dataclass(frozen=True)
class Sizes:
    """How large a network is, and how much of it is dropped in training."""

    embedding: int = 100
    tag: int = 50
    characters: int = 50
    filters: int = 100
    hidden: int = 200
    layers: int = 3
    arc: int = 300
    relation: int = 100
    tagging: int = 200
    dropout: float = 0.33
    word_dropout: float = 0.25


@dataclass(frozen=True)
class Batch:
    """Sentences as tensors of shape (sentences, words), padded."""

    lengths: Tensor
    columns: dict[str, Tensor]
    forms: Tensor
    spelt: list[str]
    """The distinct forms, which `forms` numbers."""
    characters: Tensor
    cells: Tensor
    feats: Tensor
    heads: Tensor
    relations: Tensor
    tags: Tensor
    rules: Tensor
    words: Tensor
    """Of each place the number of its word in the treebank, -1 behind the last."""

    @classmethod
    def of(cls, corpus: Coded, sentences: Numbers, device: torch.device) -> Batch:
        """Some sentences of a treebank."""
        lengths = corpus.lengths[sentences]
        places = np.arange(int(lengths.max()))[None, :]
        words = np.where(places < lengths[:, None], corpus.offsets[sentences][:, None] + places, -1)
        forms, own_forms = np.unique(corpus.forms[words], return_inverse=True)
        cells, own_cells = np.unique(corpus.cells[words], return_inverse=True)
        inside = words >= 0

        def tensor(array: Numbers) -> Tensor:
            return torch.from_numpy(np.ascontiguousarray(array)).to(device)

        return cls(
            tensor(lengths),
            {name: tensor(np.where(inside, column[words], PADDING)) for name, column in corpus.columns.items()},
            tensor(own_forms.reshape(words.shape)),
            [corpus.spelt[form] for form in forms.tolist()],
            tensor(_trimmed(corpus.characters[forms])),
            tensor(own_cells.reshape(words.shape)),
            tensor(_trimmed(corpus.feats[cells])),
            tensor(np.where(inside, corpus.heads[words], -1)),
            tensor(np.where(inside, corpus.relations[words], -1)),
            tensor(np.where(inside, corpus.tags[words], -1)),
            tensor(np.where(inside, corpus.rules[words], -1)),
            tensor(words),
        )


def _trimmed(table: Numbers) -> Numbers:
    """Without columns that are padding in every row."""
    used = int((table != PADDING).any(axis=0).sum())
    return table[:, : max(1, used)]


class Characters(nn.Module):  # type: ignore[misc]
    """A vector of a form from its characters: the largest answer of each filter over windows of three."""

    def __init__(self, alphabet: int, sizes: Sizes) -> None:
        super().__init__()
        self.vectors = nn.Embedding(alphabet, sizes.characters, padding_idx=PADDING)
        self.windows = nn.Conv1d(sizes.characters, sizes.filters, 3, padding=1)
        self.wide_windows = nn.Conv1d(sizes.characters, sizes.filters, 5, padding=2)

    def forward(self, characters: Tensor) -> Tensor:
        """From (forms, characters) to (forms, filters)."""
        given = self.vectors(characters).mT
        outside = (characters == PADDING)[:, None, :]
        found = [windows(given).masked_fill(outside, -1e4).amax(2) for windows in (self.windows, self.wide_windows)]
        return torch.relu(torch.cat(found, 1))


class Words(nn.Module):  # type: ignore[misc]
    """A vector of each word from its columns, and from its sentence where there is a pretrained encoder."""

    def __init__(self, alphabets: Alphabets, sizes: Sizes, encoder: Encoder | None) -> None:
        super().__init__()
        self.columns = nn.ModuleDict(
            {
                name: nn.Embedding(
                    size_of(values), sizes.embedding if name in ("form", "lemma") else sizes.tag, padding_idx=PADDING
                )
                for name, values in alphabets.columns.items()
            }
        )
        self.characters = Characters(size_of(alphabets.characters), sizes)
        self.feats = nn.EmbeddingBag(size_of(alphabets.feats), sizes.tag, mode="sum", padding_idx=PADDING)
        for each in (*self.columns.values(), self.characters.vectors, self.feats):
            nn.init.normal_(each.weight, std=each.embedding_dim**-0.5)
            with torch.no_grad():
                each.weight[PADDING] = 0  # it stays so: what is behind a form must not count
        self.has_feats = bool(alphabets.feats)
        self.encoder = encoder
        self.dropout = sizes.word_dropout
        widths = [column.embedding_dim for column in self.columns.values()]
        self.width = sum(widths) + 2 * sizes.filters + (sizes.tag if self.has_feats else 0)
        self.width += 0 if encoder is None else encoder.width

    def forward(self, batch: Batch) -> Tensor:
        """Vectors of shape (sentences, words, width)."""
        found = []
        for name, vectors in self.columns.items():
            numbers = batch.columns[name]
            if self.training and name in ("form", "lemma"):  # the vector of unknown words is learnt from known ones
                is_hidden = torch.rand(numbers.shape, device=numbers.device) < self.dropout / 4
                numbers = torch.where(is_hidden & (numbers != PADDING), UNKNOWN, numbers)
            found.append(vectors(numbers))
        found.append(self.characters(batch.characters)[batch.forms])
        if self.has_feats:
            found.append(self.feats(batch.feats)[batch.cells])
        if self.encoder is not None:
            found.append(self.encoder(batch.spelt, batch.forms, batch.lengths))
        if self.training:
            found = [self._dropped(each) for each in found]
        return torch.cat(found, 2)

    def _dropped(self, vectors: Tensor) -> Tensor:
        kept = torch.rand(vectors.shape[:2], device=vectors.device) >= self.dropout
        return vectors * (kept[..., None] / (1 - self.dropout))


class SharedDropout(nn.Module):  # type: ignore[misc]
    """Drops the same places of the vectors of all words of a sentence."""

    def __init__(self, chance: float) -> None:
        super().__init__()
        self.chance = chance

    def forward(self, vectors: Tensor) -> Tensor:
        """Vectors of shape (sentences, words, width)."""
        if not self.training or self.chance == 0:
            return vectors
        kept = torch.rand((len(vectors), 1, vectors.shape[2]), device=vectors.device) >= self.chance
        return vectors * (kept / (1 - self.chance))


class Sentences(nn.Module):  # type: ignore[misc]
    """A BiLSTM, each direction a pass over the padded batch: what is behind the last word comes last in both."""

    def __init__(self, width: int, sizes: Sizes) -> None:
        super().__init__()
        widths = [width, *([2 * sizes.hidden] * sizes.layers)][: sizes.layers]
        self.forwards = nn.ModuleList(nn.LSTM(each, sizes.hidden, batch_first=True) for each in widths)
        self.backwards = nn.ModuleList(nn.LSTM(each, sizes.hidden, batch_first=True) for each in widths)
        for lstm in (*self.forwards, *self.backwards):
            for name, weight in lstm.named_parameters():
                if "weight" in name:
                    for part in weight.chunk(4):
                        nn.init.orthogonal_(part)
                else:
                    nn.init.zeros_(weight)
        self.dropout = SharedDropout(sizes.dropout)
        self.width = 2 * sizes.hidden if sizes.layers else width

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Vectors of shape (sentences, words, width)."""
        places = torch.arange(vectors.shape[1], device=vectors.device)[None]
        mirrored = lengths[:, None] - 1 - places
        order = torch.where(mirrored >= 0, mirrored, places)[..., None]
        for ahead, back in zip(self.forwards, self.backwards, strict=True):
            right, _ = ahead(vectors)
            left, _ = back(vectors.gather(1, order.expand_as(vectors)))
            vectors = self.dropout(torch.cat([right, left.gather(1, order.expand_as(left))], 2))
        return vectors


class Projection(nn.Module):  # type: ignore[misc]
    """What a word is in one of its roles."""

    def __init__(self, width: int, size: int, dropout: float) -> None:
        super().__init__()
        self.linear = nn.Linear(width, size)
        nn.init.orthogonal_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        self.dropout = SharedDropout(dropout)

    def forward(self, vectors: Tensor) -> Tensor:
        """Vectors of shape (sentences, words, width)."""
        return self.dropout(nn.functional.leaky_relu(self.linear(vectors), 0.1))


class Tagging(nn.Module):  # type: ignore[misc]
    """Scores of tags and of rules for lemmas, from a word and what its sentence makes of it."""

    def __init__(self, width: int, tags: TagSet, sizes: Sizes) -> None:
        super().__init__()
        self.tag, self.lemma = (Projection(width, sizes.tagging, sizes.dropout) for _ in range(2))
        self.parts = nn.Linear(sizes.tagging, len(tags.parts))
        self.rules = nn.Linear(sizes.tagging, len(tags.rules))
        self.register_buffer("sums", torch.from_numpy(tags.parts), persistent=False)

    def forward(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """From (sentences, words, width) to (sentences, words, tags) and (sentences, words, rules)."""
        return self.parts(self.tag(words)) @ self.sums, self.rules(self.lemma(words))


@dataclass(frozen=True)
class Roles:
    """The words of a batch as heads and as dependents, the root before the first, and as what has a tag."""

    arc_heads: Tensor
    arc_dependents: Tensor
    relation_heads: Tensor
    relation_dependents: Tensor
    words: Tensor


class Network(nn.Module):  # type: ignore[misc]
    """From a batch to scores of arcs, (sentences, n+1, n+1), and of relations under heads, (sentences, n, count)."""

    def __init__(self, alphabets: Alphabets, relations: int, sizes: Sizes, encoder: Encoder | None = None) -> None:
        super().__init__()
        self.words = Words(alphabets, sizes, encoder)
        self.root = nn.Parameter(torch.randn(self.words.width) * 0.1)
        self.sentences = Sentences(self.words.width, sizes)
        self.input_dropout = SharedDropout(sizes.dropout / 2)
        width, dropout = self.sentences.width, sizes.dropout
        self.arc_head, self.arc_dependent = (Projection(width, sizes.arc, dropout) for _ in range(2))
        self.relation_head, self.relation_dependent = (Projection(width, sizes.relation, dropout) for _ in range(2))
        self.arcs = nn.Parameter(torch.zeros(sizes.arc + 1, sizes.arc))
        self.relations = nn.Parameter(torch.zeros(relations, sizes.relation + 1, sizes.relation + 1))
        self.tagging = None if alphabets.tags is None else Tagging(width + self.words.width, alphabets.tags, sizes)

    def forward(self, batch: Batch) -> Roles:
        """Encode sentences."""
        words = self.words(batch)
        vectors = torch.cat([self.root.expand(len(words), 1, -1), words], 1)
        encoded = self.sentences(self.input_dropout(vectors), batch.lengths + 1)
        roles = (self.arc_head, self.arc_dependent, self.relation_head, self.relation_dependent)
        found = [*(role(encoded) for role in roles), torch.cat([encoded[:, 1:], words], 2)]
        return Roles(*found)

    def arc_scores(self, roles: Roles) -> Tensor:
        """Scores of arcs from h to d at [.., h, d]; column 0 and what is behind the last word mean nothing."""
        return with_one(roles.arc_heads) @ self.arcs @ roles.arc_dependents.mT

    def relation_scores(self, roles: Roles, heads: Tensor) -> Tensor:
        """Scores of relations of each word under its head; a head of -1 stands for any."""
        chosen = heads.clamp(min=0)[..., None].expand(-1, -1, roles.relation_heads.shape[2])
        above = with_one(roles.relation_heads.gather(1, chosen)).flatten(0, 1)
        below = with_one(roles.relation_dependents[:, 1:]).flatten(0, 1)
        found = torch.einsum("wi,rij,wj->wr", above, self.relations, below)
        return found.view(*heads.shape, -1)


def with_one(vectors: Tensor) -> Tensor:
    """Vectors with a 1 behind them, so that a product has terms of one side alone."""
    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], -1)


def outside(batch: Batch) -> Tensor:
    """True where there is no arc: behind the last word, and from a word to itself."""
    places = torch.arange(batch.words.shape[1] + 1, device=batch.words.device)
    is_behind = places[None] > batch.lengths[:, None]
    return (
        is_behind[:, :, None] | is_behind[:, None, :] | torch.eye(len(places), dtype=torch.bool, device=places.device)
    )
