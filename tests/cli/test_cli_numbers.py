"""Every option and argument that is a number: it takes no more than native code can bear."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from nonproj.cli import cli, options


def numbers(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    """All parameters that are numbers, each with the verb that has it."""
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from numbers(each, (*path, name))
        return
    for parameter in command.params:
        if isinstance(parameter.type, (click.types.IntParamType, click.types.FloatParamType)):
            yield path, parameter


NUMBERS = list(numbers(cli))


def test_all_are_found() -> None:
    assert len(NUMBERS) > 70
    assert {"threads", "limit", "n", "time_limit", "seed"} <= {parameter.name for _, parameter in NUMBERS}


@pytest.mark.parametrize(("path", "parameter"), NUMBERS, ids=[f"{' '.join(p)} {each.name}" for p, each in NUMBERS])
def test_a_number_beyond_reason_is_refused(path: tuple[str, ...], parameter: click.Parameter) -> None:
    assert isinstance(parameter.type, (options.whole, options.number)), "its type is one of cli/options.py"
    name = parameter.opts[-1] if isinstance(parameter, click.Option) else None
    for value in ("4294967296", "1" + 20 * "0", "-1", "nan", "inf", "-inf", "1e400"):
        given = ["--", value] if name is None else [f"{name}={value}"]
        result = CliRunner().invoke(cli, [*path, *given])
        assert result.exit_code == 2, result.output
        assert isinstance(result.exception, SystemExit)
        assert "Invalid value for " in result.output
        assert f"'{name or 'N'}'" in result.output


@pytest.mark.parametrize(("path", "parameter"), NUMBERS, ids=[f"{' '.join(p)} {each.name}" for p, each in NUMBERS])
def test_bounds_are_taken_and_fit_native_code(path: tuple[str, ...], parameter: click.Parameter) -> None:
    kind = parameter.type
    assert isinstance(kind, (options.whole, options.number))
    assert kind.max is not None
    assert kind.max < 2**31
    assert kind(str(kind.max), parameter, None) == kind.max
