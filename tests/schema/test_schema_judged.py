"""Every schema derives exactly the trees of its class, and costs what its paper says."""

import itertools
import pathlib
import random
import re
from functools import cache

import pytest
import reference

from nonproj import NonprojError, Tree, tree_class
from nonproj.schema import (
    DRules,
    Schema,
    Step,
    catalogue,
    completeness,
    complexity,
    parsing_schema,
    schema_for_tree,
    show,
    soundness,
)
from nonproj.schema.pattern import Pattern
from nonproj.schema.systems.gaps import combination_strings, mgk, mgk_for_tree, number_of_combinations, wgk
from nonproj.schema.systems.mhk import mhk, mhk_transitions
from nonproj.schema.systems.one_endpoint_crossing import RULES as one_endpoint_crossing_rules
from nonproj.trees import Arc, braid

# The schemata of the catalogue that derive their whole class, and members of the families that should equal others.
SCHEMATA = {schema.name: schema for schema in catalogue() if not schema.shortfall}
SCHEMATA |= {f"{schema.name} of its family": schema for schema in (wgk(1), mgk(1), mhk(3), mhk_transitions(3))}
# All trees (multi-root) and single-root trees with 3 to 6 words, from the definitions by exhaustive search.
COUNTS = {
    "Pr": ((12, 55, 273, 1428), (7, 30, 143, 728)),
    "MH3": ((12, 55, 273, 1428), (7, 30, 143, 728)),
    "M0I": ((16, 105, 759, 5838), (9, 56, 393, 2964)),
    "M1I": ((16, 121, 1103, 11054), (9, 64, 569, 5628)),
    "WG1": ((16, 121, 1103, 11102), (9, 64, 569, 5652)),
    "1EC": ((16, 125, 1104, 10024), (9, 64, 545, 4876)),
    "WG1S": ((16, 121, 1095, 10850), (9, 64, 565, 5524)),
    "M1IS": ((16, 121, 1095, 10802), (9, 64, 565, 5500)),
    "WG2": ((16, 121, 1166, 13508), (9, 64, 605, 6996)),
    "MG1": ((16, 125, 1215, 13342), (9, 64, 589, 6252)),
    "MG2": ((16, 125, 1296, 16807), (9, 64, 625, 7776)),
    "AD2": ((16, 117, 1011, 9597), (9, 59, 475, 4308)),
    "MH4": ((16, 118, 1019, 9496), (9, 60, 485, 4328)),
    "MH5": ((16, 125, 1276, 15566), (9, 64, 613, 7102)),
    "MH6": ((16, 125, 1296, 16729), (9, 64, 625, 7728)),
}
EXPONENTS = {
    "M1IS": 5, "WG1S": 6, "WG1-unambiguous": 7, "WG1-printed": 6, "WG1-printed-wide": 6,
    "1EC": 4, "AD2": 7, "Eisner": 3, "CYK": 5, "arc-standard": 5, "M0I": 5, "M0I-grandparents": 6, "M1I": 6, "WG1": 7,
    "WG1-unlexicalised": 6, "MG1": 7, "WG2": 9, "MG2": 10, "MH4": 4, "MH4-2P": 4, "MH4-transitions": 4, "MH5": 5,
    "MH6": 6,
}  # fmt: skip


@cache
def all_trees(n: int) -> list[Tree]:
    return [Tree(heads) for heads in reference.trees(n)]


@cache
def members(name: str, n: int) -> set[tuple[int, ...]]:
    cls = tree_class(name)
    return {tree.heads for tree in all_trees(n) if tree in cls}


@pytest.mark.parametrize("schema", SCHEMATA.values(), ids=SCHEMATA)
@pytest.mark.parametrize("n", range(1, 7))
def test_derives_the_class_and_no_other_tree(schema: Schema, n: int) -> None:
    expected = members(schema.class_name, n)
    assert schema.trees(n) == expected
    assert schema.trees(n, single_root=True) == {heads for heads in expected if heads.count(0) == 1}
    if n >= 3:
        assert tuple(len(found) for found in (expected, schema.trees(n, single_root=True))) == tuple(
            counts[n - 3] for counts in COUNTS[schema.class_name]
        )


