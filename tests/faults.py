"""Make every write, read, mmap, rename, thread and allocation of a command fail in turn: ``python tests/faults.py``.

A command whose n-th call fails has to end with an exit code other than 0 and one line that says where, with no
traceback, and what stood under the names it writes to is still whole. Where it can do without the call, it has to give
what it gives otherwise. ``tests/cli/test_cli_faults.py`` tries some of the calls, ``make faults`` each one: but of a
command that allocates more than some thousand times, one allocation for each way through the core that leads to one.
"""

from __future__ import annotations

import ctypes
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import nonproj as npj

KINDS = ("write", "read", "mmap", "rename", "allocation", "thread")
VERBS = ("train", "resume", "parse", "lift", "coverage", "decode", "grammar", "census")
SOURCE = pathlib.Path(__file__).parent / "native" / "failing.cpp"
OLD = b"what was there before\n"
MAX_ALLOCATIONS = 3000


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a command ended whose call failed: the one at this place, or of ways to allocate the first on this one."""

    verb: str
    kind: str
    at: int
    way: int
    calls: int
    code: int
    said: str
    complaint: str

    @property
    def has_failed(self) -> bool:
        """Whether there were as many calls at all."""
        return self.calls >= (1 if self.way else self.at)

    def __str__(self) -> str:
        said = self.said.strip().splitlines()
        return f"{self.verb}: {self.kind} {self.at}: exit code {self.code}: {said[-1] if said else 'nothing said'}"


def compiled(folder: pathlib.Path) -> pathlib.Path | None:
    """The library that fails, or None where there is no compiler."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        return None
    library = folder / "failing.so"
    command = [compiler, "-std=c++20", "-O1", "-shared", "-fPIC", str(SOURCE), "-o", str(library), "-ldl"]
    subprocess.run(command, check=True)
    return library


def mostly_projective(treebank: npj.Treebank) -> npj.Treebank:
    """Two thirds of the trees lifted: where fewer than half are projective, one training runs in place of two."""
    import nonproj as npj

    two_thirds = 2 * len(treebank) // 3
    return npj.lift(treebank[:two_thirds]) + treebank[two_thirds:]


def outcomes(verb: str, kinds: Sequence[str], calls: str, folder: pathlib.Path, library: pathlib.Path) -> list[Outcome]:
    """Run a command with one call after the other failing: all of them, or as many as ``calls`` says, spread out."""
    command = [sys.executable, __file__, "inside", verb, calls, *kinds]
    environment = {**os.environ, "LD_PRELOAD": str(library), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    shown = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=3600, check=False
    )
    if shown.returncode:
        raise RuntimeError(shown.stdout + shown.stderr)
    return [Outcome(**eval(line)) for line in shown.stdout.splitlines()]  # written by this very file


# Inside the process that has the library loaded


def _arguments(verb: str) -> list[str]:
    training = ["train", "learnt.conllu", "-o", "out", "--replace", "--epochs", "2", "-j", "2"]
    return {
        "train": training,
        "resume": [*training, "--steps", "parse"],
        "parse": ["parse", "my.model", "train.conllu", "-o", "out", "-j", "2"],
        "lift": ["lift", "train.conllu", "-o", "out"],
        "coverage": ["coverage", "train.conllu", "more.conllu", "-o", "out", "-j", "2"],
        "decode": ["decode", "scores.npz", "-w", "Pr:0,1EC:1.5,spanning:4", "-o", "out", "-j", "2"],
        "grammar": ["grammar", "parse", "beans.gdg", "beans", "Fernando", "thought", "Carlos", "eats", "-o", "out"],
        "census": ["census", "4", "-j", "2", "-o", "out"],
    }[verb]


def _run(verb: str, lib: ctypes.CDLL, kind: int, at: int, way: int = 0) -> tuple[int, str]:
    """Run the command in a child process, as far as it comes, and give its exit code and what it said."""
    from nonproj.cli import main

    child = os.fork()
    if child == 0:
        signal.alarm(120)
        for number, name in ((0, os.devnull), (1, "stdout"), (2, "stderr")):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
        sys.argv = ["nonproj", *_arguments(verb)]
        code = 99
        try:
            if way:
                lib.fail_on_way(way)
            else:
                lib.fail_at(kind, at)
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1 if end.code else 0
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            lib.stop_failing()  # what is left to do must work
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), pathlib.Path("stderr").read_text(encoding="utf-8", errors="replace")


def _places(calls: int, asked: str) -> Iterator[int]:
    """The calls to let fail: the first ones, the last ones, and some between."""
    if asked == "all" or calls <= int(asked):
        yield from range(1, calls + 1)
        return
    step = calls / int(asked)
    yield from sorted({1, 2, calls - 1, calls, *(int(i * step) + 1 for i in range(int(asked)))})


def _complaint(verb: str, kind: str, code: int, said: str, expected: bytes, before: dict[str, bytes]) -> str:
    if code < 0:
        return f"ended by signal {-code}"
    if "Traceback" in said:
        return "a traceback"
    after = {name: pathlib.Path(name).read_bytes() for name in os.listdir(".") if name not in ("stdout", "stderr")}
    if unfinished := [name for name in after if name.startswith(".nonproj-")]:
        return f"left behind {unfinished}"
    if code == 0:
        return "" if after.get("out") == expected else "no error, and another result"
    if not said.strip():
        return "nothing said"
    if kind in ("write", "read", "rename") and not any(name in said for name in ("out", *before, "standard output")):
        return "no path in the message"
    if after.get("out") not in (OLD, expected):
        return "what was there before is gone"
    if any(after.get(name) != text for name, text in before.items() if name not in ("out", "out.checkpoint")):
        return "an input was changed"
    return ""


