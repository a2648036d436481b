"""Drawings of sentences: from right to left, on several lines, with multiword tokens, empty nodes, tags, features."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from drawn_trees import GAPPING, HEARING, HEBREW, LONG, cross, random_tree, trees
from hypothesis import given
from hypothesis import strategies as st
from test_draw_svg import drawn_width, elements
from test_draw_text import read_above, read_beside

from nonproj.draw import latex, page, scene, svg, text
from nonproj.draw.direction import is_right_to_left
from nonproj.draw.measure import cell_width
from nonproj.errors import NonprojError
from nonproj.treebank import Sentence
from nonproj.trees import Tree


def pieces(picture):
    """The arcs of a picture, each a list of pieces: begin, end, top, and whether it has a leg at either side."""
    found = []
    for arc in elements(picture, "arc"):
        parts = []
        for part in arc.get("d").split("M")[1:]:
            points = [(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)(?=[A-Z]|$)", part)]
            flat = [float(x) for x in re.findall(r"H([\d.]+)", part)]
            ends = [x for x, _ in points] + flat
            legs = ("L" in part, "V" in part)
            parts.append((min(ends), max(ends), min(y for _, y in points), *legs))
        found.append(parts)
    return found


def meetings(one, two):
    """How often two arcs meet: pieces at the same height must lie apart, and a leg of the higher passes the lower."""
    count = 0
    for (a, b, top, *legs), (c, d, other_top, *other_legs) in ((p, q) for p in one for q in two):
        if top == other_top:
            assert b < c or d < a
        elif top < other_top:
            count += sum(c < x < d for x, is_leg in zip((a, b), legs, strict=True) if is_leg)
        else:
            count += sum(a < x < b for x, is_leg in zip((c, d), other_legs, strict=True) if is_leg)
    return count


def line_of(picture, y):
    """The line of words that something above it belongs to."""
    return min(float(word.get("y")) for word in elements(picture, "word") if float(word.get("y")) > y)


@given(trees(), st.integers(60, 600), st.sampled_from(["ltr", "rtl"]))
def test_arcs_on_several_lines_meet_once_when_they_cross_and_never_otherwise(tree, width, direction):
    picture = svg(tree, width=width, direction=direction, mark_crossings=False)
    shown = scene(tree, width=width, direction=direction)
    assert [arc["head"] for arc in shown["arcs"]] == list(tree.heads)
    by_line = [
        [(round(line_of(picture, part[2])), part) for part in arc] for arc in pieces(picture) if arc[0][3] or arc[0][4]
    ]
    inner = [arc for arc in by_line if len(arc) > 1 or (arc[0][1][3] and arc[0][1][4])]
    arcs = [arc for arc in tree.arcs if arc[0]]
    assert len(inner) == len(arcs)
    total = 0
    for one, two in combinations(inner, 2):
        lines = {line for line, _ in one} & {line for line, _ in two}
        total += sum(meetings([p for at, p in one if at == line], [p for at, p in two if at == line]) for line in lines)
    assert total == sum(cross(one, two) for one, two in combinations(arcs, 2))


@given(trees(), st.integers(1, 700), st.booleans())
def test_lines_hold_every_word_once_and_fit_where_they_can(tree, width, labels):
    picture = svg(tree, width=width, labels=labels, boxes="gaps")
    words = elements(picture, "word")
    assert [word.text or "" for word in words] == [word["text"] for word in scene(tree)["words"]]
    places = [(float(word.get("y")), float(word.get("x"))) for word in words]
    assert places == sorted(places)
    whole = drawn_width(picture)
    for element in [*words, *elements(picture, "label")]:
        assert 0 <= float(element.get("x")) <= whole
    if whole > width:  # then some line could not be broken further
        lines = {y: [x for at, x in places if at == y] for y, _ in places}
        assert min(map(len, lines.values())) <= 2


def test_a_long_sentence_is_as_wide_as_asked_for():
    for width in (400, 700, 1000):
        assert drawn_width(svg(LONG, width=width)) <= width
        assert drawn_width(svg(random_tree(60), width=width)) <= width
    assert svg(HEARING, width=5000) == svg(HEARING)


def test_right_to_left_is_the_mirror_image():
    words = [float(word.get("x")) for word in elements(svg(HEBREW), "word")]
    assert words == sorted(words, reverse=True)
    assert 'direction="rtl"' in svg(HEBREW)
    assert 'direction="rtl"' not in svg(HEARING)
    mirrored = scene(HEARING, direction="rtl")
    plain = scene(HEARING)
    assert [a["head"] for a in mirrored["arcs"]] == [a["head"] for a in plain["arcs"]]
    for one, two in zip(mirrored["words"], plain["words"], strict=True):
        assert one["x"] == pytest.approx(mirrored["width"] - two["x"], abs=1.5)


def test_the_first_line_of_what_runs_from_right_to_left_is_full():
    shown = scene(HEBREW, width=400)
    lines = [word["line"] for word in shown["words"]]
    assert lines == sorted(lines)
    assert len(shown["lines"]) > 1
    rights = [max(w["left"] + w["width"] for w in shown["words"] if w["line"] == n) for n in range(len(shown["lines"]))]
    assert max(rights) - min(rights) < 60


def test_direction_goes_by_the_script():
    assert is_right_to_left(["كتب", "الولد", "."])
    assert is_right_to_left(["ދިވެހި"])
    assert not is_right_to_left(["The", "word", "כן"])
    assert not is_right_to_left([])
    with pytest.raises(NonprojError, match="'auto', 'ltr' or 'rtl'"):
        svg(HEARING, direction="down")  # type: ignore[arg-type]


def test_multiword_tokens_and_empty_nodes_are_drawn():
    picture = svg(GAPPING, tags="upos", features=True)
    assert [token.text for token in elements(picture, "token")] == ["del"]
    assert len(elements(picture, "bracket")) == 1
    assert [node.text for node in elements(picture, "empty")] == ["bebe", "…"]
    assert "8.1" in [number.text for number in elements(picture, "number")]
    assert "Definite=Def" in [feature.text for feature in elements(picture, "feature")]
    between = [float(e.get("x")) for e in [*elements(picture, "word")[7:8], *elements(picture, "empty")[:1]]] + [
        float(elements(picture, "word")[8].get("x"))
    ]
    assert between == sorted(between)
    assert [tag.text for tag in elements(picture, "tag")][-2:] == ["VERB", "PRON"]


def test_a_token_longer_than_its_words_has_room():
    text_ = "".join(
        "\t".join([number, form, *"____", head, "dep", "_", "_"]) + "\n"
        for number, form, head in [("1-2", "Donaudampfschifffahrt", "_"), ("1", "a", "0"), ("2", "b", "1")]
    )
    picture = svg(Sentence.parse(text_))
    one, two = (float(word.get("x")) for word in elements(picture, "word"))
    assert two - one > 100
    assert drawn_width(picture) > two - one


def test_the_terminal_shows_them_too():
    above = text(GAPPING, width=120, tags="upos", features=True)
    assert "╰" in above
    assert "del" in above.splitlines()[-1]
    assert all(shown in above for shown in ("8.1", "PROPN", "Person=3", "…"))
    beside = text(GAPPING, width=50, tags="upos")
    assert re.search(r"4  de +ADP +case +╮ del", beside)
    assert re.search(r"8\.1  bebe +VERB", beside)


def test_words_in_the_terminal_stay_in_their_places():
    """Each word stands between marks, so that no terminal moves it; the arcs are those of the mirror image."""
    drawing = text(HEBREW.tree, width=200, labels=False)
    line = next(line for line in drawing.splitlines() if "מחר" in line)
    words = re.findall("[\u0590-\u05ff]+", line)
    assert words == [word for word in reversed(HEBREW.forms) if word.isalpha()]
    assert all(f"\u200e{word}\u200e" in line for word in words)
    size = len(HEBREW)
    arcs = read_above(drawing, size, 2)
    assert sorted((size + 1 - h if h else 0, size + 1 - d) for h, d in arcs) == sorted(HEBREW.tree.arcs)
    assert line.index("(") < line.index("אולי") < line.index(")")  # they look as brackets should
    assert read_beside(text(HEBREW.tree, width=0, labels=False)) == HEBREW.tree.arcs
    assert max(map(cell_width, drawing.splitlines())) <= 200


def test_latex_turns_what_runs_from_right_to_left():
    made = latex(HEBREW, tags="upos")
    assert made.splitlines()[2].split(r" \& ")[-1].startswith("מחר")
    assert r"\depedge{12}{14}{advmod}" in made
    assert latex(HEARING, direction="rtl") != latex(HEARING)


def test_pages_break_lines():
    html = page([("long", LONG)], width=500)
    assert float(re.findall(r'<svg[^>]* width="([\d.]+)"', html)[0]) <= 500


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 0}, "positive number of pixels"),
        ({"tags": "upos"}, "draw the sentence"),
        ({"features": True}, "draw the sentence"),
        ({"tags": "colour"}, "'upos', 'xpos'"),
    ],
)
def test_errors_say_what_to_do(options, message):
    with pytest.raises(NonprojError, match=message):
        svg(Tree([0]), **options)
