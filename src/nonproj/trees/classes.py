"""The classes of trees: names, membership, parsing cost, and where each comes from."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.trees.explain import Explanation, explain
from nonproj.trees.profile import PROPERTIES, Profiles, check_dummy
from nonproj.trees.tree import Tree

_Family = _core.Family


@dataclass(frozen=True)
class TreeClass:
    """A set of trees with a name, a membership test, and an explanation of why a tree is outside.

    >>> tree = Tree([2, 3, 0, 3, 2, 7, 5, 4, 3])
    >>> tree in tree_class("MH4"), tree_class("wg_1").contains(tree)
    (True, False)
    >>> print(tree_class("WG1").explain(tree))
    the yields of 2 and 4 interleave: 2 < 4 < 5 < 8
    """

    name: str
    title: str
    definition: str
    reference: str
    exponent: int | None
    """Exact parsing takes O(n^exponent); None where no exact polynomial parser is known."""
    solver: _core.ClassSolver = field(repr=False, compare=False)
    transition_system: str | None = field(default=None, repr=False, compare=False)
    """The name of a transition system that derives exactly these trees; None where there is none here."""
    test: Callable[[Tree], bool] | None = field(default=None, repr=False)
    """The test of a class that `define_class` made."""
    explanation: Callable[[Tree], str] | None = field(default=None, repr=False)
    dummy: str = field(default="left", repr=False)
    """Where the dummy root stands: ``"left"``, or as `tree_class` was asked."""

    @property
    def complexity(self) -> str:
        """The cost of exact parsing, or ``n/a``."""
        return "n/a" if self.exponent is None else f"O(n^{self.exponent})"

    @property
    def properties(self) -> list[str]:
        """The measured properties that decide membership."""
        return [name for bit, name in enumerate(PROPERTIES) if self.solver.needs >> bit & 1]

    def contains(self, tree: Tree) -> bool:
        """Whether the tree belongs to the class; the same as ``tree in cls``."""
        held = self.solver.contains(tree._array)
        if held < 0:
            for name in self.properties:
                tree._measure(name)  # raises for the one that could not be settled
        return bool(held)

    __contains__ = contains

    def holds(self, profiles: Profiles) -> npt.NDArray[np.int8]:
        """Membership of many trees at once: 1 inside, 0 outside, -1 where it could not be settled."""
        if self.solver.has_only_a_test:
            if self.name not in profiles.held:
                raise NonprojError(f"the trees were not measured for {self.name}: give its solver to profile_trees")
            return profiles.held[self.name]
        if profiles.dummy == "none":
            _refuse_without_dummy(self.name)
            if self.name == "1-C":  # with a dummy it is Pr, which the solver asks for
                return (profiles.column("crossing_interval") <= 1).astype(np.int8)
        return self.solver.holds(profiles.table)

    def explain(self, tree: Tree) -> Explanation:
        """Why the tree is outside the class: a smallest reason, as arcs, words and one sentence."""
        inside = self.contains(tree)
        text = self.explanation(tree) if self.explanation is not None and not inside else None
        return explain(tree, self.solver, inside=inside, text=text)

    def __str__(self) -> str:
        return self.name


def _spanning() -> TreeClass:
    solver = _core.ClassSolver("spanning", _Family.spanning)
    return TreeClass("spanning", "every tree", "There is no condition.", "McDonald et al. 2005", 2, solver, "swap")


def _projective() -> TreeClass:
    definition = "The yield of every word, the word with all its descendants, is an interval of the sentence."
    solver = _core.ClassSolver("Pr", _Family.projective)
    return TreeClass("Pr", "projective", definition, "Eisner 1996", 3, solver, "arc-standard")


def _one_endpoint_crossing() -> TreeClass:
    definition = "For every arc, all the arcs that cross it share one vertex. Arcs from the dummy root count."
    solver = _core.ClassSolver("1EC", _Family.one_endpoint_crossing)
    return TreeClass("1EC", "1-endpoint-crossing", definition, "Pitler, Kannan & Marcus 2013", 4, solver)


def _planar(k: int) -> TreeClass:
    title = "planar" if k == 1 else f"{k}-planar"
    planes = "No two arcs cross" if k == 1 else f"The arcs can be divided into {k} planes with no crossing in any"
    definition = f"{planes}. Arcs from the dummy root do not count."
    solver = _core.ClassSolver(f"{k}-P", _Family.planar, k)
    exponent, reference = (3, "Yli-Jyrä & Gómez-Rodríguez 2017") if k == 1 else (None, "Yli-Jyrä 2003")
    return TreeClass(f"{k}-P", title, definition, reference, exponent, solver, _numbered(f"{k}-planar", k))


def _crossing_interval(k: int) -> TreeClass:
    definition = (
        f"Crossed arcs whose intervals meet form a group, and each group has a set of at most {k} vertices that "
        "touches all its arcs and includes every vertex of its interval that has a child beyond its own parent."
    )
    solver = _core.ClassSolver(f"{k}-C", _Family.crossing_interval, k)
    exponent = 3 if k == 1 else None
    system = {1: "arc-standard", 2: "two-register"}.get(k) or _numbered(f"{k}-register", k)
    return TreeClass(f"{k}-C", f"{k}-crossing-interval", definition, "Pitler & McDonald 2015", exponent, solver, system)


_NESTED = "No two disjoint yields interleave, and no yield has more than"
_WELL_NESTED = "Gómez-Rodríguez, Weir & Carroll 2009"


def _gaps(k: int) -> str:
    return "1 gap" if k == 1 else f"{k} gaps"


def WG(k: int) -> TreeClass:
    """WG_k: well-nested trees of gap degree at most k.

    >>> Tree([3, 4, 0, 3]) in WG(1)
    True
    """
    _at_least("WG", k, 1)
    solver = _core.ClassSolver(f"WG{k}", _Family.well_nested, k)
    title = f"well-nested, gap degree ≤ {k}"
    return TreeClass(f"WG{k}", title, f"{_NESTED} {_gaps(k)}.", _WELL_NESTED, 5 + 2 * k, solver)


def MG(k: int) -> TreeClass:
    """MG_k: mildly ill-nested trees, which have a binarisation of gap degree at most k.

    >>> Tree([8, 1, 10, 7, 9, 2, 1, 0, 1, 1]) in MG(1)
    False
    """
    _at_least("MG", k, 1)
    definition = (
        f"No yield has more than {_gaps(k)}, and at every head the yields of the children can be joined two at a time "
        f"so that no union on the way has more than {_gaps(k)}, the head's own place aside."
    )
    solver = _core.ClassSolver(f"MG{k}", _Family.mildly_ill_nested, k)
    title = f"mildly ill-nested, gap degree ≤ {k}"
    return TreeClass(f"MG{k}", title, definition, _WELL_NESTED, 4 + 3 * k, solver)


def MH(k: int) -> TreeClass:
    """MH_k: trees that the multi-headed chart parser derives with items of at most k nodes.

    >>> Tree([3, 4, 0, 3]) in MH(4)
    True
    """
    _at_least("MH", k, 3)
    definition = (
        f"The tree can be put together from items of at most {k} nodes: items that share an end are combined, and a "
        "node inside an item is linked to another of its nodes and dropped."
    )
    solver = _core.ClassSolver(f"MH{k}", _Family.multi_headed, k)
    title = f"multi-headed, items of ≤ {k} nodes"
    return TreeClass(
        f"MH{k}", title, definition, "Gómez-Rodríguez, Carroll & Weir 2011", k, solver, _numbered(f"mh{k}", k)
    )


def AD(d: int) -> TreeClass:
    """AD_d: trees that Attardi's transition system derives with arcs of degree at most d.

    >>> Tree([3, 4, 0, 3]) in AD(2)
    True
    """
    _at_least("AD", d, 1)
    definition = (
        "A shift-reduce parser builds the tree that links the top of its stack with one of the "
        f"{d} words below it, and drops a word once it has all its dependents."
    )
    exponent = 3 if d == 1 else 3 * d + 1
    solver = _core.ClassSolver(f"AD{d}", _Family.attardi, d)
    return TreeClass(f"AD{d}", f"Attardi degree ≤ {d}", definition, "Attardi 2006", exponent, solver, f"attardi-{d}")


def DD(d: int) -> TreeClass:
    """DD_d: trees of drop distance at most d, whose words can be dropped one by one beside their heads.

    Attardi's system derives them when a link over several words puts words back into the input.

    >>> tree = Tree([4, 0, 2, 2, 3])
    >>> tree in DD(2), tree in AD(2)
    (True, False)
    """
    _at_least("DD", d, 1)
    places = "1 place" if d == 1 else f"{d} places"
    definition = (
        "All words can be dropped one at a time, each when its dependents are dropped and its head is at most "
        f"{places} away among the words that are left, the dummy root being one of them."
    )
    solver = _core.ClassSolver(f"DD{d}", _Family.drop_distance, d)
    exponent = 3 if d == 1 else None
    title, system = f"drop distance ≤ {d}", f"attardi-back-{d}"
    return TreeClass(f"DD{d}", title, definition, "after Attardi 2006", exponent, solver, system)


_VARIANTS = {
    1: "two of the three words on top of its stack, or gives the top the next word as its head",
    2: "two of the three words on top of its stack, or gives one of them the next word as its head",
    3: "the top two words of its stack, or gives one of them the third or the next word as its head",
}


def _attardi_variant(k: int) -> TreeClass:
    if k not in _VARIANTS:
        raise NonprojError(f"AV takes a whole number from 1 to {len(_VARIANTS)}, not {k}")
    drops = "and drops a word once it has all its dependents."
    definition = f"A shift-reduce parser builds the tree that links {_VARIANTS[k]}, {drops}"
    solver = _core.ClassSolver(f"AV{k}", _Family.attardi_variant, k)
    reference = "Shi, Gómez-Rodríguez & Lee 2018"
    return TreeClass(
        f"AV{k}", f"Attardi, variant {k}", definition, reference, 6 if k == 3 else 7, solver, f"attardi-variant-{k}"
    )


def _well_nested() -> TreeClass:
    # Without a bound on gaps; inheritance is bounded by more than a tree has words.
    solver = _core.ClassSolver("well-nested", _Family.well_nested, _core.UNBOUNDED, _core.UNBOUNDED - 1)
    definition, reference = "No two disjoint yields interleave.", "Bodirsky, Kuhlmann & Möhl 2005"
    return TreeClass("well-nested", "well-nested, any gap degree", definition, reference, None, solver)


def _inherit(k: int) -> TreeClass:
    title = "WG1, no inherited gap (gap-minding)" if k == 0 else "WG1, at most 1 inherited gap"
    children = "no child" if k == 0 else f"at most {k} child"
    definition = f"{_NESTED} 1 gap; and a word with a gap has {children} whose yield lies on both sides of that gap."
    solver = _core.ClassSolver(f"M{k}I", _Family.well_nested, 1, k)
    return TreeClass(f"M{k}I", title, definition, "Pitler, Kannan & Marcus 2012", 5 + k, solver)


_SPLIT = "if the gap of a word contains the word's head, it contains the whole gap of that head"


def _head_split() -> TreeClass:
    definition = f"{_NESTED} 1 gap; and {_SPLIT}."
    solver = _core.ClassSolver("WG1S", _Family.well_nested, 1, head_split=True)
    return TreeClass("WG1S", "WG1, head-split", definition, "Satta & Kuhlmann 2013", 6, solver)


def _inherit_head_split() -> TreeClass:
    definition = f"The tree is in M1I; and {_SPLIT}."
    solver = _core.ClassSolver("M1IS", _Family.well_nested, 1, 1, True)
    return TreeClass("M1IS", "M1I, head-split", definition, "Satta & Kuhlmann 2013", 5, solver)


def _numbered(system: str, k: int) -> str | None:
    return system if k <= _core.MAX_SYSTEM_NUMBER else None


def _at_least(name: str, k: int, least: int) -> None:
    if not least <= k < _core.UNBOUNDED:
        raise NonprojError(f"{name} takes a whole number from {least} on, not {k}")


_FIXED: dict[str, Callable[[], TreeClass]] = {
    "spanning": _spanning,
    "pr": _projective,
    "projective": _projective,
    "planar": lambda: _planar(1),
    "1ec": _one_endpoint_crossing,
    "1epc": _one_endpoint_crossing,
    "1endpointcrossing": _one_endpoint_crossing,
    "m0i": lambda: _inherit(0),
    "gapminding": lambda: _inherit(0),
    "mild+0inherit": lambda: _inherit(0),
    "m1i": lambda: _inherit(1),
    "mild+1inherit": lambda: _inherit(1),
    "mild": lambda: WG(1),
    "wellnested": _well_nested,
    "wg1s": _head_split,
    "m1is": _inherit_head_split,
    "wis": _inherit_head_split,
}
"""Classes by name, and by what papers call them."""
_FAMILIES: list[tuple[str, Callable[[int], TreeClass]]] = [
    (r"(\d+)p(?:lanar)?", _planar),
    (r"(\d+)(?:c|crossinginterval)", _crossing_interval),
    (r"wg(\d+)", WG),
    (r"mg(\d+)", MG),
    (r"mh(\d+)", MH),
    (r"(?:ad|attardi|attardidegree)(\d+)", AD),
    (r"av(\d+)", _attardi_variant),
    (r"dd(\d+)", DD),
]

_WITH_DUMMY: list[tuple[str, _core.Family, tuple[str, ...]]] = [
    (r"1EC()", _Family.one_endpoint_crossing, ("none",)),
    (r"(\d+)-C", _Family.crossing_interval, ("right", "none")),
    (r"MH(\d+)", _Family.multi_headed, ("right",)),
    (r"AD(\d+)", _Family.attardi, ("right",)),
    (r"AV(\d+)", _Family.attardi_variant, ("right",)),
    (r"DD(\d+)", _Family.drop_distance, ("right",)),
]
"""Classes that are others where the dummy root is not on the left, and where it then is."""
_WHERE = {
    "right": ("dummy root on the right", "The dummy root stands right of the last word."),
    "none": ("no dummy root", "There is no dummy root."),
}
_NEEDS_DUMMY = re.compile(r"(?:MH|AD|AV|DD)\d+")


DEFINED_CLASSES: dict[str, TreeClass] = {}
_DEFINED_IN = {"pp": "nonproj.lifting.structural"}
"""Classes that a module of a later room defines when it is imported."""
_DEFINED_ALIASES = {"nasr": "pp", "pseudoprojective": "pp", "structurallypseudoprojective": "pp"}


def define_class(
    name: str,
    contains: Callable[[Tree], bool],
    *,
    explain: Callable[[Tree], str] | None = None,
    is_hereditary: bool = False,
    title: str = "",
    definition: str = "",
    reference: str = "",
) -> TreeClass:
    """Define a class of trees by a test of your own; its name then works wherever a class can be named.

    ``contains(tree)`` says whether a tree belongs to it, and ``explain(tree)``, if given, why one does not. Coverage,
    classification, the census and explanations ask the test of every tree. `decode` is exact as well, by relax and
    check: every tree that the test refuses is ruled out, and the next best is asked for. Say ``is_hereditary=True`` if
    taking away a leaf never takes a tree out of the class: then a refused tree rules out all trees with the same small
    refused part, which is much faster. Without it a single tree is ruled out at a time, and decoding may end at its
    work limit, with ``.is_optimal`` false. The test may be called from several threads.

    To define a name again replaces it.

    >>> def is_head_first(tree):
    ...     return all(head < word for word, head in enumerate(tree.heads, start=1))
    >>> head_first = define_class("head-first", is_head_first)
    >>> Tree([0, 1, 2]) in head_first, Tree([2, 0]) in head_first
    (True, False)
    >>> print(head_first.explain(Tree([2, 0])))
    the tree is outside head-first
    """
    key = _key(name)
    if not key or re.search(r"[\s,@]", name):
        raise NonprojError(f"a class needs a name without spaces, commas and @, not {name!r}")
    if key in _FIXED or any(re.fullmatch(pattern, key) for pattern, _ in _FAMILIES):
        raise NonprojError(f"there is a class called {name!r} already: choose another name")
    if not callable(contains):
        raise NonprojError(f"contains must be a function of a tree, not {type(contains).__name__}")
    solver = _core.ClassSolver.custom(name, lambda heads: bool(contains(Tree(heads))), is_hereditary)
    made = TreeClass(name, title or name, definition, reference, None, solver, None, contains, explain)
    DEFINED_CLASSES[key] = made
    return made


def tree_class(name: str | TreeClass, dummy: str = "left") -> TreeClass:
    """The class of that name; case, ``_`` and ``-`` do not matter, and k may be any number.

    Names that papers give work too: ``"projective"``, ``"2-planar"``, ``"1-endpoint-crossing"``, ``"gap-minding"``,
    ``"Mild+1-Inherit"``, ``"WIS"``, ``"pseudo-projective"`` (structurally: ``PP``).

    ``dummy`` says where the dummy root stands: ``"left"`` of the first word, ``"right"`` of the last one, or
    ``"none"``. Where that makes another class, its name says so, and works as a name: ``2-C@right``, ``1EC@none``.
    On the right k-C changes, and MH_k, AD_d, AV_k and DD_d for trees with several roots. Without a dummy 1EC and k-C
    change, and MH_k, AD_d, AV_k and DD_d, whose parsers hold it in items and on stacks, have no meaning. All others
    stay as they are: yields are made of words, planes of arcs between words, and in MG_k the roots are joined whatever
    is above them.

    >>> tree_class("mh_4").name, tree_class("2p").name, tree_class("WG1").complexity
    ('MH4', '2-P', 'O(n^7)')
    >>> tree = Tree([2, 0, 1, 3, 4, 4, 5])
    >>> tree in tree_class("2-C"), tree in tree_class("2-C", dummy="right"), tree in tree_class("4-C@right")
    (True, False, True)
    """
    check_dummy(dummy)
    if isinstance(name, TreeClass):
        return _placed(name, dummy) if dummy != "left" else name
    plain, _, place = name.partition("@")
    if "@" in name and (place not in _WHERE or dummy not in ("left", place)):
        raise NonprojError(f"{name}: after @ stands where the dummy root is, right or none, and not another place")
    key = _DEFINED_ALIASES.get(_key(plain), _key(plain))
    if key in _DEFINED_IN and key not in DEFINED_CLASSES:
        importlib.import_module(_DEFINED_IN[key])
    cls = DEFINED_CLASSES[key] if DEFINED_CLASSES and key in DEFINED_CLASSES else _class_called(plain)
    return _placed(cls, place or dummy) if place or dummy != "left" else cls


@lru_cache(maxsize=256)
def _placed(cls: TreeClass, dummy: str) -> TreeClass:
    """The class with the dummy root elsewhere: the same class where that does not matter."""
    if cls.dummy == dummy:
        return cls
    if cls.dummy != "left":
        raise NonprojError(f"{cls.name} already says where the dummy root is: it cannot be {dummy} as well")
    if dummy == "none":
        _refuse_without_dummy(cls.name)
    for pattern, family, places in _WITH_DUMMY:
        match = re.fullmatch(pattern, cls.name)
        if match and dummy in places and cls.test is None:
            name, (title, sentence) = f"{cls.name}@{dummy}", _WHERE[dummy]
            definition = cls.definition.removesuffix(" Arcs from the dummy root count.")
            return replace(
                cls,
                name=name,
                title=f"{cls.title}, {title}",
                definition=f"{definition} {sentence}",
                exponent=None if dummy == "none" else cls.exponent,
                solver=_core.ClassSolver.with_dummy(name, family, int(match[1] or 0), getattr(_core.Dummy, dummy)),
                transition_system=None,
                dummy=dummy,
            )
    return cls


def _refuse_without_dummy(name: str) -> None:
    if _NEEDS_DUMMY.fullmatch(name):
        raise NonprojError(
            f"{name} has no meaning without a dummy root, which its parser's items or stacks hold: "
            "leave the class out, or put the dummy left or right"
        )


def _key(name: str) -> str:
    return re.sub(r"[-_\s]", "", name).lower()


@lru_cache(maxsize=256)
def _class_called(name: str) -> TreeClass:
    key = _key(name)
    if key in _FIXED:
        return _FIXED[key]()
    for pattern, make in _FAMILIES:
        match = re.fullmatch(pattern, key)
        if match and len(match[1]) <= 10 and int(match[1]) < _core.UNBOUNDED:
            if int(match[1]) < 1:
                raise NonprojError(f"{name}: the number must be at least 1")
            return make(int(match[1]))
    known = ", ".join(cls.name for cls in CATALOGUE)
    raise NonprojError(f"no class of trees is called {name!r}; try one of {known}, or another k")


def tree_classes(names: str | Iterable[str | TreeClass] = "all", *, dummy: str = "left") -> list[TreeClass]:
    """Several classes: ``"all"`` for the catalogue, names in one string with commas, or a list.

    ``dummy`` is that of the trees that they will be asked about: ``"all"`` leaves out the classes that have no meaning
    without a dummy root, and to name one is an error.

    >>> [cls.name for cls in tree_classes("Pr, wg1, 2-P")]
    ['Pr', 'WG1', '2-P']
    """
    check_dummy(dummy)
    if isinstance(names, str):
        if names.strip().lower() == "all":
            return [cls for cls in CATALOGUE if dummy != "none" or not _NEEDS_DUMMY.fullmatch(cls.name)]
        names = [name for name in re.split(r"[,\s]+", names) if name]
    classes = {cls.name: cls for cls in map(tree_class, names)}
    if not classes:
        raise NonprojError("name at least one class, or 'all'")
    if dummy == "none":
        for name in classes:
            _refuse_without_dummy(name)
    return list(classes.values())


CATALOGUE: tuple[TreeClass, ...] = tuple(
    tree_classes("Pr 1-P 1EC MH4 M0I M1IS MH5 M1I WG1S MH6 WG1 MG1 AD2 MH7 MH8 WG2 MH9 2-P 2-C")
)
"""The classes of the coverage study, by growing cost of exact parsing; those without such a parser last."""
