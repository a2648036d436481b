"""What training asks of each kind of parser, and both kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode.graded import chain, native, parse_within
from nonproj.errors import NonprojError
from nonproj.parser.options import MOST_CANDIDATES, GraphOptions, TransitionOptions, as_header
from nonproj.parser.searches import SearchReport
from nonproj.transition import transition_system
from nonproj.treebank import Treebank
from nonproj.trees import tree_class
from nonproj.trees.profile import profile_trees

Progress = Callable[[str, int, int], None]
Order = npt.NDArray[np.int64]
Arrays = dict[str, npt.NDArray[Any]]
Proofs = npt.NDArray[np.float64]
Packed = tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]
Triples = tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]

# Sentences learnt between two looks at the progress.
PORTION = 64
TABLE_BITS = (16, 24)
_LEARNING = ("tree", "label")

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

    def arrays(self) -> Arrays:
        """The weights as a model file keeps them."""


class NativeModel:
    """A linear parser that is ready to parse; a transition-based one has no scores of arcs."""

    def __init__(self, core: Any, relations: list[str], tables: tuple[str, ...]) -> None:
        self._core, self._relations, self._tables = core, relations, tables

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

    def arrays(self) -> Arrays:
        """The weights as a model file keeps them."""
        return packed(self._core, self._tables)

    def _corpus(self, treebank: Treebank) -> _core.Corpus:
        return _core.Corpus(treebank.block(), self._relations)


class Learner(Protocol):
    """A kind of parser in training."""

    kind: str
    underivable: int
    """Training trees left out of the last epoch, since the parser cannot derive them."""

    def header(self) -> dict[str, Any]:
        """What the model file says about the parser."""

    def prepare(self, orders: Callable[[int], Order], progress: Progress) -> None:
        """Do what comes before the first epoch; orders(i) gives an order of the sentences."""

    def learn(self, order: Order, progress: Progress) -> float:
        """Learn from every sentence once and return the loss."""

    def model(self) -> Any:
        """The model as it is now."""

    def arrays(self, model: Any) -> Arrays:
        """A model's weights as its file keeps them."""

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""

    def resume(self, state: Arrays) -> None:
        """Go on from a state; `prepare` must have run as before."""


def table_bits(words: int) -> int:
    """The size of the main table of weights, as a power of two, for a corpus of so many words.

    >>> table_bits(35_000), table_bits(10**9)
    (23, 24)
    """
    return int(np.clip(max(words, 1).bit_length() + 7, *TABLE_BITS))


class GraphLearner:
    """A graph-based parser in training."""

    kind = "graph"
    tables: tuple[str, ...] = ("pruner", "tree", "label")
    underivable = 0

    def __init__(self, treebank: Treebank, relations: list[str], options: GraphOptions) -> None:
        self._options = resolved(options, treebank)
        self.learns_prices = learns_prices(options, self._options.within)
        self.searches = SearchReport.of_training()
        self._relations = relations
        self._corpus = _core.Corpus(treebank.block(), relations)
        self._bits = table_bits(self._corpus.words)
        learnt_in = [self._options]
        if self._options.projective_share:
            learnt_in.append(replace(self._options, within="Pr"))
        self._native_options = [native_graph_options(each, len(relations)) for each in learnt_in]
        # All of them see the same sentences in the same order, and end with the same pruner and the same relations.
        self._trainers = [_core.GraphTrainer(native, self._bits) for native in self._native_options]

    def header(self) -> dict[str, Any]:
        """What the model file says about the parser."""
        return {"options": as_header(self._options), "bits": self._bits}

    def prepare(self, orders: Callable[[int], Order], progress: Progress) -> None:
        """Train the pruner and prune the corpus, once for all trainers: the class is no part of it."""
        first, *others = self._trainers
        in_order = np.arange(len(self._corpus), dtype=np.int64)
        epochs = [orders(epoch) for epoch in range(self._options.pruner_epochs)]
        learning: list[tuple[Order, Callable[[_core.Corpus, Order], object]]]
        learning, mst = [(order, first.learn_pruner) for order in epochs], None
        if self._options.pruner == "mst":
            # All heads are looked at: its own pruner, which learns nothing, finds all alike.
            arcs = replace(self._options, within="spanning", order="1", rearrange=False, pruner="log-linear")
            arcs = replace(arcs, candidates=MOST_CANDIDATES, threshold=0.0)
            mst = _core.GraphTrainer(native_graph_options(arcs, 0), self._bits)
            learning = [(in_order, mst.prune), *((order, mst.learn) for order in epochs)]
        steps = [(part, learn) for order, learn in learning for part in portions(order)]
        total, done = len(self._corpus) + sum(len(part) for part, _ in steps), 0
        for part, learn in steps:
            learn(self._corpus, part)
            done += len(part)
            progress("pruning", done, total)
        if mst is not None:
            first.prune_by(mst)
        for part in portions(in_order):
            first.prune(self._corpus, part)
            done += len(part)
            progress("pruning", done, total)
        for trainer in others:
            trainer.prune_as(first)

    def learn(self, order: Order, progress: Progress) -> float:
        """Learn from every sentence once; the loss is the share of words that got wrong heads on the way."""
        wrong = done = 0
        for part in portions(order):
            for trainer in self._trainers:
                found, gaps = trainer.learn(self._corpus, part)
                wrong += found
                self.searches.add(gaps)
            done += len(part)
            progress("training", done, len(order))
        return wrong / max(1, self._corpus.words * len(self._trainers))

    def model(self) -> Model:
        """The parser as it is now."""
        own, *projective = (
            trainer.average(native) for trainer, native in zip(self._trainers, self._native_options, strict=True)
        )
        for other in projective:
            mean = mean_weights(own.pack("tree"), other.pack("tree"), self._options.projective_share or 0.0)
            own.fill("tree", *mean)
        return NativeModel(own, self._relations, self.tables)

    def arrays(self, model: Model) -> Arrays:
        """A model's weights as its file keeps them."""
        return model.arrays()

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        found = self.searches
        counts = np.array([found.trees, found.proven, found.unbounded], np.uint64)
        state: Arrays = {"searches": counts, "max_gap": np.array([found.max_gap])}
        for k, trainer in enumerate(self._trainers):
            state |= {f"{k}.{name}": array for name, array in state_of_tables(trainer, _LEARNING).items()}
        return state

    def resume(self, state: Arrays) -> None:
        """Go on from a state; `prepare` must have run as before."""
        found = self.searches
        found.trees, found.proven, found.unbounded = (int(count) for count in state["searches"])
        found.max_gap = float(state["max_gap"][0])
        for k, trainer in enumerate(self._trainers):
            own = {name.removeprefix(f"{k}."): array for name, array in state.items() if name.startswith(f"{k}.")}
            resume_tables(trainer, _LEARNING, own)


