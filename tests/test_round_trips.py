"""Whatever is written to be read back is read as it was, or refused when it is made."""

import csv
import io
import pickle
import re
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonproj import NonprojError, Sentence, Tree, transition_system, tree_class
from nonproj.grammar import Grammar, LPRule, LRule, MRule, SRule
from nonproj.lifting import SCHEMES, Category, Encoding, Expression, LiftingRule, RuleSet
from nonproj.lifting.encoding import Label, Scheme, read_label
from nonproj.lifting.expression import HEAD, choice, repeated, sequence, symbol
from nonproj.report.table import Column, Table
from nonproj.schema import DRules
from nonproj.schema.condition import Condition
from nonproj.schema.pattern import read_patterns
from nonproj.transition import SYSTEMS, Transition
from nonproj.trees import AD, MG, MH, WG

Made = TypeVar("Made")

# What some notation gives a meaning to, and what splits lines somewhere.
HOSTILE = [
    "", " ", "a b", "'", '"', 'a"b', "\\", '\\"', "a\\nb", ":", "a:b", ":a", "a:", "0:0", "|", "a|b", "^", "↑", "↓",
    "⇑", "#", "# x", "//", "a //b", " // ", "a//b", "\n", "a\nb", "\r", "\r\n", "\t", "\v", "\f", "\x1c", "\x85",
    "\u2028", "\0", "+", "-", "--", "->", "a->b", "→", ".", ",", ";", "=", "=>", "@", "@ 1", "*", "?", "[", "]", "[x]",
    "(", ")", "{", "}", "()", "_", "__", "a_b", "&", "%", "$", "~", "<", ">", "<root>", "é", "日本", "\u202e",
    "\ufeff", "\U0001f600", "categories", "start", "s", "m", "lp", "l", "word", "start:", "nsubj:pass", "0", "1", "-1",
    "cat", "over tags",
]  # fmt: skip
names = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=4), st.lists(st.sampled_from(HOSTILE)).map("".join))


def made(make: Callable[[], Made]) -> Made | None:
    """What is made, or None where it is refused."""
    try:
        return make()
    except NonprojError:
        return None


def of(make: Callable[..., Made], *parts: st.SearchStrategy[object]) -> st.SearchStrategy[Made]:
    """What can be made of such parts."""
    return st.tuples(*parts).map(lambda chosen: made(lambda: make(*chosen))).filter(lambda found: found is not None)  # type: ignore[return-value]


features = st.dictionaries(names, st.one_of(st.sampled_from(["+", "-"]), names), max_size=2).map(
    lambda f: tuple(f.items())
)
categories = st.one_of(of(Category, names, features), st.just(Category.parse(".")))


def expressions(symbols: st.SearchStrategy[Category | str]) -> st.SearchStrategy[Expression]:
    def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        return st.one_of(
            st.lists(inner, max_size=3).map(sequence),
            st.lists(inner, min_size=1, max_size=3).map(choice),
            st.builds(repeated, inner, st.sampled_from(["star", "plus", "maybe"])),
        )

    return st.recursive(symbols.map(symbol), extend, max_leaves=5)


paths = expressions(categories)
lifts = of(LiftingRule, categories, categories, paths, categories)
counted = of(LiftingRule, categories, categories, paths, categories, st.integers(0, 10**9))
weights = st.floats()


def test_the_feature_that_was_not_quoted() -> None:
    category = Category("A", (("0:0", "+"),))
    assert str(category) == 'A["0:0" +]'
    assert Category.parse(str(category)) == category


@given(names, features)
def test_a_category(name: str, features: tuple[tuple[str, str], ...]) -> None:
    category = made(lambda: Category(name, features))
    assert (category is None) == (not name)
    if category:
        assert Category.parse(str(category)) == category
        assert eval(repr(category)) == category
        assert pickle.loads(pickle.dumps(category)) == category
        assert b"_hash" not in pickle.dumps(category)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Category(""),
        lambda: Category("A", (("x", "+"), ("x", "-"))),
        lambda: Category("A", is_any=True),
        lambda: Category(".", (("x", "+"),), is_any=True),
        lambda: Expression("loop"),
        lambda: Expression("choice"),
        lambda: Expression("symbol", "V"),
        lambda: Expression("symbol"),
        lambda: Expression("star", Category("V"), (symbol(HEAD),)),
        lambda: Expression("sequence", None, (symbol(HEAD),)),
        lambda: LiftingRule(Category("A"), Category("A"), symbol(HEAD), Category("A")),
        lambda: LiftingRule(Category("A"), Category("A"), Expression("sequence"), Category("A"), -1),
        lambda: LPRule("p", Category("A"), symbol(Category("A"))),
        lambda: MRule("m", Category("A"), Category("A"), float("nan")),
        lambda: SRule("s", Category("A"), (), float("inf")),
        lambda: LRule("l", LiftingRule.parse("N ^ V V @ 3")),
        lambda: Grammar(()),
        lambda: Grammar(
            (Category("A"),), (SRule("x", Category("A"), ()),), (MRule("x", Category("A"), Category("A")),)
        ),
        lambda: Grammar((Category("A"),), lexicon={"a": ()}),
        lambda: Grammar((Category("A"),), lexicon={"a": (Category("A"), Category("A"))}),
        lambda: Grammar((Category("A"),), lexicon={"a": (Category.parse("."),)}),
        lambda: Encoding().encode([0], [""]),
        lambda: DRules([("", "a")]),
        lambda: Sentence.parse("1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_").with_heads([0], ["a\tb"]),
    ],
)
def test_what_could_not_be_read_back_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(NonprojError):
        make()


