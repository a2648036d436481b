"""The colours of the drawings, told apart with any kind of colour vision (after Okabe and Ito)."""

from __future__ import annotations

FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
LIGHT = {
    "ground": "#ffffff",
    "ink": "#26282b",
    "faint": "#8a8f96",
    "highlight": "#d1341b",
    "plane-1": "#0072b2",
    "plane-2": "#b5658f",
    "plane-3": "#008f68",
    "plane-4": "#c98a00",
    "plane-5": "#5a4fcf",
    "box-1": "#c26a00",
    "box-2": "#008f68",
    "box-3": "#5a4fcf",
    "box-4": "#b0417c",
    "box-5": "#0072b2",
}
DARK = {
    "ground": "#15171a",
    "ink": "#e4e6e9",
    "faint": "#868c94",
    "highlight": "#ff6a4d",
    "plane-1": "#5bb8f0",
    "plane-2": "#e093bd",
    "plane-3": "#36c79b",
    "plane-4": "#f0b43c",
    "plane-5": "#a79cff",
    "box-1": "#f0a43c",
    "box-2": "#36c79b",
    "box-3": "#a79cff",
    "box-4": "#f08abf",
    "box-5": "#5bb8f0",
}
COLOURS = 5  # of planes other than the first, and of boxes; beyond them they come round again
DASHES = ("", "6 3", "1.5 3", "9 3 2 3")  # of boxes: four and five have no common factor, so pairs last long

# For the terminal, parameters of "select graphic rendition": faint, and bright colours for planes 1, 2, ...
ANSI_FAINT = "2"
ANSI_PLANES = ("94", "95", "92", "93", "96")


def plane_role(plane: int) -> str:
    """What a plane is painted with: the first one in ink, the others each in a colour."""
    return f"plane-{1 + (plane - 1) % COLOURS}" if plane else "ink"


def box_role(index: int) -> str:
    """What the boxes of the index-th boxed node are painted with."""
    return f"box-{1 + index % COLOURS}"


def box_dashes(index: int) -> str:
    """How the boxes of the index-th boxed node are dashed, to be told apart without colours."""
    return DASHES[index % len(DASHES)]


def ansi_plane(plane: int) -> str:
    """The rendition of a plane in the terminal, which draws the first one as it draws text."""
    return ANSI_PLANES[(plane - 1) % len(ANSI_PLANES)] if plane else ""
