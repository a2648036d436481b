"""SVG pictures: golden ones, their structure, and the arcs read back from them."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from drawn_trees import (
    CHINESE,
    COMBINING,
    HEARING,
    LONG,
    NESTED_GAPS,
    ONE,
    ROOTS,
    TEN,
    random_tree,
    trees,
)
from hypothesis import given
from hypothesis import strategies as st

from nonproj.draw import page, svg, text
from nonproj.draw.planes import drawn_planes
from nonproj.errors import NonprojError
from nonproj.trees import Tree

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"
PICTURES = {
    "hearing": lambda: svg(HEARING),
    "hearing-boxes": lambda: svg(
        HEARING,
        tags=["DET", "NOUN", "AUX", "VERB", "ADP", "DET", "NOUN", "NOUN", "PUNCT"],
        boxes=[2, 4],
        title="A noun and its modifier, apart",
    ),
    "hearing-dark": lambda: svg(HEARING, dark=True, highlight=[(2, 5), (4, 8)]),
    "ten-plain": lambda: svg(TEN, show_planes=False, mark_crossings=False, scale=2, dark=False),
    "ten-gaps": lambda: svg(TEN, boxes="gaps"),
    "nested-gaps": lambda: svg(NESTED_GAPS, boxes="gaps", title="Yields with gaps"),
    "long": lambda: svg(LONG),
    "long-unlabelled": lambda: svg(LONG, labels=False),
    "one": lambda: svg(ONE),
    "roots": lambda: svg(ROOTS),
    "chinese": lambda: svg(CHINESE, tags=["PRON", "NOUN", "VERB", "NUM", "NOUN", "NOUN", "PUNCT"]),
    "combining": lambda: svg(COMBINING),
}


@pytest.mark.parametrize("name", PICTURES)
def test_golden(name):
    picture = PICTURES[name]()
    golden, new = GOLDEN / f"{name}.svg", GOLDEN / f"{name}.new.svg"
    if golden.exists() and golden.read_text(encoding="utf-8") == picture:
        new.unlink(missing_ok=True)
        return
    new.write_text(picture, encoding="utf-8")
    pytest.fail(f"{golden.name} differs or is missing; look at {new.name}, and rename it if it is right")


def elements(picture, kind):
    return [e for e in ElementTree.fromstring(picture).iter() if kind in e.get("class", "").split()]


def drawn_width(picture: str) -> float:
    return float(ElementTree.fromstring(picture).attrib["width"])


def decoded(picture):
    """The arcs of a picture: feet less than 10 pixels apart stand at one word, one of them with an arrow."""
    tips = {float(re.findall(r"^M([\d.]+)", head.get("d"))[0]) for head in elements(picture, "head")}
    ends = []
    for arc in elements(picture, "arc"):
        points = re.findall(r"(?:[ML]|A[\d.]+ [\d.]+ 0 0 1 )([\d.]+) [\d.]+", arc.get("d"))
        ends.append({float(points[0]), float(points[-1])})
    feet = sorted({foot for pair in ends for foot in pair})
    word_of, word = {}, 0
    for i, foot in enumerate(feet):
        word += i == 0 or foot - feet[i - 1] > 10
        word_of[foot] = word
    arcs = []
    for pair in ends:
        (dependent,) = pair & tips
        head = [word_of[foot] for foot in pair - tips]
        arcs.append((head[0] if head else 0, word_of[dependent]))
    return sorted(arcs, key=lambda arc: arc[1])


@given(trees(), st.booleans(), st.booleans(), st.sampled_from([None, True, False]), st.data())
def test_any_tree_is_drawn_and_read_back(tree, labels, planes, dark, data):
    words = st.integers(1, len(tree))
    picture = svg(
        tree,
        labels=labels,
        show_planes=planes,
        mark_crossings=data.draw(st.booleans()),
        boxes=data.draw(st.just("gaps") | st.sets(words)),
        highlight=data.draw(st.sets(st.sampled_from(tree.arcs))),
        dark=dark,
    )
    assert len(elements(picture, "arc")) == len(elements(picture, "word")) == len(tree)
    assert decoded(picture) == tree.arcs


def extent(rectangle):
    return float(rectangle.get("x")), float(rectangle.get("x")) + float(rectangle.get("width"))


@given(trees(), st.data())
def test_boxes_nest_or_lie_apart(tree, data):
    nodes = data.draw(st.lists(st.integers(1, len(tree)), unique=True))
    picture = svg(tree, boxes=nodes)
    rectangles = elements(picture, "box")
    assert len(rectangles) == sum(len(tree.blocks(node)) for node in nodes)
    words = [float(word.get("x")) for word in elements(picture, "word")]
    rectangle = iter(rectangles)
    for node in nodes:
        for first, last in tree.blocks(node):
            left, right = extent(next(rectangle))
            assert [i for i, x in enumerate(words, 1) if left <= x <= right] == list(range(first, last + 1))
    width = drawn_width(picture)
    for one in rectangles:
        (a, b) = extent(one)
        assert 0 < a < b < width
        for two in rectangles:
            (c, d) = extent(two)
            assert one is two or b < c or d < a or (a < c and d < b) or (c < a and b < d)


def test_colours_follow_planes():
    arcs = elements(svg(HEARING, dark=False), "arc")
    assert len({arc.get("stroke") for arc in arcs}) == 1 + max(HEARING.plane_of.values())
    plain = elements(svg(HEARING, dark=False, show_planes=False), "arc")
    assert len({arc.get("stroke") for arc in plain}) == 1


def test_crossed_arcs_are_interrupted():
    def pieces(picture):
        return sorted(arc.get("d").count("M") for arc in elements(picture, "arc"))

    crossing = Tree([3, 4, 0, 3])
    assert pieces(svg(crossing)) == [1, 1, 2, 2]  # 4 -> 2 crosses 3 -> 1, and the root's arrow crosses 4 -> 2
    assert pieces(svg(crossing, mark_crossings=False)) == [1, 1, 1, 1]


def test_text_is_escaped():
    picture = svg(COMBINING, title='<&">')
    assert "<b>" not in picture
    texts = [element.text for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert texts[0] == '<&">'
    assert {"<b>", "&", "a<b", 'c&"d"'} <= set(texts)


def test_text_that_xml_cannot_hold():
    picture = svg(Tree([0, 1], forms=["a\x00b", "\ud800"], deprels=["\x1b", "\ufffe"]))
    assert [word.text for word in elements(picture, "word")] == ["a\ufffdb", "\ufffd"]
    picture.encode("utf-8")


def test_scale_changes_the_size_only():
    small, large = svg(TEN), svg(TEN, scale=2)
    assert drawn_width(large) == 2 * drawn_width(small)
    assert small.splitlines()[1:] == large.splitlines()[1:]


def test_only_drawings_that_follow_the_viewer_have_a_style():
    assert "prefers-color-scheme" in svg(ONE)
    assert "<style>" not in svg(ONE, dark=True) + svg(ONE, dark=False)


def test_five_hundred_words():
    arcs = elements(svg(random_tree(500), dark=False), "arc")
    assert len(arcs) == 500
    assert len({arc.get("stroke") for arc in arcs}) == 1  # far too many planes to colour


def test_planes_that_could_not_be_settled(monkeypatch):
    def give_up(tree):
        raise NonprojError("too entangled")

    monkeypatch.setattr(Tree, "plane_of", property(give_up))
    assert svg(TEN) == svg(TEN, show_planes=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"highlight": [(1, 2)]}, "no arc 1 -> 2"),
        ({"highlight": [(1, 10)]}, "no arc 1 -> 10"),
        ({"boxes": [0]}, "from 1 to 9, got 0"),
        ({"boxes": "gap"}, "got 'gap'"),
        ({"tags": ["X"]}, "each of the 9 words, got 1"),
        ({"scale": 0}, "positive number, got 0"),
        ({"scale": float("nan")}, "positive number, got nan"),
    ],
)
def test_errors_say_what_was_expected(options, message):
    with pytest.raises(NonprojError, match=message):
        svg(HEARING, **options)


def test_page():
    html = page([("One <1>", ONE), ("Ten", TEN)], title="Both & all", dark=True)
    assert html.count("<svg") == html.count("<figure>") == 2
    assert "<figcaption>One &lt;1&gt;</figcaption>" in html
    assert "<title>Both &amp; all</title>" in html


def test_arcs_are_coloured_by_the_planes_that_are_asked_for() -> None:
    tree = Tree([0, 1, 1, 1, 2])
    planes = tree.planes_of("MH4")
    assert sum(planes.values()) == 2
    assert sum(tree.plane_of.values()) == 1
    assert drawn_planes(tree, "mh4") == [0, *(planes[arc] for arc in tree.arcs)]
    for picture in (svg(tree, planes="mh4"), page([("one", tree)], planes="mh4")):
        assert picture.count('class="arc stroke-plane-1"') == 2
    assert svg(tree).count('class="arc stroke-plane-1"') == 1
    with pytest.raises(NonprojError, match="not in MH4"):
        text(Tree([2, 0, 0, 1]), planes="mh4", color=True)
    with pytest.raises(NonprojError, match="'fewest' or 'mh4'"):
        svg(tree, planes="2-P")  # type: ignore[arg-type]
