"""The linear parsers of both kinds: the stages of their training, and their models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode.graded import chain, native, parse_within
from nonproj.errors import NonprojError
from nonproj.parser.options import MOST_CANDIDATES, GraphOptions, Schedule, TransitionOptions, as_header
from nonproj.parser.searches import SearchReport
from nonproj.parser.training import Arrays, Done, Stage, TableStage, portions
from nonproj.transition import transition_system
from nonproj.treebank import Treebank
from nonproj.trees import tree_class
from nonproj.trees.profile import profile_trees

Proofs = npt.NDArray[np.float64]
Packed = tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]
Triples = tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]

TABLE_BITS = (16, 24)

LEAST_SHARE = 0.125
"""The least part of the weights that is learnt among projective trees, where most training trees are projective."""


NETWORK, LARGE_NETWORK = 96, 128
"""The size of the network of a graph-based parser where none is chosen: the larger one for many training words."""

_MANY_WORDS, _FEW_SENTENCES = 100_000, 100


class Model(Protocol):
    """A parser that is ready to parse."""

    def run(self, block: _core.Block, threads: int, *, compares: bool = False) -> Proofs:
        """Fill in heads and relations; score, gap and, if it ``compares`` with climbing, gain of all sentences."""

    def scores(self, sentence: Treebank) -> tuple[npt.NDArray[np.float64], Triples, Triples]:
        """The scores of the arcs, siblings and grandparents of a treebank's first sentence."""

    def log_chances(self, sentence: Treebank) -> npt.NDArray[np.float64]:
        """Scores of its arcs whose exponentials give chances."""


class NativeModel:
    """A linear parser that is ready to parse; a transition-based one has no scores of arcs."""

    def __init__(self, core: Any, relations: list[str]) -> None:
        self._core, self._relations = core, relations

    def run(self, block: _core.Block, threads: int, *, compares: bool = False) -> Proofs:
        """Fill in heads and relations; score, gap and, if it ``compares`` with climbing, gain of all sentences."""
        found: Proofs = self._core.run(block, self._relations, threads, compares)
        return found

    def scores(self, sentence: Treebank) -> tuple[npt.NDArray[np.float64], Triples, Triples]:
        """The scores of the arcs, siblings and grandparents of a treebank's first sentence."""
        found: tuple[npt.NDArray[np.float64], Triples, Triples] = self._core.scores(self._corpus(sentence), 0)
        return found

    def log_chances(self, sentence: Treebank) -> npt.NDArray[np.float64]:
        """The arcs of its first sentence as its network scores them, or its pruner."""
        found: npt.NDArray[np.float64] = self._core.pruner_scores(self._corpus(sentence), 0)
        return found

    def transitions(self, treebank: Treebank) -> list[list[int]]:
        """The numbers of the transitions that a transition-based parser takes for each sentence."""
        taken: list[list[int]] = self._core.transitions(self._corpus(treebank))
        return taken

    def _corpus(self, treebank: Treebank) -> _core.Corpus:
        return _core.Corpus(treebank.block(), self._relations)


def table_bits(words: int) -> int:
    """The size of the main table of weights, as a power of two, for a corpus of so many words.

    >>> table_bits(35_000), table_bits(10**9)
    (23, 24)
    """
    return int(np.clip(max(words, 1).bit_length() + 7, *TABLE_BITS))


class PrunerStage(Stage):
    """The model of arcs that says which heads are worth a look; it learns before the trees do.

    It is log-linear, or as in Pitler, Kannan & Marcus 2012 a parser of arcs alone, among all heads and trees.
    """

    name = "pruning"
    is_kept = False

    def __init__(self, treebank: Treebank, relations: list[str], options: GraphOptions, seed: int) -> None:
        """Take options of which all is ``resolved``."""
        super().__init__(Schedule(options.pruner_epochs, seed=seed, orders=(999, -1)))
        self.options, self.corpus = options, _core.Corpus(treebank.block(), relations)
        self.bits = table_bits(self.corpus.words)
        self.native = native_graph_options(options, len(relations))
        self.trainer = self.new_trainer(self.native)
        self._mst = None
        if options.pruner == "mst":
            # All heads are looked at: its own pruner, which learns nothing, finds all alike.
            arcs = replace(options, within="spanning", order="1", rearrange=False, pruner="log-linear")
            arcs = replace(arcs, candidates=MOST_CANDIDATES, threshold=0.0)
            self._mst = self.new_trainer(native_graph_options(arcs, 0))

    def new_trainer(self, native: _core.GraphOptions) -> _core.GraphTrainer:
        """What learns among the trees of these options, once it is pruned."""
        return _core.GraphTrainer(native, self.bits)

    def epoch(self, number: int, done: Done) -> float:
        """Learn from every sentence once; the loss is that of a sentence, in nats, or the share of wrong heads."""
        order = self.schedule.order(len(self.corpus), number)
        if self._mst is not None:
            if number == 0:
                self._mst.prune(self.corpus, np.arange(len(self.corpus), dtype=np.int64))
            wrong = sum(self._mst.learn(self.corpus, part)[0] for part in portions(order, done))
            self.trainer.prune_by(self._mst)
            return wrong / max(1, self.corpus.words)
        return sum(self.trainer.learn_pruner(self.corpus, part) for part in portions(order, done)) / len(order)


