"""The papers' figures of families of schemata, in which k is a letter: to be read beside the schemata that run."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

_WIDTH = 90
_DOTS = r"\dots"
_GWC = "Gómez-Rodríguez, Weir & Carroll 2009"


@dataclass(frozen=True)
class FigureStep:
    """A deduction step of a figure, in LaTeX: what must be known, what follows, the arc and the side condition."""

    name: str
    above: tuple[str, ...]
    below: str
    where: str = ""
    arrow: str = ""


@dataclass(frozen=True)
class Figure:
    """A family of schemata as its paper shows it; every member by its number is a schema that runs.

    >>> print(MHK.to_text().splitlines()[0])
    MHk: multi-headed trees, items of at most k heads
    """

    name: str
    title: str
    reference: str
    time: str
    """The exponent, in k."""
    space: str
    items: tuple[tuple[str, str], ...]
    """Each form of item with its conditions."""
    hypotheses: str
    final: str
    steps: tuple[FigureStep, ...]
    note: str

    @property
    def orders(self) -> tuple[str, str]:
        """Time and space, in n and k."""
        time, space = (f"O(n^({power}))" if "+" in power else f"O(n^{power})" for power in (self.time, self.space))
        return time, space

    @property
    def cost(self) -> str:
        """Time and space, in words."""
        time, space = self.orders
        return f"{time} time; {space} space for recognition, {time} with derivations"

    def to_text(self) -> str:
        """The figure as plain text."""
        parts = [
            f"{self.name}: {self.title}\n{self.reference}. Derives the class {self.name}, for any k.\n{self.cost}."
        ]
        parts.append("Items\n" + "\n".join(f"  {_plain(item)}\n      {_plain(where)}" for item, where in self.items))
        parts.append(f"Hypotheses\n  {_plain(self.hypotheses)}")
        parts += map(_shown, self.steps)
        parts += [f"Final\n  {_plain(self.final)}", textwrap.fill(self.note, 118)]
        return "\n\n".join(parts) + "\n"

    def to_latex(self) -> str:
        """The figure as LaTeX: a description list, with amsmath's fractions."""
        lines = [f"% {self.name}: {self.title}; {self.reference}", r"\begin{description}"]
        lines += [rf"\item[Items] ${item}$, {_mathematics(where)}" for item, where in self.items]
        lines.append(rf"\item[Hypotheses] {_mathematics(self.hypotheses)}")
        for step in self.steps:
            above = r" \quad ".join(step.above)
            line = rf"\item[{step.name}] $\dfrac{{{above}}}{{{step.below}}}$"
            line += f" ${step.arrow}$" if step.arrow else ""
            lines.append(line + (f" such that {_mathematics(step.where)}" if step.where else ""))
        lines.append(rf"\item[Final] {_mathematics(self.final)}")
        return "\n".join([*lines, r"\end{description}", self.note.replace("_", r"\_"), ""])


def _shown(step: FigureStep) -> str:
    """A step as plain text; antecedents that are long stand below each other."""
    needed, below = [_plain(item) for item in step.above], _plain(step.below)
    above = needed if sum(map(len, needed)) > _WIDTH else ["   ".join(needed)]
    rule = "─" * max(map(len, [*above, below]))
    arrow = f"  {_plain(step.arrow)}" if step.arrow else ""
    lines = [step.name, *(f"  {line}" for line in above), f"  {rule}{arrow}", f"  {below}"]
    return "\n".join([*lines, *([f"  such that {_plain(step.where)}"] if step.where else [])])


_SIGNS = {
    r"\dots": "...", r"\leq": "<=", r"\neq": "!=", r"\in": "in", r"\notin": "not in", r"\setminus": "\\",
    r"\rightarrow": "->", r"\bigcup_{p=1}^g": "∪_p", r"\quad": " ",
}  # fmt: skip


def _plain(source: str) -> str:
    """LaTeX as it reads in a terminal; mathematics between words stands between dollars."""
    for sign in sorted(_SIGNS, key=len, reverse=True):
        source = source.replace(sign, _SIGNS[sign])
    return " ".join(re.sub(r"_\{(\w)\}", r"_\1", source.replace("$", "")).split())


def _mathematics(source: str) -> str:
    """Conditions that are all mathematics, or words with mathematics between dollars."""
    return source if "$" in source else f"${source}$"


def _item(first: str, last: str, *gaps: str, head: str = "h") -> str:
    """An item with a list of gaps, each written by the number of its ends, or by its ends in brackets."""
    shown = (gap if gap == _DOTS or "(" in gap else f"(l_{{{gap}}}, r_{{{gap}}})" for gap in gaps)
    return f"[{first}, {last}, {head}, [{', '.join(shown)}]]"


def _combine(name: str, first: str, second: str, *, last: str = "j", where: str = r"g \leq k") -> FigureStep:
    return FigureStep(f"Combine {name}", (first, second), _item("i", last, "1", _DOTS, "g"), where)


_INNER = ("q+1", _DOTS, "s-1")
_OUTSIDE = r"\setminus \bigcup_{p=1}^g [l_p, r_p]"

