"""The network of the neural parser: from the columns of words to scores of arcs and relations.

It needs PyTorch: ``pip install 'nonproj[neural]'``. Parsers are trained with it by `nonproj.Parser`.
"""

try:
    import safetensors  # noqa: F401
    import torch.autograd  # noqa: F401
except ImportError as error:
    from nonproj.errors import NonprojError

    raise NonprojError("a neural parser needs PyTorch and safetensors: pip install 'nonproj[neural]'") from error
