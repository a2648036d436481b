"""The notation: what can be written, what is refused and how the refusal reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonproj import Tree
from nonproj.schema import (
    Hypothesis,
    ItemForm,
    Problem,
    Schema,
    SchemaError,
    Step,
    catalogue,
    parsing_schema,
    show,
    show_latex,
    show_step,
)
from nonproj.schema.condition import Condition
from nonproj.schema.normal import normalise_one_gap, one_gap_forms
from nonproj.schema.pattern import Item, read_patterns

WORDS = Hypothesis("[h, h]", "first <= h <= n")


def small(*steps: Step, items: str = "i <= j <= n", final: str = "[0, n]") -> Schema:
    return Schema("small", "a test", "none", [ItemForm("[i, j]", items)], [WORDS], steps, Step("Final", final))


def test_an_unbound_index_in_the_consequent_names_the_step() -> None:
    with pytest.raises(SchemaError, match=r"step 'Join': the consequent \[i, k\] uses k"):
        Step("Join", "[i, j] [j+1, m] => [i, k]")


def test_an_unbound_index_in_condition_or_link_names_the_step() -> None:
    with pytest.raises(SchemaError, match="step 'Join': the condition 'x < i' uses x"):
        Step("Join", "[i, j] => [i, j]", where="x < i")
    with pytest.raises(SchemaError, match="step 'Join': the link 'x -> i' uses x"):
        Step("Join", "[i, j] => [i, j]", link="x -> i")


def test_an_arc_is_a_link_the_other_way_round() -> None:
    link = Step("Join", "[i, j] [j+1, k] => [i, k]", link="k -> i -> j")
    arc = Step("Join", "[i, j] [j+1, k] => [i, k]", arc="j -> i -> k")
    assert link.linked == arc.linked
    assert small(link).trees(3) == small(arc).trees(3)
    assert "w_k -> w_i -> w_j" in show_step(link)
    assert "  j -> i -> k" in show_step(arc)
    final = Step("Final", "[1, h]", arc="0 -> h").linked
    assert final is not None
    assert (final.head, final.dependent, final.grandparent) == ("0", "h", "")


def test_an_arc_that_cannot_be_read_says_which_way_it_goes() -> None:
    with pytest.raises(SchemaError, match="write head -> dependent"):
        Step("Join", "[i, j] => [i, j]", arc="i j")
    with pytest.raises(SchemaError, match="write head -> dependent"):
        Step("Join", "[i, j] => [i, j]", arc="i -> 0")
    with pytest.raises(SchemaError, match="not both"):
        Step("Join", "[i, j] => [i, j]", link="i -> j", arc="j -> i")


def test_arrows_are_shown_as_in_the_paper_and_the_header_says_how() -> None:
    header, *steps = show(parsing_schema("WG1")).split("\n\n")
    assert "D-rule, dependent first" in header
    assert any("w_h2 -> w_h1" in step for step in steps)
    header, *steps = show(parsing_schema("MH4")).split("\n\n")
    assert "from head to dependent" in header
    assert "h1 -> h2" in next(step for step in steps if step.startswith("Link 2 to 1 of 3"))
    assert r"$w_{h_{2}} \rightarrow w_{h_{1}}$" in show_latex(parsing_schema("WG1"))
    assert r"$h_{1} \rightarrow h_{2}$" in show_latex(parsing_schema("MH4"))


def test_no_final_items() -> None:
    with pytest.raises(SchemaError, match="'empty' has no final items"):
        Schema("empty", "", "", [ItemForm("[i, j]")], [WORDS], [])
    with pytest.raises(SchemaError, match="step 'Final': no item or hypothesis has the form of goal"):
        small(final="goal[0, n]")


def test_a_step_that_grows_forever_is_named() -> None:
    growing = small(Step("Grow", "[i, j] => [i, j+1]"), items="")
    with pytest.raises(SchemaError, match=r"step 'Grow' concludes \[i, j\+1\] with the position 4, outside 0..3"):
        growing.recognises(Tree([0, 1]))
    bounded = small(Step("Grow", "[i, j] => [i, j+1]"))
    assert bounded.recognises(Tree([0, 1]))


def test_a_circle_recognises_but_cannot_be_counted() -> None:
    circle = small(
        Step("Grow", "[i, j] => [i, j+1]"),
        Step("Shrink", "[i, j+1] => [i, j]", where="i <= j"),
    )
    forest = circle.trace(Tree([0, 1]))
    assert forest.is_derived
    with pytest.raises(SchemaError, match=r"step '(Grow|Shrink)' concludes .* follows from it in turn"):
        forest.derivations()


def test_an_unsound_schema_is_caught() -> None:
    from nonproj.schema import soundness

    careless = small(Step("Join", "[i, j] [j+1, k] => [i, k]"))
    verdict = soundness(careless, "Pr", 2)
    assert not verdict
    assert "does not give word 1 one head" in str(verdict)


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("[i, j] => [i, j, k", "cannot read"),
        ("[i, 2j] => [i, j]", "cannot read the field"),
        ("=> [i, j]", "0 antecedents"),
        ("[i, j] " * 9 + "=> [i, j]", "9 antecedents"),
        ("[in, j] => [j, j]", "cannot read the field 'in'"),
        ("[_licensed, j] => [j, j]", "cannot read the field '_licensed'"),
        ("[é, j] => [j, j]", "cannot read the field 'é'"),
        ("[cat, j] => [j, j]", "cannot read the field 'cat'"),
        ("[C+1, j] => [j, j]", "a category has no number"),
        ("[] => [i, j]", "cannot read the field ''"),
        ("[i, j] => [i, j] => [i, j]", "one =>"),
        ("[i, j] => [i, j] [i, j]", "is one item"),
    ],
)
def test_bad_rules_name_the_step(rule: str, says: str) -> None:
    with pytest.raises(SchemaError, match=f"step 'Bad': .*{says}"):
        Step("Bad", rule)


def test_steps_must_fit_the_schema() -> None:
    with pytest.raises(SchemaError, match="step 'Odd': no item has the form of"):
        small(Step("Odd", "[i, j] => [i, j, j]"))
    with pytest.raises(SchemaError, match="two steps called 'Same'"):
        small(Step("Same", "[i, j] => [i, j]"), Step("Same", "[i, j] => [i, j]"))
    with pytest.raises(SchemaError, match="step 'None': a final step has no consequent"):
        small(Step("None", "[i, j]"))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "i", "i < f(j)", "i.real < j", "i < [j][0]", "i in j", "i in [1, 2, 3]", "i <", "i < 'a'",
        "i < j if k else l", "_i < j", "(lambda: i)() < j", "i < 2 ** 99", "True", "i is j", "i < True",
    ],
)  # fmt: skip
def test_conditions_say_nothing_but_comparisons(text: str) -> None:
    with pytest.raises(SchemaError):
        Condition(text)


def test_positions_outside_the_sentence_license_nothing() -> None:
    """An index solved from j+1 or j-3 may lie outside, where no arc and no category is."""
    reaching = small(
        Step("Below", "[i+3, j] => [i, j]", where="i >= 0", link="i -> j"),
        Step("Beyond", "[i-3, j-3] => [i, i]", where="i <= n and cat(j) == cat(i)", link="j -> i"),
        Step("Join", "[i, j] [j+1, k] => [i, k]", link="k -> i"),
    )
    for forest in (reaching.deduce(Problem.of_all_arcs(n)) for n in (1, 2, 5)):
        assert all(link[0] >= 0 and link[1] > 0 for edges in forest.edges for _, _, link in edges if link)


def test_indices_may_be_called_anything() -> None:
    names = small(Step("Join", "[range, make] [make+1, licensed] => [range, licensed]", link="licensed -> range"))
    plain = small(Step("Join", "[i, j] [j+1, k] => [i, k]", link="k -> i"))
    assert names.count(4) == plain.count(4) > 0


@given(st.text(max_size=40))
def test_no_text_gets_past_the_readers_unchecked(text: str) -> None:
    for read in (Condition, read_patterns):
        try:
            read(text)
        except SchemaError:
            continue


def printed_nm(item: Item) -> Item:
    """Section 3.1, case by case, with r < j-1 for the printed r <= j-1."""
    _, i, j, h, left, right = item
    assert isinstance(i, int)
    assert isinstance(j, int)
    if h == j:
        if right is None or right < j - 1:  # type: ignore[operator]
            return ("", i, j - 1, h, left, right)
        return ("", i, left - 1, h, None, None)  # type: ignore[operator]
    if left is not None and h == left - 1:  # type: ignore[operator]
        return ("", i, j, h, h, right) if left > i + 1 else ("", right + 1, j, h, None, None)  # type: ignore[operator]
    if h == i - 1:
        return ("", i - 1, j, h, left, right)
    if right is not None and h == right:
        return ("", i, j, h, left, right - 1) if left < right else ("", i, j, h, None, None)  # type: ignore[operator]
    return item


def test_normalisation_is_the_paper_s() -> None:
    for i in range(1, 8):
        for j in range(i, 8):
            gaps: list[tuple[int | None, int | None]] = [(None, None)]
            gaps += [(left, right) for left in range(i + 1, j) for right in range(left, j)]
            for head in range(1, 8):
                for left, right in gaps:
                    item: Item = ("", i, j, head, left, right)
                    if item == ("", head, head, head, None, None):
                        continue  # a hypothesis, which is not normalised
                    once = printed_nm(item)
                    assert normalise_one_gap(item) == printed_nm(once)  # the printed cases may need a second look
                    assert {normalise_one_gap(form) for form in one_gap_forms(item)} == {normalise_one_gap(item)}


@pytest.mark.parametrize("name", [schema.name for schema in catalogue()])
def test_schemata_are_shown(name: str) -> None:
    schema = parsing_schema(name)
    text, latex = show(schema), show_latex(schema)
    for step in schema.steps:
        assert step.name in text
    assert latex.count(r"\item[") == len(schema.steps) + 2 + len(schema.items) + len(schema.hypotheses)
    assert r"\mathrm{}" not in latex
    for shown in (text, latex):
        assert ("normal form" in shown) == (schema.normalise is not None)
    assert latex.count("{") == latex.count("}")


def test_without_and_adding() -> None:
    wg1 = parsing_schema("WG1")
    with pytest.raises(ValueError, match="has no step 'Nothing'"):
        wg1.without("Nothing")
    assert len(wg1.adding(Step("More", "[i, j, h, -, -] => [i, j, h, -, -]")).steps) == 11
