"""What can be chosen about a parser, checked and with its defaults."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj.decode.graded import Within, chain, parse_within
from nonproj.errors import NonprojError
from nonproj.lifting.encoding import SCHEMES
from nonproj.transition import transition_system

ORDERS = ("1", "sibling", "grandparent", "both")
SEARCHES = ("exact", "climb")
ALGORITHMS = ("mira", "perceptron")
LOSSES = ("local", "crf")
LABELS = ("after", "joint")


@dataclass(frozen=True)
class GraphOptions:
    """A graph-based parser: the class of its trees, its parts, how it prunes and how it learns.

    ``within`` is a class of trees, or a graded class such as ``"Pr:0,spanning:2"``, in which the parser parses; it
    learns in the widest of its classes. ``None`` takes Pr when all training trees are projective; else the parser
    learns among all trees, and then the prices of a graded class: on the dev set, or without one on each half of the
    training set by a parser of the other half. (Fewer than 100 sentences settle no prices: then every tree is free.)
    ``projective_share`` is the part of the weights that is learnt among projective trees alone, in a second training
    at the side of the first. ``None`` takes it by the part p of the training trees that is projective, where ``within``
    is ``None``: nothing below a half, else 2(p - 1/2)^2, but at least an eighth.
    ``single_root`` is by default whether all training trees have one root. ``order`` names the parts besides arcs:
    ``"1"`` for none, ``"sibling"``, ``"grandparent"`` or ``"both"``. The parser learns among at most ``candidates``
    heads a word, each with a probability of at least ``threshold``; ``parsing_candidates`` and ``parsing_threshold``
    (by default 0.02 for those of a network, else 0.01) are what is enough to parse. ``search`` is how the best tree
    by larger parts is found, in training too: ``"exact"`` proves it best, ``"climb"`` is faster and takes what no small
    change improves. With ``rearrange``, the parser climbs on from the best tree of the class, through all trees, and
    proves nothing of where it ends. With ``lifting``, an encoding such as ``"head+path"``, the parser learns lifted
    trees, which are projective, and lowers what it parses. ``network`` is the
    size of a small network that joins in, a multiple of 16, or 0 for none; ``None`` takes 96, from 100,000 training
    words on 128, and none for fewer than 100 sentences.

    >>> GraphOptions(within="mh4").within, GraphOptions(within="pr:0, spanning:2").within
    ('MH4', 'Pr:0.0,spanning:2.0')
    """

    within: str | None = None
    order: str = "both"
    single_root: bool | None = None
    algorithm: str = "mira"
    max_step: float = 1.0
    candidates: int = 10
    threshold: float = 0.001
    parsing_candidates: int = 6
    parsing_threshold: float | None = None
    pruner_epochs: int = 3
    lifting: str | None = None
    search: str = "exact"
    rearrange: bool = False
    projective_share: float | None = None
    network: int | None = None
    linear: ClassVar[bool] = True
    joint: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.network is not None and not (0 <= self.network <= 1024 and self.network % 16 == 0):
            raise NonprojError(f"the size of a network must be a multiple of 16 up to 1024, or 0, not {self.network}")
        if self.projective_share is not None and not 0 <= self.projective_share <= 1:
            raise NonprojError(f"projective_share must be a share from 0 to 1, not {self.projective_share}")
        if self.lifting is not None:
            _one_of("lifting", self.lifting, SCHEMES)
        if self.within is not None:
            object.__setattr__(self, "within", within_name(self.within))
            if self.rearrange and ":" in self.within:
                raise NonprojError("a graded class does not hold what is rearranged: name a single class")
        _one_of("order", self.order, ORDERS)
        _one_of("search", self.search, SEARCHES)
        if self.rearrange and (self.order == "1" or self.search != "exact"):
            raise NonprojError("only trees with larger parts, found by exact search, can be rearranged")
        _one_of("algorithm", self.algorithm, ALGORITHMS)
        _at_least("candidates", self.candidates, 1)
        _at_least("parsing_candidates", self.parsing_candidates, 1)
        _at_least("pruner_epochs", self.pruner_epochs, 1)
        for name in ("threshold", "parsing_threshold"):
            chance = getattr(self, name)
            if chance is not None and not 0 <= chance < 1:
                raise NonprojError(f"{name} must be a probability below 1, not {chance}")
        if not self.max_step > 0:
            raise NonprojError(f"max_step, the largest step of MIRA, must be positive, not {self.max_step}")


@dataclass(frozen=True)
class TransitionOptions:
    """A transition-based parser: the system, the size of the beam (1 is greedy), and how it learns.

    ``system`` and ``oracle`` are as in `transition_system`; any system that makes arcs will do.
    Where the system knows what a transition costs, a greedy parser learns from its own mistakes: after one it goes on
    with probability ``exploration``, from the second epoch on. ``lifting`` is as in `GraphOptions`; trees that the
    system cannot derive are otherwise left out of training. ``labels`` says when relations are predicted: ``"after"``
    the tree, by a model that sees the whole of it, or ``"joint"``, with the transition that makes the arc, as
    LEFT-ARC_l and RIGHT-ARC_l of the papers.

    >>> TransitionOptions(system="arc-hybrid", lifting="head+path").beam
    1
    """

    system: str = "swap"
    oracle: str | None = None
    beam: int = 1
    single_root: bool | None = None
    algorithm: str = "mira"
    max_step: float = 1.0
    exploration: float = 0.9
    lifting: str | None = None
    labels: str = "after"
    linear: ClassVar[bool] = True
    joint: ClassVar[bool] = False

    def __post_init__(self) -> None:
        system = transition_system(self.system, oracle=self.oracle)
        if not system.kind.has_arcs:
            raise NonprojError(f"no parser can be trained for the system {system.name}: it makes no arcs")
        object.__setattr__(self, "system", system.name)
        object.__setattr__(self, "oracle", system.oracle_name)
        _one_of("algorithm", self.algorithm, ALGORITHMS)
        _one_of("labels", self.labels, LABELS)
        _at_least("beam", self.beam, 1)
        if self.lifting is not None:
            _one_of("lifting", self.lifting, SCHEMES)
        if not 0 <= self.exploration <= 1:
            raise NonprojError(f"exploration must be a probability, not {self.exploration}")
        if not self.max_step > 0:
            raise NonprojError(f"max_step, the largest step of MIRA, must be positive, not {self.max_step}")


@dataclass(frozen=True)
class NeuralOptions:
    """A neural parser: the class of its trees, its loss, its size, and whether a linear parser helps it.

    ``within`` and ``single_root`` are as in `GraphOptions`; prices are learnt on the dev set, or without one on a tenth
    of the training set, which is then left out of training. ``loss`` is ``"local"``, where each word chooses its head,
    or ``"crf"``, where trees of the class compete: a training tree outside it is left out. ``linear`` has a graph-based
    linear parser, trained besides, add its scores of arcs and larger parts. ``hidden`` and ``layers`` are the size of
    the BiLSTM; ``dropout`` is how much of it is dropped in training; ``words`` make a batch, ``rate`` is the
    highest rate of learning. ``encoder`` is a pretrained encoder under the BiLSTM, a name on the Hugging Face Hub or a
    folder, which goes on learning by ``encoder_rate``; with ``layers=0`` it stands in place of the BiLSTM. With
    ``joint``, the network reads forms alone and predicts tags and lemmas with the tree.

    >>> NeuralOptions(within="1ec", loss="crf").within
    '1EC'
    """

    within: str | None = None
    loss: str = "local"
    single_root: bool | None = None
    linear: bool = True
    hidden: int = 200
    layers: int = 3
    dropout: float = 0.33
    words: int = 600
    rate: float = 0.002
    encoder: str | None = None
    encoder_rate: float = 5e-5
    joint: bool = False
    lifting: None = None

    def __post_init__(self) -> None:
        if self.within is not None:
            object.__setattr__(self, "within", within_name(self.within))
        _one_of("loss", self.loss, LOSSES)
        if self.layers == 0 and self.encoder is None:
            raise NonprojError("without layers of a BiLSTM there must be an encoder: name one, or give a layer")
        for name, most in (("hidden", 4096), ("layers", 16), ("words", 1 << 20)):
            _at_least(name, getattr(self, name), 0 if name == "layers" else 1)
            if getattr(self, name) > most:
                raise NonprojError(f"{name} must be at most {most}, not {getattr(self, name)}")
        if not 0 <= self.dropout < 1:
            raise NonprojError(f"dropout must be a share below 1, not {self.dropout}")
        for name in ("rate", "encoder_rate"):
            if not 0 < getattr(self, name) < 1:
                raise NonprojError(f"{name} must lie between 0 and 1, not {getattr(self, name)}")
        if self.lifting is not None:
            raise NonprojError("a neural parser has no lifting: it takes any class")


Options: TypeAlias = GraphOptions | TransitionOptions | NeuralOptions
OPTIONS: dict[str, type[Options]] = {
    "graph": GraphOptions,
    "transition": TransitionOptions,
    "neural": NeuralOptions,
}
"""The options of each kind of parser."""


NEURAL_WORDS, NEURAL_EPOCHS = 900_000, (10, 50)
"""A network learns from so many words, the same ones again in each epoch, in no fewer and no more epochs than these."""


@dataclass(frozen=True)
class Schedule:
    """How long to train: at most ``epochs``, or until ``patience`` of them brought nothing new on the dev set.

    ``orders`` tells the stages of a training apart: each sees the sentences in other orders.
    """

    epochs: int = 10
    patience: int = 3
    seed: int = 1
    threads: int = 0
    orders: tuple[int, int] = (1000, 1)

    def order(self, sentences: int, epoch: int) -> npt.NDArray[np.int64]:
        """The order of an epoch: its number and the seed settle it, so that a resumed training sees the same.

        >>> Schedule(seed=7).order(5, 0).tolist() == Schedule(seed=7).order(5, 1).tolist()
        False
        """
        first, step = self.orders
        return np.random.Generator(np.random.PCG64([self.seed, first + step * epoch])).permutation(sentences)

    @classmethod
    def of(
        cls, options: Options, words: int, epochs: int | None, patience: int | None, seed: int, threads: int
    ) -> Schedule:
        """What was chosen; what was not, as it is usual for a kind of parser and so many words to learn from."""
        usual = (cls.epochs, cls.patience)
        if isinstance(options, NeuralOptions):
            least, most = NEURAL_EPOCHS
            usual = (min(most, max(least, round(NEURAL_WORDS / max(1, words)))), 10)
        found = [own if given is None else given for given, own in zip((epochs, patience), usual, strict=True)]
        return cls(found[0], found[1], seed, threads)

    def __post_init__(self) -> None:
        _at_least("epochs", self.epochs, 1)
        _at_least("patience", self.patience, 1)
        _at_least("seed", self.seed, 0)
        _at_least("threads", self.threads, 0)


def within_name(within: Within) -> str:
    """A class, or a graded class, as options and model files name it.

    >>> within_name({"pr": 0, "spanning": 2})
    'Pr:0.0,spanning:2.0'
    """
    meant = parse_within(within) if isinstance(within, str) else within
    steps = chain(meant)
    if isinstance(meant, Mapping):
        return ",".join(f"{cls.name}:{price}" for cls, price in steps)
    return steps[0][0].name


def as_header(options: Any) -> dict[str, Any]:
    """Options as a model's header keeps them."""
    return dataclasses.asdict(options)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise NonprojError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")


def _at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise NonprojError(f"{name} must be at least {least}, not {value}")
