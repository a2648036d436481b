"""How everything here is measured: repetitions taken in turn, the rows of a table, and what counts as met."""

from __future__ import annotations

import gc
import importlib
import math
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

Answer = TypeVar("Answer")
Other = TypeVar("Other")

SHORTEST = 0.002
"""Seconds that one repetition should last: a faster function is called several times over."""


class Disagreement(AssertionError):
    """Two sides of a benchmark gave different answers, so their times mean nothing."""


class Absent(Exception):
    """Something to measure is not there: a peer that is not installed, or a part of nonproj yet to come."""


def peer(module: str) -> Any:
    """Import a peer, which may not be installed, or fail in its own way with the versions that are."""
    try:
        return importlib.import_module(module)
    except Exception as error:
        raise Absent(f"not measured: {type(error).__name__}: {error}") from error


def agree(same: bool, what: str) -> None:
    """Fail loudly where the two sides differ."""
    if not same:
        raise Disagreement(f"the answers differ: {what}")


@dataclass
class Timed(Generic[Answer]):
    """A function, how long each of its repetitions took, and what it answered last."""

    function: Callable[[], Answer]
    shortest: float = SHORTEST
    seconds: list[float] = field(default_factory=list)
    clock: Callable[[], float] | None = None

    def repeat(self) -> None:
        """Time one repetition: as many calls as it takes to last long enough for the clock."""
        calls = max(1, math.ceil(self.shortest / max(self.best, 1e-9))) if self.seconds else 1
        clock = self.clock or time.perf_counter
        start = clock()
        for _ in range(calls):
            self.answer = self.function()
        self.seconds.append((clock() - start) / calls)

    @property
    def best(self) -> float:
        """The time of the fastest repetition: what else the machine did can only add to it."""
        return min(self.seconds)

    @property
    def median(self) -> float:
        """The time of the middle repetition."""
        return statistics.median(self.seconds)


def race(
    ours: Callable[[], Answer],
    theirs: Callable[[], Other],
    *,
    rounds: int = 5,
    limit: float = 6.0,
) -> tuple[Timed[Answer], Timed[Other]]:
    """Time our function and the peer's `in_turn`."""
    sides = Timed(ours), Timed(theirs)
    in_turn(*sides, rounds=rounds, limit=limit)
    return sides


def in_turn(*sides: Timed[Any], rounds: int, limit: float = math.inf) -> None:
    """Time functions in turn, ours, theirs, ours, theirs, so that a machine that slows down slows them all.

    There are ``rounds`` rounds, and fewer when they have taken ``limit`` seconds, yet never fewer than two of
    several: the first warms the caches up.
    """
    start = time.perf_counter()
    with no_garbage_collection():
        for done in range(rounds):
            if done >= 2 and time.perf_counter() - start > limit:
                break
            for side in sides:
                side.repeat()


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Keep the collector from running inside a measurement."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


Kind = Literal["faster", "share", "beyond", "seconds", "most"]


@dataclass(frozen=True)
class Target:
    """What a row has to reach.

    ``faster``: the peer's time is at least so many times ours. ``share``: ours is at most this share of the
    peer's. ``beyond``: ours is longer than the peer's by less than so many seconds. ``seconds``: ours is less.
    ``most``: the number of the row, which is no time, is at most this.
    """

    kind: Kind
    bound: float

    def __str__(self) -> str:
        return {
            "faster": f"at least {self.bound:g}x",
            "share": f"at most {self.bound:g} of it",
            "beyond": f"less than +{duration(self.bound)}",
            "seconds": f"less than {duration(self.bound)}",
            "most": f"at most {self.bound:g}",
        }[self.kind]

    def holds(self, value: float) -> bool:
        """Whether the value of a row reaches the target."""
        if self.kind == "faster":
            return value >= self.bound
        if self.kind in ("share", "most"):
            return value <= self.bound
        return value < self.bound


@dataclass(frozen=True)
class Row:
    """A line of a table: our time and the peer's, in seconds, or a number, and what they should be."""

    what: str
    size: str = ""
    ours: float | None = None
    peer: float | None = None
    target: Target | None = None
    note: str = ""
    number: float | None = None

    @property
    def kind(self) -> Kind:
        """How the row is to be read; where it has no target, as how many times faster we are."""
        if self.target:
            return self.target.kind
        return "faster" if self.number is None else "most"

    @property
    def value(self) -> float | None:
        """What is held against the target; None where nothing was measured."""
        if self.kind == "most":
            return self.number
        if self.kind == "seconds" or self.ours is None:
            return self.ours
        if self.peer is None:
            return None
        if self.kind == "beyond":
            return self.ours - self.peer
        return self.peer / self.ours if self.kind == "faster" else self.ours / self.peer

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none, or nothing was measured."""
        return None if self.target is None or self.value is None else self.target.holds(self.value)

    def unmeasured(self, reason: Absent) -> Row:
        """The row with the reason why it has no numbers."""
        return replace(self, note=str(reason))

    def cells(self) -> tuple[str, ...]:
        """The row as text: what, size, ours, peer, ratio, target, met, note."""
        times = [duration(seconds) if seconds is not None else "" for seconds in (self.ours, self.peer)]
        target = str(self.target) if self.target else ""
        verdict = {True: "ok", False: "MISSED", None: ""}[self.met]
        return (self.what, self.size, *times, self._value_cell(), target, verdict, self.note)

    def _value_cell(self) -> str:
        if self.value is None or self.kind == "seconds":
            return ""
        if self.kind == "beyond":
            return f"{'-' if self.value < 0 else '+'}{duration(abs(self.value))}"
        number = f"{self.value:.3g}" if abs(self.value) < 1000 else f"{self.value:.0f}"
        return number + {"faster": "x", "share": " of it", "most": ""}[self.kind]


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it.

    >>> duration(0.00312), duration(2), duration(25e-6)
    ('3.12 ms', '2 s', '25 µs')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size * 0.9995:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
