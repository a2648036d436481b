"""One self-contained HTML page on treebanks: tables, plots, causes, chance and the most unusual trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

import nonproj
from nonproj.draw import svg
from nonproj.draw.content import LONGEST
from nonproj.errors import NonprojError
from nonproj.report import Causes, Coverage, Example, Surprises, causes, chance, coverage, lengths, unusual
from nonproj.report.plot import pareto_front
from nonproj.report.table import Column, Table
from nonproj.sharing import elements
from nonproj.sharing.elements import anchor, figure, section, shown
from nonproj.sharing.plots import chance_plot, coverage_plot, lines_plot
from nonproj.treebank import Filter, Sentence, Source, Treebank
from nonproj.treebank.reading import read_many
from nonproj.trees import CATALOGUE, TreeClass, tree_classes

_SHUFFLED_WORDS = 3_000_000  # in all: some seconds
_LONGEST_SHUFFLED = 60  # words: longer sentences, shuffled, are too entangled to be quick
_PATTERNS = 3  # of a class
_LENGTH_CLASSES = "Pr 1EC WG1"
_WIDTH = 1080  # pixels of a drawing
_LONGEST_DRAWN = 200


@dataclass
class _Found:
    """All that the page shows."""

    treebank: Treebank
    coverage: Coverage
    causes: Causes
    unusual: Surprises
    classes: list[TreeClass]
    seed: int
    threads: int


def report_page(
    data: Treebank | Source | Iterable[Treebank | Source],
    classes: str | Iterable[str | TreeClass] = "all",
    *,
    title: str = "",
    by: str = "file",
    count: int = 20,
    only: Filter | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Write a page on one or more treebanks that opens without a network: one HTML text, with everything in it.

    It has the tables of coverage, the plot against parsing time, the causes, the treebanks against chance, and the
    ``count`` most unusual trees, drawn. Tables are sorted by a click, and what they name is linked.

    >>> from nonproj.treebank import example_treebank
    >>> page = report_page(example_treebank(), "Pr WG1", title="A sample", count=3)
    >>> page.startswith("<!DOCTYPE html>"), page.count("<figure id=") >= 3
    (True, True)
    """
    if count < 0:
        raise NonprojError(f"count is {count}, expected 0 or more")
    several: list[Any] = list(data) if isinstance(data, (list, tuple)) else [data]
    read: list[Treebank] = [part for part in several if isinstance(part, Treebank)]
    read += read_many(*[part for part in several if not isinstance(part, Treebank)], on_error=on_error, threads=threads)
    kept = [only.apply(each) if only is not None else each for each in read]
    together = sum(kept[1:], kept[0]) if kept else Treebank()
    if not len(together):
        raise NonprojError("there are no trees to report on")
    together.name = title or (kept[0].name if len(kept) == 1 else f"{len(kept)} treebanks")
    step = _steps(progress)
    chosen = tree_classes(classes)
    measured = coverage(kept, chosen, by=by, threads=threads)
    measured.only = "" if only is None or only.keeps_all else str(only)
    step()
    found = _Found(
        together,
        measured,
        causes(kept, chosen, threads=threads),
        unusual(together, count),
        chosen,
        seed,
        threads,
    )
    step()
    drawn = _Drawings(found)
    chance_part = _chance(found)
    step()
    parts = [
        _coverage(found),
        _causes(found, drawn),
        chance_part,
        _unusual(found, drawn),
        drawn.section(),
        _classes(found),
        _about(found),
    ]
    step()
    return _page(found, [part for part in parts if part])


def _steps(progress: Callable[[int, int], None] | None) -> Callable[[], None]:
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, 4)

    return step


def _resource(name: str) -> str:
    return files("nonproj.sharing").joinpath(name).read_text(encoding="utf-8")


def _page(found: _Found, parts: list[str]) -> str:
    name = shown(found.treebank.name)
    headings = [part.split('id="', 1)[1].split('"', 1)[0] for part in parts]
    titles = [part.split("<h2>", 1)[1].split("</h2>", 1)[0] for part in parts]
    links = "".join(f'<a href="#{to}">{text}</a>' for to, text in zip(headings, titles, strict=True))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">\n"
        f"<title>{name}</title>\n<style>\n{_resource('page.css')}</style>\n</head>\n<body>\n"
        f'<header>\n<h1><bdi dir="auto">{name}</bdi></h1>\n<nav>{links}</nav>\n{_summary(found)}</header>\n<main>\n'
        f"{''.join(parts)}</main>\n<script>\n{_resource('page.js')}</script>\n</body>\n</html>\n"
    )


