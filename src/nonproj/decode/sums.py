"""Sums over all trees of a class: how many there are, and the distribution that scores give them.

A tree has probability exp(score) / Z, where Z is the sum of exp(score) over the trees of the class. Offered for
spanning trees, Pr, 1EC, 1-P, M0I, M1I, M1IS, WG_k, WG1S and AD2 (see `offers`), with several roots or a single one, and
for graded classes of these: there a tree weighs exp(score - price).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode.graded import Within, chain, mixture
from nonproj.decode.offers import solver_with_sums
from nonproj.decode.scores import Mask, Scores, Table, prepared, refuse_gradient
from nonproj.errors import NonprojError


def log_partition(
    scores: Scores, *, within: Within = "spanning", single_root: bool = False, mask: Mask | None = None
) -> float:
    """The log of the sum of exp(score) over the trees of a class; -inf when it holds none.

    >>> import numpy as np
    >>> round(float(np.exp(log_partition(np.zeros((4, 4)), within="Pr"))))
    12
    """
    refuse_gradient("log_partition", scores)
    table = prepared(scores, mask)
    if isinstance(within, Mapping):
        return mixture("log_partition", within, table, single_root).log_partition
    return _core.log_partition(solver_with_sums("log_partition", within), table, single_root)


def marginals(
    scores: Scores, *, within: Within = "spanning", single_root: bool = False, mask: Mask | None = None
) -> npt.NDArray[np.float64]:
    """The probability of each arc, in an array like the scores: the arcs into each word sum to 1.

    >>> import numpy as np
    >>> marginals(np.zeros((3, 3)), within="Pr").round(3).tolist()
    [[0.0, 0.667, 0.667], [0.0, 0.0, 0.333], [0.0, 0.333, 0.0]]
    """
    refuse_gradient("marginals", scores)
    table = prepared(scores, mask)
    if not isinstance(within, Mapping):
        return _core.marginals(solver_with_sums("marginals", within), table, single_root)
    parts = mixture("marginals", within, table, single_root)
    chances = np.zeros(table.shape)
    for solver, share in zip(parts.solvers, parts.shares, strict=True):
        # Without any tree no class has a share, and the widest one says so.
        if share > 0 or (solver is parts.solvers[-1] and not parts.shares.any()):
            chances += share * _core.marginals(solver, table, single_root)
    return chances


def entropy(
    scores: Scores, *, within: Within = "spanning", single_root: bool = False, mask: Mask | None = None
) -> float:
    """The entropy of the distribution over trees, in nats.

    >>> import numpy as np
    >>> round(float(np.exp(entropy(np.zeros((5, 5)), within="spanning"))))
    125
    """
    refuse_gradient("entropy", scores)
    table = prepared(scores, mask)
    if not isinstance(within, Mapping):
        return _core.entropy(solver_with_sums("entropy", within), table, single_root)
    parts = mixture("entropy", within, table, single_root)
    if not parts.shares.any():
        return _core.entropy(parts.solvers[-1], table, single_root)  # says that there is no tree
    # log Z less the mean of score - price; in each class, the mean of the score is log Z_k less its entropy.
    mean_price = float(parts.prices @ np.exp(parts.log_chances))
    mean_score = sum(
        share * (log_z - _core.entropy(solver, table, single_root))
        for solver, share, log_z in zip(parts.solvers, parts.shares, parts.log_partitions, strict=True)
        if share > 0
    )
    return float(parts.log_partition - mean_score + mean_price)


def count_trees(
    scores: Scores, *, within: Within = "spanning", single_root: bool = False, mask: Mask | None = None
) -> int:
    """How many trees of a class use no arc of score -inf, exactly; for a number n, how many have n words.

    A graded class holds the trees of its widest class, whatever they cost.

    >>> count_trees(6, within="Pr"), count_trees(6, within="spanning", single_root=True)
    (1428, 7776)
    """
    if isinstance(scores, int | np.integer):
        if scores < 1:
            raise NonprojError(f"a tree has at least one word, not {scores}")
        scores = np.zeros((int(scores) + 1, int(scores) + 1))
    solver, table = solver_with_sums("count_trees", chain(within)[-1][0]), prepared(scores, mask)
    most = math.prod(int(heads) for heads in _allowed(table).sum(axis=0))
    return counted(most, lambda prime: _core.count_mod(solver, table, single_root, prime))


def counted(most: int, residue: Callable[[int], int]) -> int:
    """A number up to ``most``, of its residues modulo primes."""
    modulus, found = 1, 0
    for prime in _primes():
        if modulus > most:
            break
        # Chinese remainder: the one number below modulus * prime that leaves both remainders.
        found += modulus * ((residue(prime) - found) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return found


def _allowed(table: Table) -> npt.NDArray[np.bool_]:
    """The arcs into each word, a column, that are not forbidden."""
    allowed = table[:, 1:] > -np.inf
    np.fill_diagonal(allowed[1:], False)
    return allowed


def _primes() -> Iterator[int]:
    """The primes below 2^61, from the largest down, to count modulo."""
    for place in itertools.count():
        yield _prime(place)


@cache
def _prime(place: int) -> int:
    candidate = 2**61 - 1 if place == 0 else _prime(place - 1) - 2
    while not _is_prime(candidate):
        candidate -= 2
    return candidate


def _is_prime(number: int) -> bool:
    """Miller and Rabin's test, which these witnesses settle for every odd number below 2^64."""
    twos = ((number - 1) & -(number - 1)).bit_length() - 1
    for witness in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        power = pow(witness, (number - 1) >> twos, number)
        if power != 1 and all(pow(power, 1 << square, number) != number - 1 for square in range(twos)):
            return False
    return True
