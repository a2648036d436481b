"""Categories: a name with finite features, as in ``V[trans +, bridge -]`` or ``N[case:obj]``."""

from __future__ import annotations

from dataclasses import dataclass, field

from nonproj.errors import NonprojError
from nonproj.lifting.notation import Scanner, quoted_name, written_name

ANY = "."


@dataclass(frozen=True, order=True)
class Category:
    """A name and features with values; a category matches those that say no less than it does.

    >>> verb, bridge = Category.parse("V"), Category.parse("V[bridge +, trans:no]")
    >>> verb.subsumes(bridge), bridge.subsumes(verb), str(bridge)
    (True, False, 'V[bridge +, trans:no]')
    >>> Category.parse(".").subsumes(bridge)
    True
    """

    name: str
    features: tuple[tuple[str, str], ...] = ()
    """Sorted by name."""
    is_any: bool = False
    """Written ``.``: matches every category."""
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        if self.is_any and (self.name != ANY or self.features):
            raise NonprojError(f"the category that matches all is {ANY!r}, without features: Category.parse({ANY!r})")
        if not self.name:
            raise NonprojError("a category needs a name, and this one is empty")
        if self.features:
            object.__setattr__(self, "features", tuple(sorted(self.features)))
            if len(dict(self.features)) < len(self.features):
                raise NonprojError(f"a category has each feature once, not {self.features}")
        # Charts look categories up all the time: the hash is computed once.
        object.__setattr__(self, "_hash", hash((self.name, self.features, self.is_any)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        # Strings have other hashes in other processes, so this one is computed anew there.
        return Category, (self.name, self.features, self.is_any)

    @classmethod
    def of(cls, name: str, **features: str) -> Category:
        """Make a category of its parts.

        >>> Category.of("N", case="obj")
        Category.parse('N[case:obj]')
        """
        return cls(name, tuple(features.items()))

    @classmethod
    def parse(cls, text: str) -> Category:
        """Read a category from its text."""
        scanner = Scanner(text)
        category = read_category(scanner)
        scanner.end()
        return category

    def subsumes(self, other: Category) -> bool:
        """Whether the other has the same name and all features of this one, with the same values."""
        return self.is_any or (self.name == other.name and set(self.features) <= set(other.features))

    def __str__(self) -> str:
        if self.is_any:
            return ANY
        shown = ", ".join(_feature(name, value) for name, value in self.features)
        return written_name(self.name) + (f"[{shown}]" if shown else "")

    def __repr__(self) -> str:
        return f"Category.parse({str(self)!r})"


def _feature(name: str, value: str) -> str:
    # A name that is not in quotes ends at its first colon.
    shown = quoted_name(name) if ":" in name else written_name(name)
    return f"{shown} {value}" if value in ("+", "-") else f"{shown}:{written_name(value)}"


def read_category(scanner: Scanner) -> Category:
    """Read a category where the scanner stands."""
    start, is_quoted = scanner.at, bool(scanner.sees('"'))
    name = scanner.name("a category")
    if name == ANY and not is_quoted:
        return Category(ANY, is_any=True)
    features: dict[str, str] = {}
    if scanner.take("["):
        while not scanner.take("]"):
            at = scanner.at
            feature, value = _read_feature(scanner)
            if feature in features:
                raise scanner.error(f"the feature {feature!r} is given twice in one category", at)
            features[feature] = value
            if not scanner.take(",") and not scanner.sees("]"):
                raise scanner.error(f"expected ',' or ']' in the features, found {scanner.found()}")
    if not name:
        raise scanner.error("a category needs a name", start)
    return Category(name, tuple(features.items()))


def _read_feature(scanner: Scanner) -> tuple[str, str]:
    is_quoted = bool(scanner.sees('"'))
    feature = scanner.name("a feature such as 'bridge +' or 'case:obj'")
    value = ""
    if not is_quoted and ":" in feature[1:]:
        feature, _, value = feature.partition(":")
    if not value:
        scanner.take(":")
        if scanner.take("+"):
            value = "+"
        else:
            value = scanner.name(f"a value of the feature {feature!r}: + or - or a name")
    return feature, value