class TransitionLearner:
    """A transition-based parser in training."""

    kind = "transition"
    tables: tuple[str, ...] = ("tree", "label")

    def __init__(self, treebank: Treebank, relations: list[str], options: TransitionOptions, seed: int) -> None:
        self._options = replace(options, single_root=single_root_of(options.single_root, treebank))
        self._relations = relations
        self._corpus = _core.Corpus(treebank.block(), relations)
        self._bits = table_bits(self._corpus.words)
        self._seed = seed
        self._epoch = 0
        self.underivable = 0
        chosen = self._options
        self._root_relation = root_relation(treebank, relations)
        self._native = native_system(chosen), native_transition_options(chosen, len(relations), self._root_relation)
        self._trainer = _core.TransitionTrainer(*self._native, self._bits)

    def header(self) -> dict[str, Any]:
        """What the model file says about the parser."""
        return {"options": as_header(self._options), "bits": self._bits, "root_relation": self._root_relation}

    def prepare(self, orders: Callable[[int], Order], progress: Progress) -> None:
        """Nothing comes before the first epoch."""

    def learn(self, order: Order, progress: Progress) -> float:
        """Learn from every sentence once; the loss counts wrong transitions (with a beam, sentences) a word."""
        wrong = skipped = done = 0
        # Exploring begins when there is something to explore with.
        self._trainer.explore(self._options.exploration if self._epoch > 0 else 0.0)
        for part in portions(order):
            found, left_out = self._trainer.learn(self._corpus, part, self._seed * 1000 + self._epoch)
            wrong, skipped, done = wrong + found, skipped + left_out, done + len(part)
            progress("training", done, len(order))
        self._epoch += 1
        self.underivable = skipped
        if skipped == len(order):
            raise NonprojError(
                f"the system {self._options.system} derives none of the training trees: choose another, or lifting"
            )
        return wrong / max(1, self._corpus.words)

    def model(self) -> Model:
        """The parser as it is now."""
        return NativeModel(self._trainer.average(*self._native), self._relations, self.tables)

    def arrays(self, model: Model) -> Arrays:
        """A model's weights as its file keeps them."""
        return model.arrays()

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        return {**state_of_tables(self._trainer, _LEARNING), "epoch": np.array([self._epoch], np.uint64)}

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        resume_tables(self._trainer, _LEARNING, state)
        self._epoch = int(state["epoch"][0])


def state_of_tables(trainer: Any, names: tuple[str, ...]) -> Arrays:
    """The tables that learn, as a checkpoint keeps them."""
    state: Arrays = {}
    for name in names:
        ((marks, values), (late_marks, late_values)), steps = trainer.state(name)
        state |= {f"{name}.marks": marks, f"{name}.values": values, f"{name}.late_marks": late_marks}
        state |= {f"{name}.late_values": late_values, f"{name}.steps": np.array([steps], np.uint64)}
    return state


def resume_tables(trainer: Any, names: tuple[str, ...], state: Arrays) -> None:
    """Set the tables to what `state_of_tables` gave."""
    for name in names:
        marks, values = state[f"{name}.marks"], state[f"{name}.values"]
        late_marks, late_values = state[f"{name}.late_marks"], state[f"{name}.late_values"]
        trainer.resume(name, marks, values, late_marks, late_values, int(state[f"{name}.steps"][0]))


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
    model: _core.GraphModel = filled(graph_model(header, relations), GraphLearner.tables, arrays)
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
    # Where most trees are not projective, there is little to be learnt among those that are. The law was found on dev
    # sets (docs/experiments.md): the fewer trees cross, the more is to be learnt among those that do not.
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


def portions(order: Order) -> list[Order]:
    """Cut an order of sentences into parts."""
    return [np.ascontiguousarray(order[i : i + PORTION]) for i in range(0, len(order), PORTION)]