WGK = Figure(
    "WGk",
    "well-nested trees of gap degree at most k",
    f"{_GWC}, section 4.1, Figure 1B",
    "2k+5",
    "2k+3",
    items=(
        (
            _item("i", "j", "1", _DOTS, "g"),
            r"$0 \leq g \leq k, 1 \leq h \leq n, 1 \leq i \leq j \leq n, h \neq j, h \neq i-1$, and for each $p$ "
            r"from 1 to $g$: $i < l_p \leq r_p < j, r_p < l_{p+1}-1, h \neq l_p-1, h \neq r_p$",
        ),
    ),
    hypotheses=_item("h", "h"),
    final=_item("1", "n"),
    steps=(
        FigureStep(
            "Link",
            (_item("h_1", "h_1", head="h_1"), _item("i_2", "j_2", "1", _DOTS, "g", head="h_2")),
            _item("i_2", "j_2", "1", _DOTS, "g", head="h_1"),
            rf"$w_{{h_2}} \in [i_2, j_2] {_OUTSIDE}$ and $w_{{h_1}} \notin [i_2, j_2] {_OUTSIDE}$",
            r"w_{h_2} \rightarrow w_{h_1}",
        ),
        _combine(
            "Opening Gap",
            _item("i", "l_q-1", "1", _DOTS, "q-1"),
            _item("r_q+1", "m", "q+1", _DOTS, "g"),
            last="m",
            where=r"g \leq k, l_q \leq r_q",
        ),
        _combine("Keeping Gaps", _item("i", "j", "1", _DOTS, "q"), _item("j+1", "m", "q+1", _DOTS, "g"), last="m"),
        _combine(
            "Shrinking Gap Left",
            _item("i", "j", "1", _DOTS, "q", "(l', r_s)", "s+1", _DOTS, "g"),
            _item("l'", "l_s-1", *_INNER),
        ),
        _combine(
            "Shrinking Gap Right",
            _item("i", "j", "1", _DOTS, "q-1", "(l_q, r')", "s", _DOTS, "g"),
            _item("r_q+1", "r'", *_INNER),
        ),
        _combine(
            "Shrinking Gap Centre",
            _item("i", "j", "1", _DOTS, "q", "(l', r')", "s", _DOTS, "g"),
            _item("l'", "r'", *_INNER),
        ),
        _combine(
            "Shrinking Gap Middle",
            _item("i", "j", "1", _DOTS, "q-1", "(l_q, r_s)", "s+1", _DOTS, "g"),
            _item("r_q+1", "l_s-1", *_INNER),
        ),
    ),
    note="w_d -> w_h beside a step is a D-rule, dependent first. Items are kept in normal form, as for k = 1. Combine "
    "Shrinking Gap Middle is not in the figure, which without it misses trees from k = 2 on. WG1, WG2, ... are the "
    "schemata that run, with a step for each number of gaps.",
)

_A = (
    r"[i_{a_1}, i_{a_p+1}-1, h, [(i_{a_1+1}, i_{a_2}-1), \dots, (i_{a_{p-1}+1}, i_{a_p}-1)]]",
    r"[i_{b_1}, i_{b_q+1}-1, h, [(i_{b_1+1}, i_{b_2}-1), \dots, (i_{b_{q-1}+1}, i_{b_q}-1)]]",
)

MGK = Figure(
    "MGk",
    "mildly ill-nested trees of gap degree at most k",
    f"{_GWC}, section 5.1, Figure 1D",
    "3k+4",
    "2k+3",
    items=WGK.items,
    hypotheses=WGK.hypotheses,
    final=WGK.final,
    steps=(
        WGK.steps[0],
        FigureStep(
            "Combine, for each string of length n over a, b and g",
            _A,
            r"[i_{min(a_1,b_1)}, i_{max(a_p+1,b_q+1)}-1, h, [(i_{g_1}, i_{g_1+1}-1), \dots, (i_{g_r}, i_{g_r+1}-1)]]",
            r"the a's stand at $a_1 < \dots < a_p$, the b's at $b_1 < \dots < b_q$, the g's at $g_1 < \dots < g_r$, "
            r"none of them first or last; no symbol follows itself; $1 \leq p \leq k+1, 1 \leq q \leq k+1, "
            r"0 \leq r \leq k, p+q+r = n$",
        ),
    ),
    note="The bounds are those of the text: the figure prints p <= k, q <= k, r <= k-1. 'nonproj schema strings MG1' "
    "lists the strings for one k; MG1, MG2, ... are the schemata that run, with a step for each. Those without abab or "
    "baba are the steps of WGk.",
)

MHK = Figure(
    "MHk",
    "multi-headed trees, items of at most k heads",
    "Gómez-Rodríguez 2016, Figure 2",
    "k",
    "k",
    items=((r"[h_1, h_2, \dots, h_m]", r"0 \leq h_1 < h_2 < \dots < h_m \leq n+1, 2 \leq m \leq k"),),
    hypotheses=r"$[i, i+1]$ where $0 \leq i \leq n$",
    final="[0, n+1]",
    steps=(
        FigureStep(
            "Combine",
            (r"[h_1, h_2, \dots, h_m]", r"[h_m, h_{m+1}, \dots, h_p]"),
            r"[h_1, h_2, \dots, h_p]",
            r"p \leq k",
        ),
        FigureStep(
            "Link",
            (r"[h_1, h_2, \dots, h_m]",),
            r"[h_1, h_2, \dots, h_{j-1}, h_{j+1}, \dots, h_m]",
            r"1 < j < m, 1 \leq i \leq m, j \neq i",
            r"h_i \rightarrow h_j",
        ),
    ),
    note="The arrow is an arc, from head to dependent. The figure has k = 4. MH3, MH4, ... are the schemata that run; "
    "in them n+1 is no head, since the dummy is on the left.",
)

FIGURES = (WGK, MGK, MHK)
"""The figures of families."""


def family_figure(name: str) -> Figure | None:
    """The figure of a family such as WGk, or None; case, ``_`` and ``-`` do not matter.

    >>> figure = family_figure("wg_k")
    >>> figure.orders if figure else None
    ('O(n^(2k+5))', 'O(n^(2k+3))')
    """
    key = re.sub(r"[-_\s]", "", name).lower()
    return next((figure for figure in FIGURES if figure.name.lower() == key), None)
