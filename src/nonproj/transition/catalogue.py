"""Which transition systems there are, and what each derives."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from nonproj.errors import NonprojError


@dataclass(frozen=True)
class SystemKind:
    """A transition system, or a family of them with a number: a degree, planes, nodes."""

    key: str
    title: str
    reference: str
    names: str
    """A pattern for its names, without case, ``-`` and ``_``; a group in it is the number."""
    shown: Callable[[int], str]
    """Its name, given the number."""
    class_name: Callable[[int], str]
    """The class of the trees that it derives, given the number."""
    length: str
    """How many transitions a tree of n words takes at most."""
    example: int = 0
    """The number that stands for the family in lists."""
    oracles: tuple[str, ...] = ()
    """Its oracles, where there are several; the first is the default."""
    has_arcs: bool = True


SYSTEMS: tuple[SystemKind, ...] = (
    SystemKind(
        "arc-standard", "stack, bottom-up", "Nivre 2004", "arcstandard",
        lambda _: "arc-standard", lambda _: "Pr", "2n",
    ),
    SystemKind(
        "arc-hybrid", "stack and buffer, bottom-up", "Kuhlmann, Gómez-Rodríguez & Satta 2011", "archybrid",
        lambda _: "arc-hybrid", lambda _: "Pr", "2n",
    ),
    SystemKind(
        "arc-eager", "stack and buffer, arcs as early as can be", "Nivre 2003", "arceager",
        lambda _: "arc-eager", lambda _: "Pr", "2n",
    ),
    SystemKind(
        "sorting", "sorts into projective order, without arcs", "Nivre 2009", "sorting|sort",
        lambda _: "sorting", lambda _: "spanning", "n + swaps", has_arcs=False,
    ),
    SystemKind(
        "sort-parse", "arc-standard on a list that is sorted as it grows", "Nivre 2009", "sortparse|sortingandparsing",
        lambda _: "sort-parse", lambda _: "spanning", "2n + swaps", oracles=("completed", "eager", "printed"),
    ),
    SystemKind(
        "swap", "arc-standard with swaps on the stack", "Nivre, Kuhlmann & Hall 2009", "swap|spanning",
        lambda _: "swap", lambda _: "spanning", "2n + 2 swaps", oracles=("eager", "lazy"),
    ),
    SystemKind(
        "attardi", "arcs between the stack's top and the d words below it", "Attardi 2006", r"(?:attardi|ad)(\d+)",
        lambda d: f"attardi-{d}", lambda d: f"AD{d}", "2n", example=2,
    ),
    SystemKind(
        "planar", "k stacks, one a plane", "Gómez-Rodríguez & Nivre 2010", r"(\d+)p(?:lanar)?",
        lambda k: f"{k}-planar", lambda k: f"{k}-P", "(2k + 1) n", example=2,
    ),
    SystemKind(
        "two-register", "a stack and two registers", "Pitler & McDonald 2015", "tworegisters?|2registers?|2c",
        lambda _: "two-register", lambda _: "2-C", "3.5n + 1.5",
    ),
    SystemKind(
        "covington", "every word with every word before it", "Covington 2001", "covington",
        lambda _: "covington", lambda _: "spanning", "n(n + 1)/2 + roots",
    ),
    SystemKind(
        "mh", "a stack of items of k nodes", "Gómez-Rodríguez 2016", r"mh(\d+)",
        lambda k: f"mh{k}", lambda k: f"MH{k}", "3n + 1", example=4,
    ),
)  # fmt: skip


def find_system(name: str) -> tuple[SystemKind, int]:
    """The system of that name and the number in it, or an error that lists the names."""
    key = re.sub(r"[-_\s]", "", name).lower()
    if key == "pr":
        key = "arcstandard"
    for kind in SYSTEMS:
        match = re.fullmatch(kind.names, key)
        if match:
            number = int(match[1][:10]) if match.groups() and match[1] else 0
            return kind, min(number, 2**31 - 1)
    known = ", ".join(kind.shown(kind.example) for kind in SYSTEMS)
    raise NonprojError(f"no transition system is called {name!r}; there are {known}, with other numbers too")
