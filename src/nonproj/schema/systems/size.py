"""A family of schemata has members of any size: those too large to be written out are refused before it is tried."""

from __future__ import annotations

from nonproj.errors import NonprojError

_MAX_FIELDS = 300_000
_FIELDS_A_SECOND, _FIELDS_A_MEGABYTE = 20_000, 1_000  # to make and show them, measured


def refuse_large(name: str, steps: int, fields: int, *, at_least: bool = False, instead: str = "") -> None:
    """Raise when so many steps, with items of so many fields, would take long and fill the memory.

    ``at_least`` says that there are more steps than that; ``instead`` what else can be asked for.

    >>> refuse_large("MG5", 30_318, 13)
    Traceback (most recent call last):
        ...
    nonproj.errors.NonprojError: MG5 has 30,318 steps: some 20 s and 390 MB to write out: ask for a smaller number
    """
    if steps * fields <= _MAX_FIELDS:
        return
    cost = f"some {_about(steps * fields / _FIELDS_A_SECOND)} s and {_about(steps * fields / _FIELDS_A_MEGABYTE)} MB"
    has = f"more than {steps:.0e} steps: too many" if at_least else f"{steps:,} steps: {cost}"
    raise NonprojError(f"{name} has {has} to write out: ask for a smaller number{', ' * bool(instead)}{instead}")


def _about(value: float) -> str:
    return f"{float(f'{value:.2g}'):,.0f}"
