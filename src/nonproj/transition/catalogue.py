"""Which transition systems there are, and what each derives: the core's table, with what papers say of its rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from nonproj import _core


@dataclass(frozen=True)
class SystemKind:
    """A transition system, or a family of them with a number: a degree, planes, nodes."""

    key: str
    title: str
    reference: str
    length: str
    """How many transitions a tree of n words takes at most."""
    row: _core.SystemRow = field(repr=False, compare=False)
    own: tuple[str, ...] = ()
    """Transitions that the reference does not have: without them words would be left without a head."""

    @property
    def example(self) -> int:
        """The number that stands for the family in lists; 0 where there is none."""
        return self.row.example

    @property
    def oracles(self) -> tuple[str, ...]:
        """Its oracles, where there are several; the first is the default."""
        return tuple(self.row.oracles)

    @property
    def has_arcs(self) -> bool:
        """Whether it makes arcs: if so, a parser can be trained for it."""
        return self.row.has_arcs

    @property
    def has_cost(self) -> bool:
        """Whether the cost of its transitions is known."""
        return self.row.has_cost

    def shown(self, number: int) -> str:
        """Its name, given the number."""
        return self.row.name(number)

    def class_name(self, number: int) -> str:
        """The class of the trees that it derives, given the number."""
        return self.row.class_name(number)


# title, reference, length
_DESCRIPTIONS = {
    "arc-standard": ("stack, bottom-up", "Nivre 2004", "2n"),
    "arc-hybrid": ("stack and buffer, bottom-up", "Kuhlmann, Gómez-Rodríguez & Satta 2011", "2n"),
    "arc-eager": ("stack and buffer, arcs as early as can be", "Nivre 2003", "2n"),
    "sorting": ("sorts into projective order, without arcs", "Nivre 2009", "n + swaps"),
    "sort-parse": ("arc-standard on a list that is sorted as it grows", "Nivre 2009", "2n + swaps"),
    "swap": ("arc-standard with swaps on the stack", "Nivre, Kuhlmann & Hall 2009", "2n + 2 swaps"),
    "attardi": ("arcs between the stack's top and the d words below it", "Attardi 2006", "2n"),
    "attardi-variant": ("Attardi's system with more pairs to link", "Shi, Gómez-Rodríguez & Lee 2018", "2n"),
    "attardi-back": ("Attardi's system with words put back into the input", "after Attardi 2006", "(d + 1) n"),
    "planar": ("k stacks, one a plane", "Gómez-Rodríguez & Nivre 2010", "(2k + 1) n"),
    "two-register": ("a stack and two registers", "Pitler & McDonald 2015", "3.5n + 1.5"),
    "k-register": (
        "a stack and k registers, impractical: 8k + 8 transitions",
        "after Pitler & McDonald 2015",
        "3.5n + 1.5",
    ),
    "covington": ("every word with every word before it", "Covington 2001", "n(n + 1)/2 + roots"),
    "mh": ("a stack of items of k nodes", "Gómez-Rodríguez 2016", "3n + 1"),
}

_OWN = {"planar": ("ROOT",), "covington": ("ROOT",)}

SYSTEMS: tuple[SystemKind, ...] = tuple(
    SystemKind(row.key, *_DESCRIPTIONS[row.key], row, _OWN.get(row.key, ())) for row in _core.transition_systems()
)


def find_system(name: str) -> tuple[SystemKind, int]:
    """The system of that name and the number in it, or an error that lists the names."""
    key, number = _core.find_system(name)
    return next(kind for kind in SYSTEMS if kind.key == key), number
