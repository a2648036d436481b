"""WG_k and MG_k: any number of gaps, with one step for each way two sets of blocks can lie to each other.

Gómez-Rodríguez, Weir & Carroll 2009, section 4 and Figure 1B (well-nested, O(n^(5+2k))); section 5 and Figure 1D
(mildly ill-nested, O(n^(4+3k)), with the bounds k+1, k+1 and k of the text, which the figure prints one too low).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby, pairwise

from nonproj.errors import NonprojError
from nonproj.schema.normal import gap_forms, normalise_gaps
from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema
from nonproj.schema.systems.size import refuse_large
from nonproj.trees import Tree, binarise
from nonproj.trees.binarisation import Bracket

_LEFT_OVER = {"Centre": (False, False), "Left": (False, True), "Right": (True, False), "Middle": (True, True)}
_COUNTED = 20
_INSTEAD = "for the general form (schema show MGk), for the strings (schema strings), or for the trace of a tree"
_PAPER = "Gómez-Rodríguez, Weir & Carroll 2009"


@cache
def wgk(k: int) -> Schema:
    """The schema of Figure 1B for gap degree k."""
    refuse_large(f"WG{k}", sum(2 * g + 1 + len(list(_shrinkings(k, g))) for g in range(k + 1)), 2 * k + 3)
    return _schema(
        f"WG{k}", f"well-nested trees of gap degree at most {k}", "section 4.1, Figure 1B", k, [*_well_nested(k)]
    )


@cache
def mgk(k: int) -> Schema:
    """The schema of Figure 1D for gap degree k."""
    # The number of steps itself has a hundred digits for the largest k: a smaller one will do to refuse it.
    refuse_large(f"MG{k}", number_of_combinations(min(k, _COUNTED)), 2 * k + 3, at_least=k > _COUNTED, instead=_INSTEAD)
    steps = [_combination(string) for string in combination_strings(k)]
    return _schema(f"MG{k}", f"mildly ill-nested trees of gap degree at most {k}", "section 5.1, Figure 1D", k, steps)


def mgk_for_tree(k: int, tree: Tree) -> Schema:
    """The part of MG_k that a tree needs: the Combine steps of one of its binarisations, and items of no more gaps.

    So it stays small however large k is.

    >>> tree = Tree([0, 1, 1, 2, 3, 4])
    >>> schema = mgk_for_tree(7, tree)
    >>> [step.name for step in schema.steps if step.name.startswith("Combine")], schema.recognises(tree)
    (['Combine ababa'], True)
    """
    strings = sorted(set(binarisation_strings(tree)))
    kept = [s for s in strings if max(s.count("a"), s.count("b")) <= k + 1 and s.count("g") <= k]
    title = f"mildly ill-nested trees of gap degree at most {k}, the steps that one tree needs"
    gaps = min(k, max(1, tree.mg))  # no item of the tree has more
    schema = _schema(f"MG{k}", title, "section 5.1, Figure 1D", gaps, [_combination(string) for string in kept])
    return replace(schema, shortfall="trees that need other Combine steps")


def binarisation_strings(tree: Tree) -> Iterator[str]:
    """The string of section 5.1 for every join of one binarisation of a tree, each beginning with a.

    >>> list(binarisation_strings(Tree([0, 1, 1, 2, 3, 4])))
    ['ababa']
    """
    for head, bracket in binarise(tree).brackets.items():
        yield from _strings(tree, head, bracket)[1]


def _strings(tree: Tree, head: int, bracket: Bracket) -> tuple[set[int], list[str]]:
    """The words of a bracket in normal form, the head among them exactly if the next word is, and its strings."""
    if isinstance(bracket, int):
        words = set(tree.yield_of(bracket))
        return words | ({head} if head + 1 in words else set()), []
    (first, before), (second, after) = (_strings(tree, head, part) for part in bracket)
    words = first | second
    a, b = (first, second) if min(first) < min(second) else (second, first)
    symbols = ["a" if place in a else "b" if place in b else "g" for place in range(min(words), max(words) + 1)]
    return words, [*before, *after, "".join(symbol for symbol, _ in groupby(symbols))]


def _schema(name: str, title: str, where: str, k: int, combinations: Sequence[Step]) -> Schema:
    if k < 1:
        raise NonprojError(f"{name}: the number of gaps must be at least 1")
    return Schema(
        name,
        title,
        f"{_PAPER}, {where}",
        class_name=name,
        normalise=normalise_gaps,
        forms=gap_forms,
        items=[_form(gaps) for gaps in range(k + 1)],
        hypotheses=[Hypothesis("[h, h, h]", "first <= h <= n")],
        steps=[*(_link(gaps) for gaps in range(k + 1)), *combinations],
        final=Step("Final", "~[0, n, 0]"),
        single_root_final=Step("Final", "~[1, n, h]", where="h in [1, n]", link="h -> 0"),
    )


def _item(first: str, last: str, head: str, gaps: Sequence[tuple[str, str]]) -> str:
    return f"[{', '.join([first, last, head, *(f'({left}, {right})' for left, right in gaps)])}]"


def _numbered(count: int) -> list[tuple[str, str]]:
    return [(f"l{p}", f"r{p}") for p in range(1, count + 1)]


def _form(gaps: int) -> ItemForm:
    pairs = _numbered(gaps)
    conditions = ["first <= h <= n", "first <= i <= j <= n", "h != j", "h != i-1"]
    for p, (left, right) in enumerate(pairs):
        before = "i" if p == 0 else f"r{p}+1"
        conditions += [f"{before} < {left} <= {right} < j", f"h != {left}-1", f"h != {right}"]
    without = " and ".join(f"{left}..{right}" for left, right in pairs)
    meaning = "a tree with the root h over {h} and i..j" + (f" without {without}" if pairs else "")
    return ItemForm(_item("i", "j", "h", pairs), " and ".join(conditions), meaning)


def _link(gaps: int) -> Step:
    """Link, for an item with this number of gaps."""
    pairs = _numbered(gaps)
    in_block = " and ".join(["h2 in [i2, j2]", *(f"h2 not in [{left}, {right}]" for left, right in pairs)])
    outside = " or ".join(["h1 not in [i2, j2]", *(f"h1 in [{left}, {right}]" for left, right in pairs)])
    antecedent, consequent = _item("i2", "j2", "h2", pairs), _item("i2", "j2", "h1", pairs)
    where = f"{in_block} and ({outside})" if pairs else f"{in_block} and {outside}"
    return Step(f"Link {gaps}", f"[h1, h1, h1] ~{antecedent} => {consequent}", where, "h2 -> h1")


def _well_nested(k: int) -> Iterator[Step]:
    """The Combine steps of Figure 1B, for every number g of gaps in the consequent and every q and s."""
    for g in range(k + 1):
        gaps = _numbered(g)
        for q in range(g + 1):
            first, second = _item("i", "j", "h", gaps[:q]), _item("j+1", "m", "h", gaps[q:])
            yield _combine(f"Keeping Gaps {q}+{g - q}", first, second, _item("i", "m", "h", gaps))
        for q in range(1, g + 1):
            left, right = gaps[q - 1]
            first, second = _item("i", f"{left}-1", "h", gaps[: q - 1]), _item(f"{right}+1", "m", "h", gaps[q:])
            yield _combine(f"Opening Gap {q} of {g}", first, second, _item("i", "m", "h", gaps), f"{left} <= {right}")
        yield from _shrinking(k, gaps)


def _shrinking(k: int, gaps: list[tuple[str, str]]) -> Iterator[Step]:
    """An outer item and an inner one in its gap l..r; gaps q+1 to s-1 of the consequent come from the inner.

    What is left of the outer gap is nothing (Centre), gap s on its right (Left), gap q on its left (Right), or both.
    The last is not in Figure 1B, but follows from section 5.1 (the string agbga), and without it 84 trees of WG_2 with
    6 words are lost.
    """
    g = len(gaps)
    for name, q, s in _shrinkings(k, g):
        on_left, on_right = _LEFT_OVER[name]
        before, after = gaps[: q - on_left], gaps[s - 1 + on_right :]
        outer_gap = (gaps[q - 1][0] if on_left else "l", gaps[s - 1][1] if on_right else "r")
        first = f"{gaps[q - 1][1]}+1" if on_left else "l"
        last = f"{gaps[s - 1][0]}-1" if on_right else "r"
        yield _combine(
            f"Shrinking Gap {name} {len(before) + 1} by {s - 1 - q} in {g}",
            _item("i", "j", "h", [*before, outer_gap, *after]),
            _item(first, last, "h", gaps[q : s - 1]),
            _item("i", "j", "h", gaps),
        )


def _shrinkings(k: int, g: int) -> Iterator[tuple[str, int, int]]:
    """What is left over, q and s, for consequents with g gaps, where the outer item has at most k."""
    for name, (on_left, on_right) in _LEFT_OVER.items():
        for q in range(on_left, g + 1):
            for s in range(q + 1, g + 2 - on_right):
                if q - on_left + 1 + max(0, g - (s - 1 + on_right)) <= k:
                    yield name, q, s


def _combine(name: str, first: str, second: str, consequent: str, where: str = "") -> Step:
    return Step(f"Combine {name}", f"{first} {second} => {consequent}", where)


def combination_strings(k: int, *, well_nested: bool = False) -> Iterator[str]:
    """The strings of section 5.1 that begin with a, in order: the blocks of two items, and the gaps left between them.

    ``well_nested`` leaves out those with abab scattered in them: the others are the Combine steps of WG_k.

    >>> list(combination_strings(1))
    ['ab', 'aba', 'abab', 'abagb', 'abga', 'abgab', 'abgb', 'abgba', 'agab', 'agb', 'agba', 'agbab']
    >>> list(combination_strings(1, well_nested=True))
    ['ab', 'aba', 'abga', 'abgb', 'abgba', 'agab', 'agb', 'agba']
    """

    def extended(string: str) -> Iterator[str]:
        if well_nested and interleaves(string):
            return
        if string[-1] != "g" and "b" in string:
            yield string
        for symbol, most in (("a", k + 1), ("b", k + 1), ("g", k)):
            if symbol != string[-1] and string.count(symbol) < most:
                yield from extended(string + symbol)

    return extended("a")


def interleaves(string: str) -> bool:
    """Whether a string that begins with a has abab scattered in it, so that its step joins interleaving subtrees."""
    letters = iter(string)
    return all(letter in letters for letter in "abab")


def number_of_combinations(k: int) -> int:
    """How many `combination_strings` there are, counted without writing them out.

    >>> number_of_combinations(1), number_of_combinations(2)
    (12, 89)
    """

    @cache
    def ways(last: str, a: int, b: int, g: int) -> int:
        """The strings that go on from one with so many of each symbol, itself included."""
        left = {"a": (a < k + 1, (a + 1, b, g)), "b": (b < k + 1, (a, b + 1, g)), "g": (g < k, (a, b, g + 1))}
        onward = sum(ways(symbol, *counts) for symbol, (may, counts) in left.items() if may and symbol != last)
        return onward + (last != "g" and b > 0)

    return ways("a", 1, 0, 0)


def _combination(string: str) -> Step:
    """The step of Figure 1D for one string: symbol t stands for the block i_t .. i_(t+1) - 1."""
    places = {symbol: [t for t, found in enumerate(string, 1) if found == symbol] for symbol in "abg"}

    def item(symbol: str) -> str:
        own = places[symbol]
        gaps = [(f"i{left + 1}", f"i{right}-1") for left, right in pairwise(own)]
        return _item(f"i{own[0]}", f"i{own[-1] + 1}-1", "h", gaps)

    gaps = [(f"i{t}", f"i{t + 1}-1") for t in places["g"]]
    return _combine(string, item("a"), item("b"), _item("i1", f"i{len(string) + 1}-1", "h", gaps))