@pytest.mark.parametrize("schema", SCHEMATA.values(), ids=SCHEMATA)
@pytest.mark.parametrize("single_root", [False, True])
def test_the_tools_say_so(schema: Schema, single_root: bool) -> None:
    assert soundness(schema, n=4, single_root=single_root)
    assert completeness(schema, n=4, single_root=single_root)


@pytest.mark.parametrize(("schema", "exponent"), EXPONENTS.items())
def test_cost_is_the_stated_one(schema: str, exponent: int) -> None:
    found = complexity(parsing_schema(schema))
    assert found.exponent == exponent
    assert {entry.name for entry in catalogue()} == set(EXPONENTS)


@pytest.mark.parametrize(
    ("name", "space"), [("Eisner", 2), ("M0I", 4), ("M1I", 5), ("WG1", 5), ("WG1-unlexicalised", 4), ("WG2", 7)]
)
def test_space_is_that_of_the_items(name: str, space: int) -> None:
    """Section 3.3: O(n^5) for recognition in WG_1, O(n^7) for full parsing."""
    schema = parsing_schema(name)
    found = complexity(schema)
    assert found.space == space
    assert f"O(n^{space}) space for recognition, O(n^{found.exponent}) with derivations" in show(schema)


@pytest.mark.parametrize("name", ["1EC", "M1IS", "WG1S", "WG1-unambiguous", "WG2-unambiguous"])
@pytest.mark.parametrize("single_root", [False, True])
def test_each_tree_is_derived_once(name: str, single_root: bool) -> None:
    schema = parsing_schema(name)
    for n in range(1, 7):
        counted = schema.count(n, single_root=single_root)
        assert counted == len(schema.trees(n, single_root=single_root))
        assert counted == sum(not single_root or heads.count(0) == 1 for heads in members(schema.class_name, n))


@pytest.mark.parametrize("k", [2, 3])
def test_flags_leave_wgk_as_it_is(k: int) -> None:
    """Trees of nine words, which have every way of splitting gaps, and others: one derivation or none."""
    flagged = parsing_schema(f"WG{k}-unambiguous")
    assert complexity(flagged).exponent == 5 + 2 * k
    generator = random.Random(k)
    inside = 0
    for _ in range(60):
        heads = generator.choice([[0], [2, 0]])
        while len(heads) < 9:
            heads.insert(place := generator.randint(0, len(heads)), 0)
            heads[:] = [head + (head > place) for head in heads]
            heads[place] = generator.choice([word for word in range(1, len(heads) + 1) if word != place + 1])
        tree = Tree(heads)
        inside += tree in tree_class(f"WG{k}")
        assert flagged.trace(tree).derivations() == (tree in tree_class(f"WG{k}"))
    assert 10 < inside < 60


def test_1ec_has_the_rules_of_the_chart() -> None:
    chart = pathlib.Path(__file__).parents[2] / "cpp" / "nonproj" / "decode" / "one_endpoint_crossing" / "rules.hpp"
    (rules,) = re.findall(r'unique_rules = R"\((.*?)\)"', chart.read_text(encoding="utf-8"), re.DOTALL)
    assert rules == one_endpoint_crossing_rules


@pytest.mark.parametrize("k", [1, 2, 3])
def test_cost_of_the_families(k: int) -> None:
    assert complexity(wgk(k)).exponent == 5 + 2 * k
    assert "Shrinking Gap Centre" in complexity(wgk(k)).bottleneck
    assert complexity(mgk(k)).exponent == 4 + 3 * k
    assert complexity(mhk(k + 2)).exponent == k + 2


def test_the_bottleneck_of_wg1_has_seven_indices() -> None:
    cost = complexity(parsing_schema("WG1"))
    assert (cost.bottleneck, cost.exponent) == ("Combine Shrinking Gap Centre", 7)


def test_section_3_3_as_printed_misses_trees_from_six_words_on() -> None:
    """A child on both sides of its head cannot shrink a gap that its head inherits."""
    printed, wg1 = parsing_schema("WG1-printed"), parsing_schema("WG1")
    assert complexity(printed).exponent == 6
    for n in range(1, 6):
        assert printed.trees(n) == members("WG1", n)
    missing = members("WG1", 6) - printed.trees(6)
    assert printed.trees(6) < members("WG1", 6)
    assert len(missing) == 16
    assert (3, 3, 5, 2, 0, 1) in missing
    assert all(word in printed.shortfall for word in ("16", "11,102", "6 words"))
    assert len(wg1.trees(7, single_root=True) - printed.trees(7, single_root=True)) == 296