class GraphStage(TableStage):
    """The trees and relations of a graph-based parser, learnt among all trees of its class."""

    tables, learning = ("pruner", "tree", "label"), ("tree", "label")

    def __init__(self, pruner: PrunerStage, relations: list[str], schedule: Schedule, name: str = "") -> None:
        """Learn after ``pruner``; with a name, beside a parser of another kind."""
        super().__init__(schedule)
        self.name = self.place = name
        self.is_judged = not name
        self._pruner, self._is_pruned = pruner, False
        self.searches = SearchReport.of_training()
        self.trainers = [pruner.trainer]
        # Weights of projective trees are learnt by a twin that sees the same sentences in the same order; both end with
        # the same pruner and the same relations.
        if pruner.options.projective_share:
            options = replace(pruner.options, within="Pr")
            self.trainers.append(pruner.new_trainer(native_graph_options(options, len(relations))))

    def header(self) -> dict[str, Any]:
        """What the model file says about the parser."""
        return {"options": as_header(self._pruner.options), "bits": self._pruner.bits}

    def epoch(self, number: int, done: Done) -> float:
        """Learn from every sentence once; the loss is the share of words that got wrong heads on the way."""
        corpus = self._pruner.corpus
        if not self._is_pruned:
            self._prune(corpus, done)
        wrong = 0
        for part in portions(self.schedule.order(len(corpus), number), done):
            for trainer in self.trainers:
                found, gaps = trainer.learn(corpus, part)
                wrong += found
                self.searches.add(gaps)
        return wrong / max(1, corpus.words * len(self.trainers))

    def placed(self, arrays: Arrays) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays by the names that they have in a model file; what was found in training goes with them."""
        header, placed = super().placed(arrays)
        return (header if self.place else header | {"searches": self.searches.to_header()}), placed

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        found = self.searches
        counts = np.array([found.trees, found.proven, found.unbounded], np.uint64)
        return super().state() | {"searches": counts, "max_gap": np.array([found.max_gap])}

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        super().resume(state)
        found = self.searches
        found.trees, found.proven, found.unbounded = (int(count) for count in state["searches"])
        found.max_gap = float(state["max_gap"][0])

    def _prune(self, corpus: _core.Corpus, done: Done) -> None:
        """Prune the sentences once for all trainers: the class is no part of it."""
        first, *others = self.trainers
        for part in portions(np.arange(len(corpus), dtype=np.int64), done):
            first.prune(corpus, part)
        for trainer in others:
            trainer.prune_as(first)
        self._is_pruned = True

    def arrays(self) -> Arrays:
        """The averaged weights, those of projective trees with their share."""
        options = self._pruner.options
        own, *projective = (trainer.average(self._pruner.native) for trainer in self.trainers)
        for other in projective:
            own.fill("tree", *mean_weights(own.pack("tree"), other.pack("tree"), options.projective_share or 0.0))
        return packed(own, self.tables)


class TransitionStage(TableStage):
    """The transitions and relations of a transition-based parser."""

    is_judged = True
    tables = learning = ("tree", "label")

    def __init__(
        self, treebank: Treebank, relations: list[str], options: TransitionOptions, schedule: Schedule
    ) -> None:
        super().__init__(schedule)
        self._options = replace(options, single_root=single_root_of(options.single_root, treebank))
        self._corpus = _core.Corpus(treebank.block(), relations)
        self._bits = table_bits(self._corpus.words)
        self.underivable = 0
        chosen = self._options
        self._root_relation = root_relation(treebank, relations)
        self._native = native_system(chosen), native_transition_options(chosen, len(relations), self._root_relation)
        self._trainer = _core.TransitionTrainer(*self._native, self._bits)
        self.trainers = [self._trainer]

    def header(self) -> dict[str, Any]:
        """What the model file says about the parser."""
        return {"options": as_header(self._options), "bits": self._bits, "root_relation": self._root_relation}

    def epoch(self, number: int, done: Done) -> float:
        """Learn from every sentence once; the loss counts wrong transitions (with a beam, sentences) a word."""
        wrong = skipped = 0
        # Exploring begins when there is something to explore with.
        self._trainer.explore(self._options.exploration if number > 0 else 0.0)
        order = self.schedule.order(len(self._corpus), number)
        for part in portions(order, done):
            found, left_out = self._trainer.learn(self._corpus, part, self.schedule.seed * 1000 + number)
            wrong, skipped = wrong + found, skipped + left_out
        self.underivable = skipped
        if skipped == len(order):
            raise NonprojError(
                f"the system {self._options.system} derives none of the training trees: choose another, or lifting"
            )
        return wrong / max(1, self._corpus.words)

    def arrays(self) -> Arrays:
        """The averaged weights."""
        return packed(self._trainer.average(*self._native), self.tables)


def native_system(options: TransitionOptions) -> _core.TransitionSystem:
    """The system as the native parser takes it."""
    system = transition_system(options.system, oracle=options.oracle, single_root=bool(options.single_root))
    return system._native


def native_transition_options(
    options: TransitionOptions, relations: int, root_relation: int
) -> _core.TransitionOptions:
    """Options as the native parser takes them."""
    return _core.TransitionOptions(vars(options) | {"relations": relations, "root_relation": root_relation})


def root_relation(treebank: Treebank, relations: list[str]) -> int:
    """The number of the relation that words without a head of their own have most often; 0 where there is none."""
    is_root = (treebank.heads == 0).tolist()
    counts = Counter(deprel for deprel, root in zip(treebank.column("deprel"), is_root, strict=True) if root)
    return max(range(len(relations)), key=lambda number: counts[relations[number]], default=0)


def transition_model(header: dict[str, Any], relations: int) -> _core.TransitionModel:
    """An empty transition-based parser such as a model's header describes."""
    if "root_relation" not in header:  # before the two words of an arc were among the features
        raise NonprojError("a transition-based parser of an older nonproj, with other features: train it again")
    options = TransitionOptions(**header["options"])
    native = native_transition_options(options, relations, header["root_relation"])
    return _core.TransitionModel(native_system(options), native, _checked_bits(header))