def _summary(found: _Found) -> str:
    profiles = [row.profiles for row in found.coverage.treebanks]
    crossed = sum(each.count(each.column("core") > 0) for each in profiles)
    trees, words = found.coverage.trees, len(found.treebank.heads)
    pairs = [
        ("sentences", f"{trees:,}"),
        ("words", f"{words:,}"),
        ("non-projective trees", f"{crossed:,} ({100 * crossed / trees:.2f} %)"),
    ]
    if found.coverage.only:
        pairs.append(("sentences", shown(found.coverage.only)))
    if found.coverage.skipped:
        pairs.append(("left out as invalid", str(len(found.coverage.skipped))))
    return elements.facts(pairs)


def _class_links(found: _Found) -> dict[str, str]:
    return {cls.name: anchor("class", cls.name) for cls in found.classes}


def _coverage(found: _Found) -> str:
    losses = {name: 100 * loss for name, loss in found.coverage.mean_loss.items() if loss is not None}
    points = [(cls.name, cls.exponent, losses[cls.name]) for cls in found.classes if cls.name in losses]
    front = pareto_front([(exponent, loss) for _, exponent, loss in points if exponent is not None])
    plot = figure(
        coverage_plot(points, front), "Each class by what it leaves outside and by the time of its exact parser."
    )
    tables = [
        elements.table(found.coverage.table("loss"), headings=_class_links(found)),
        elements.table(found.coverage.table("gaps")),
    ]
    return section("coverage", "Which classes cover it", plot if points else "", *tables)


def _causes(found: _Found, drawn: _Drawings) -> str:
    relations = found.causes.table("relations", 15)
    if not relations.rows:
        return section("causes", "Which constructions cross", "<p>No tree is outside any of the classes.</p>")
    heat = elements.table(relations, shade=_share, headings=_class_links(found))
    tags = elements.table(found.causes.table("tags", 10), shade=_share, headings=_class_links(found))
    columns = [Column(name, align_left=name in ("class", "pattern", "such as")) for name in _PATTERN_COLUMNS]
    rows: list[list[str]] = []
    places: dict[int, str] = {}
    for each in found.causes.classes.values():
        commonest = sorted(each.patterns.items(), key=lambda item: (-item[1], item[0]))[:_PATTERNS]
        for pattern, number in commonest:
            example = each.examples[pattern][0]
            places[len(rows)] = drawn.of_example(example)
            share = f"{100 * number / each.outside:.2f}"
            rows.append([each.class_name, str(number), share, pattern, example.sent_id])
    caption = "The commonest patterns that take trees out of each class, in percent of the trees outside."
    patterns = elements.table(
        Table(columns, rows, caption=caption), link=lambda row, column, _: places[row] if column == 4 else ""
    )
    return section("causes", "Which constructions cross", heat, tags, patterns)


_PATTERN_COLUMNS = ("class", "trees", "%", "pattern", "such as")


def _share(row: int, column: int, text: str) -> float:
    try:
        return float(text) / 100 if column else 0.0
    except ValueError:
        return 0.0