def test_section_3_3_with_all_variants_in_six_positions_misses_trees_of_eight_words() -> None:
    wide = parsing_schema("WG1-printed-wide")
    assert complexity(wide).exponent == 6
    for n in range(1, 7):
        assert wide.trees(n) == members("WG1", n)
    assert completeness(wide, n=7, single_root=True)
    two_inherit = Tree([3, 3, 6, 2, 3, 0, 5, 1])
    assert two_inherit in tree_class("WG1")
    assert not wide.recognises(two_inherit)
    assert "8" in wide.shortfall
    assert "3 3 6 2 3 0 5 1" in wide.shortfall


@pytest.mark.parametrize("name", ["WG1-printed", "WG1-printed-wide"])
def test_the_header_says_what_is_missed(name: str) -> None:
    schema = parsing_schema(name)
    assert f"Derives trees of WG1, but not all: it misses {schema.shortfall}." in show(schema)
    assert "Derives the class" not in show(schema)


def test_section_3_3_as_printed_takes_rules_between_categories() -> None:
    rules = DRules.read("noun -> verb; adjective -> noun; verb -> <root>; noun -> noun", "tags")
    tags = ["noun", "adjective", "verb", "noun"]
    found = {
        name: set(parsing_schema(name).parse("a b c d", rules, tags=tags).all_heads())
        for name in ("WG1-printed", "WG1-printed-wide", "WG1-unlexicalised", "WG1")
    }
    assert found["WG1-printed"] == found["WG1-printed-wide"] == found["WG1-unlexicalised"] == found["WG1"]
    assert len(found["WG1"]) > 1


def planes_of_mh4(tree: Tree) -> dict[Arc, int]:
    """The planes that the parser of MH_4 gives the arcs of a tree."""
    rows = parsing_schema("MH4-2P").trace(tree).derivation()
    return {row.arc: int(row.step.split(" on P")[1][0]) for row in rows if row.arc is not None}


@pytest.mark.parametrize("n", range(1, 7))
def test_mh4_with_planes_parts_every_tree_in_two(n: int) -> None:
    """Every derivation of a tree gives planes without crossings, arcs from the dummy included."""
    for heads in sorted(members("MH4", n))[:: 1 if n < 6 else 17]:
        for planes in (planes_of_mh4(Tree(heads)), Tree(heads).planes_of("MH4")):
            assert set(planes) == set(Tree(heads).arcs)
            assert set(planes.values()) <= {0, 1}
            for a, b in itertools.combinations(planes, 2):
                (i, j), (k, m) = sorted(a), sorted(b)
                assert not (i < k < j < m or k < i < m < j) or planes[a] != planes[b]


def test_only_trees_of_mh4_have_its_planes() -> None:
    for tree in all_trees(5):
        if tree in tree_class("MH4"):
            assert len(tree.planes_of("mh_4")) == 5
        else:
            with pytest.raises(NonprojError, match="not in MH4"):
                tree.planes_of("MH4")
    with pytest.raises(NonprojError, match="needs 2 planes"):
        Tree([3, 4, 0, 3]).planes_of("1-P")
    assert Tree([3, 4, 0, 3]).planes_of("2-planar") == Tree([3, 4, 0, 3]).plane_of
    with pytest.raises(NonprojError, match="not of 'WG1'"):
        Tree([0]).planes_of("WG1")


def test_counter_examples_are_drawn() -> None:
    verdict = soundness(parsing_schema("MG1"), "WG1", 4)
    assert not verdict
    assert verdict.counter_example == (0, 0, 1, 2)
    assert "not in WG1" in str(verdict)
    assert "▼" in str(verdict)
    verdict = completeness(parsing_schema("Eisner"), "WG1", 3)
    assert not verdict
    assert "not derived" in str(verdict)
    assert str(list(verdict.counter_example or ())) in str(verdict)