def native_graph_options(options: GraphOptions, relations: int) -> _core.GraphOptions:
    """Options as the native parser takes them."""
    within = parse_within(options.within or "spanning")
    steps = chain(within)
    own = {
        "solver": steps[-1][0].solver,
        "grades": native(steps) if isinstance(within, Mapping) else None,
        "single_root": bool(options.single_root),
        "parsing_threshold": parsing_threshold(options),
        "relations": relations,
    }
    return _core.GraphOptions(vars(options) | own)


def graph_model(header: dict[str, Any], relations: int) -> _core.GraphModel:
    """An empty graph-based parser such as a model's header describes."""
    return _core.GraphModel(native_graph_options(GraphOptions(**header["options"]), relations), _checked_bits(header))


def filled_graph_model(header: dict[str, Any], relations: int, arrays: Any) -> _core.GraphModel:
    """A graph-based parser as its file keeps it, without its network."""
    model: _core.GraphModel = filled(graph_model(header, relations), GraphStage.tables, arrays)
    return model


def filled(model: Any, tables: tuple[str, ...], arrays: Any) -> Any:
    """A native model with the weights in `arrays`."""
    for name in tables:
        marks, values = arrays[f"{name}.marks"], arrays[f"{name}.values"]
        if marks.dtype != np.uint64 or values.dtype != np.float32:
            raise NonprojError("the weights are of another type")
        model.fill(name, marks, values)
    return model


def packed(model: Any, tables: tuple[str, ...]) -> Arrays:
    """The weights of a native model as its file keeps them."""
    arrays: Arrays = {}
    for name in tables:
        arrays[f"{name}.marks"], arrays[f"{name}.values"] = model.pack(name)
    return arrays


def mean_weights(first: Packed, second: Packed, share: float) -> Packed:
    """The weighted mean of two packed tables; ``share`` is the part of the second.

    >>> marks, values = mean_weights(
    ...     (np.array([0b011], np.uint64), np.array([1, 2], np.float32)),
    ...     (np.array([0b110], np.uint64), np.array([6, 8], np.float32)),
    ...     0.25,
    ... )
    >>> bin(marks[0]), values.tolist()
    ('0b111', [0.75, 3.0, 2.0])
    """
    marks = first[0] | second[0]
    table = np.float32(1 - share) * unpacked(first) + np.float32(share) * unpacked(second)
    return marks, table[is_marked(marks)]


