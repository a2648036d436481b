"""Differences against explanations one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from nonproj import NonprojError, Treebank, example_treebank, read, tree_class
from nonproj.report import diff
from nonproj.report.difference import TABLES

SAMPLE = example_treebank()


def moved(treebank: Treebank, seed: int) -> Treebank:
    """Some words with other heads that leave trees."""
    rng = np.random.default_rng(seed)
    heads = []
    for sentence in treebank:
        own = list(sentence.heads)
        word, head = (int(rng.integers(1, len(own) + 1)) for _ in range(2))
        above = head
        while above not in (0, word):
            above = own[above - 1]
        if above == 0 and own[word - 1] != 0:
            own[word - 1] = head
        heads += own
    return treebank.with_heads(heads)


@pytest.mark.parametrize("name", ["Pr", "1EC", "WG1"])
def test_counts_are_those_of_explanations(name: str) -> None:
    other, cls = moved(SAMPLE, 1), tree_class(name)
    found = diff(SAMPLE, other, name)
    counts: Counter[tuple[bool, bool]] = Counter()
    left_by: Counter[str] = Counter()
    entered_by: Counter[str] = Counter()
    for old, new in zip(SAMPLE, other, strict=True):
        was, now = old.tree in cls, new.tree in cls
        counts[was, now] += 1
        if was and not now:
            left_by.update({new.deprels[d - 1] for h, d in cls.explain(new.tree).arcs if old.heads[d - 1] != h})
        if now and not was:
            entered_by.update({old.deprels[d - 1] for h, d in cls.explain(old.tree).arcs if new.heads[d - 1] != h})
    own = found.classes[name]
    assert (own.left_by, own.entered_by) == (left_by, entered_by)
    expected = {
        (True, True): own.both_inside,
        (True, False): own.left,
        (False, True): own.entered,
        (False, False): own.both_outside,
    }
    assert {key: count for key, count in expected.items() if count} == dict(counts)
    assert own.left
    assert own.entered
    assert sum(bool(each.left or each.entered) for each in found.changes) == own.left + own.entered
    assert (
        len(found.changes)
        == found.changed
        == sum(old.heads != new.heads for old, new in zip(SAMPLE, other, strict=True))
    )
    for kind in TABLES:
        assert found.table(kind, 3).rows


def test_there_and_back() -> None:
    other = moved(SAMPLE, 2)
    there, back = diff(SAMPLE, other, "Pr MH4"), diff(other, SAMPLE, "Pr MH4")
    for name in ("Pr", "MH4"):
        assert there.classes[name].left_by == back.classes[name].entered_by
        assert there.classes[name].left == back.classes[name].entered
    same = diff(SAMPLE, SAMPLE)
    assert same.changed == 0
    assert same.changes == []


def test_sentences_are_paired_by_id_or_in_order() -> None:
    turned = Treebank(list(SAMPLE)[::-1][:50], name="turned")
    found = diff(SAMPLE, turned, "Pr")
    assert (found.pairs, found.changed, found.only_before, found.only_after) == (50, 0, len(SAMPLE) - 50, 0)
    row = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
    plain = read((row + "\n" + row).encode())
    longer = read((row + "2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n" + row).encode())
    assert diff(plain, longer, "Pr").other_words == 1
    twice = read((("# sent_id = a\n" + row + "\n") * 3).encode())
    with pytest.raises(NonprojError, match="without ids"):
        diff(plain, twice, "Pr")
    with pytest.raises(NonprojError, match="no table"):
        diff(plain, plain, "Pr").table("colours")


def test_words_and_relations_that_changed() -> None:
    def text(*rows: tuple[str, int, str]) -> str:
        return "".join(
            f"{i}\t{form}\t_\tX\t_\t_\t{head}\t{deprel}\t_\t_\n" for i, (form, head, deprel) in enumerate(rows, 1)
        )

    before = (
        "# sent_id = one\n"
        + text(("a", 2, "x"), ("b", 0, "root"), ("c", 2, "x"))
        + "\n# sent_id = two\n"
        + text(("d", 0, "root"))
    )
    after = (
        "# sent_id = one\n"
        + text(("a", 3, "x"), ("b", 0, "root"), ("c", 2, "y"))
        + "\n# sent_id = two\n"
        + text(("d", 0, "root"), ("e", 1, "x"))
    )
    found = diff(read(before.encode() + b"\n"), read(after.encode() + b"\n"), "Pr")
    assert dict(found.relations) == {("x", "x"): 1, ("x", "y"): 1}
    assert found.table("relations").rows == [["x", "x", "1", "0", "1"], ["x", "y", "1", "1", "0"]]
    assert found.table("sentences").rows == [
        ["one", "1", "a", "2", "3", "x", "x", "Pr", "-"],
        ["one", "3", "c", "2", "2", "x", "y", "Pr", "-"],
        ["two", "-", "words: 1, then 2", "-", "-", "-", "-", "-", "-"],
    ]
    assert "1 another head, 1 another relation, 0 both" in found.table().caption
    assert found.to_dict()["words"] == {"head": 1, "relation": 1, "any": 2}
    assert found.table("sentences", 1).note == "2 more rows."


def test_every_changed_word_is_listed() -> None:
    other = moved(SAMPLE, 3)
    found = diff(SAMPLE, other)
    expected = [
        (old.sent_id, word)
        for old, new in zip(SAMPLE, other, strict=True)
        for word, arcs in enumerate(zip(old.heads, new.heads, old.deprels, new.deprels, strict=True), 1)
        if arcs[0] != arcs[1] or arcs[2] != arcs[3]
    ]
    listed = [(row[0], int(row[1])) for row in found.table("sentences", 0).rows]
    assert sorted(listed) == sorted(expected)
    assert len(listed) == sum(found.relations.values()) > 0
