"""Torch's own threads, lent to the core for sums that take no time.

They spin for a while after each operation of torch, so that threads of our own would find no processor beside them.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import torch

from nonproj import _core


def lend_threads() -> bool:
    """Lend them where torch uses GNU's OpenMP; whether it does."""
    library = _openmp()
    if library is None or not hasattr(library, "GOMP_parallel"):
        return False
    _core.lend_team(ctypes.cast(library.GOMP_parallel, ctypes.c_void_p).value or 0)
    os.register_at_fork(after_in_child=lambda: _core.lend_team(0))  # there they do not run
    return True


def _openmp() -> ctypes.CDLL | None:
    """The library that torch has loaded, on Linux."""
    folder = Path(torch.__file__).parent
    bundled = [*(folder / "lib").glob("libgomp*"), *(folder.parent / "torch.libs").glob("libgomp*")]
    for path in bundled if hasattr(os, "RTLD_NOLOAD") else []:
        try:
            return ctypes.CDLL(str(path), mode=os.RTLD_NOLOAD)
        except OSError:
            continue
    return None
