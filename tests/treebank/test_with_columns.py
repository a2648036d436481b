"""Treebanks with other cells in some columns: those change, and no other byte."""

import pytest

import nonproj as npj
from nonproj.errors import NonprojError

TEXT = (
    b"# a comment\tof cells\r\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tA=b\r\n1\tde\tx\tADP\tE\t_\t3\tcase\t_\t_\r\n"
    b"1.1\tempty\t_\tNOUN\t_\t_\t_\t_\t0:root\t_\r\n2\tel\ty\tDET\tD\tG=m\t3\tdet\t_\tC=d\r\n3\tmar\tz\tNOUN\tN\t_\t0\troot\t_\t_\r\n\r\n"
    b"1\tYes\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
)


def test_only_these_cells_change() -> None:
    given = npj.read(TEXT, unparsed=True)
    found = given.with_columns(lemma=["a", "=", "\u00e9 #", "1-2"], feats=["_", "G=f", "_", "X=y|Z=w"])
    expected = (
        TEXT.replace(b"1\tde\tx", b"1\tde\ta")
        .replace(b"2\tel\ty\tDET\tD\tG=m", b"2\tel\t=\tDET\tD\tG=f")
        .replace(b"3\tmar\tz", "3\tmar\t\u00e9 #".encode())
        .replace(b"1\tYes\t_\t_\t_\t_", b"1\tYes\t1-2\t_\t_\tX=y|Z=w")
    )
    assert bytes(found) == expected
    assert found.column("lemma") == ["a", "=", "\u00e9 #", "1-2"]
    assert bytes(given.with_columns()) == TEXT


def test_views_and_the_other_format() -> None:
    treebank = npj.example_treebank()
    some = treebank[3:5] + treebank[1:2]
    tags = [f"T{number}" for number in range(len(some.heads))]
    found = some.with_columns(upos=tags)
    assert found.column("upos") == tags
    assert found.column("lemma") == some.column("lemma")
    assert found.heads.tolist() == some.heads.tolist()
    danish = npj.read(b"1\tEn\t_\tP\tPI\tg=c\t0\tROOT\t_\t_\n\n")
    assert danish.with_columns(xpos=["X"]).format == danish.format


def test_what_cannot_be_written() -> None:
    given = npj.read(TEXT, unparsed=True)
    with pytest.raises(NonprojError, match="one for every word"):
        given.with_columns(upos=["A"])
    with pytest.raises(NonprojError, match="only lemma, upos, xpos, feats"):
        given.with_columns(form=["A"] * 4)
    for mark in "\t\n\r\0":
        with pytest.raises(NonprojError, match="would break its line"):
            given.with_columns(upos=["A", "B", f"C{mark}", "D"])
