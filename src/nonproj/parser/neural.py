"""Neural parsers: a network (`nonproj.neural`), and a linear parser that adds its scores to the network's.

The linear parser knows larger parts and rare words by their letters, the network knows sentences; together they are
better than either. The network's log-probabilities of arcs go into the linear parser's search as advice, ``arc_weight``
times; relations are chosen by the sum of both likewise. Both weights are settled on the dev set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import safetensors.numpy
import torch
from torch import Tensor

from nonproj import _core
from nonproj.decode import decode_batch
from nonproj.decode.graded import chain, parse_within
from nonproj.errors import NonprojError
from nonproj.neural.alphabets import Alphabets, Coded, batches, coded
from nonproj.neural.encoder import Encoder
from nonproj.neural.learning import Learning, Loss, Pace
from nonproj.neural.network import Batch, Network, Roles, Sizes, outside
from nonproj.neural.tags import RULES_TRIED, TagSet
from nonproj.parser.learner import (
    GraphStage,
    Model,
    Proofs,
    PrunerStage,
    Triples,
    filled_graph_model,
    learning_class,
    resolved,
    single_root_of,
)
from nonproj.parser.options import GraphOptions, NeuralOptions, Schedule, as_header
from nonproj.parser.prices import LEAST_SENTENCES
from nonproj.parser.recipe import Header, Recipe
from nonproj.parser.settling import settle
from nonproj.parser.training import Arrays, Done, Progress, Run, Stage, arrays_under
from nonproj.parser.vocabulary import Vocabulary, columns_in, vocabulary_of
from nonproj.processors import processors
from nonproj.treebank import Treebank
from nonproj.treebank.sentences import Sentences
from nonproj.trees.profile import profile_trees

LINEAR_EPOCHS = 10
ARC_WEIGHT, RELATION_WEIGHT = 0.25, 0.125  # without a dev set
_WEIGHTS = tuple(2.0**k for k in range(-5, 4))
_PARSED_TOGETHER = 20_000  # words whose scores are held at once
_WORDS = 2000  # of a batch in parsing
_LEAST_CHANCE = -30.0  # as a logarithm
LINEAR = "linear"
"""The stage of the linear parser beside a network, and what the file keeps it under."""
Cells = dict[str, list[str]]
Part = TypeVar("Part", Treebank, _core.Block)


@dataclass(frozen=True)
class Analysed:
    """What a network says about a treebank: log-probabilities of arcs, a table a sentence, and what relations need."""

    tables: list[npt.NDArray[np.float32]]
    encoded: list[tuple[Batch, Roles]]


class NeuralModel:
    """A network, with a linear parser or without, that is ready to parse."""

    def __init__(
        self,
        network: Network,
        alphabets: Alphabets,
        relations: list[str],
        options: NeuralOptions,
        linear: _core.GraphModel | None,
        weights: tuple[float, float],
    ) -> None:
        self.network, self.alphabets, self.relations = network, alphabets, relations
        self.options, self.linear, self.weights = options, linear, weights

    @classmethod
    def from_content(
        cls, header: dict[str, Any], relations: list[str], arrays: Any, like: NeuralModel | None = None
    ) -> NeuralModel:
        """A parser as its file keeps it, with the network of another that has these weights already, or a new one.

        What is missing or does not fit is an error.
        """
        options, alphabets = NeuralOptions(**header["options"]), Alphabets.from_header(header["alphabets"])
        network = None if like is None else like.network
        if network is None:
            encoder = None if options.encoder is None else Encoder.described(header["encoder"])
            network = new_network(options, alphabets, relations, encoder)
            set_weights(network, arrays["network"])
        linear = None
        if options.linear:
            linear = filled_graph_model(linear_header(header, options), len(relations), arrays_under(LINEAR, arrays))
        weights = tuple(float(weight) for weight in header["weights"])
        if len(weights) != 2 or not all(0 < weight < 1e6 for weight in weights):
            raise NonprojError("the weights of its network are damaged")
        return cls(network, alphabets, relations, options, linear, weights)

    @property
    def columns(self) -> list[str]:
        """The columns of tags and lemmas that the network predicts."""
        return [] if self.alphabets.tags is None else self.alphabets.tags.columns

    def run(self, block: _core.Block, threads: int, *, compares: bool = True) -> Proofs:
        """As `Model.run`, by tags that the network predicts if it does; it always compares with climbing."""
        return self.run_filling(block, threads, self.columns)

    def run_filling(self, block: _core.Block, threads: int, columns: Collection[str]) -> Proofs:
        """The same, and fill in these columns; the others are kept, and the linear parser heeds them."""
        with torch_threads(threads), torch.inference_mode():
            found = [self._parse_part(part, threads, columns) for part in parts_of(block, _PARSED_TOGETHER)]
        return np.concatenate([np.empty((0, 3)), *found])

    def _parse_part(self, block: _core.Block, threads: int, columns: Collection[str]) -> Proofs:
        analysed = self.analysed(coded(block, self.alphabets, self.relations))
        self.fill(block, analysed, columns)
        heads, proofs = self.trees(block, analysed, threads, self.weights[0])
        if self.relations:
            network, linear = self.relation_scores(block, analysed, heads)
            relations = (self.weights[1] * network + linear).argmax(1).astype(np.int32)
            block.fill_relations(relations, self.relations)
        block.fill_heads(heads)
        return proofs

    def fill(self, block: _core.Block, analysed: Analysed, columns: Collection[str]) -> None:
        """Put what the network predicts into these columns, as far as it does."""
        for name, cells in self.cells(block, analysed, columns).items():
            block.fill(name, cells)

    def cells(self, treebank: Sentences, analysed: Analysed, columns: Collection[str]) -> Cells:
        """What the network puts into these columns, as far as it predicts them."""
        tags = self.alphabets.tags
        filled = [] if tags is None else [name for name in tags.columns if name in columns]
        tagging = self.network.tagging
        if tags is None or tagging is None or not filled:
            return {}
        allowed = tags.agreeing(treebank, filled)
        chosen = np.zeros(len(treebank.heads), np.int64)
        rules = np.zeros((len(chosen), min(RULES_TRIED, len(tags.rules))), np.int64)
        for batch, roles in analysed.encoded:
            places = batch.words.cpu().numpy()
            words = places[places >= 0]
            tag_scores, rule_scores = tagging(roles.words)
            scores = tag_scores.cpu().numpy()[places >= 0]
            chosen[words] = (scores if allowed is None else np.where(allowed[words], scores, -np.inf)).argmax(1)
            rules[words] = rule_scores.topk(rules.shape[1]).indices.cpu().numpy()[places >= 0]
        return tags.cells(treebank, chosen, rules, filled)

    def analysed(self, corpus: Coded) -> Analysed:
        """What the network says about each sentence."""
        tables: list[Any] = [None] * len(corpus)
        encoded = []
        device = device_of(self.network)
        for sentences in batches(corpus.lengths, _WORDS):
            batch = Batch.of(corpus, sentences, device)
            roles = self.network(batch)
            encoded.append((batch, roles))
            for sentence, table in zip(sentences.tolist(), log_chances(self.network, roles, batch), strict=True):
                width = int(corpus.lengths[sentence]) + 1
                tables[sentence] = np.ascontiguousarray(table[:width, :width])
        return Analysed(tables, encoded)

    def trees(
        self, block: _core.Block, analysed: Analysed, threads: int, weight: float
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """The heads of the best trees, and score, gap and gain of each."""
        if self.linear is not None:
            corpus = _core.Corpus(block, self.relations)
            advice = np.concatenate([table.ravel() for table in analysed.tables])
            heads, _, proofs = self.linear.parse_advised(corpus, threads, advice, weight)
            return heads, proofs
        within, single_root = parse_within(self.options.within or "spanning"), bool(self.options.single_root)
        best = decode_batch(analysed.tables, within=within, single_root=single_root, threads=threads)
        proofs = np.array([(each.score, each.bound - each.score, 0.0) for each in best])
        return np.concatenate([each.heads for each in best]).astype(np.int32), proofs

    def relation_scores(
        self, block: _core.Block, analysed: Analysed, heads: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Scores of relations under these heads, a row a word: the network's log-probabilities, the linear parser's."""
        found = np.empty((len(heads), len(self.relations)), np.float32)
        for batch, roles in analysed.encoded:
            words = batch.words.cpu().numpy()
            chosen = torch.from_numpy(np.where(words >= 0, heads[words], -1)).long().to(batch.words.device)
            scores = torch.log_softmax(self.network.relation_scores(roles, chosen), 2)
            found[words[words >= 0]] = scores.cpu().numpy()[words >= 0]
        if self.linear is None:
            return found, np.zeros_like(found)
        return found, self.linear.relation_scores(_core.Corpus(block, self.relations), heads)

    def scores(self, sentence: Treebank) -> tuple[npt.NDArray[np.float64], Triples, Triples]:
        """The scores of the arcs, siblings and grandparents of a treebank's first sentence."""
        block = sentence[:1].block()
        with torch.inference_mode():
            analysed = self.analysed(coded(block, self.alphabets, self.relations))
            self.fill(block, analysed, columns_missing(sentence, self.columns))
        table = analysed.tables[0]
        if self.linear is None:
            none = np.empty((0, 3), np.int32), np.empty(0)
            return table.astype(np.float64), none, none
        return self.linear.scores(_core.Corpus(block, self.relations), 0, table.ravel(), self.weights[0])

    def log_chances(self, sentence: Treebank) -> npt.NDArray[np.float64]:
        """The network's log-probabilities of the arcs of a treebank's first sentence."""
        with torch.inference_mode():
            analysed = self.analysed(coded(sentence[:1], self.alphabets, self.relations))
        return analysed.tables[0].astype(np.float64)


