"""What it gives to train a network by the trees of its class: four losses, each decoded in three ways.

    python -m experiments.class_exact --treebanks la_perseus --epochs 15 --models MODELS --results class_exact.jsonl

The network is that of the neural parser, without the linear one beside it. By the local loss each word chooses its
head; by a CRF the trees of a class compete: all trees (matrix-tree), those of 1EC, or all trees with a price on those
outside Pr and outside 1EC. The CRF of 1EC has no place for training trees outside 1EC; `local on 1EC` learns from as
few. Every network is then decoded among all trees, within 1EC, and in the graded class of Pr, 1EC and all trees with
prices learnt on the dev set, so that what a loss gives can be told from what a class gives in decoding.
"""

from __future__ import annotations

from experiments import contest
from experiments.contest import Mean, Row
from nonproj import NeuralOptions
from nonproj.report.table import Column, Table

LOCAL = NeuralOptions(within="spanning", linear=False)
LOSSES = {
    "local": LOCAL,
    "local on 1EC": LOCAL,
    "matrix-tree CRF": NeuralOptions(within="spanning", loss="crf", linear=False),
    "1EC CRF": NeuralOptions(within="1EC", loss="crf", linear=False),
    "graded CRF": NeuralOptions(within="Pr:0,1EC:1,spanning:2", loss="crf", linear=False),
}
DECODINGS = ("all trees", "1EC", "graded")


def decoded(loss: str, decoding: str) -> Row:
    """A network of a loss, decoded in one of the ways."""
    classes = ("Pr", "1EC", "spanning") if decoding == "graded" else ()
    within = {"all trees": "spanning", "1EC": "1EC"}.get(decoding)
    lessons = "1EC" if loss == "local on 1EC" else None
    return Row(f"{loss}, {decoding}", LOSSES[loss], within, classes, lessons)


ROWS = tuple(decoded(loss, decoding) for loss in LOSSES for decoding in DECODINGS)


def summaries(found: dict[str, list[Mean]]) -> list[Table]:
    """Of each treebank and way of decoding, every other training against the local loss decoded in the same way."""
    others = [loss for loss in LOSSES if loss != "local"]
    columns = [Column("treebank", "", True), Column("decoded", "", True), Column("local", "UAS")]
    columns += [Column(loss, "UAS, difference (p)") for loss in others]
    rows = []
    for treebank, means in found.items():
        named = {mean.name: mean for mean in means}
        for decoding in DECODINGS:
            local = named.get(f"local, {decoding}")
            if local is None:
                continue
            trained = [named.get(f"{loss}, {decoding}") for loss in others]
            cells = [
                "" if mean is None else f"{mean.of('uas'):.2f}, {contest.shown(mean.against(local))}"
                for mean in trained
            ]
            rows.append([treebank, decoding, f"{local.of('uas'):.2f}", *cells])
    return [Table(columns, rows, "Other losses against the local one, decoded in the same way, on the test sets.")]


main = contest.command(ROWS, ("local, all trees", "matrix-tree CRF, all trees"), summaries)

if __name__ == "__main__":
    main()