@given(expressions(st.one_of(categories, st.just(HEAD))))
def test_an_expression(expression: Expression) -> None:
    assert Expression.parse(str(expression)) == expression


@given(st.lists(counted, max_size=3), st.sampled_from(["upos", "deprel", "both", "upos+Case+lemma"]))
def test_lifting_rules(rules: list[LiftingRule], source: str) -> None:
    assert [LiftingRule.parse(str(rule)) for rule in rules] == rules
    rule_set = RuleSet(rules, source)
    assert RuleSet.parse(str(rule_set)) == rule_set


with_head = st.tuples(paths, paths).map(lambda sides: sequence([sides[0], symbol(HEAD), sides[1]]))


@given(
    st.tuples(
        st.lists(categories, max_size=2).map(tuple),
        st.lists(of(SRule, names, categories, st.lists(categories, max_size=2).map(tuple), weights), max_size=2).map(
            tuple
        ),
        st.lists(of(MRule, names, categories, categories, weights), max_size=2).map(tuple),
        st.lists(of(LPRule, names, categories, with_head), max_size=1).map(tuple),
        st.lists(of(LRule, names, lifts, weights), max_size=2).map(tuple),
        st.dictionaries(names, st.lists(categories, max_size=2).map(tuple), max_size=2),
    )
)
def test_a_grammar(parts: tuple[object, ...]) -> None:
    grammar = made(lambda: Grammar(*parts))  # type: ignore[arg-type]
    if grammar:
        again = Grammar.parse_text(str(grammar))
        assert again == grammar
        for name in ("start", "s_rules", "m_rules", "lp_rules", "l_rules", "lexicon"):
            assert getattr(again, name) == getattr(grammar, name)


@given(names, names, st.sampled_from(SCHEMES))
def test_labels_of_an_encoding(lifted: str, above: str, scheme: Scheme) -> None:
    heads, deprels = [3, 0, 2], [lifted, "root", above]
    encoding = Encoding(scheme)
    encoded = made(lambda: encoding.encode(heads, deprels))
    assert (encoded is None) == (not lifted or not above or bool(re.search("[↑↓⇑]", lifted + above)))
    if encoded:
        assert encoding.decode(*encoded) == (heads, deprels)


@given(names, st.one_of(st.just(""), names), st.booleans(), st.booleans())
def test_a_label(plain: str, told: str, is_on_path: bool, is_from_root: bool) -> None:
    label = Label(plain, True, told, is_on_path, is_from_root)
    if plain and not re.search("[↑↓⇑]", plain + told):
        assert read_label(f"{plain}↑{told}{'↓' * is_on_path}{'⇑' * is_from_root}") == label


@given(st.lists(st.tuples(names, names), max_size=4), st.sampled_from(["words", "tags"]))
def test_d_rules(rules: list[tuple[str, str]], over: str) -> None:
    grammar = made(lambda: DRules(rules, over))  # type: ignore[arg-type]
    if grammar:
        assert DRules.read(grammar.to_text()) == grammar


FIELDS = st.sampled_from(["i", "j+1", "h2-3", "-", "0", "7", "C", "cat(h)", "first", "n"])


@given(st.sampled_from(["", "right", "arc_left"]), st.lists(FIELDS, min_size=1, max_size=4))
def test_a_pattern(kind: str, fields: list[str]) -> None:
    (pattern,) = read_patterns(f" {kind} [ {',  '.join(fields)} ]")
    assert read_patterns(pattern.text) == [pattern]
    assert read_patterns(f"{kind}[{', '.join('-' if f.is_diamond else f.source for f in pattern.fields)}]") == [pattern]


@given(
    st.lists(
        st.sampled_from(["i < j", "h in [i, j]", "not j < k-1", "cat(h) == cat(i)", "i == 1 or j == n"]), min_size=1
    )
)
def test_a_condition(parts: list[str]) -> None:
    condition = Condition(" and ".join(f"({part})" for part in parts))
    assert [Condition(part.text).source for part in condition.conjuncts] == [Condition(part).source for part in parts]


@given(
    st.sampled_from([WG, MG, MH, AD, lambda k: tree_class(f"{k}-P"), lambda k: tree_class(f"{k}-C")]),
    st.one_of(st.integers(-2, 20), st.integers()),
)
def test_the_name_of_a_class(family: Callable[[int], object], k: int) -> None:
    for number in (k, 10**9, 2**31 - 2, 2**31 - 1):
        cls = made(lambda number=number: family(number))  # type: ignore[misc]
        if cls:
            assert tree_class(str(cls)) == cls