class NeuralStage(Stage):
    """The network of a neural parser."""

    is_judged = True

    def __init__(
        self, treebank: Treebank, relations: list[str], options: NeuralOptions, tags: TagSet | None, schedule: Schedule
    ) -> None:
        super().__init__(schedule)
        self._options, self._sentences = options, len(treebank)
        self._alphabets = Alphabets.of(treebank, tags)
        with torch.random.fork_rng():
            torch.manual_seed(schedule.seed)
            encoder = None if options.encoder is None else Encoder.pretrained(options.encoder)
            network = new_network(options, self._alphabets, relations, encoder)
        lessons = lessons_of(treebank, options)
        self.left_out = len(treebank) - len(lessons)
        self._corpus = coded(lessons, self._alphabets, relations)
        loss = Loss(options.loss, parse_within(options.within or "spanning"), bool(options.single_root))
        pace = Pace(schedule.epochs, options.words, options.rate, options.encoder_rate)
        self._learning = Learning(network, loss, pace, schedule.seed, device_of(network))

    def header(self) -> dict[str, Any]:
        """What the model file says about the parser."""
        header: dict[str, Any] = {"options": as_header(self._options), "alphabets": self._alphabets.header()}
        header["weights"] = [ARC_WEIGHT, RELATION_WEIGHT]
        header["epochs"] = self.schedule.epochs  # over which the rate falls
        if self._learning.network.words.encoder is not None:
            header["encoder"] = self._learning.network.words.encoder.header()
        return header

    def epoch(self, number: int, done: Done) -> float:
        """Learn from every sentence once; the loss is that of a word, in nats."""
        order = self.schedule.order(self._sentences, number)
        known = order[order < len(self._corpus)]
        with torch_threads(self.schedule.threads):
            return self._learning.epoch(self._corpus, known, number, lambda count: done(count, len(known)))

    def arrays(self) -> Arrays:
        """The weights, averaged over the last steps."""
        return {"network": blob_of(dict(self._learning.average.state_dict()))}

    def state(self) -> Arrays:
        """What `resume` needs to go on from here."""
        return {"learning": blob_of(self._learning.state()), "steps": np.array([self._learning.steps], np.uint64)}

    def resume(self, state: Arrays) -> None:
        """Go on from a state."""
        self._learning.resume(tensors_of(state["learning"]), int(state["steps"][0]))


