"""Fuzz what Python reads from strangers: ``python tests/hostile.py TARGET SECONDS [SEED]``, or all by ``make fuzz``.

A target takes bytes, makes a case of them, and raises where something other than a `NonprojError` comes out, or where
what was read is not what is read back. With atheris installed (``pip install atheris``) it chooses the bytes by what
they reach; without it they are drawn at random. The cases that found something are kept in ``tests/native/corpus``.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import json
import os
import pathlib
import random
import resource
import signal
import sys
import tempfile
import time
import warnings
import xml.etree.ElementTree
import zlib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import numpy as np

from nonproj import (
    Coverage,
    Evaluation,
    NonprojError,
    Parser,
    Pipeline,
    Tree,
    coverage,
    evaluate,
    example_treebank,
    tree_class,
)
from nonproj.decode import parse_within
from nonproj.decode.graded import chain
from nonproj.draw import svg, text
from nonproj.grammar import Grammar
from nonproj.lifting import Category, Expression, LiftingRule, RuleSet
from nonproj.parser.container import _PREFIX, MAGIC, VERSION, _aligned
from nonproj.schema import DRules
from nonproj.schema.condition import Condition
from nonproj.schema.pattern import read_patterns
from nonproj.state import states_in
from nonproj.transition import Transition, transition_system

CORPUS = pathlib.Path(__file__).parent / "native" / "corpus"
SECONDS = 20
"""No case may take longer."""

FRAGMENTS = [
    "", " ", "'", '"', "\\", ":", "|", "^", "#", "//", "\n", "\r", "\t", "\0", "+", "-", "->", ".", ",", ";", "=", "@",
    "*", "?", "[", "]", "(", ")", "{", "}", "<", ">", "&", "é", "\u202e", "\ufeff", "\u0301", "\U0001f600", "0", "1",
    "99999999999999999999", "-1", "1e999", "start:", "word", "lp", "root", "w_0", "i+1", "i<j", "((((((((", "))))))))",
    "[[[[[[[[", "<![CDATA[", "]]>", "&#0;", "<script>", "\x1b[2J", "\u2028", "\ud7ff", "\ufffe",
]  # fmt: skip


class Choices:
    """Reads a case from bytes; past their end all are 0."""

    def __init__(self, data: bytes) -> None:
        self._bytes = iter(data)

    def below(self, bound: int) -> int:
        """A number below the bound."""
        if bound <= 256:
            return next(self._bytes, 0) % bound
        return (next(self._bytes, 0) * 256 + next(self._bytes, 0)) % bound

    def edited(self, sample: str) -> str:
        """The sample, damaged in some places."""
        for _ in range(self.below(6)):
            at = self.below(len(sample) + 1)
            kind = self.below(4)
            if kind == 0:
                sample = sample[:at] + sample[at + 1 + self.below(8) :]
            elif kind == 1:
                end = at + self.below(32)
                sample = sample[:end] + sample[at:end] * (1 + self.below(3)) + sample[end:]
            else:
                fragment = FRAGMENTS[self.below(len(FRAGMENTS))]
                times = 1 if self.below(8) else 1 + self.below(65536) % 5000
                sample = sample[:at] + fragment * times + sample[at:]
        return sample


@functools.cache
def _model(kind: str) -> tuple[dict[str, Any], bytes]:
    train = Parser.train if kind == "parser" else functools.partial(Pipeline.train, steps=("tokens", "tags"))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "toy.model")
        train(example_treebank()[:8], epochs=1, threads=1, save_as=path)
        content = path.read_bytes()
    _, _, length, _ = _PREFIX.unpack_from(content)
    return json.loads(content[_PREFIX.size : _PREFIX.size + length]), content[_aligned(_PREFIX.size + length) :]


_VALUES: list[Any] = [
    0, 1, -1, 2, 3, 64, 1000, 2**31, 2**53, 2**63, 2**64, 1e308, -0.5, "", "x", "graph", "transition", "swap", "1EC",
    "MH9", "Pr", None, True, False, [], {}, [[]], [1], ["a"], {"a": 1}, "uint64", "float32", "head", "\u0000", "\ud800",
]  # fmt: skip


def _edit(value: Any, choices: Choices) -> Any:
    """A copy of a header with one place in it changed."""
    if isinstance(value, dict) and value and choices.below(8):
        key = sorted(value)[choices.below(len(value))]
        if not choices.below(12):
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: _edit(value[key], choices)}
    if isinstance(value, list) and value and choices.below(4):
        at = choices.below(len(value))
        return [*value[:at], _edit(value[at], choices), *value[at + 1 :]]
    return _VALUES[choices.below(len(_VALUES))]


def _change_weights(header: dict[str, Any], arrays: bytearray, choices: Choices) -> None:
    """Set some numbers of the arrays to others; the header has the right checksums again."""
    begin, places = 0, []
    for entry in header["arrays"].values():
        size = np.dtype(entry["type"]).itemsize
        places.append((entry, begin, size))
        begin = _aligned(begin + entry["length"] * size)
    for _ in range(1 + choices.below(4)):
        entry, begin, size = places[choices.below(len(places))]
        if entry["length"]:
            at = begin + size * (choices.below(65536) % entry["length"])
            arrays[at : at + size] = bytes(choices.below(256) for _ in range(size))
            entry["checksum"] = zlib.crc32(arrays[begin : begin + size * entry["length"]])


def _changed(kind_of_model: str, choices: Choices) -> bytes:
    """A model file whose header or bytes were changed; the checksums are mostly right."""
    header, arrays = copy.deepcopy(_model(kind_of_model)[0]), bytearray(_model(kind_of_model)[1])
    kind = choices.below(6)
    if kind >= 4:
        _change_weights(header, arrays, choices)
    for _ in range(0 if kind == 5 else 1 + choices.below(3)):
        header = _edit(header, choices)
    written = json.dumps(header, ensure_ascii=True).encode()
    if kind == 1:
        written = choices.edited(written.decode()).encode("utf-8", "surrogatepass")
    content = bytearray(_PREFIX.pack(MAGIC, VERSION, len(written), zlib.crc32(written)) + written)
    content += bytes(_aligned(len(content)) - len(content)) + arrays
    if kind == 2:
        for _ in range(1 + choices.below(4)):
            content[choices.below(len(content)) % min(len(content), 4096)] = choices.below(256)
    if kind == 3:
        del content[choices.below(65536) % len(content) :]
    return bytes(content)


def model(data: bytes) -> None:
    """A damaged model file: refused, or a parser that parses."""
    content = _changed("parser", Choices(data))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "hostile.model")
        path.write_bytes(content)
        with contextlib.suppress(NonprojError):
            Parser.load(path).parse(example_treebank()[:2], threads=1)


def pipeline(data: bytes) -> None:
    """A damaged model of tokens and tags: refused, or one that makes CoNLL-U of a text."""
    choices = Choices(data)
    content = _changed("pipeline", choices)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "hostile.model")
        path.write_bytes(content)
        with contextlib.suppress(NonprojError):
            list(Pipeline.load(path)(choices.edited("A hearing is scheduled. It's on\n\nthe issue!")))


def query(data: bytes) -> None:
    """Queries: refused, or asked of a treebank."""
    choices = Choices(data)
    sample = choices.edited(
        'upos=VERB,N* & crossing & !head.upos=NOUN | some(form~"a+b*" & class=WG1) | tree.gap_degree>=1'
    )
    with contextlib.suppress(NonprojError):
        list(example_treebank().where(sample))


@functools.cache
def _states() -> list[str]:
    treebank = example_treebank()[:6]
    return [coverage(treebank, classes="all").to_state(), evaluate(treebank, treebank).to_state("a")]


def states(data: bytes) -> None:
    """States of coverages and evaluations: refused, or added up and shown."""
    choices = Choices(data)
    sample = _states()[choices.below(2)]
    if choices.below(2):
        sample = json.dumps(_edit(json.loads(sample), choices), ensure_ascii=True)
    sample = choices.edited(sample)
    with contextlib.suppress(NonprojError):
        for kind, content in states_in(sample.encode("utf-8", "surrogatepass"), "hostile"):
            if kind == "coverage":
                found = Coverage.from_state(content)
                (found + found).regrouped("total").table().to_markdown()
                assert (found + found).trees == 2 * found.trees
            elif kind == "evaluation":
                scores = Evaluation.from_state(content)
                (scores + scores).to_dict()


def _read(read: Callable[[str], object], given: str, write: Callable[[Any], str] = str) -> None:
    """Refused, or read; and what was read is written as something that is read as the same."""
    try:
        found = read(given)
    except NonprojError:
        return
    try:
        shown = write(found)
    except NonprojError:  # it cannot be written, and is said so
        return
    assert read(shown) == found, f"{given!r} is read, written as {shown!r}, and that is read as another"


def grammar(data: bytes) -> None:
    """Grammars."""
    _read(Grammar.parse_text, Choices(data).edited(files("nonproj.grammar").joinpath("beans.gdg").read_text("utf-8")))


def rules(data: bytes) -> None:
    """Lifting rules, expressions and categories."""
    choices = Choices(data)
    kind = choices.below(4)
    if kind == 0:
        _read(Category.parse, choices.edited("N[case:obj, top +, wh -]"))
    elif kind == 1:
        _read(Expression.parse, choices.edited("Adv? N[case:nom] (Aux | V)? Adv* # N[case:obj]? 'a b'+"))
    elif kind == 2:
        _read(LiftingRule.parse, choices.edited("N[case:obj, top +] ^ V V[bridge +]* V @ 3"))
    else:
        _read(RuleSet.parse, choices.edited("# over tags\nNOUN ^ VERB VERB* VERB @ 2\nADV ^ AUX . VERB\n"))


def schema(data: bytes) -> None:
    """Items, conditions and D-rules of parsing schemata; transitions, names of classes and graded classes."""
    choices = Choices(data)
    kind = choices.below(6)
    if kind == 5:
        with contextlib.suppress(NonprojError):
            chain(parse_within(choices.edited("Pr:0, 1EC:1.5, spanning:4")))
    elif kind == 0:
        _read(
            read_patterns,
            choices.edited("[i, j, eps, eps] C>[i+1, -, k]"),
            lambda found: " ".join(p.text for p in found),
        )
    elif kind == 1:
        with contextlib.suppress(NonprojError):
            Condition(choices.edited("i <= j < k and (i = 0 or j != n) and not i+1 > k"))
    elif kind == 2:
        _read(DRules.read, choices.edited("root -> saw\nsaw -> I, 'a b'\n# over tags\nV -> N\n"), DRules.to_text)
    elif kind == 3:
        _read(Transition.parse, choices.edited("RA2(nsubj)"))
    else:
        for named in (tree_class, transition_system):
            with contextlib.suppress(NonprojError):
                named(choices.edited("2-planar"))


def pictures(data: bytes) -> None:
    """Pictures with any words in them: XML that can be read, text in as many columns as were asked for."""
    choices = Choices(data)
    words = 1 + choices.below(7)
    heads = [0, *(1 + choices.below(i) for i in range(1, words))]
    forms = [choices.edited("word") for _ in range(words)]
    tree = Tree(heads, forms=forms, deprels=[choices.edited("nsubj:pass") for _ in range(words)])
    xml.etree.ElementTree.fromstring(svg(tree, title=choices.edited("title"), dark=bool(choices.below(2))))
    assert "\x1b" not in text(tree, width=40 + choices.below(200))


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each for each in (model, pipeline, grammar, rules, schema, query, states, pictures)
}


def kept(target: str) -> Iterator[bytes]:
    """The corpus of a target: a case a line, in hexadecimal."""
    path = CORPUS / f"{target}.hex"
    if path.exists():
        for line in path.read_text(encoding="ascii").split():
            yield bytes.fromhex(line)


def main(target: str, seconds: float, seed: int) -> int:
    """Run a target for some seconds; the case that fails is shown, to be put into the corpus."""
    run = TARGETS[target]
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))  # a case that takes all memory is a finding too

    def too_long(*_: object) -> None:
        raise TimeoutError(f"more than {SECONDS} seconds")

    signal.signal(signal.SIGALRM, too_long)
    warnings.simplefilter("ignore")

    def checked(data: bytes) -> None:
        signal.alarm(SECONDS)
        try:
            run(data)
        except BaseException:
            print(f"{target}: {data.hex()}", file=sys.stderr)
            raise
        signal.alarm(0)

    try:
        import atheris  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        print(f"{target}: seed {seed}", flush=True)
        chance = random.Random(seed)
        cases = list(kept(target)) or [b""]
        end, runs = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            checked(chance.choice(cases) if chance.random() < 0.1 else chance.randbytes(chance.randrange(64)))
            runs += 1
        print(f"{target}: {runs} executions in {seconds:g} seconds: no failure")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for i, case in enumerate(kept(target)):
            pathlib.Path(folder, str(i)).write_bytes(case)
        atheris.instrument_all()
        options = [f"-max_total_time={seconds:g}", f"-seed={seed or 1}", "-max_len=256", "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], folder, *options], checked)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    os.chdir(tempfile.gettempdir())
    number = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(2**31)
    sys.exit(main(sys.argv[1], float(sys.argv[2]), number))
