"""How Kahane, Nasr & Rambow (1998) print categories and what may be missing: read, or told how to write."""

import pytest

import nonproj as npj
from nonproj.errors import NonprojError
from nonproj.grammar import Grammar

LEXICON = "start: V\nword eats: V[trans +]\nword beans: N\nword slowly: Adv\n"


def test_a_feature_without_a_value_is_told_how_to_be_written() -> None:
    with pytest.raises(NonprojError, match=r"a value of the feature 'trans': \+ or - or a name"):
        Grammar.parse_text(LEXICON + "s d: V[trans] -> N\n")


def test_an_index_is_told_to_be_a_feature() -> None:
    warnings = Grammar.parse_text(LEXICON + "s d: V_trans -> N\n").check()
    told = [warning.text for warning in warnings if warning.kind == "no word"]
    assert told == ["no word of the lexicon is a V_trans; the feature of V_trans is written V[trans +]"]


@pytest.mark.parametrize("order", ["(Adv) # N*", "# (N) Adv*", "((Adv)) # N*"])
def test_a_category_alone_in_parentheses_is_refused(order: str) -> None:
    with pytest.raises(NonprojError, match=r"parentheses group: write (Adv|N)\? where (Adv|N) may be missing"):
        Grammar.parse_text(f"{LEXICON}lp p: V = {order}\n")


def test_parentheses_group() -> None:
    grammar = Grammar.parse_text(LEXICON + "s d: V[trans +] -> N\nm a: V -> Adv\nlp p: V = (Adv)? # (N | Adv)*\n")
    assert [grammar.parse(text).count for text in ("eats beans", "slowly eats beans")] == [1, 1]


def test_structural_pseudo_projectivity_is_found_by_its_names() -> None:
    for name in ("PP", "Nasr", "pseudo-projective", "structurally pseudo-projective"):
        assert npj.tree_class(name).name == "PP"