class NeuralRecipe(Recipe):
    """A linear parser, if there is to be one, and a network; then their weights and prices."""

    kind = "neural"

    def __init__(
        self, train: Treebank, dev: Treebank | None, options: Any, schedule: Schedule, predicted: Treebank | None = None
    ) -> None:
        """Begin a training; without a dev set a tenth of the training set becomes it, if there is enough."""
        if dev is None and len(train) >= 10 * LEAST_SENTENCES:
            train, dev = parted(train, np.arange(len(train)) % 10 != 9)
            predicted = None if predicted is None else parted(predicted, np.arange(len(predicted)) % 10 != 9)[0]
        super().__init__(train, dev, options, schedule, predicted)

    @property
    def vocabulary(self) -> Vocabulary:
        """What the parser will have seen: no tags where it predicts them."""
        return vocabulary_of(self.train, reads_tags=not self.options.joint)

    def stages(self) -> Iterator[Stage]:
        """Give each stage when those before it are trained."""
        within = self.options.within or learning_class(self.train)
        single_root = single_root_of(self.options.single_root, self.train)
        options = replace(self.options, within=within, single_root=single_root)
        tags = TagSet.of(self.train, columns_in(self.train)) if options.joint else None
        network = NeuralStage(self.train, self.relations, options, tags, self.schedule)
        self.left_out = network.left_out
        if options.linear:
            graph = GraphOptions(within=chain(parse_within(within))[-1][0].name, single_root=single_root, network=0)
            lessons = self.predicted or self.train
            pruner = PrunerStage(lessons, self.relations, resolved(graph, lessons), self.schedule.seed)
            yield pruner
            schedule = Schedule(LINEAR_EPOCHS, seed=self.schedule.seed, orders=(899, -1))
            yield GraphStage(pruner, self.relations, schedule, name=LINEAR)
        yield network

    @staticmethod
    def model(header: Header, relations: list[str], arrays: Any, like: Any = None) -> Model:
        """A parser as its file keeps it."""
        return NeuralModel.from_content(header, relations, arrays, like)

    def settled(self, header: Header, arrays: Arrays, run: Run) -> Header:
        """The header with weights of the network, and with prices where no class was chosen."""
        if self.dev is None:
            return header
        model = NeuralModel.from_content(header, self.relations, arrays)
        threads = self.schedule.threads or processors()
        header = header | {"weights": settled_weights(model, self.dev, threads, run.progress)}
        if self.options.within is None and learning_class(self.train) != "Pr" and len(self.dev) >= LEAST_SENTENCES:
            header = self.priced(header, self.answers(header, arrays, self.dev, run))
        return header


