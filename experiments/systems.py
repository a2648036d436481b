"""Every transition system on the same data, greedy and with a beam, and the projective ones with lifted trees."""

from __future__ import annotations

import click

from experiments import contest, corpora
from experiments.contest import Row
from nonproj import TransitionOptions, _core

PROJECTIVE = ("arc-standard", "arc-hybrid", "arc-eager")


def rows(beam: int) -> list[Row]:
    """Each system greedy; then with a beam; projective systems once more with lifted trees."""
    systems = list(_core.trainable_systems())
    found = [Row(system, TransitionOptions(system=system)) for system in systems]
    lifted = [TransitionOptions(system=system, lifting="head+path") for system in PROJECTIVE]
    found += [Row(f"{options.system}, lifted", options) for options in lifted]
    if beam > 1:
        found += [Row(f"{system}, beam {beam}", TransitionOptions(system=system, beam=beam)) for system in systems]
    return found


@click.command()
@click.option("--treebanks", default="got_proiel,danish,la_perseus", show_default=True)
@click.option("--epochs", type=click.IntRange(1), default=8, show_default=True)
@click.option("--beam", type=click.IntRange(1), default=8, show_default=True, help="1 leaves the beams out.")
@click.option("--limit", type=click.IntRange(1), help="Train on so many sentences only.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def main(treebanks: str, epochs: int, beam: int, limit: int | None, seed: int) -> None:
    """Train every system on every treebank and print a table for each."""
    for corpus in corpora.chosen(treebanks, limit):
        results = contest.run(corpus, rows(beam), epochs, seed)
        click.echo(contest.table(corpus, results, ("arc-standard", "swap")).to_text())


if __name__ == "__main__":
    main()
