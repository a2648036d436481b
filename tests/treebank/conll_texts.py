"""Small texts for the tests of the room, and a reader so plain that nobody can misread it."""

from __future__ import annotations

from typing import NamedTuple

SPANISH = (
    "# sent_id = mar\n"
    "# text = Vámonos al mar.\n"
    "1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_\n"
    "2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_\n"
    "2.1\tvisitar\tvisitar\tVERB\t_\t_\t_\t_\t1:xcomp\tAdded=Yes\n"
    "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_\n"
    "4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_\n"
    "5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl:a\tSpaceAfter=No\n"
    "6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t1:punct\t_\n"
    "\n"
)
VIETNAMESE = (
    "# a form may have spaces\n"
    "1\tViệt Nam\tViệt Nam\tPROPN\tNP\t_\t2\tnsubj\t_\t_\n"
    "2\tthắng\tthắng\tVERB\tV\t_\t0\troot\t_\t_\n"
    "\n"
)
DUTCH = (
    "1\tDaar\tdaar\tAdv\tAdv\tpron|aanw\t3\tpc\t_\t_\n"
    "2\tis\tben\tV\tV\thulp|ott\t0\tROOT\t_\t_\n"
    "3\tgekozen\tkies\tV\tV\ttrans\t2\tvc\t_\t_\n"
    "\n"
)


def words(*heads: object, deprel: str = "dep") -> str:
    """One sentence with these heads."""
    rows = (f"{i}\tw{i}\t_\tX\t_\t_\t{head}\t{deprel}\t_\t_\n" for i, head in enumerate(heads, 1))
    return "".join(rows) + "\n"


class Read(NamedTuple):
    comments: list[str]
    heads: tuple[int, ...]
    columns: list[list[str]]


def read_plainly(text: str) -> list[Read]:
    """Cut at empty lines, then at tabs."""
    sentences = []
    for block in text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n\n"):
        lines = [line for line in block.split("\n") if line]
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        rows = [row for row in rows if "-" not in row[0] and "." not in row[0]]
        if rows:
            comments = [line for line in lines if line.startswith("#")]
            heads = tuple(int(row[6]) for row in rows)
            sentences.append(Read(comments, heads, [list(column) for column in zip(*rows, strict=True)]))
    return sentences
