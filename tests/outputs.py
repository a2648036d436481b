"""Whether a change of the code changes what models are trained or what they write: recorded before, compared after.

``python tests/outputs.py record FOLDER`` trains small models with fixed seeds, analyses treebanks, raw text and broken
input with every combination of their steps, and writes digests of all of it; ``python tests/outputs.py compare FOLDER``
does the same with the code at hand and names what is different. The treebanks are those of ``NONPROJ_DATA``.
``--models OTHER`` takes the models that are in another folder, so that two versions analyse with the same ones.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import lzma
import os
import pathlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import nonproj as npj
from nonproj.parser import GraphOptions, TransitionOptions
from nonproj.text import Pipeline, restored_text

DATA = pathlib.Path(os.environ.get("NONPROJ_DATA", "../shared/data"))
COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5}
HOSTILE = {
    "nothing": b"",
    "spaces": b" \n \n",
    "Markdown": b"# Title\n\n- Dogs bark.\n",
    "a mark": "\ufeffHallo daar. Goeie more!".encode(),
    "Windows": b"Een.\r\nTwee.\r\n\r\nDrie. Vier\r\n",
    "old Mac": b"Een. Twee.\rDrie.\r\rVier.",
    "Latin 1": b"caf\xe9",
    "a NUL": b"a\0b",
    "half a character": "é".encode()[:1],
    "an endless word": b"a" * 3000,
    "many marks": b"...!!!???" * 400,
    "no spaces": "\u4f60\u597d\u3002".encode() * 300,
    "nine columns": b"1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\n",
    "spaces for tabs": b"1 Dogs dog NOUN _ _ 2 nsubj _ _\n",
    "a broken sentence": b"1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n\n3\tB\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    b"1\tC\t_\t_\t_\t_\t0\t_\t_\t_\n\n",
    "comments alone": b"# newdoc\n# sent_id = 1\n",
    "rows": (
        "# a\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n1\tde\tde\tADP\t_\t_\t0\troot\t0:root\t\u00c4\n"
        "2\tle\tle\tDET\t_\tGender=Masc\t1\tdet\t_\t_\n2.1\tx\tx\tX\t_\t_\t_\t_\t1:dep\t_\n\n"
        "1\t\ufeffx\ty\tX\t_\tA=b\t0\troot\t_\t\ufeff\n\n# at the end\n"
    ).encode(),
    "rows of Windows": b"1\tA\ta\tX\t_\t_\t0\troot\t_\t_\r\n"
    b"2\tB\tb\tX\t_\tC=d\t1\tdep\t_\t_\r\n\r\n1\tC\tc\tX\t_\t_\t0\troot\t_\t_",
    "words": "Hallo  daar\n\n\u00a0 Een\u2003twee \x1c drie\nvier".encode(),
}


def treebank(name: str, part: str) -> npj.Treebank:
    return npj.read(DATA / "ud" / f"{name}-ud-{part}.conllu.gz")


def trained() -> Iterator[tuple[str, Callable[[], Pipeline]]]:
    turkish = treebank("tr_imst", "train")[:500]
    yield "graph", lambda: Pipeline.train(turkish, treebank("tr_imst", "dev")[:120], epochs=2, threads=2)
    gothic = treebank("got_proiel", "train")[:240]
    plain = GraphOptions(network=0, order="1", within="1EC")
    yield "gold", lambda: Pipeline.train(gothic, options=plain, epochs=2, threads=2, gold_tags=True)
    afrikaans = treebank("af_afribooms", "train")[:120]
    lifted = TransitionOptions("arc-standard", lifting="head+path", labels="joint")
    yield "lifted", lambda: Pipeline.train(afrikaans, options=lifted, epochs=2, threads=2)
    swap = TransitionOptions("swap")
    bare = afrikaans.with_columns(**{name: ["_"] * len(afrikaans.heads) for name in COLUMNS})
    yield "bare", lambda: Pipeline.train(bare, steps="tokens,parse", options=swap, epochs=2, threads=2)


def models(folder: pathlib.Path) -> dict[str, Pipeline]:
    """Trained models, as they are in the folder or else newly trained, and what is made of their steps."""
    found: dict[str, Pipeline] = {}
    for name, train in trained():
        path = folder / f"{name}.nonproj"
        if not path.exists():
            train().save(path)
        found[name] = Pipeline.load(path)
    whole = found["graph"]
    found["tokens"] = Pipeline(whole.tokenizer, None, None)
    found["tags"] = Pipeline(None, whole.tagger, None)
    found["parse"] = Pipeline(None, None, whole.parser)
    found["tokens, tags"] = Pipeline(whole.tokenizer, whole.tagger, None)
    found["tags, parse"] = Pipeline(None, whole.tagger, whole.parser)
    assert whole.parser is not None
    found["climb"] = Pipeline(whole.tokenizer, whole.tagger, whole.parser.restricted("Pr", search="climb"))
    return found


class Pipe:
    """A file that gives so many bytes at a time."""

    def __init__(self, text: bytes, size: int) -> None:
        self.name, self._text, self._size, self._at = "pipe", text, size, 0

    def read(self, _: int = -1) -> bytes:
        self._at += self._size
        return self._text[self._at - self._size : self._at]


def without(text: bytes, names: tuple[str, ...]) -> bytes:
    """The text with these columns empty in all rows."""
    lines = []
    for line in text.split(b"\n"):
        cells = line.split(b"\t")
        if len(cells) == 10:
            for name in names:
                cells[COLUMNS[name]] = b"_"
        lines.append(b"\t".join(cells))
    return b"\n".join(lines)


def cases() -> Iterator[tuple[str, list[str], bytes, dict[str, Any]]]:
    """A name, models, an input and options."""
    raw = ["graph", "gold", "lifted", "bare", "tokens", "tokens, tags", "climb"]
    every = [*raw, "tags", "parse", "tags, parse"]
    for name in ("af_afribooms", "tr_imst", "got_proiel", "la_circse", "hu_szeged"):
        test = treebank(name, "test") if name != "hu_szeged" else treebank(name, "dev")
        some = test[:150]
        text = restored_text(some).encode()
        yield f"{name} raw", raw, text, {"kind": "text"}
        yield f"{name} rows", every, bytes(some), {}
        yield f"{name} retagged", every, bytes(some), {"retag": True}
        for absent in (("feats",), ("lemma", "upos"), tuple(COLUMNS)):
            yield f"{name} without {absent}", every, without(bytes(some), absent), {}
        yield f"{name} whole", ["gold", "lifted"], bytes(test), {}
        yield f"{name} longest", ["graph", "tokens"], text, {"kind": "text", "longest": 7}
        yield f"{name} words", raw, text, {"kind": "words"}
        lines = "\n".join(" ".join(sentence.forms) for sentence in some).encode()
        yield f"{name} a sentence a line", ["gold", "bare"], lines, {"kind": "words"}
        yield f"{name} lines", ["gold", "bare"], lines, {"kind": "text"}
    for path in sorted((DATA / "conllx").glob("*.gz"))[:4]:
        yield (
            path.name,
            ["gold", "tags, parse"],
            gzip.decompress(path.read_bytes())[:150_000].rpartition(b"\n\n")[0] + b"\n\n",
            {},
        )
    latin = lzma.decompress((DATA / "raw" / "latin.txt.xz").read_bytes())[:900_000].decode(errors="ignore").encode()
    yield "latin", ["tokens, tags", "gold"], latin, {"kind": "text"}
    yield "latin by lines", ["tokens"], latin.replace(b"\n", b"\n\n"), {"kind": "text"}
    for name, text in HOSTILE.items():
        for kind in ("auto", "text", "words", "conll"):
            yield f"{name} as {kind}", every, text, {"kind": kind}
        yield f"{name}, skipping", every, text, {"on_error": "skip"}
    yield "several", every, HOSTILE["rows"], {"twice": True}
    yield "several texts", raw, b"Een. Twee", {"twice": True, "kind": "text"}


def answer(
    model: Pipeline, text: bytes, size: int, threads: int, twice: bool = False, **options: Any
) -> dict[str, str]:
    """What a stream gives, says and raises."""
    said: list[str] = []
    skipped: list[Any] = []
    written = b""
    given: Any = [Pipe(text, size), Pipe(text, size)] if twice else Pipe(text, size)
    try:
        for part in model.parse_stream(
            given, threads=threads, skipped=skipped, notice=said.append, tell=said.append, **options
        ):
            written += part
    except npj.NonprojError as error:
        said.append(f"error: {error}")
    said += [str(each) for each in skipped]
    return {"output": hashlib.sha256(written).hexdigest(), "bytes": str(len(written)), "said": "\n".join(said)}


def calls(model: Pipeline, text: str) -> dict[str, str]:
    """What calls with the paragraphs and lines of a text give."""
    lines = text.splitlines()[:40]
    found = b"".join(bytes(model(line, threads=1)) for line in [*lines, text[:5000]])
    return {"output": hashlib.sha256(found).hexdigest(), "bytes": str(len(found)), "said": ""}


def record(folder: pathlib.Path, models_folder: pathlib.Path, wanted: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    known = models(models_folder)
    for path in sorted(models_folder.glob("*.nonproj")):
        found[f"model {path.stem}"] = {"output": hashlib.sha256(path.read_bytes()).hexdigest()}
    for name, chosen, text, options in cases():
        if wanted not in name:
            continue
        for model in chosen:
            sizes = (len(text) + 1, 65536) if len(text) > 5000 else (len(text) + 1, 7, 1)
            for size in sizes:
                found[f"{name} | {model} | {size}"] = answer(known[model], text, size, 1 + (size > 65536), **options)
        print(name, file=sys.stderr, flush=True)
    for model in ("graph", "gold", "lifted"):
        raw = restored_text(treebank("tr_imst", "test")[:80])
        found[f"calls | {model}"] = calls(known[model], raw)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=["record", "compare"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    kept = given.folder / "outputs.json"
    own = given.folder if given.task == "record" else given.folder / "again"
    own.mkdir(exist_ok=True)
    found = record(given.folder, given.models or own, given.only)
    if given.task == "record":
        kept.write_text(json.dumps(found, indent=1))
        return
    before = json.loads(kept.read_text())
    different = [name for name in found if found[name] != before.get(name)]
    for name in different:
        print(f"{name}\n  before: {before.get(name)}\n  now:    {found[name]}")
    print(f"{len(found)} compared, {len(different)} different")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