def lessons_of(treebank: Treebank, options: NeuralOptions) -> Treebank:
    """The trees to learn from: a CRF of a class has no place for others."""
    if options.loss != "crf":
        return treebank
    cls = chain(parse_within(options.within or "spanning"))[-1][0]
    profiles = profile_trees(treebank.heads, treebank.offsets, wanted=cls.properties)
    inside, outside = parted(treebank, cls.holds(profiles) == 1)
    if len(inside) == 0:
        raise NonprojError(f"none of the training trees is in {cls.name}: choose a wider class")
    return inside if len(outside) else treebank


def parted(treebank: Treebank, is_first: npt.NDArray[np.bool_]) -> tuple[Treebank, Treebank]:
    """The sentences of which something holds, and the others."""
    places = (np.flatnonzero(is_first), np.flatnonzero(~is_first))
    first, second = (Treebank((treebank[int(i)] for i in part), name=treebank.name) for part in places)
    return first, second


def settled_weights(model: NeuralModel, dev: Treebank, threads: int, progress: Progress) -> list[float]:
    """How much the network counts beside the linear parser: by right heads on the dev set, then by relations."""
    if model.linear is None:
        return [ARC_WEIGHT, RELATION_WEIGHT]
    known: list[tuple[Treebank, _core.Block, Analysed]] = []
    with torch_threads(threads), torch.inference_mode():
        for part in parts_of(dev, _PARSED_TOGETHER):
            block = part.block()
            analysed = model.analysed(coded(block, model.alphabets, model.relations))
            model.fill(block, analysed, model.columns)
            known.append((part, block, analysed))

        def right_heads(weight: float) -> int:
            progress("weights", _WEIGHTS.index(weight), len(_WEIGHTS))
            found = (model.trees(block, analysed, threads, weight)[0] == part.heads for part, block, analysed in known)
            return sum(int(is_right.sum()) for is_right in found)

        arc_weight = settle(_WEIGHTS, right_heads)
        labelled = []
        for part, block, analysed in known:
            heads, _ = model.trees(block, analysed, threads, arc_weight)
            gold = np.where(heads == part.heads, coded(part, model.alphabets, model.relations).relations, -1)
            labelled.append((*model.relation_scores(block, analysed, heads), gold))

        def right_relations(weight: float) -> int:
            return sum(int(((weight * own + linear).argmax(1) == gold).sum()) for own, linear, gold in labelled)

        return [arc_weight, settle(_WEIGHTS, right_relations)]


