"""An order in which what is asked for together lies together: each once, and every next one the best that was left."""

from hypothesis import given
from hypothesis import strategies as st

from nonproj import _core


@given(
    st.integers(1, 40).flatmap(
        lambda count: st.tuples(
            st.just(count), st.lists(st.lists(st.integers(0, count - 1), max_size=6, unique=True), max_size=30)
        )
    ),
    st.integers(1, 8),
)
def test_an_order_by_company_has_each_once_and_saves_lines(given_sets: tuple[int, list[list[int]]], size: int) -> None:
    count, sets = given_sets
    order = _core.by_company(sets, count, size)
    assert sorted(order) == list(range(count))
    # What comes next in a line shares at least as many sets with it as anything that comes later.
    for at, each in enumerate(order):
        line = set(order[at // size * size : at])
        shared = [sum(each in one and bool(line & set(one)) for one in sets) for each in order[at:]]
        assert shared[0] == max(shared), (order, each)
