"""What a grammar is read off with is chosen on other sentences, and said."""

from nonproj import Sentence, example_treebank
from nonproj.grammar import Grammar
from nonproj.grammar.choosing import LIFT_WEIGHTS, choose
from nonproj.grammar.evaluation import evaluate_grammar


def sentence(*words: tuple[str, str, int]) -> Sentence:
    """A sentence of forms with their feature and head."""
    return Sentence.parse(
        "\n".join(
            f"{n}\t{form}\t_\tX\t_\tF={value}|Odd=Yes\t{head}\tdep\t_\t_"
            for n, (form, value, head) in enumerate(words, 1)
        )
    )


# The tag says nothing, the feature F everything: a takes all b and c; c is sometimes lifted from b.
HEADED = [
    sentence(("a", "A", 0), ("b", "B", 1), ("b", "B", 1)),
    sentence(("b", "B", 2), ("a", "A", 0), ("b", "B", 2)),
    sentence(("b", "B", 3), ("b", "B", 3), ("a", "A", 0)),
    sentence(("c", "C", 3), ("a", "A", 0), ("b", "B", 2)),
] * 15


def test_the_feature_that_says_most_is_chosen() -> None:
    choice = choose(HEADED)
    assert choice.categories == "upos+F"
    assert choice.is_held_out
    assert {one.categories for one in choice.tried} == {"upos", "upos+F", "upos+Odd", "upos+F+Odd"}
    best = max(choice.tried, key=lambda one: one.uas)
    assert choice.tried[-1].uas == best.uas
    assert f"chosen: {choice.tried[-1]}" in str(choice)


def test_columns_that_are_given_win() -> None:
    choice = choose(HEADED, HEADED, "upos")
    assert choice.categories == "upos"
    assert not choice.is_held_out
    assert {one.categories for one in choice.tried} == {"upos"}
    assert [one.lift_weight for one in sorted(choice.tried, key=lambda one: one.lift_weight)] == [0, *LIFT_WEIGHTS]


def test_no_heads_are_lost_for_lifts() -> None:
    treebank = example_treebank()
    choice = choose(treebank, treebank)
    plain = next(one for one in choice.tried if one.categories == choice.categories and not one.lift_weight)
    assert choice.tried[-1].uas >= plain.uas
    assert choice.tried[-1].non_projective.right >= plain.non_projective.right


def test_the_weight_of_lifts_finds_non_projective_arcs() -> None:
    """Gold trees lift c from b to a in one sentence of four; without a weight that is never the best analysis."""
    scores = {
        weight: evaluate_grammar(
            Grammar.from_treebank(HEADED, "upos+F", weighted=True, lift_weight=weight), HEADED, max_lifts=1
        ).non_projective.right
        for weight in (-20.0, 20.0)
    }
    assert scores == {-20.0: 0, 20.0: 15}


def test_too_few_sentences_to_choose_by() -> None:
    choice = choose(HEADED[:10])
    assert (choice.categories, choice.lift_weight, choice.tried) == ("upos", 0, ())
    assert "too few" in str(choice)