def _inside(verb: str, asked: str, kinds: Sequence[str]) -> None:
    # All that a command imports, before anything fails.
    import numpy as np

    import nonproj as npj
    import nonproj.cli
    import nonproj.grammar
    import nonproj.lifting
    import nonproj.parser
    import nonproj.report

    lib = ctypes.CDLL(None)
    lib.fail_at.argtypes = [ctypes.c_int, ctypes.c_long]
    lib.calls_counted.restype = ctypes.c_long
    lib.fail_on_way.argtypes = [ctypes.c_uint64]
    lib.noted_way.restype = ctypes.c_uint64
    npj.coverage(npj.example_treebank(), keep=False)
    npj.lift(npj.example_treebank())
    treebank = npj.example_treebank()[:25]
    treebank.write("train.conllu")
    treebank[:5].write("more.conllu")
    mostly_projective(treebank).write("learnt.conllu")
    rng = np.random.default_rng(16)
    np.savez("scores.npz", *(rng.normal(size=(n + 1, n + 1)) for n in (3, 6)))
    npj.Parser.train(treebank, epochs=1, threads=1, save_as="my.model").parse(treebank, threads=1)
    lib.prepare_to_fail()
    inputs = ("train.conllu", "more.conllu", "learnt.conllu", "scores.npz", "my.model")
    before = {name: pathlib.Path(name).read_bytes() for name in inputs}

    def fresh() -> None:
        for name in os.listdir("."):
            if name not in before:
                os.unlink(name)
        if verb == "resume":
            pathlib.Path("out.checkpoint").write_bytes(checkpoint)
        pathlib.Path("out").write_bytes(OLD)

    checkpoint = b""
    if verb == "resume":
        checkpoint = _checkpoint()
    for kind in kinds:
        number = KINDS.index(kind) + 1
        fresh()
        code, said = _run(verb, lib, number, 0)
        assert code == 0, said
        calls, expected = lib.calls_counted(), pathlib.Path("out").read_bytes()
        places = [(at, 0) for at in _places(calls, asked)]
        if kind == "allocation" and len(places) > MAX_ALLOCATIONS:
            fresh()
            lib.note_ways(True)
            code, said = _run(verb, lib, number, 0)
            lib.note_ways(False)
            ways = [way for place in range(lib.places_of_ways()) if (way := lib.noted_way(place))]
            places = [(at, way) for at, way in enumerate(ways, start=1)]
        for at, way in places:
            fresh()
            code, said = _run(verb, lib, number, at, way)
            complaint = _complaint(verb, kind, code, said, expected, before)
            outcome = Outcome(verb, kind, at, way, lib.calls_counted(), code, said, complaint)
            print(dataclasses.asdict(outcome), flush=True)


def _checkpoint() -> bytes:
    """What a training leaves that was stopped after its first epoch or in the next."""
    import nonproj as npj
    from nonproj.parser import training
    from nonproj.parser.container import read_container

    training.SECONDS_BETWEEN_CHECKPOINTS = 0
    reported: list[object] = []

    def stop(epoch: object) -> None:
        reported.append(epoch)
        if len(reported) == 2:
            raise KeyboardInterrupt

    try:
        npj.Parser.train(npj.read("learnt.conllu"), epochs=2, threads=2, checkpoint="out.checkpoint", report=stop)
    except KeyboardInterrupt:
        _, arrays = read_container("out.checkpoint")
        assert any(name.startswith("state.1.") for name in arrays), "it holds one training, not two"
        return pathlib.Path("out.checkpoint").read_bytes()
    raise AssertionError("it was not stopped")


def main() -> int:
    """Try each call of each kind, or only of the verbs and kinds named, and say what went wrong."""
    chosen = [name for name in sys.argv[1:] if not name.isdigit()]
    calls = next((name for name in sys.argv[1:] if name.isdigit()), "all")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(pathlib.Path(folder))
        if library is None:
            print("no C++ compiler")
            return 2
        for verb in [verb for verb in VERBS if verb in chosen] or VERBS:
            place = pathlib.Path(folder, verb)
            place.mkdir()
            kinds = [kind for kind in KINDS if kind in chosen] or KINDS
            tried = outcomes(verb, kinds, calls, place, library)
            for kind in kinds:
                of_kind = [one for one in tried if one.kind == kind]
                failed = [one for one in of_kind if one.complaint]
                wrong += len(failed)
                made = max((one.at for one in of_kind), default=0)
                what = "ways to a call" if any(one.way for one in of_kind) else "calls"
                tally = f"{len(of_kind)} of {made} {what} of kind {kind} failed in turn, {len(failed)} wrongly"
                print(f"{verb}: {tally}", flush=True)
                for one in failed[:10]:
                    print(f"    {one.complaint}: {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["inside"]:
        _inside(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(main())
