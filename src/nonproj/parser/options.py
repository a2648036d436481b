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
from nonproj.parser.option import Checked, Option, option
from nonproj.transition import transition_system

MOST_CANDIDATES = 10_000
"""No sentence has so many words that a graph-based parser makes a table of: with this, all heads stay."""

# What several kinds of parsers have.
_WITHIN = Option("The class of trees.", "-w --within", metavar="CLASS", usual="Pr if all trees are, else graded")
_SINGLE_ROOT = Option(switch="--single-root/--several-roots", usual="as in TRAIN")
_LIFTING = Option("Learn lifted trees, which are projective, and lower what is parsed.", among=SCHEMES)
_ALGORITHM = Option("How to learn.", among=("mira", "perceptron"))
_MAX_STEP = Option(above=0)


@dataclass(frozen=True)
class GraphOptions(Checked):
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
    (by default 0.02 for those of a network, else 0.01) are what is enough to parse. ``pruner`` says whose probabilities
    these are where there is no network: those of a log-linear model of few features, each half of the training set
    pruned by what was learnt on the other; or, as in Pitler, Kannan & Marcus 2012, of the weights of a parser that is
    trained before with arcs alone, among all heads and trees (``"mst"``). Either learns for ``pruner_epochs``.
    ``max_length`` is the longest arc between words that is looked at (Eisner & Smith 2010): in training gold arcs stay,
    in parsing only those of sentences of more than 512 words that join their pieces. ``search`` is how the best tree
    by larger parts is found, in training too: ``"exact"`` proves it best, ``"climb"`` is faster and takes what no small
    change improves. With ``rearrange``, the parser climbs on from the best tree of the class, through all trees, and
    proves nothing of where it ends. With ``lifting``, an encoding such as ``"head+path"``, the parser learns lifted
    trees, which are projective, and lowers what it parses. ``network`` is the
    size of a small network that joins in, a multiple of 16, or 0 for none; ``None`` takes 96, from 100,000 training
    words on 128, and none for fewer than 100 sentences.

    >>> GraphOptions(within="mh4").within, GraphOptions(within="pr:0, spanning:2").within
    ('MH4', 'Pr:0.0,spanning:2.0')
    """

    within: str | None = option(None, _WITHIN)
    order: str = option("both", "Parts larger than arcs.", among=("1", "sibling", "grandparent", "both"))
    search: str = option("exact", "How trees with larger parts are found.", among=("exact", "climb"))
    rearrange: bool = option(False, "Improve the best tree of the class by one head at a time, across any arcs.")
    network: int | None = option(
        None,
        "Size of the small network that joins in, a multiple of 16; 0 for none.",
        usual="by the size of TRAIN",
        least=0,
        most=1024,
    )
    lifting: str | None = option(None, _LIFTING)
    algorithm: str = option("mira", _ALGORITHM)
    single_root: bool | None = option(None, _SINGLE_ROOT)
    candidates: int = option(10, "Heads to learn among.", least=1, most=MOST_CANDIDATES)
    threshold: float = option(0.001, "Least probability of such a head.", least=0, below=1)
    parsing_candidates: int = option(6, "Heads to parse among.", least=1, most=MOST_CANDIDATES)
    parsing_threshold: float | None = option(
        None, "Least probability of such a head.", usual="0.02; without a network 0.01", least=0, below=1
    )
    pruner: str = option(
        "log-linear",
        "Where no network prunes: a small model of its own, or the weights of a parser of arcs alone (mst).",
        among=("log-linear", "mst"),
    )
    max_length: int | None = option(
        None, "Longest arc to learn and parse among, in words; those of the root may be longer.", metavar="N", least=1
    )
    max_step: float = option(1.0, _MAX_STEP)
    pruner_epochs: int = option(3, least=1)
    projective_share: float | None = option(None, least=0, most=1)
    linear: ClassVar[bool] = True
    joint: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.network is not None and self.network % 16 != 0:
            raise NonprojError(f"the size of a network must be a multiple of 16 up to 1024, or 0, not {self.network}")
        if self.within is not None:
            object.__setattr__(self, "within", within_name(self.within))
            if self.rearrange and ":" in self.within:
                raise NonprojError("a graded class does not hold what is rearranged: name a single class")
        if self.rearrange and (self.order == "1" or self.search != "exact"):
            raise NonprojError("only trees with larger parts, found by exact search, can be rearranged")


@dataclass(frozen=True)
class TransitionOptions(Checked):
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

    system: str = option("swap", "The transition system.")
    oracle: str | None = option(None, "One of the system's oracles, such as 'eager'.", metavar="NAME")
    labels: str = option(
        "after",
        "Relations of a transition-based parser: predicted after the tree, or with each transition.",
        among=("after", "joint"),
    )
    beam: int = option(1, "Sequences kept; 1 is greedy.", least=1, most=1024)
    lifting: str | None = option(None, _LIFTING)
    algorithm: str = option("mira", _ALGORITHM)
    single_root: bool | None = option(None, _SINGLE_ROOT)
    max_step: float = option(1.0, _MAX_STEP)
    exploration: float = option(0.9, least=0, most=1)
    linear: ClassVar[bool] = True
    joint: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        system = transition_system(self.system, oracle=self.oracle)
        if not system.kind.has_arcs:
            raise NonprojError(f"no parser can be trained for the system {system.name}: it makes no arcs")
        object.__setattr__(self, "system", system.name)
        object.__setattr__(self, "oracle", system.oracle_name)


@dataclass(frozen=True)
class NeuralOptions(Checked):
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

    within: str | None = option(None, _WITHIN)
    loss: str = option(
        "local",
        "Of a neural parser: each word chooses its head, or trees of the class compete.",
        among=("local", "crf"),
    )
    linear: bool = option(
        True, "Train a linear parser beside the network, and add its scores.", switch="--linear/--alone"
    )
    hidden: int = option(200, "Size of the BiLSTM.", least=1, most=4096)
    layers: int = option(3, "Layers of the BiLSTM; with 0 an encoder stands in its place.", least=0, most=16)
    encoder: str | None = option(
        None,
        "A pretrained encoder of Hugging Face under a neural parser's BiLSTM.",
        metavar="NAME-OR-FOLDER",
    )
    joint: bool = option(False, "The network predicts tags and lemmas with the tree, from forms alone.")
    single_root: bool | None = option(None, _SINGLE_ROOT)
    dropout: float = option(0.33, least=0, below=1)
    words: int = option(600, least=1, most=1 << 20)
    rate: float = option(0.002, above=0, below=1)
    encoder_rate: float = option(5e-5, above=0, below=1)
    lifting: None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.within is not None:
            object.__setattr__(self, "within", within_name(self.within))
        if self.layers == 0 and self.encoder is None:
            raise NonprojError("without layers of a BiLSTM there must be an encoder: name one, or give a layer")
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
class Schedule(Checked):
    """How long to train: at most ``epochs``, or until ``patience`` of them brought nothing new on the dev set.

    ``orders`` tells the stages of a training apart: each sees the sentences in other orders.
    """

    epochs: int = option(10, "Epochs at most.", usual="10; neural: what comes to 900,000 words, from 10 to 50", least=1)
    patience: int = option(3, "Epochs without a gain.", usual="3; neural 10", least=1)
    seed: int = option(1, "Settles the order of sentences.", least=0)
    threads: int = option(0, least=0)
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
