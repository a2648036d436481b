"""Causes against explanations one by one; sums in any order; punctuation by the validator's rules."""

from __future__ import annotations

import itertools
import pathlib
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.enumeration import trees
from reference.lifts import ancestors

from nonproj import Causes, Filter, NonprojError, Treebank, causes, example_treebank, read, tree_class
from nonproj.report.punctuation import punctuation_faults
from nonproj.state import states_in
from nonproj.treebank.words import Words

SAMPLE = example_treebank()
TREES = [heads for n in range(1, 7) for heads in itertools.islice(trees(n), 0, None, 1 if n < 6 else 7)]


@pytest.mark.parametrize("name", ["Pr", "WG1", "1EC", "MH4", "2-P", "PP"])
def test_counts_are_those_of_explanations(name: str) -> None:
    found = causes(SAMPLE, name).classes[name]
    relations: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    patterns: Counter[str] = Counter()
    for sentence in SAMPLE:
        why = tree_class(name).explain(sentence.tree)
        if why.is_inside:
            continue
        reasons[why.reason] += 1
        relations.update({sentence.deprels[d - 1] for _, d in why.arcs})
        tags.update({f"{sentence.upos[h - 1] if h else 'ROOT'} > {sentence.upos[d - 1]}" for h, d in why.arcs})
        ends = sorted({end for arc in why.arcs for end in arc} | {0})
        arcs = sorted(why.arcs, key=lambda arc: arc[1])
        patterns[", ".join(f"{ends.index(h)} -{sentence.deprels[d - 1]}-> {ends.index(d)}" for h, d in arcs)] += 1
    assert (found.outside, found.relations, found.reasons) == (sum(reasons.values()), relations, reasons)
    assert (found.tags, found.patterns) == (tags, patterns)
    for pattern, examples in found.examples.items():
        assert 0 < len(examples) <= min(3, patterns[pattern])
        for example in examples:
            (sentence,) = (one for one in SAMPLE if one.sent_id == example.sent_id)
            assert (sentence.file, sentence.line) == (example.file, example.line)
            relations_shown = [part.split("-")[1] for part in pattern.split(", ")]
            assert [sentence.deprels[word - 1] for word in example.words] == relations_shown


CROSSING_MARK = """1	a	_	X	_	_	3	dep	_	_
2	,	_	PUNCT	_	_	4	punct	_	_
3	b	_	X	_	_	4	dep	_	_
4	c	_	X	_	_	0	root	_	_

1	a	_	PUNCT	_	_	0	punct	_	_
2	b	_	PUNCT	_	_	3	punct	_	_
3	,	_	PUNCT	_	_	4	punct	_	_
4	c	_	PUNCT	_	_	1	punct	_	_

"""


@pytest.mark.parametrize("has_tags", [True, False])
def test_trees_that_are_inside_without_punctuation(has_tags: bool) -> None:
    rows = [line.split("\t") for line in (CROSSING_MARK + SAMPLE.to_text()).splitlines()]
    if not has_tags:  # marks are then known by their characters
        rows = [[*row[:3], "_", *row[4:]] if len(row) > 1 else row for row in rows]
    treebank = read("".join("\t".join(row) + "\n" for row in rows).encode())
    classes = ["Pr", "1EC", "WG1", "MH4", "spanning"]
    found = causes(treebank, classes)
    for name in classes:
        outside = [sentence for sentence in treebank if sentence.tree not in tree_class(name)]
        left = [Treebank([sentence]).without_punctuation() for sentence in outside]
        mended = sum(not len(each) or each[0].tree in tree_class(name) for each in left)
        own = found.classes[name]
        assert (own.outside, own.inside_without_punctuation) == (len(outside), mended)
    assert found.classes["Pr"].inside_without_punctuation > 0
    assert found.table().rows[-1][0] == "inside without punctuation"
    said = f"{found.classes['Pr'].inside_without_punctuation} of the {found.classes['Pr'].outside} trees outside Pr"
    assert said in causes(treebank, "Pr").table("patterns").note
    without = causes(treebank, "Pr", only=Filter(no_punctuation=True))
    assert without.table().rows[-1][0] != "inside without punctuation"
    assert "outside Pr" not in without.table().note


