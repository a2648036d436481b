"""The rows of Table 2 of Pitler, Kannan & Marcus (2012), and other classes beside them.

The six rows of the table are the recipes of `nonproj train --recipe`. Proj, MST and Gap-Mind score arcs alone;
Proj+Sib, +Rearr, GM+Grand and the rows with both score siblings, grandparents, or both. All are decoded exactly, in
training too.
"""

from __future__ import annotations

from functools import partial

from experiments import contest
from experiments.contest import Mean, Row
from nonproj import GraphOptions
from nonproj.parser import paper_recipe
from nonproj.parser.prices import CHAIN
from nonproj.report.table import Column, Table

# Classes are compared by the linear scores that they were learnt with.
linear = partial(GraphOptions, network=0)


def arcs(name: str, within: str) -> Row:
    """A class, scored by arcs alone."""
    return Row(name, linear(within=within, order="1"))


def held(name: str, order: str, within: str) -> Row:
    """Trained for all trees, then held to a class."""
    return Row(name, linear(within="spanning", order=order), within)


def graded(name: str, *classes: str) -> Row:
    """Trained as by default, without a class; the prices of a chain are learnt on the dev set."""
    return Row(name, linear(order="both"), classes=classes)


CLASSES = ("M0I", "1EC", "MH4", "WG1", "MG1", "2-P")
ROWS = (
    Row("Proj", paper_recipe("proj")),
    Row("MST", paper_recipe("mst")),
    *(held(f"MST in {name}", "1", name) for name in CLASSES),
    Row("Gap-Mind", paper_recipe("gap-mind")),
    *(arcs(name, name) for name in CLASSES[1:]),
    Row("Proj+Sib", paper_recipe("proj+sib")),
    Row("+Rearr", paper_recipe("rearr")),
    Row("GM+Grand", paper_recipe("gm+grand")),
    Row("Proj+both", linear(within="Pr", order="both")),
    Row("MST+both", linear(within="spanning", order="both")),
    graded("graded", *CHAIN),
    *(held(f"{name}+both", "both", name) for name in ("Pr", *CLASSES)),
    Row("lifted", linear(within="Pr", order="both", lifting="head+path")),
)
ARCS = ("Proj", "MST", {"Gap-Mind", *CLASSES[1:]} | {f"MST in {name}" for name in CLASSES})
BOTH = ("Proj+both", "MST+both", {"graded"})


def summaries(found: dict[str, list[Mean]]) -> list[Table]:
    """Of each treebank, the class that is best on its dev set, against projective and all trees on the test set."""
    return [
        summary(found, *ARCS, "UAS on the test sets, arcs alone; the class is the best one on the dev set."),
        summary(
            found, *BOTH, "With siblings and grandparents; the prices of the graded class are learnt on the dev set."
        ),
    ]


def summary(found: dict[str, list[Mean]], projective: str, every: str, classes: set[str], caption: str) -> Table:
    """A row a treebank."""
    columns = [Column("treebank", "", True), Column(projective), Column(every), Column("class", "", True)]
    columns += [Column("UAS"), Column(f"vs {projective} (p)"), Column(f"vs {every} (p)")]
    rows = []
    for treebank, means in found.items():
        named = {mean.name: mean for mean in means}
        restricted = [mean for mean in means if mean.name in classes]
        if not restricted or not {projective, every} <= set(named):
            continue
        best = max(restricted, key=lambda mean: mean.of("dev_uas"))
        bases = named[projective], named[every]
        cells = [*(f"{base.of('uas'):.2f}" for base in bases), best.name, f"{best.of('uas'):.2f}"]
        rows.append([treebank, *cells, *(contest.shown(best.against(base)) for base in bases)])
    return Table(columns, rows, caption)


main = contest.command(ROWS, ("Proj", "MST"), summaries)

if __name__ == "__main__":
    main()
