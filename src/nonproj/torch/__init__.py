"""Distributions over trees as a differentiable layer for PyTorch, and losses for every class.

It needs PyTorch: ``pip install 'nonproj[torch]'``.
"""

try:
    import torch.autograd  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError("nonproj.torch needs PyTorch: pip install 'nonproj[torch]'") from error

from nonproj.torch.distribution import TreeDistribution
from nonproj.torch.losses import perceptron, perturb_and_map, structured_hinge
from nonproj.torch.sparse_map import sparse_map, sparse_map_loss

__all__ = [
    "TreeDistribution",
    "perceptron",
    "perturb_and_map",
    "sparse_map",
    "sparse_map_loss",
    "structured_hinge",
]