def test_parts_add_up_in_any_order() -> None:
    parts = [causes(SAMPLE[i : i + 20], "Pr MH4") for i in range(0, len(SAMPLE), 20)]
    whole = causes(SAMPLE, "Pr MH4")
    assert sum(parts).to_dict() == sum(reversed(parts)).to_dict()  # type: ignore[union-attr]
    for name in ("Pr", "MH4"):
        added = sum(parts).classes[name]  # type: ignore[union-attr]
        assert (added.patterns, added.lengths) == (whole.classes[name].patterns, whole.classes[name].lengths)
    with pytest.raises(NonprojError, match="different classes"):
        causes(SAMPLE, "Pr") + causes(SAMPLE, "WG1")


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_files_are_counted_portion_by_portion(
    threads: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["nonproj.report.causes"], "_PORTION", 100)
    paths = [tmp_path / f"{i}.conllu" for i in range(4)]
    for path, begin in zip(paths, (0, 30, 31, 90), strict=True):
        path.write_bytes(bytes(SAMPLE[begin : begin + 30]))
    paths[2].write_bytes(b"1\ta\t_\t_\t_\t_\t7\tdep\t_\t_\n\n" + paths[2].read_bytes())
    with pytest.raises(NonprojError, match=r"2\.conllu:1: "):
        causes(paths, "Pr MH4", threads=threads)
    found = causes([*reversed(paths), SAMPLE], "Pr MH4", on_error="skip", threads=threads)
    one_by_one = [causes(SAMPLE, "Pr MH4")] + [causes(read(path, on_error="skip"), "Pr MH4") for path in paths]
    assert found.to_state() == sum(one_by_one).to_state()  # type: ignore[union-attr]
    assert [each.file for each in found.skipped] == [str(paths[2])]


def test_tables_and_nothing() -> None:
    found = causes(SAMPLE)
    for kind in ("relations", "tags", "directions", "lengths", "reasons", "patterns"):
        assert found.table(kind, 3).rows
    assert [row[0] for row in found.table("lengths").rows][:3] == ["0", "1", "2"]
    assert causes(Treebank(), "Pr").table().rows == []
    with pytest.raises(NonprojError, match="no table"):
        found.table("colours")


def caused(heads: tuple[int, ...], mark: int) -> set[int]:
    """The words whose arcs pass over a mark: on its side of its head, not from ancestors or from beyond its head."""
    head, count = heads[mark - 1], len(heads)
    left = range(head + 1, mark) if head < mark else range(1, mark)
    right = range(mark + 1, count + 1) if head < mark else range(mark + 1, head)
    over = {x for x in left if heads[x - 1] > mark} | {x for x in right if heads[x - 1] < mark}
    if head < mark:
        over -= {x for x in right if heads[x - 1] <= head}
    else:
        over -= {x for x in left if heads[x - 1] >= head}
    return {x for x in over if heads[x - 1] not in ancestors(heads, mark)}


@given(st.lists(st.sampled_from(TREES).flatmap(lambda heads: st.tuples(st.just(heads), st.integers(1, len(heads))))))
def test_punctuation_is_told_as_the_validator_tells_it(cases: list[tuple[tuple[int, ...], int]]) -> None:
    text = "".join(
        "".join(
            f"{w}\tw\t_\tX\t_\t_\t{head}\t{'punct:x' if w == mark else 'dep'}\t_\t_\n"
            for w, head in enumerate(heads, 1)
        )
        + "\n"
        for heads, mark in cases
    )
    found = punctuation_faults(Words(read(text.encode())))
    causing, nonprojective = [], []
    for heads, mark in cases:
        head = heads[mark - 1]
        between = range(min(head, mark) + 1, max(head, mark)) if head else ()
        is_over_others = any(head not in ancestors(heads, word) for word in between)
        causing += [w == mark and bool(caused(heads, mark)) for w in range(1, len(heads) + 1)]
        nonprojective += [w == mark and is_over_others for w in range(1, len(heads) + 1)]
    assert found.causes.tolist() == causing
    assert found.is_nonprojective.tolist() == nonprojective


def test_states_are_added_up_to_the_whole() -> None:
    def back(state: str) -> Causes:
        ((kind, content),) = states_in(state.encode(), "a.state")
        assert kind == "causes"
        return Causes.from_state(content)

    whole = causes(SAMPLE, "Pr MH4 PP")
    assert back(whole.to_state()) == whole
    halves = [back(causes(SAMPLE[part], "Pr MH4 PP").to_state()) for part in (slice(0, 30), slice(30, None))]
    assert (halves[0] + halves[1]).to_state() == (halves[1] + halves[0]).to_state() == whole.to_state()
    short = causes(SAMPLE, "Pr", only=Filter(max_words=6))
    with pytest.raises(NonprojError, match="different sentences"):
        short + causes(SAMPLE, "Pr")


@pytest.mark.parametrize(
    "change", [{"trees": -1}, {"classes": [{}]}, {"marks": [1]}, {"punctuation": {}}, {"only": None}]
)
def test_a_broken_state_is_an_error(change: dict[str, object]) -> None:
    ((_, content),) = states_in(causes(SAMPLE, "Pr").to_state().encode(), "a.state")
    changed = {**content, **change}
    if change == {"only": None}:
        del changed["only"]
    with pytest.raises(NonprojError, match="state"):
        Causes.from_state(changed)
