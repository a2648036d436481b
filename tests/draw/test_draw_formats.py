"""One function draws in every format what the format's own function draws."""

import pytest

import nonproj as npj
from nonproj.draw import page, svg, text

TREEBANK = npj.example_treebank()


def test_a_tree_and_its_sentence_are_drawn_alike() -> None:
    sentence = TREEBANK[3]
    for what in (sentence, sentence.tree):
        assert npj.draw(what) == text(sentence.tree)
        assert npj.draw(what, "text", width=0, ascii=True) == text(sentence.tree, width=0, ascii=True)
        assert npj.draw(what, format="svg", boxes="gaps") == svg(sentence.tree, boxes="gaps")
    assert npj.draw(sentence, "html", title="One") == page([(sentence.sent_id, sentence.tree)], title="One")


def test_a_page_shows_several() -> None:
    few = TREEBANK[:3]
    assert npj.draw(few, "html") == page([(sentence.sent_id, sentence.tree) for sentence in few])
    trees = [sentence.tree for sentence in few]
    assert npj.draw(iter(trees), "html", dark=True) == page(
        [(str(number), tree) for number, tree in enumerate(trees, 1)], dark=True
    )


def test_what_cannot_be_drawn_says_so() -> None:
    with pytest.raises(npj.NonprojError, match="'svg' draws one tree or sentence, not Treebank"):
        npj.draw(TREEBANK, "svg")
    with pytest.raises(npj.NonprojError, match="format must be 'text', 'svg', 'html' or 'latex', not 'gif'"):
        npj.draw(TREEBANK[0], "gif")  # type: ignore[arg-type]
    with pytest.raises(npj.NonprojError, match="expected a Tree or a Sentence, not int"):
        npj.draw([2, 0], "html")  # type: ignore[list-item]
    with pytest.raises(TypeError, match="scale"):
        npj.draw(TREEBANK[0], scale=2.0)
