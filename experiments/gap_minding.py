"""The rows of Table 2 of Pitler, Kannan & Marcus (2012), and other classes beside them.

Proj, MST and Gap-Mind score arcs alone and are decoded exactly (Gap-Mind by relaxation). Proj+Sib and GM+Grand score
siblings and grandparents by climbing within the class; +Rearr climbs from the best tree by arcs through all trees.
"""

from __future__ import annotations

import click

from experiments import contest, corpora
from experiments.contest import Row
from nonproj import GraphOptions

PAPER = (
    Row("Proj", GraphOptions(within="Pr", order="1")),
    Row("MST", GraphOptions(within="spanning", order="1")),
    Row("Gap-Mind", GraphOptions(within="M0I", order="1")),
    Row("Proj+Sib", GraphOptions(within="Pr", order="sibling")),
    Row("+Rearr", GraphOptions(within="spanning", order="sibling")),
    Row("GM+Grand", GraphOptions(within="M0I", order="grandparent")),
)
OURS = (
    Row("1EC", GraphOptions(within="1EC", order="1")),
    Row("MH4", GraphOptions(within="MH4", order="1")),
    Row("WG1", GraphOptions(within="WG1", order="1")),
    Row("MG1", GraphOptions(within="MG1", order="1")),
    Row("2-P", GraphOptions(within="2-P", order="1")),
    Row("Proj+both", GraphOptions(within="Pr", order="both")),
    Row("1EC+both", GraphOptions(within="1EC", order="both")),
    Row("WG1+both", GraphOptions(within="WG1", order="both")),
    Row("MST+both", GraphOptions(within="spanning", order="both")),
    Row("lifted", GraphOptions(within="Pr", order="both", lifting="head+path")),
)


@click.command()
@click.option("--treebanks", default=",".join(corpora.CORPORA), show_default=True)
@click.option("--rows", default="all", show_default=True, help="Names of rows, or all.")
@click.option("--epochs", type=click.IntRange(1), default=8, show_default=True)
@click.option("--limit", type=click.IntRange(1), help="Train on so many sentences only.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def main(treebanks: str, rows: str, epochs: int, limit: int | None, seed: int) -> None:
    """Train every row on every treebank and print a table for each."""
    every = (*PAPER, *OURS)
    wanted = [row for row in every if rows == "all" or row.name in rows.split(",")]
    for corpus in corpora.chosen(treebanks, limit):
        results = contest.run(corpus, wanted, epochs, seed)
        click.echo(contest.table(corpus, results, ("Proj", "MST")).to_text())


if __name__ == "__main__":
    main()