def joins(step: Step, string: str) -> bool:
    """Whether a Combine step joins the two items that a string stands for, each of its symbols being three words."""

    def item(symbols: str) -> list[int]:
        """Blocks over the symbols given, as [first, last, gaps...]; the head 99 is far away."""
        runs = ["x" if symbol in symbols else "-" for symbol in string]
        words = [3 * at + place for at, run in enumerate(runs) for place in (1, 2, 3) if run == "x"]
        gaps = [end for left, right in itertools.pairwise(words) if right > left + 1 for end in (left + 1, right - 1)]
        return [words[0], words[-1], 99, *gaps]

    def matches(patterns: list[Pattern], items: list[list[int]]) -> bool:
        bound: dict[str, int] = {}
        for pattern, values in zip(patterns, items, strict=True):
            if len(pattern.fields) != len(values):
                return False
            for field, value in zip(pattern.fields, values, strict=True):
                if bound.setdefault(field.name, value - (field.number or 0)) != value - (field.number or 0):
                    return False
        return True

    parts, whole = [item("a"), item("b")], item("ab")
    return any(matches(step.patterns, [*order, whole]) for order in (parts, parts[::-1]))


def test_well_nested_steps_are_the_strings_without_interleaving() -> None:
    """Section 5.1 says which strings make WG_k; Figure 1B lacks those like agbga."""

    for k in (1, 2, 3, 4):
        strings = [string for string in combination_strings(k) if not re.search("a.*b.*a.*b|b.*a.*b.*a", string)]
        assert list(combination_strings(k, well_nested=True)) == strings
        combinations = [step for step in wgk(k).steps if step.name.startswith("Combine")]
        assert len(combinations) == len(strings) == {1: 8, 2: 25, 3: 56, 4: 105}[k]
        joined = [[step.name for step in combinations if joins(step, string)] for string in strings]
        assert all(len(names) == 1 for names in joined)
        assert len({names[0] for names in joined}) == len(strings)
    middles = [step.name for step in wgk(2).steps if "Middle" in step.name]
    assert len(wgk(2).without(*middles).trees(6)) == 13508 - 84


@pytest.mark.parametrize("k", [1, 2])
def test_shorter_bounds_than_the_text_lose_trees(k: int) -> None:
    """Figure 1D prints p, q <= k and r <= k-1, which cannot be meant."""
    printed = {
        f"Combine {s}"
        for s in combination_strings(k)
        if s.count("a") <= k and s.count("b") <= k and s.count("g") <= k - 1
    }
    others = [step.name for step in mgk(k).steps if step.name.startswith("Combine") and step.name not in printed]
    assert not completeness(mgk(k).without(*others), n=k + 3)


def test_strings_are_all_that_section_5_1_allows() -> None:
    for k in (1, 2):
        words = ("".join(letters) for n in range(2, 3 * k + 3) for letters in itertools.product("abg", repeat=n))
        legal = {
            word
            for word in words
            if word[0] == "a"
            and word[-1] != "g"
            and "b" in word
            and not re.search("aa|bb|gg", word)
            and word.count("a") <= k + 1
            and word.count("b") <= k + 1
            and word.count("g") <= k
        }
        assert set(combination_strings(k)) == legal
        assert len(legal) == number_of_combinations(k)
        assert list(combination_strings(k)) == sorted(legal)


@pytest.mark.parametrize("k", [1, 2, 5, 20])
def test_a_tree_s_own_steps_derive_it_exactly_in_the_class(k: int) -> None:
    """Of a family too large to write out a tree is traced by the steps of one of its binarisations."""
    trees = [*all_trees(6)[::97], Tree([8, 1, 10, 7, 9, 2, 1, 0, 1, 1]), braid(k), braid(k + 1)]
    for tree in trees:
        schema = mgk_for_tree(k, tree)
        assert schema.recognises(tree) == (tree.mg <= k)
        if k <= 2 and len(tree) < 8:
            assert {step.rule for step in schema.steps} <= {step.rule for step in mgk(k).steps}


def test_schemata_too_large_to_write_out_are_refused_at_once() -> None:
    with pytest.raises(NonprojError, match=r"MG99 has more than .* steps: too many .*schema show MGk"):
        parsing_schema("MG99")  # counting its steps would take long
    tree = Tree([0, 1, 1, 2, 3, 4])
    assert schema_for_tree("MG99", tree).recognises(tree)
    assert schema_for_tree("mg_1", tree) is parsing_schema("MG1")
