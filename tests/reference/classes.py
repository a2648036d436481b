"""Every class by its name."""

from collections.abc import Callable

from .attardi import VARIANTS, can_be_dropped, is_attardi, is_attardi_variant
from .binarisation import is_mildly_ill_nested
from .crossings import is_crossing_interval, is_k_planar, is_one_endpoint_crossing
from .enumeration import Heads
from .multiheaded import is_multiheaded
from .yields import gap_degree, inheritance_degree, is_head_split, is_projective, is_well_nested


def is_well_nested_with_gaps(heads: Heads, k: int) -> bool:
    """Say whether the tree is in WG_k."""
    return gap_degree(heads) <= k and is_well_nested(heads)


def is_inheriting(heads: Heads, degree: int) -> bool:
    """Say whether the tree is in Mild+Inherit: WG_1 with an inheritance degree of at most this."""
    return is_well_nested_with_gaps(heads, 1) and inheritance_degree(heads) <= degree


CLASSES: dict[str, Callable[[Heads], bool]] = {
    "Pr": is_projective,
    "1-P": lambda heads: is_k_planar(heads, 1),
    "2-P": lambda heads: is_k_planar(heads, 2),
    "3-P": lambda heads: is_k_planar(heads, 3),
    "1EC": is_one_endpoint_crossing,
    "2-C": lambda heads: is_crossing_interval(heads, 2),
    "3-C": lambda heads: is_crossing_interval(heads, 3),
    "WG1": lambda heads: is_well_nested_with_gaps(heads, 1),
    "WG2": lambda heads: is_well_nested_with_gaps(heads, 2),
    "M0I": lambda heads: is_inheriting(heads, 0),
    "M1I": lambda heads: is_inheriting(heads, 1),
    "WG1S": lambda heads: is_well_nested_with_gaps(heads, 1) and is_head_split(heads),
    "M1IS": lambda heads: is_inheriting(heads, 1) and is_head_split(heads),
    "MG1": lambda heads: is_mildly_ill_nested(heads, 1),
    "MG2": lambda heads: is_mildly_ill_nested(heads, 2),
    "MH4": lambda heads: is_multiheaded(heads, 4),
    "MH5": lambda heads: is_multiheaded(heads, 5),
    "MH6": lambda heads: is_multiheaded(heads, 6),
    "AD2": lambda heads: is_attardi(heads, 2),
    "AD3": lambda heads: is_attardi(heads, 3),
    "DD2": lambda heads: can_be_dropped(heads, 2),
    "DD3": lambda heads: can_be_dropped(heads, 3),
    "AV1": lambda heads: is_attardi_variant(heads, VARIANTS[1]),
    "AV2": lambda heads: is_attardi_variant(heads, VARIANTS[2]),
    "AV3": lambda heads: is_attardi_variant(heads, VARIANTS[3]),
}
