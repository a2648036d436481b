"""Which of the two formats a text is in: found by its content, never by the name of its file."""

from __future__ import annotations

import re
from typing import Literal

Format = Literal["conllu", "conllx"]

# As much of a file as is looked at.
PREFIX = 1 << 16

UNIVERSAL_TAGS = frozenset(b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _".split())
_ONLY_IN_CONLLU = re.compile(rb"#|\d+[-.]\d+\t")
_UNIVERSAL_FEATURES = re.compile(rb"_|[A-Z][^|=]*=[^|=]+(\|[A-Z][^|=]*=[^|=]+)*")


def format_of(text: bytes) -> Format:
    """Tell CoNLL-U from CoNLL-X by the first sentence of a text.

    Comments, multiword tokens, empty nodes and enhanced dependencies exist only in CoNLL-U, a number in the
    ninth column (PHEAD) only in CoNLL-X. Without any of them tags and features decide: in CoNLL-U the tag is
    one of the 17 universal ones and the features are like ``Case=Nom|Number=Sing``.

    >>> format_of(b"1\\tDar\\tdar\\tAdv\\tAdv\\t_\\t0\\tROOT\\t_\\t_\\n\\n")
    'conllx'
    """
    for line in text[:PREFIX].lstrip(b"\r\n").splitlines():
        columns = line.split(b"\t")
        if not line:
            break
        if _ONLY_IN_CONLLU.match(line):
            return "conllu"
        if len(columns) == 10 and columns[8] != b"_":
            return "conllx" if columns[8].isdigit() else "conllu"
        if len(columns) == 10 and columns[3] not in UNIVERSAL_TAGS:
            return "conllx"
        if len(columns) == 10 and not _UNIVERSAL_FEATURES.fullmatch(columns[5]):
            return "conllx"
    return "conllu"
