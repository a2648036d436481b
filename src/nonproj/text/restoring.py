"""The text that CoNLL-U was made of: its tokens, and the spaces that MISC tells of."""

from __future__ import annotations

import re

from nonproj.treebank import Source, Treebank
from nonproj.treebank.reading import read_unparsed

_ESCAPES = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}


def restored_text(source: Treebank | Source) -> str:
    r"""Give the text of sentences again: to the byte, if it was cut by a `Pipeline` (or UDPipe).

    After a token comes a space, unless MISC has ``SpaceAfter=No`` or says in ``SpacesAfter`` what comes;
    ``SpacesBefore`` is what stands before a token. Spaces are written ``\s``, ``\t``, ``\n``, ``\r``, or by their
    code as in ``\u00A0``.

    >>> rows = "1\tYes\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\t.\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\n\\n\n\n"
    >>> restored_text(rows.encode())
    'Yes.\n\n'
    """
    treebank = source if isinstance(source, Treebank) else read_unparsed(source)
    pieces: list[str] = []
    for sentence in treebank:
        covered = 0
        for cells in sentence.rows:
            if len(cells) != 10 or "." in cells[0]:
                continue
            if "-" in cells[0]:
                covered = int(cells[0].split("-")[1])
            elif int(cells[0]) <= covered:
                continue
            pieces += _around(cells[1], cells[9])
    return "".join(pieces)


def _around(form: str, misc: str) -> tuple[str, str, str]:
    said = dict(item.partition("=")[::2] for item in misc.split("|"))
    after = "" if said.get("SpaceAfter") == "No" else _plain(said.get("SpacesAfter", "\\s"))
    return _plain(said.get("SpacesBefore", "")), form, after


def _plain(escaped: str) -> str:
    return re.sub(r"\\(u[0-9A-Fa-f]{4}|[stnrp\\])", lambda found: _character(found[1]), escaped)


def _character(escape: str) -> str:
    return chr(int(escape[1:], 16)) if escape[0] == "u" else _ESCAPES[escape]
