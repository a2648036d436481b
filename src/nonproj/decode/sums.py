"""Sums over all trees of a class: how many there are, and the distribution that scores give them.

A tree has probability exp(score) / Z, where Z is the sum of exp(score) over the trees of the class. Offered for
spanning trees, Pr, 1EC, M0I, M1I, M1IS, WG1, WG1S and AD2 (see `offers`), with several roots or a single one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from nonproj.decode.offers import sums_of
from nonproj.decode.scores import Mask, Scores, Table, prepared
from nonproj.errors import NonprojError
from nonproj.trees import TreeClass, tree_class


def log_partition(
    scores: Scores, *, within: str | TreeClass = "spanning", single_root: bool = False, mask: Mask | None = None
) -> float:
    """The log of the sum of exp(score) over the trees of a class; -inf when it holds none.

    >>> import numpy as np
    >>> round(float(np.exp(log_partition(np.zeros((4, 4)), within="Pr"))))
    12
    """
    return sums_of("log_partition", within).log_partition(prepared(scores, mask), single_root)


def marginals(
    scores: Scores, *, within: str | TreeClass = "spanning", single_root: bool = False, mask: Mask | None = None
) -> npt.NDArray[np.float64]:
    """The probability of each arc, in an array like the scores: the arcs into each word sum to 1.

    >>> import numpy as np
    >>> marginals(np.zeros((3, 3)), within="Pr").round(3).tolist()
    [[0.0, 0.667, 0.667], [0.0, 0.0, 0.333], [0.0, 0.333, 0.0]]
    """
    sums, table = sums_of("marginals", within), prepared(scores, mask)
    chance: npt.NDArray[np.float64] = sums.marginals(table, single_root)
    _require_a_tree(bool(chance[:, 1].any()), within, single_root)
    return chance


def entropy(
    scores: Scores, *, within: str | TreeClass = "spanning", single_root: bool = False, mask: Mask | None = None
) -> float:
    """The entropy of the distribution over trees, in nats.

    >>> import numpy as np
    >>> round(float(np.exp(entropy(np.zeros((5, 5)), within="spanning"))))
    125
    """
    sums, table = sums_of("entropy", within), prepared(scores, mask)
    if sums.entropy is not None:
        found = sums.entropy(table, single_root)
        _require_a_tree(found > -math.inf, within, single_root)
        return found
    # Every tree has one arc into each word, so the highest score of each can be taken off: it keeps the digits.
    shifted = table.astype(np.float64)
    shifted[:, 1:] -= np.where(_allowed(table), table[:, 1:], -np.inf).max(axis=0)
    log_z = sums.log_partition(shifted, single_root)
    _require_a_tree(log_z > -math.inf, within, single_root)
    chance = sums.marginals(shifted, single_root)
    used = chance > 0
    return max(0.0, log_z - math.fsum((chance[used] * shifted[used]).tolist()))


def count_trees(
    scores: Scores, *, within: str | TreeClass = "spanning", single_root: bool = False, mask: Mask | None = None
) -> int:
    """How many trees of a class use no arc of score -inf, exactly; for a number n, how many have n words.

    >>> count_trees(6, within="Pr"), count_trees(6, within="spanning", single_root=True)
    (1428, 7776)
    """
    if isinstance(scores, int | np.integer):
        if scores < 1:
            raise NonprojError(f"a tree has at least one word, not {scores}")
        scores = np.zeros((int(scores) + 1, int(scores) + 1))
    sums, table = sums_of("count_trees", within), prepared(scores, mask)
    most = math.prod(int(heads) for heads in _allowed(table).sum(axis=0))
    modulus, found = 1, 0
    for prime in _primes():
        if modulus > most:
            break
        residue = sums.count_mod(table, single_root, prime)
        # Chinese remainder: the one number below modulus * prime that leaves both remainders.
        found += modulus * ((residue - found) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return found


def _allowed(table: Table) -> npt.NDArray[np.bool_]:
    """The arcs into each word, a column, that are not forbidden."""
    allowed = table[:, 1:] > -np.inf
    np.fill_diagonal(allowed[1:], False)
    return allowed


def _require_a_tree(exists: bool, within: str | TreeClass, single_root: bool) -> None:
    if not exists:
        root = " with a single root" if single_root else ""
        raise NonprojError(f"no {tree_class(within).name} tree{root} avoids the forbidden arcs: allow more of them")


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
