"""The schemata by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from nonproj.errors import NonprojError
from nonproj.schema.schema import Schema
from nonproj.schema.systems.arc_standard import ARC_STANDARD
from nonproj.schema.systems.attardi import AD2
from nonproj.schema.systems.eisner import CYK, EISNER
from nonproj.schema.systems.flags import wgk_unambiguous
from nonproj.schema.systems.gap_minding import GAP_MINDING, GRANDPARENTS
from nonproj.schema.systems.gaps import mgk, mgk_for_tree, wgk
from nonproj.schema.systems.head_split import M1IS, WG1S
from nonproj.schema.systems.mh4_planes import MH4_PLANES
from nonproj.schema.systems.mhk import mhk, mhk_transitions
from nonproj.schema.systems.one_endpoint_crossing import one_endpoint_crossing
from nonproj.schema.systems.unlexicalised import WG1_PRINTED, WG1_PRINTED_WIDE, WG1_UNLEXICALISED
from nonproj.schema.systems.wg1 import M1I, MG1, WG1
from nonproj.trees import Tree

_FIXED = (
    *(EISNER, CYK, ARC_STANDARD, GAP_MINDING, GRANDPARENTS, M1IS, M1I, WG1S),
    *(WG1, WG1_UNLEXICALISED, WG1_PRINTED, WG1_PRINTED_WIDE, MG1, MH4_PLANES, AD2),
)
_LARGE = 4
_FAMILIES: dict[str, Callable[[int], Schema]] = {
    r"wg(\d{1,2})": wgk,
    r"wg(\d{1,2})unambiguous": wgk_unambiguous,
    r"mg(\d{1,2})": mgk,
    r"mh(\d{1,2})": mhk,
    r"mh(\d{1,2})transitions": mhk_transitions,
}


@cache
def parsing_schema(name: str) -> Schema:
    """The schema of that name; case, ``_`` and ``-`` do not matter, and k may be any number.

    >>> parsing_schema("wg_1").title, parsing_schema("MH4").name
    ('well-nested trees of gap degree at most 1', 'MH4')
    """
    key = _key(name)
    for schema in _FIXED:
        if _key(schema.name) == key:
            return schema
    if key == "1ec":
        return one_endpoint_crossing()
    for pattern, make in _FAMILIES.items():
        match = re.fullmatch(pattern, key)
        if match:
            return make(int(match[1]))
    known = ", ".join(schema.name for schema in catalogue())
    if key in ("wgk", "mgk", "mhk"):
        raise NonprojError(f"{name} is a family of schemata: say a number for k, such as {key[:2].upper()}4")
    raise NonprojError(f"no schema is called {name!r}; try one of {known}, or another k")


def schema_for_tree(name: str, tree: Tree) -> Schema:
    """The schema of that name, or of one that is too large to write out, MG4 and up, the steps that the tree needs.

    >>> from nonproj import Tree
    >>> tree = Tree([0, 1, 1, 2, 3, 4])
    >>> schema_for_tree("MG50", tree).recognises(tree)
    True
    """
    match = re.fullmatch(r"mg(\d{1,2})", _key(name))
    return mgk_for_tree(int(match[1]), tree) if match and int(match[1]) >= _LARGE else parsing_schema(name)


def catalogue() -> list[Schema]:
    """The schemata of the papers, from the smallest class to the largest; of families, the first few members.

    >>> [schema.name for schema in catalogue()][:4]
    ['Eisner', 'CYK', 'arc-standard', 'M0I']
    """
    return [
        *_FIXED,
        one_endpoint_crossing(),
        wgk_unambiguous(1),
        wgk(2),
        mgk(2),
        mhk(4),
        mhk_transitions(4),
        mhk(5),
        mhk(6),
    ]


def _key(name: str) -> str:
    return re.sub(r"[-_\s]", "", name).lower()
