"""Trained parsers: from a treebank to a parser, to a file, and back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode import Decoded, k_best, marginals
from nonproj.decode.graded import Within, parse_within
from nonproj.decode.k_best_with_parts import k_best_with_parts
from nonproj.errors import NonprojError
from nonproj.parser.container import read_container, write_container
from nonproj.parser.kinds import recipe_of
from nonproj.parser.learner import Model, NativeModel
from nonproj.parser.options import OPTIONS, GraphOptions, Options, Schedule, TransitionOptions, as_header, within_name
from nonproj.parser.prices import CHAIN, best_trees, graded
from nonproj.parser.recipe import lower
from nonproj.parser.searches import SearchReport
from nonproj.parser.steps import Given, Looking, Step, analysed, conll_blocks, run_steps
from nonproj.parser.training import (
    Epoch,
    Progress,
    Report,
    Run,
    as_treebank,
    must_be_parsed,
    must_be_writable,
    remove,
    silent,
)
from nonproj.parser.vocabulary import Fit, checked_vocabulary
from nonproj.processors import processors
from nonproj.transition import Trace, transition_system
from nonproj.treebank import Sentence, Source, Treebank
from nonproj.treebank.document import Document, OnError, Skipped
from nonproj.treebank.inputs import label, read_blocks, sources
from nonproj.treebank.reading import read_unparsed
from nonproj.treebank.writing import joined
from nonproj.trees import Tree

MODEL = "parser"


class Parser:
    """A parser trained on a treebank.

    After training, ``epochs`` tells how it went, and ``left_out`` how many trees the transition system cannot derive.

    >>> from nonproj.treebank import example_treebank
    >>> treebank = example_treebank()
    >>> parser = Parser.train(treebank, epochs=8, threads=1)
    >>> parsed = parser.parse(treebank)
    >>> bool((parsed.heads == treebank.heads).mean() > 0.9)
    True
    """

    def __init__(
        self, kind: str, header: dict[str, Any], relations: list[str], arrays: Any, like: Model | None = None
    ) -> None:
        self.kind = kind
        self.options: dict[str, Any] = header["options"]
        self.relations = relations
        self._header = header
        self._arrays = arrays
        self._model = recipe_of(kind).model(header, relations, arrays, like)
        self.epochs: list[Epoch] = []
        self.left_out = 0

    @classmethod
    def train(
        cls,
        train: Treebank | Source,
        dev: Treebank | Source | None = None,
        *,
        options: Options | None = None,
        predicted: Treebank | None = None,
        epochs: int | None = None,
        patience: int | None = None,
        seed: int = 1,
        threads: int = 0,
        checkpoint: str | os.PathLike[str] | None = None,
        save_as: str | os.PathLike[str] | None = None,
        replace: bool = False,
        keeps_checkpoint: bool = False,
        progress: Progress = silent,
        report: Report = silent,
    ) -> Parser:
        """Train a parser; the same data, options and seed give the same weights on every machine.

        Parameters
        ----------
        train, dev
            Treebanks, or what `read` takes. With a dev set the best epoch by LAS is kept, and training ends
            when ``patience`` epochs brought nothing better.
        options
            `GraphOptions` (the default), `TransitionOptions` or `NeuralOptions`: the kind of parser and how it learns.
        predicted
            The training set with predicted tags. The linear parser beside a network that predicts tags learns from
            them, since it will be given no others.
        epochs, patience, seed
            How long to train, and the order of sentences. By default 10 and 3; a neural parser takes as many epochs as
            come to 900,000 words, from 10 to 50, and a patience of 10.
        threads
            For parsing the dev set; 0 takes one for every processor. Learning itself goes sentence by sentence.
        checkpoint
            A file that is written after epochs, every 20 seconds at most, and after the last, and is removed at the
            end. If it is there at the beginning, the training that left it goes on. With ``keeps_checkpoint`` it stays.
        save_as, replace
            A file to save the parser to, before the checkpoint is removed: what was learnt is never lost. One that is
            there already is an error before anything is learnt, unless it may be ``replace``d.
        progress, report
            Called with (stage, done, total), and with the `Epoch` after each.
        """
        chosen = options or GraphOptions()
        must_be_writable(checkpoint, save_as, replace)
        treebank, held_out = as_treebank(train), None if dev is None else as_treebank(dev)
        schedule = Schedule.of(chosen, len(treebank.heads), epochs, patience, seed, threads)
        for each in (treebank, held_out):
            if each is not None:
                must_be_parsed(each)
        recipe = recipe_of(chosen)(treebank, held_out, chosen, schedule, predicted)
        path = None if checkpoint is None else os.fspath(checkpoint)
        run = Run(path, progress, lambda epoch: epoch.stage or report(epoch))
        header, arrays, learnt = recipe.trained(run)
        parser = cls(recipe.kind, header, recipe.relations, arrays)
        parser.epochs, parser.left_out = learnt, recipe.left_out
        if save_as is not None:
            parser.save(save_as)
        if checkpoint is not None and not keeps_checkpoint:
            remove(checkpoints_of_trees(checkpoint))
        return parser

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to one file."""
        write_container(path, *self.content())

    def content(self) -> tuple[dict[str, Any], Any]:
        """What a model file keeps: a header and arrays."""
        return {**self._header, "content": MODEL, "kind": self.kind, "relations": self.relations}, self._arrays

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Parser:
        """Read a model from its file; a file that is none, or is damaged, is an error."""
        return cls.from_content(*read_container(path), os.fspath(path))

    @classmethod
    def from_content(cls, header: dict[str, Any], arrays: Any, name: str) -> Parser:
        """A parser as `content` gave it; ``name`` is for errors."""
        try:
            if header.pop("content", None) != MODEL:
                raise NonprojError("it is no parser (perhaps the checkpoint of a training)")
            kind, relations = header.pop("kind"), header.pop("relations")
            if not isinstance(relations, list) or not all(isinstance(relation, str) for relation in relations):
                raise NonprojError("its relations are no list of strings")
            "".join(relations).encode()  # what is no text is refused
            header["vocabulary"] = checked_vocabulary(header.get("vocabulary"))
            SearchReport.of_training(header.get("searches"))
            parser = cls(kind, header, relations, arrays)
            # What the file does not say is as it is by default: all options are there to be asked for.
            parser.options = header["options"] = as_header(OPTIONS[kind](**header["options"]))
            return parser
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise NonprojError(f"{name}: cannot be used as a model: {error}") from None

    def restricted(self, within: Within | None = None, *, search: str | None = None) -> Parser:
        """The same graph-based or neural parser, with the same weights, for another class, or by another search.

        In a graded class, such as ``{"Pr": 0, "spanning": 2}``, scores are less the prices.

        >>> from nonproj.treebank import example_treebank
        >>> parser = Parser.train(example_treebank(), epochs=1, threads=1)
        >>> parser.options["within"], parser.restricted("1EC").options["within"]
        ('spanning', '1EC')
        >>> parser.restricted({"Pr": 0, "spanning": 2}).options["within"]
        'Pr:0.0,spanning:2.0'
        >>> parser.restricted(search="climb").options["search"]
        'climb'
        """
        if self.kind == "transition":
            raise NonprojError("a transition-based parser derives what its system does: no class can be chosen")
        if self.kind == "neural" and search is not None:
            raise NonprojError("a neural parser searches by itself: no search can be chosen")
        if within is not None and self.options["lifting"] is not None:
            raise NonprojError("a parser that lowers what it parses cannot be held to a class")
        named = self.options["within"] if within is None else within_name(within)
        own = {**self.options, "within": named, **({} if search is None else {"search": search})}
        return self._with(options=as_header(OPTIONS[self.kind](**own)))

    def _with(self, **changes: Any) -> Parser:
        """The same parser with something else in its header."""
        return Parser(self.kind, {**self._header, **changes}, self.relations, self._arrays, self._model)

    def priced(
        self,
        treebank: Treebank,
        *,
        classes: Sequence[str] = CHAIN,
        threads: int = 0,
        progress: Progress = silent,
    ) -> Parser:
        """The same parser in the graded class of a chain of classes, with prices learnt on sentences new to it.

        It costs no training: the sentences are parsed once within every class.

        >>> from nonproj.treebank import example_treebank
        >>> treebank = example_treebank()
        >>> parser = Parser.train(treebank[::2], epochs=1, threads=1)
        >>> parser.priced(treebank[1::2]).options["within"]
        'spanning'
        """
        must_be_parsed(treebank)
        models = [self.restricted(name)._model for name in classes]
        return self.restricted(graded(classes, best_trees(models, treebank, threads, progress)))

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"<Parser {self.kind}: {len(self.relations)} relations, {chosen}>"

    def parse(
        self,
        treebank: Treebank | Source | Sequence[Sentence],
        *,
        threads: int = 0,
        searches: SearchReport | None = None,
    ) -> Treebank:
        """Parse sentences: a copy of the treebank with other heads and relations, all else as it was.

        ``searches``, if given, counts which trees are proven best for a graph-based parser's model.

        >>> from nonproj.treebank import example_treebank
        >>> parser = Parser.train(example_treebank(), epochs=1, threads=1)
        >>> searches = SearchReport()
        >>> parsed = parser.parse(example_treebank(), searches=searches)
        >>> searches.proven == len(parsed)
        True
        """
        if isinstance(treebank, Treebank):
            given = treebank
        elif isinstance(treebank, Sequence) and not isinstance(treebank, (str, bytes)):
            given = Treebank(treebank)
        else:
            given = read_unparsed(treebank)
        form = None if given.format == "mixed" else given.format
        document = Document(self._text(given, threads, searches), given.name, format=form)
        return Treebank.from_documents([document], given.name)

    def parse_text(self, text: bytes, *, threads: int = 0) -> bytes:
        """Parse valid CoNLL text."""
        return self._text(read_unparsed(text), threads, None)

    def _text(self, treebank: Treebank, threads: int, searches: SearchReport | None) -> bytes:
        return b"".join(joined(self.parsed_texts(treebank, threads, "stop", [], searches)))

    def scores(self, sentence: Sentence) -> npt.NDArray[np.float64]:
        """The scores of arcs, for decoders: an array of shape (n+1, n+1), ``-inf`` for arcs that are not likely.

        A parser with larger parts has `part_scores` besides; both together give what it parses.

        >>> from nonproj.decode import decode
        >>> from nonproj.treebank import example_treebank
        >>> parser = Parser.train(example_treebank(), epochs=2, threads=1)
        >>> sentence = example_treebank()[3]
        >>> best = decode(parser.scores(sentence), single_root=True, **parser.part_scores(sentence))
        >>> best.heads.tolist() == list(parser.parse([sentence])[0].tree.heads)
        True
        """
        arcs, _, _ = self._arc_model().scores(Treebank([sentence]))
        return arcs

    def part_scores(self, sentence: Sentence) -> dict[str, list[tuple[int, int, int, float]]]:
        """The scores of larger parts of likely arcs, by the names that `decode` has for them."""
        _, siblings, grandparents = self._arc_model().scores(Treebank([sentence]))
        return {
            name: [(*words, score) for words, score in zip(places.tolist(), values.tolist(), strict=True)]
            for name, (places, values) in (("siblings", siblings), ("grandparents", grandparents))
            if len(values)
        }

    def marginals(self, sentence: Sentence, *, within: Within | None = None) -> npt.NDArray[np.float64]:
        """Give the probability of each arc, how sure the parser is of it, as an array of shape (n+1, n+1).

        It is summed over all spanning trees, or over the projective trees if the parser parses in Pr: that takes less
        than a millisecond a sentence. ``within`` names another class, which may take far longer: its sums are those of
        `nonproj.marginals`. The model is the network of the parser, or else the log-linear model of arcs by which it
        prunes: the scores of the parser itself, learnt by MIRA, are no logarithms of probabilities.

        >>> from nonproj.treebank import example_treebank
        >>> parser = Parser.train(example_treebank(), epochs=1, threads=1)
        >>> parser.marginals(example_treebank()[0]).sum(axis=0)[1:].round(6).tolist()[:3]
        [1.0, 1.0, 1.0]
        >>> parser.marginals(example_treebank()[0], within="1EC").shape
        (10, 10)
        """
        scores = self._arc_model().log_chances(Treebank([sentence]))
        if within is None:
            within = "Pr" if self.options["within"] == "Pr" else "spanning"
        summed = parse_within(within) if isinstance(within, str) else within
        return marginals(scores, within=summed, single_root=self.options["single_root"])

    def k_best(self, sentence: Sentence, k: int) -> list[Decoded]:
        """The k best trees of the parser's class by all that it scores, best first, or all if there are fewer.

        >>> from nonproj.treebank import example_treebank
        >>> parser = Parser.train(example_treebank(), epochs=1, threads=1)
        >>> best = parser.k_best(example_treebank()[3], 3)
        >>> best[0].score >= best[1].score >= best[2].score
        True
        """
        if k < 1:
            raise NonprojError(f"k must be at least 1, not {k}")
        scores, parts = self.scores(sentence), self.part_scores(sentence)
        within, single_root = parse_within(self.options["within"]), bool(self.options["single_root"])
        if not parts:
            return k_best(scores, k, within=within, single_root=single_root)
        return k_best_with_parts(scores, k, within=within, single_root=single_root, **parts)

    def trace(self, sentence: Sentence) -> Trace:
        """The transitions that a transition-based parser takes for a sentence, row by row, with what it predicts.

        A parser that learnt lifted trees is traced as far as the lifted tree.

        >>> from nonproj.treebank import example_treebank
        >>> options = TransitionOptions("arc-standard")
        >>> parser = Parser.train(example_treebank(), options=options, epochs=3, threads=1)
        >>> trace = parser.trace(example_treebank()[0])
        >>> len(trace) == 2 * len(example_treebank()[0].forms) + 1
        True
        """
        if self.kind != "transition":
            raise NonprojError(f"a {self.kind} parser takes no transitions: train one with --parser transition")
        assert isinstance(self._model, NativeModel)
        alone = Treebank([sentence])
        block = alone.block()
        self._model.run(block, 1)
        deprels = block.column("deprel") if self.relations else None
        options = TransitionOptions(**self.options)
        system = transition_system(options.system, oracle=options.oracle, single_root=bool(options.single_root))
        (taken,) = self._model.transitions(alone)
        return system.taken(Tree(block.heads.tolist(), forms=sentence.forms, deprels=deprels), taken)

    def _arc_model(self) -> Model:
        if self.kind == "transition":
            raise NonprojError("a transition-based parser scores transitions, not arcs: train a graph-based one")
        return self._model

    @property
    def training_searches(self) -> SearchReport | None:
        """How many of the trees that a graph-based parser found to learn from were proven best, over all epochs.

        >>> from nonproj.treebank import example_treebank
        >>> options = GraphOptions(within="M0I", order="1")
        >>> parser = Parser.train(example_treebank(), options=options, epochs=2, threads=1)
        >>> print(parser.training_searches)
        150 trees: 150 proven best (100.00%)
        """
        found = self._header.get("searches")
        return None if found is None else SearchReport.of_training(found)

    @property
    def predicted_columns(self) -> list[str]:
        """The columns of tags and lemmas that the parser fills in where they are empty: those of joint heads."""
        return list(self._header.get("alphabets", {}).get("tags", {}).get("columns", []))

    @property
    def vocabulary(self) -> dict[str, Any]:
        """What columns and tags the parser saw in training."""
        return dict(self._header.get("vocabulary", {}))

    def misfits(self, treebank: Treebank) -> list[str]:
        """Say why sentences cannot be parsed well: what they lack, and what the parser never saw.

        >>> from nonproj.treebank import example_treebank
        >>> parser = Parser.train(example_treebank(), epochs=1, threads=1)
        >>> parser.misfits(example_treebank())
        []
        """
        fit = Fit(self.vocabulary)
        fit.look(treebank)
        return fit.misfits()

    def run(self, block: _core.Block, threads: int = 0, *, searches: SearchReport | None = None) -> None:
        """Put heads and relations into a block, and what the parser predicts besides into columns that are empty."""
        if searches is not None and self.kind == "transition":
            raise NonprojError("a transition-based parser has no model of trees to be best for")
        if self.predicted_columns:
            from nonproj.parser.neural import NeuralModel, columns_missing

            assert isinstance(self._model, NeuralModel)
            missing = columns_missing(block, self.predicted_columns)
            proofs = self._model.run_filling(block, threads or processors(), missing)
        else:
            proofs = self._model.run(block, threads or processors(), compares=searches is not None)
        if searches is not None:
            searches.add(proofs[:, 1], proofs[:, 2])
        lower(block, self.options["lifting"])

    def parse_stream(
        self,
        source: Source | Iterable[Source],
        *,
        threads: int = 0,
        on_error: OnError = "stop",
        skipped: list[Skipped] | None = None,
        notice: Callable[[str], None] = silent,
        progress: Callable[[int], None] = silent,
        searches: SearchReport | None = None,
    ) -> Iterator[bytes]:
        """Parse sources block by block, in memory that does not grow with them; gives text to be written in order.

        Sentences that cannot be read or parsed raise an error, or are ``skipped``. ``notice`` is told once, in words,
        what the input lacks (see `misfits`) and which sources are empty; ``progress`` how many sentences are done.
        ``searches`` is as in `parse`.
        """
        skips = [] if skipped is None else skipped
        looking = Looking(self.vocabulary, notice)
        steps: list[Step] = [looking, partial(self.run, searches=searches)]
        given = (
            (conll_blocks(read_blocks(each), label(each), on_error, looking.empty), steps) for each in sources(source)
        )
        return looking.to_the_end(run_steps(given, threads, on_error, skips, progress))

    def parsed_texts(
        self,
        treebank: Treebank,
        threads: int,
        on_error: OnError,
        skipped: list[Skipped],
        searches: SearchReport | None = None,
    ) -> Iterator[bytes]:
        """The treebank parsed; a sentence that cannot be is found by halving, and named or skipped."""
        given = Given(treebank.block(), treebank.name, treebank)
        yield from analysed(given, [partial(self.run, searches=searches)], threads, on_error, skipped)
        yield treebank.rest


def checkpoints_of_trees(checkpoint: str | os.PathLike[str]) -> list[str]:
    """The checkpoints of a parser's stages, and of the two parsers that settle its prices when there is no dev set.

    >>> checkpoints_of_trees("m.checkpoint")[:4]
    ['m.checkpoint', 'm.checkpoint.linear', 'm.checkpoint.network', 'm.checkpoint.half-1']
    """
    base = os.fspath(checkpoint)
    stages = ("", ".linear", ".network")
    return [f"{each}{stage}" for each in (base, f"{base}.half-1", f"{base}.half-2") for stage in stages]
