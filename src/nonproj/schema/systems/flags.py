"""WG_k with flags on its items, so that each tree has one derivation.

Gómez-Rodríguez, Weir & Carroll 2009, footnote 5, says that flags can impose an order on the Combine steps; which
is left open. These are ours (and those of the chart behind counts and samples, cpp/nonproj/decode/gaps/sums.hpp).
Dependents of a head that do not interleave are nested in each other's gaps, or follow each other. So the one that holds
the first word comes first; then, gap by gap, what lies in its gaps; then, as one item, all that follows it:

    one_f[i, j, h, gaps]   dependents of h; the one with the first word has the last one too. f has a letter a gap:
                           O, a gap of that dependent that has not been looked at; F, a gap that stays as it is;
                           S, one that is to be split in several
    any[i, j, h, gaps]     any dependents of h

The gaps that become none or one are dealt with before those that become several, so that no item on the way has more
gaps than that dependent, or than the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from nonproj.errors import NonprojError
from nonproj.schema.normal import gap_forms, normalise_gaps
from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.pattern import Item
from nonproj.schema.schema import Schema
from nonproj.schema.systems.size import refuse_large

_Gap = tuple[str, str]


@cache
def wgk_unambiguous(k: int) -> Schema:
    """The schema for gap degree k."""
    name = f"WG{k}-unambiguous"
    if k < 1:
        raise NonprojError(f"{name}: the number of gaps must be at least 1")
    refuse_large(name, 2**k * 16, 2 * k + 3)  # about so many
    return Schema(
        name,
        f"well-nested trees of gap degree at most {k}, each with one derivation",
        "Gómez-Rodríguez, Weir & Carroll 2009, footnote 5; the flags are nonproj's",
        class_name=f"WG{k}",
        normalise=_normalise,
        forms=_forms,
        items=[*_item_forms(k), ItemForm("whole[h]", "1 <= h <= n", "all words, below h")],
        hypotheses=[Hypothesis("word[h]", "first <= h <= n")],
        steps=[*_links(k), *_looks(k), *_splits(k), *_follows(k), *_whole()],
        final=Step("Final", "~any[0, n, 0]"),
        single_root_final=Step("Final", "whole[h]", arc="0 -> h"),
    )


def _kind(flags: str) -> str:
    return f"one_{flags}" if flags else "one"


def _item(kind: str, first: str, last: str, gaps: Sequence[_Gap], head: str = "h") -> str:
    return f"{kind}[{', '.join([first, last, head, *(f'({left}, {right})' for left, right in gaps)])}]"


def _numbered(count: int, start: int = 1) -> list[_Gap]:
    return [(f"l{p}", f"r{p}") for p in range(start, start + count)]


def _flags(gaps: int, k: int) -> list[str]:
    """The flags that items with so many gaps can have: those looked at come before those that have not been.

    A gap that is to be split becomes two at least, and a whole has at most k.
    """
    found = []
    for seen in range(gaps + 1):
        for done in map("".join, product("FS", repeat=seen)):
            if done.count("F") + 2 * done.count("S") <= k:
                found.append(done + "O" * (gaps - seen))
    return found


def _item_forms(k: int) -> Iterator[ItemForm]:
    for count in range(k + 1):
        gaps = _numbered(count)
        where = ["first <= h <= n", "first <= i <= j <= n", "h != j", "h != i-1"]
        for p, (left, right) in enumerate(gaps):
            before = "i" if p == 0 else f"r{p}+1"
            where += [f"{before} < {left} <= {right} < j", f"h != {left}-1", f"h != {right}"]
        without = " without " + " and ".join(f"{left}..{right}" for left, right in gaps) if gaps else ""
        for kind in ["any", *map(_kind, _flags(count, k))]:
            which = "" if kind == "any" else "; i and j are below one of them"
            meaning = f"dependents of h, with all below them, over i..j{without}{which}"
            yield ItemForm(_item(kind, "i", "j", gaps), " and ".join(where), meaning)


def _links(k: int) -> Iterator[Step]:
    yield Step("Link leaf", "word[h1] word[h2] => one[h2, h2, h1]", "h1 != h2", arc="h1 -> h2")
    for count in range(k + 1):
        gaps = _numbered(count)
        inside = " and ".join(["h2 in [i, j]", *(f"h2 not in [{left}, {right}]" for left, right in gaps)])
        outside = " or ".join(["h1 not in [i, j]", *(f"h1 in [{left}, {right}]" for left, right in gaps)])
        below, above = _item("any", "i", "j", gaps, "h2"), _item(_kind("O" * count), "i", "j", gaps, "h1")
        yield Step(
            f"Link {count}",
            f"word[h1] ~{below} => {above}",
            f"{inside} and ({outside})" if gaps else f"{inside} and {outside}",
            arc="h1 -> h2",
        )


def _looks(k: int) -> Iterator[Step]:
    """The first gap that has not been looked at is left as it is, filled, narrowed, or left to be split."""
    for count in range(1, k + 1):
        gaps = _numbered(count)
        for flags in _flags(count, k):
            at = flags.find("O")
            if at < 0:
                continue
            before, after = gaps[:at], gaps[at + 1 :]
            done, rest = flags[:at], flags[at + 1 :]
            outer = _item(_kind(flags), "i", "j", gaps)
            for name, letter in (("Keep", "F"), ("Postpone", "S")):
                if done + letter + rest in _flags(count, k):
                    kept = _item(_kind(done + letter + rest), "i", "j", gaps)
                    yield Step(f"{name} gap {at + 1} of {flags}", f"{outer} => {kept}")
            left, right = gaps[at]
            filled = _item(_kind(done + rest), "i", "j", [*before, *after])
            inner = _item("any", left, right, [])
            yield Step(f"Fill gap {at + 1} of {flags}", f"{outer} {inner} => {filled}")
            if done + "F" + rest not in _flags(count, k):
                continue
            for name, first, last, inner_gaps, new in (
                ("Left", left, "m", [], ("m+1", right)),
                ("Right", "m", right, [], (left, "m-1")),
                ("Centre", left, right, [("l", "r")], ("l", "r")),
            ):
                inner = _item("any", first, last, inner_gaps)
                narrowed = _item(_kind(done + "F" + rest), "i", "j", [*before, new, *after])
                yield Step(f"Narrow gap {at + 1} of {flags}, {name}", f"{outer} {inner} => {narrowed}")


def _splits(k: int) -> Iterator[Step]:
    """Once all gaps have been looked at, the first that is to be split is split in two or more."""
    for count in range(1, k + 1):
        gaps = _numbered(count)
        for flags in _flags(count, k):
            at = flags.find("S")
            if "O" in flags or at < 0:
                continue
            outer = _item(_kind(flags), "i", "j", gaps)
            left, right = gaps[at]
            for parts, on_left, on_right in product(range(2, k + 2 - count), (False, True), (False, True)):
                inner_gaps = [(f"l{p}x", f"r{p}x") for p in range(parts - on_left - on_right)]
                inner = _item("any", "a" if on_left else left, "b" if on_right else right, inner_gaps)
                new = [*[(left, "a-1")] * on_left, *inner_gaps, *[("b+1", right)] * on_right]
                split = _item(
                    _kind(flags[:at] + "F" * parts + flags[at + 1 :]), "i", "j", [*gaps[:at], *new, *gaps[at + 1 :]]
                )
                side = {(0, 0): "Centre", (0, 1): "Left", (1, 0): "Right", (1, 1): "Middle"}[on_left, on_right]
                yield Step(f"Split gap {at + 1} of {flags} in {parts}, {side}", f"{outer} {inner} => {split}")


def _follows(k: int) -> Iterator[Step]:
    """The dependent with the first word, its gaps settled, alone or with all that follows it."""
    for count in range(k + 1):
        gaps = _numbered(count)
        yield Step(f"Alone {count}", f"{_item(_kind('F' * count), 'i', 'j', gaps)} => {_item('any', 'i', 'j', gaps)}")
        whole = _item("any", "i", "m", gaps)
        for q in range(count + 1):
            first, second = _item(_kind("F" * q), "i", "j", gaps[:q]), _item("any", "j+1", "m", gaps[q:])
            yield Step(f"Keeping Gaps {q}+{count - q}", f"{first} {second} => {whole}")
        for q in range(1, count + 1):
            left, right = gaps[q - 1]
            first = _item(_kind("F" * (q - 1)), "i", f"{left}-1", gaps[: q - 1])
            second = _item("any", f"{right}+1", "m", gaps[q:])
            yield Step(f"Opening Gap {q} of {count}", f"{first} {second} => {whole}", f"{left} <= {right}")


def _whole() -> list[Step]:
    return [
        Step("Whole", "~any[1, n, h] => whole[h]", "h in [1, n] and first == 1"),
        Step("Whole, one word", "word[h] => whole[h]", "n == 1 and first == 1"),
    ]


def _normalise(item: Item) -> Item:
    """The normal form; where the place of the head alone was a gap, that gap and its letter fall away."""
    kind = str(item[0])
    if not kind.startswith(("any", "one")):
        return item
    normal = normalise_gaps(item)
    lost = (len(item) - len(normal)) // 2
    return (kind[:-lost].rstrip("_"), *normal[1:]) if kind.startswith("one") and lost else (kind, *normal[1:])


def _forms(item: Item) -> Iterable[Item]:
    kind = str(item[0])
    return [(kind, *form[1:]) for form in gap_forms(item)] if kind == "any" else [item]
