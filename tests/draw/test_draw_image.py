"""PNG and PDF are the SVG picture: the same size, the same colours at the same places."""

import io
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import pytest
from PIL import Image

import nonproj as npj
from nonproj.draw import image, svg
from nonproj.draw.image import DOTS_AN_INCH

HEARING = next(sentence.tree for sentence in npj.example_treebank() if sentence.sent_id == "en-hearing")
ZOOM = DOTS_AN_INCH / 72


def pixels(**options: object) -> Image.Image:
    return Image.open(io.BytesIO(image(HEARING, "png", **options))).convert("RGB")


def elements(kind: str, **options: bool) -> list[ElementTree.Element]:
    picture = ElementTree.fromstring(svg(HEARING, boxes="gaps", dark=options.get("dark", False)))
    return [element for element in picture if element.attrib.get("class") == kind]


def colour(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


@pytest.mark.parametrize("dark", [False, True])
def test_lines_are_where_the_svg_has_them(dark: bool) -> None:
    shown = pixels(boxes="gaps", dark=dark)
    picture = ElementTree.fromstring(svg(HEARING, boxes="gaps", dark=dark))
    assert shown.size == (float(picture.attrib["width"]) * ZOOM, float(picture.attrib["height"]) * ZOOM)
    assert shown.getpixel((2, 2)) == colour(elements("ground", dark=dark)[0].attrib["fill"])
    for box in (box for box in elements("box", dark=dark) if "stroke-dasharray" not in box.attrib):
        x, y, width = (float(box.attrib[name]) for name in ("x", "y", "width"))
        assert shown.getpixel((round((x + width / 2) * ZOOM), round(y * ZOOM))) == colour(box.attrib["stroke"])
    for head in elements("head", dark=dark):
        x, y = (float(number) for number in head.attrib["d"][1 : head.attrib["d"].index("l")].split())
        assert shown.getpixel((round(x * ZOOM), round((y - 4) * ZOOM))) == colour(head.attrib["fill"])


def test_the_same_tree_gives_the_same_file() -> None:
    for form in ("png", "pdf"):
        assert image(HEARING, form) == image(HEARING, form)
    assert pixels(scale=2).size == tuple(2 * length for length in pixels().size)


def test_what_cannot_be_shown_is_an_error_and_no_empty_box(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(npj.NonprojError, match="no font of this machine has \u0378"):
        image(npj.Tree([0], forms=["\u0378"]))  # which stands for nothing
    with pytest.raises(npj.NonprojError, match="'png' or 'pdf'"):
        image(HEARING, "gif")  # type: ignore[arg-type]
    monkeypatch.setattr(mpl, "__version__", "3.10.8")
    with pytest.raises(npj.NonprojError, match=r"matplotlib 3\.11"):
        image(npj.Tree([0], forms=["שלום"]))


def test_signs_of_the_painter_are_letters_here() -> None:
    assert image(npj.Tree([0, 1, 1], forms=["$x$", "\\alpha", "a_b^c"])).startswith(b"\x89PNG")
