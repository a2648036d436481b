"""The command ``nonproj``: the command line of the package, started without threads that it has no use for.

Where NumPy comes with OpenBLAS, that starts a thread for every processor as soon as it is loaded, and they spin: a
third of the time that a short command takes. How many to start is asked when NumPy is first imported, before any module
of `nonproj` can say it, so this one lies outside. Afterwards the variable is as it was: what else is loaded, such as
PyTorch, and other processes that are started have all their threads.
"""

import os

_THREADS = "OPENBLAS_NUM_THREADS"

if _THREADS not in os.environ:
    os.environ[_THREADS] = "1"
    try:
        import numpy  # noqa: F401
    finally:
        del os.environ[_THREADS]

from nonproj.cli import main  # noqa: E402

__all__ = ["main"]