def unpacked(packed: Packed) -> npt.NDArray[np.float32]:
    """A packed table as it was."""
    marks, values = packed
    where = is_marked(marks)
    table = np.zeros(len(where), np.float32)
    table[where] = values
    return table


def is_marked(marks: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """For every place of a packed table whether it has a value."""
    return np.unpackbits(marks.astype("<u8").view(np.uint8), bitorder="little").view(np.bool_)


def _checked_bits(header: dict[str, Any]) -> int:
    bits = header["bits"]
    if not isinstance(bits, int) or not TABLE_BITS[0] <= bits <= TABLE_BITS[1]:
        raise NonprojError(f"the tables have 2^{bits} weights")
    return bits


def resolved(options: GraphOptions, treebank: Treebank) -> GraphOptions:
    """Settle by the training trees what was left open."""
    within = options.within if options.within is not None else learning_class(treebank)
    single_root = single_root_of(options.single_root, treebank)
    share = projective_share(options, within, treebank)
    network = network_size(treebank) if options.network is None else options.network
    settled = replace(options, within=within, single_root=single_root, projective_share=share, network=network)
    return replace(settled, parsing_threshold=parsing_threshold(settled))


def parsing_threshold(options: GraphOptions) -> float:
    """The least probability of a head that is looked at, as it was chosen, or as it is enough."""
    if options.parsing_threshold is not None:
        return options.parsing_threshold
    # A network is surer than the log-linear model: heads that it gives less brought nothing on dev sets.
    return 0.02 if options.network else 0.01


def network_size(treebank: Treebank) -> int:
    """How large the network is to be that learns from these sentences, 0 for none.

    >>> from nonproj.treebank import example_treebank
    >>> network_size(example_treebank())
    0
    """
    if len(treebank) < _FEW_SENTENCES:
        return 0
    return NETWORK if len(treebank.heads) < _MANY_WORDS else LARGE_NETWORK


def learns_prices(options: GraphOptions, within: str | None) -> bool:
    """Whether a parser that learns within this class learns prices: unless a class was chosen."""
    # Among projective trees alone there is nothing to choose, and what is rearranged is held to no class.
    return options.within is None and within != "Pr" and not options.rearrange


def projective_share(options: GraphOptions, within: str, treebank: Treebank) -> float:
    """The part of the weights that is learnt among projective trees, as it was chosen, or where prices are learnt."""
    # Where all trees are projective, and where a climb goes through all trees whatever the class, both would be alike.
    if within == "Pr" or (options.search == "climb" and options.order != "1"):
        return 0.0
    if options.projective_share is not None:
        return options.projective_share
    return usual_share(projective_part(treebank)) if learns_prices(options, within) else 0.0


def usual_share(part: float) -> float:
    """The part of the weights that is learnt among projective trees, where this part of the training trees is such.

    >>> [usual_share(part) for part in (0.4, 0.5, 0.75, 0.9, 1)]
    [0.0, 0.125, 0.125, 0.32, 0.5]
    """
    # Where most trees are not projective, there is little to be learnt among those that are. The fewer trees cross, the
    # more is to be learnt among those that do not: experiments/notes/2026-11-17-graded-classes.md.
    return round(max(LEAST_SHARE, 2 * (part - 0.5) ** 2), 3) if part >= 0.5 else 0.0


def learning_class(treebank: Treebank) -> str:
    """The class to learn in: Pr where all trees are projective, else all trees.

    >>> from nonproj.treebank import example_treebank
    >>> learning_class(example_treebank())
    'spanning'
    """
    return "Pr" if projective_part(treebank) == 1 else "spanning"


def projective_part(treebank: Treebank) -> float:
    """The part of the trees that is projective."""
    projective = tree_class("Pr")
    profiles = profile_trees(treebank.heads, treebank.offsets, wanted=projective.properties)
    return float((projective.holds(profiles) == 1).mean())


def single_root_of(chosen: bool | None, treebank: Treebank) -> bool:
    """Whether trees have one root each, as it was chosen, or as all training trees have it."""
    if chosen is not None:
        return chosen
    roots = np.add.reduceat((treebank.heads == 0).astype(np.int64), treebank.offsets[:-1])
    return bool((roots == 1).all())
