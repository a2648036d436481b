"""Categories: a name with finite features, as in ``V[trans +, bridge -]`` or ``N[case:obj]``."""

from __future__ import annotations

from dataclasses import dataclass

from nonproj.errors import NonprojError
from nonproj.lifting.notation import Scanner, written_name

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

    @classmethod
    def of(cls, name: str, **features: str) -> Category:
        """Make a category of its parts.

        >>> Category.of("N", case="obj")
        Category('N[case:obj]')
        """
        return cls(name, tuple(sorted(features.items())))

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
        return f"Category({str(self)!r})"


def _feature(name: str, value: str) -> str:
    if value in ("+", "-"):
        return f"{written_name(name)} {value}"
    return f"{_split_safe(name)}:{written_name(value)}"


def _split_safe(name: str) -> str:
    return f'"{name}"' if ":" in name else written_name(name)


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
    return Category(name, tuple(sorted(features.items())))


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


def categories_of(text: str) -> list[Category]:
    """Read categories with commas between them.

    >>> categories_of("V, N[case:nom]")
    [Category('V'), Category('N[case:nom]')]
    """
    scanner = Scanner(text)
    found = [read_category(scanner)]
    while scanner.take(","):
        found.append(read_category(scanner))
    scanner.end()
    if not found:
        raise NonprojError("expected at least one category")
    return found