@given(names)
def test_no_other_text_is_the_name_of_a_class_or_of_a_system(name: str) -> None:
    for find in (tree_class, transition_system):
        found = made(lambda find=find: find(name))  # type: ignore[misc]
        assert found is None or find(found.name).name == found.name


@pytest.mark.parametrize("kind", SYSTEMS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("single_root", [False, True])
def test_a_transition_system(kind: object, single_root: bool) -> None:
    for oracle in (None, *kind.oracles):  # type: ignore[attr-defined]
        system = transition_system(kind.shown(kind.example), oracle=oracle, single_root=single_root)  # type: ignore[attr-defined]
        again = eval(repr(system))
        assert repr(again) == repr(system)
        assert (again.name, again.oracle_name, again.single_root) == (system.name, system.oracle_name, single_root)


@given(st.sampled_from(SYSTEMS), st.one_of(st.none(), names))
def test_a_transition(kind: object, label: str | None) -> None:
    for name in transition_system(kind.shown(kind.example)).names(9):  # type: ignore[attr-defined]
        transition = Transition(name, label)
        assert Transition.parse(str(transition)) == transition
        assert eval(repr(transition)) == transition


def test_a_tree() -> None:
    tree = Tree([3, 0, 2])
    assert eval(repr(tree)) == tree


@given(st.lists(names, min_size=2, max_size=2), st.lists(names, max_size=2))
def test_the_columns_and_comments_of_a_sentence(deprels: list[str], comments: list[str]) -> None:
    plain = Sentence.parse("1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n")
    sentence = made(lambda: plain.with_heads([2, 0], deprels, comments))
    if sentence:
        again = Sentence.parse(str(sentence))
        assert again == sentence
        assert again.deprels == deprels
        assert again.comments == [comment if comment.startswith("#") else f"# {comment}" for comment in comments]


@given(st.lists(names, min_size=8, max_size=8))
def test_a_sentence_as_a_graph(cells: list[str]) -> None:
    columns = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
    graph = Sentence.parse("1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n").to_networkx()
    graph.nodes[1].update(zip(columns, cells, strict=True))
    graph.edges[0, 1]["deprel"] = cells[5]
    sentence = made(lambda: Sentence.from_networkx(graph))
    if sentence:
        assert [sentence.column(name)[0] for name in columns] == [cell or "_" for cell in cells]
        assert Sentence.from_networkx(sentence.to_networkx()) == sentence


tables = st.integers(1, 3).flatmap(
    lambda width: st.builds(
        lambda headings, rows, bold: Table([Column(heading) for heading in headings], rows, bold=bold),
        st.lists(names, min_size=width, max_size=width),
        st.lists(st.lists(names, min_size=width, max_size=width), max_size=3),
        st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=2),
    )
)


def in_one_line(cell: str) -> str:
    return " ".join(re.split(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+", cell))


@given(tables)
def test_a_table_as_csv(table: Table) -> None:
    again = list(csv.reader(io.StringIO(table.to_csv(), newline="")))
    assert again == [[column.heading for column in table.columns], *table.rows]


@given(tables)
def test_a_table_as_markdown(table: Table) -> None:
    """As GitHub reads it: cells end at pipes that no backslash escapes, and a backslash escapes punctuation."""
    lines = table.to_markdown().split("\n")
    rows = [[column.heading for column in table.columns], *table.rows]
    assert len(lines) == len(rows) + 2
    assert lines.pop() == ""
    del lines[1]
    for number, (line, row) in enumerate(zip(lines, rows, strict=True), -1):
        cells = re.findall(r"((?:\\.|[^|\\])*)\|", line)[1:]
        read = [re.sub(r"\\(.)", r"\1", cell) for cell in cells]
        bold = [(number, place) in table.bold for place in range(len(row))]
        expected = [
            f" **{in_one_line(cell)}** " if b else f" {in_one_line(cell)} " for cell, b in zip(row, bold, strict=True)
        ]
        assert read == expected


@given(tables)
def test_a_table_as_latex(table: Table) -> None:
    """Every special character is escaped: without the escapes the cells are what they were."""
    rows = [[column.heading for column in table.columns], *table.rows]
    lines = [line for line in table.to_latex().split("\n") if line.endswith(r"\\")]
    assert len(lines) == len(rows)
    meant = {r"\textbackslash{}": "\\", r"$\leq$": "≤", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^"}
    meant |= {"$<$": "<", "$>$": ">"}
    pattern = re.compile("|".join(map(re.escape, meant)) + r"|\\([&%$#_{}])")
    for number, (line, row) in enumerate(zip(lines, rows, strict=True), -1):
        assert not re.match(r"\s*[\[*]", line), "LaTeX takes these for an argument of the line end before"
        cells = re.split(r"(?<!\\) & ", line.removeprefix("{}").removesuffix(r" \\"))
        read = [pattern.sub(lambda found: meant.get(found[0]) or found[1], cell) for cell in cells]
        bold = [(number, place) in table.bold for place in range(len(row))]
        expected = [
            rf"\textbf{{{in_one_line(cell)}}}" if b else in_one_line(cell) for cell, b in zip(row, bold, strict=True)
        ]
        assert read == expected