def _chance(found: _Found) -> str:
    short = Filter(max_words=_LONGEST_SHUFFLED).apply(found.treebank)
    if not len(short):
        return ""
    times = min(100, max(10, _SHUFFLED_WORDS // len(short.heads)))
    against = chance(short, found.classes, times=times, seed=found.seed, threads=found.threads)
    rows = [
        (name, 100 * each.observed, 100 * each.mean, 100 * each.low, 100 * each.high)
        for name, each in against.outside.items()
    ]
    plot = figure(chance_plot(rows), "Trees outside each class, as they are and with their words shuffled.")
    shuffled = against.table()
    if len(short) < len(found.treebank):
        shuffled.note = f"Of the {len(short)} sentences of at most {_LONGEST_SHUFFLED} words."
    parts = [plot, elements.table(shuffled)]
    words = [len(sentence) for sentence in short[:5000]]
    if any(3 <= each <= 20 for each in words):
        try:
            by_length = lengths(short, _LENGTH_CLASSES, times=200, seed=found.seed, threads=found.threads)
        except NonprojError:  # no sentence of such a length has one root
            return section("chance", "More than chance?", *parts)
        lines = lines_plot(by_length.lines(), "dependency length", "words in the sentence", "mean dependency length")
        caption = "Dependency length, beside random trees of three classes and all trees (with standard errors)."
        parts += [figure(lines, caption)]
    return section("chance", "More than chance?", *parts)


def _unusual(found: _Found, drawn: _Drawings) -> str:
    if not found.unusual.found:
        return section("unusual", "Unusual trees", "<p>No arcs cross.</p>")
    places = [drawn.of_sentence(each.sentence, each.arcs, str(each)) for each in found.unusual.found]
    listed = elements.table(found.unusual.table(), link=lambda row, column, _: "" if column else places[row])
    return section("unusual", "Unusual trees", listed)


class _Drawings:
    """The trees that the tables speak of, each drawn once."""

    def __init__(self, found: _Found) -> None:
        # Documents are told apart by themselves: text that is no file has no name of its own.
        self._wanted: dict[tuple[int, int], tuple[Sentence, list[tuple[int, int]], list[str]]] = {}
        self._treebank = found.treebank
        self._by_place: dict[tuple[str, int, str], int] | None = None

    def of_sentence(self, sentence: Sentence, arcs: Iterable[tuple[int, int]], why: str = "") -> str:
        """The place on the page where a sentence is drawn with these arcs set off."""
        key = (id(sentence.document), sentence.index)
        _, marked, reasons = self._wanted.setdefault(key, (sentence, [], []))
        marked += [arc for arc in arcs if arc not in marked]
        reasons += [why] if why else []
        return self._anchor(key)

    def of_example(self, example: Example) -> str:
        """The same for an example of a pattern."""
        if self._by_place is None:
            self._by_place = {(each.file, each.line, each.sent_id): i for i, each in enumerate(self._treebank)}
        sentence = self._treebank[self._by_place[example.file, example.line, example.sent_id]]
        return self.of_sentence(sentence, [(sentence.heads[word - 1], word) for word in example.words])

    def _anchor(self, key: tuple[int, int]) -> str:
        return f"tree-{list(self._wanted).index(key) + 1}"

    def section(self) -> str:
        """All of them, in the order in which they were asked for."""
        figures = []
        for key, (sentence, arcs, reasons) in self._wanted.items():
            head = f"{elements.own_direction(sentence.sent_id)} <small>{shown(sentence.file)}:{sentence.line}</small>"
            why = "".join(f"<p>{shown(reason.split(': ', 2)[-1])}</p>" for reason in reasons)
            text = f"<p>{elements.own_direction(sentence.text)}</p>"
            figures.append(
                f'<figure id="{self._anchor(key)}"><figcaption><strong>{head}</strong>{text}{why}</figcaption>'
                f"<div class=wide>{_picture(sentence, arcs)}</div></figure>\n"
            )
        return section("trees", "Trees", *figures) if figures else ""


def _picture(sentence: Sentence, arcs: list[tuple[int, int]]) -> str:
    if len(sentence) > min(LONGEST, _LONGEST_DRAWN):
        return f"<p>Its {len(sentence)} words are too many for a picture.</p>"
    return svg(sentence, tags="upos", highlight=arcs, width=_WIDTH)


def _classes(found: _Found) -> str:
    known = {cls.name for cls in CATALOGUE} | {cls.name for cls in found.classes}
    listed = "".join(
        f'<dt id="{anchor("class", cls.name)}">{shown(cls.name)}, {shown(cls.title)}</dt>'
        f"<dd>{shown(cls.definition)} <small>{shown(cls.reference)}; {shown(cls.complexity)}</small></dd>"
        for cls in found.classes
        if cls.name in known
    )
    return section("classes", "The classes", f"<dl class=classes>{listed}</dl>\n")


def _about(found: _Found) -> str:
    names: list[Any] = list(dict.fromkeys(row.source for row in found.coverage.sources))
    sources = "".join(f"<li>{elements.own_direction(name)}</li>" for name in names[:200])
    made = f"<p>Made by nonproj {shown(nonproj.__version__)}; chance was drawn with the seed {found.seed}.</p>\n"
    return section("about", "About this page", f"<ul>{sources}</ul>\n", made)
