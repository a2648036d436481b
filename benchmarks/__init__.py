"""Benchmarks: one module a question, every row a ratio to a peer measured in the same run, the answers compared.

``python -m benchmarks`` runs them all but the slow ones, ``python -m benchmarks reading startup`` some. Each module has
its ``NAME``, a ``QUESTION``, the ``PEERS`` it imports, and a function ``run`` that yields the rows of its table.
"""

QUESTIONS = (
    *("reading", "profile", "coverage", "startup"),
    *("decoding", "charts", "nested", "restricted", "limits"),
    *("transition", "lifting", "grammar", "parsing", "searching", "text", "torch", "scale"),
)
SLOW = ("figures",)
"""Questions that are only answered when they are named: half an hour of one processor."""
