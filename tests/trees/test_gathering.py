"""Equal rows made one: as numpy does it row by row, however profiles are split, and without looking again and again."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from nonproj import example_treebank
from nonproj.trees import Profiles, profile, profile_trees, tree_classes
from nonproj.trees.distinct import distinct_rows
from nonproj.trees.profile import Gathering

SHAPES = arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=40)
NUMBERS = st.one_of(
    st.sampled_from([np.int8, np.int32, np.int64]).flatmap(lambda kind: arrays.arrays(kind, SHAPES)),
    arrays.arrays(np.int32, SHAPES, elements=st.sampled_from([-1, 0, 1, 2, 2**31 - 1])),
    arrays.arrays(np.int64, (60, 5), elements=st.integers(0, 2**40)),
)


@settings(max_examples=200, deadline=None)
@given(NUMBERS)
def test_distinct_rows_are_numpys(table: np.ndarray) -> None:
    rows, which = distinct_rows(table)
    expected, places = np.unique(table, axis=0, return_inverse=True)
    assert rows.dtype == table.dtype
    assert rows.tolist() == expected.tolist()
    assert which.tolist() == places.ravel().tolist()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 75), max_size=6), st.sampled_from([1, 10, 1 << 16]))
def test_any_split_gathers_to_the_same(cuts: list[int], fewest: int) -> None:
    sample = example_treebank()
    solvers = [cls.solver for cls in tree_classes("all")]
    whole = profile_trees(sample.heads, sample.offsets, solvers=solvers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profile, "_FEWEST_ROWS", fewest)
        gathering = Gathering(profile_trees([], [0], solvers=solvers))
        places = [0, *sorted(cuts), len(sample)]
        for begin, end in itertools.pairwise(places):
            part = sample[begin:end]
            gathering.add(profile_trees(part.heads, part.offsets, solvers=solvers))
            assert len(gathering.whole()) == end
    assert gathering.whole().to_state() == whole.to_state()


def test_gathering_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row is looked at a few times in all, be all rows different, and whatever the number of parts."""
    looked_at = 0

    def counted(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nonlocal looked_at
        looked_at += len(table)
        return distinct_rows(table)

    monkeypatch.setattr(profile, "distinct_rows", counted)
    monkeypatch.setattr(profile, "_FEWEST_ROWS", 10)
    rows = np.arange(20_000, dtype=np.int32)[:, None] * np.ones(15, np.int32)
    gathering = Gathering(Profiles(rows[:0]))
    for begin in range(0, len(rows), 5):
        gathering.add(Profiles(rows[begin : begin + 5]))
    assert len(gathering.whole().table) == len(rows)
    assert looked_at < 4 * len(rows)
