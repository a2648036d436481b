"""One step of a transition system."""

from __future__ import annotations

from typing import NamedTuple


class Transition(NamedTuple):
    """A transition: its name in the system, and the label of the arc it makes, if it makes one and has one.

    >>> str(Transition("LA", "det")), Transition.parse("RA_obl:unmarked")
    ('LA_det', Transition(name='RA', label='obl:unmarked'))
    """

    name: str
    label: str | None = None

    def __str__(self) -> str:
        return self.name if self.label is None else f"{self.name}_{self.label}"

    @classmethod
    def parse(cls, text: str) -> Transition:
        """Read what ``str`` wrote: a name, then ``_`` and the label if there is one."""
        name, separator, label = text.partition("_")
        return cls(name, label if separator else None)
