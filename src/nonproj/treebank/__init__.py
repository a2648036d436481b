"""Room: treebank."""
