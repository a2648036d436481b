"""Decoding: from the scores of arcs to trees of a class, the best ones, all of them in sum, or some at random."""

from nonproj.decode.best import Decoded, decode, decode_batch, k_best
from nonproj.decode.graded import Within, parse_within
from nonproj.decode.offers import Offer, offers
from nonproj.decode.pruning import candidate_heads
from nonproj.decode.sampling import Samples, sample_trees
from nonproj.decode.search_nodes import SearchNode, search_tree
from nonproj.decode.sums import count_trees, entropy, log_partition, marginals
from nonproj.decode.unlexicalised import decode_unlexicalised

__all__ = [
    "Decoded",
    "Offer",
    "Samples",
    "SearchNode",
    "Within",
    "candidate_heads",
    "count_trees",
    "decode",
    "decode_batch",
    "decode_unlexicalised",
    "entropy",
    "k_best",
    "log_partition",
    "marginals",
    "offers",
    "parse_within",
    "sample_trees",
    "search_tree",
]