def new_network(options: NeuralOptions, alphabets: Alphabets, relations: list[str], encoder: Encoder | None) -> Network:
    """A network of the size that options say, on a GPU where there is one."""
    sizes = Sizes(hidden=options.hidden, layers=options.layers, dropout=options.dropout)
    network: Network = Network(alphabets, len(relations), sizes, encoder).eval()
    if torch.cuda.is_available():
        network.to("cuda")
    return network


def linear_header(header: dict[str, Any], options: NeuralOptions) -> dict[str, Any]:
    """The header of the linear parser within a neural one, for the trees of the neural one's class."""
    own = header["linear"]
    chosen = GraphOptions(**{**own["options"], "within": options.within, "single_root": options.single_root})
    return {**own, "options": as_header(chosen)}


def log_chances(network: Network, roles: Roles, batch: Batch) -> npt.NDArray[np.float32]:
    """Logarithms of the chance of each arc among those into its word, none below a bound; 0 where there is no arc."""
    no_arc = outside(batch)
    scores = network.arc_scores(roles).masked_fill(no_arc, -torch.inf)
    scores[:, :, 0] = 0
    chances = torch.log_softmax(scores, 1).clamp(min=_LEAST_CHANCE, max=0)
    found: npt.NDArray[np.float32] = chances.masked_fill(no_arc, 0).cpu().numpy()
    return found


def columns_missing(treebank: Sentences, columns: Collection[str]) -> list[str]:
    """Those of the columns that have nothing in them."""
    there = columns_in(treebank)
    return [name for name in columns if name not in there]


def parts_of(treebank: Part, words: int) -> Iterator[Part]:
    """A treebank, or a block, in pieces of about so many words."""
    begin = 0
    while begin < len(treebank):
        end = int(np.searchsorted(treebank.offsets, treebank.offsets[begin] + words, side="right")) - 1
        yield treebank[begin : max(end, begin + 1)]
        begin = max(end, begin + 1)


def blob_of(tensors: dict[str, Tensor]) -> npt.NDArray[np.uint8]:
    """Tensors as the bytes of a safetensors file."""
    arrays = {name: np.ascontiguousarray(tensor.detach().cpu().numpy()) for name, tensor in tensors.items()}
    return np.frombuffer(safetensors.numpy.save(arrays), np.uint8)


def tensors_of(blob: npt.NDArray[Any]) -> dict[str, Tensor]:
    """The tensors of a safetensors file; one that is damaged is an error."""
    try:
        arrays = safetensors.numpy.load(blob.tobytes())
    except (safetensors.SafetensorError, ValueError) as error:
        raise NonprojError(f"the weights of its network are damaged ({error})") from None
    return {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}


def set_weights(network: Network, blob: npt.NDArray[Any]) -> None:
    """Give a network its weights; an error where they do not fit."""
    found = tensors_of(blob)
    if any(not bool(torch.isfinite(each).all()) for each in found.values()):
        raise NonprojError("the weights of its network are not all numbers")
    try:
        network.load_state_dict(found)
    except RuntimeError as error:
        raise NonprojError(f"the weights of its network do not fit its options ({error})") from None
    # Not of buffers, which may have large numbers for what is masked.
    if any(bool((each.abs() > _core.LARGEST_WEIGHT).any()) for each in network.parameters()):
        raise NonprojError(f"the weights of its network are damaged: one is larger than {_core.LARGEST_WEIGHT:.0f}")


def device_of(network: Network) -> torch.device:
    """Where a network is."""
    device: torch.device = network.root.device
    return device


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """Have torch use so many threads for a while; 0 leaves the choice to it."""
    before = torch.get_num_threads()
    if threads:
        torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
