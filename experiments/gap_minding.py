"""The rows of Table 2 of Pitler, Kannan & Marcus (2012), and other classes beside them.

Proj, MST and Gap-Mind score arcs alone and are decoded exactly (Gap-Mind by relaxation). Proj+Sib and GM+Grand score
siblings and grandparents by climbing within the class; +Rearr climbs from the best tree by arcs through all trees.
"""

from __future__ import annotations

from experiments import contest
from experiments.contest import Mean, Row
from nonproj import GraphOptions
from nonproj.report.table import Column, Table


def arcs(name: str, within: str) -> Row:
    """A class, scored by arcs alone."""
    return Row(name, GraphOptions(within=within, order="1"))


CLASSES = ("1EC", "MH4", "WG1", "MG1", "2-P")
ROWS = (
    arcs("Proj", "Pr"),
    arcs("MST", "spanning"),
    # Trained for all trees, then held to a class.
    *(Row(f"MST in {name}", arcs("", "spanning").options, name) for name in ("M0I", *CLASSES)),
    arcs("Gap-Mind", "M0I"),
    *(arcs(name, name) for name in CLASSES),
    Row("Proj+Sib", GraphOptions(within="Pr", order="sibling")),
    Row("+Rearr", GraphOptions(within="spanning", order="sibling")),
    Row("GM+Grand", GraphOptions(within="M0I", order="grandparent")),
    Row("Proj+both", GraphOptions(within="Pr", order="both")),
    Row("MST+both", GraphOptions(within="spanning", order="both")),
    *(Row(f"{name}+both", GraphOptions(within=name, order="both")) for name in ("1EC", "MH4", "WG1")),
    Row("lifted", GraphOptions(within="Pr", order="both", lifting="head+path")),
)
RESTRICTED = {f"MST in {name}" for name in ("M0I", *CLASSES)} | {"Gap-Mind", *CLASSES}


def summary(found: dict[str, list[Mean]]) -> Table:
    """Of each treebank, the class that is best on its dev set, against Proj and MST on the test set; arcs alone."""
    columns = [Column("treebank", "", True), Column("Proj"), Column("MST"), Column("class chosen on dev", "", True)]
    columns += [Column("UAS"), Column("vs Proj (p)"), Column("vs MST (p)")]
    rows = []
    for treebank, means in found.items():
        named = {mean.name: mean for mean in means}
        classes = [mean for mean in means if mean.name in RESTRICTED]
        if not classes or not {"Proj", "MST"} <= set(named):
            continue
        best = max(classes, key=lambda mean: mean.of("dev_uas"))
        bases = named["Proj"], named["MST"]
        cells = [*(f"{base.of('uas'):.2f}" for base in bases), best.name, f"{best.of('uas'):.2f}"]
        rows.append([treebank, *cells, *(contest.shown(best.against(base)) for base in bases)])
    return Table(columns, rows, "UAS on the test sets, arcs alone.")


main = contest.command(ROWS, ("Proj", "MST"), summary)

if __name__ == "__main__":
    main()
