"""AD_d, what its variants build, and DD_d: Attardi's transition system as it is, wider, and with words put back."""

from functools import cache

from .enumeration import Heads
from .yields import children


def is_attardi(heads: Heads, d: int) -> bool:
    """Say whether some sequence of shift, la_e and ra_e (1 <= e <= d) goes from stack [0] to stack [0].

    la_e makes the top the head of the e-th word below it, ra_e the e-th below the head of the top; the
    dependent is removed, and must have all its own dependents. All sequences are tried. The stack and the
    next word determine the arcs built so far, so a configuration need not be searched twice.
    """
    n = len(heads)

    @cache
    def can_finish(stack: tuple[int, ...], front: int) -> bool:
        if stack == (0,) and front == n + 1:
            return True

        def is_complete(word: int) -> bool:
            return all(child < front and child not in stack for child in children(heads, word))

        top = stack[-1]
        for below in stack[-1 - d : -1]:
            if below != 0 and heads[below - 1] == top and is_complete(below):  # la_e
                left_over = tuple(word for word in stack if word != below)
                if can_finish(left_over, front):
                    return True
            if top != 0 and heads[top - 1] == below and is_complete(top) and can_finish(stack[:-1], front):  # ra_e
                return True
        return front <= n and can_finish((*stack, front), front + 1)

    return can_finish((0,), 1)


def is_attardi_variant(heads: Heads, pairs: str) -> bool:
    """Say whether some sequence of shifts and reductions goes from stack [0] to stack [0].

    The pairs that may be reduced are written as ``s0<b0 s1<s2``: the first gets the second as its head and is removed,
    and must have all its own dependents; s0 is the top of the stack, b0 the next word. All sequences are tried.
    """
    n = len(heads)

    @cache
    def can_finish(stack: tuple[int, ...], front: int) -> bool:
        if stack == (0,) and front == n + 1:
            return True
        names = {f"s{e}": word for e, word in enumerate(reversed(stack))}
        if front <= n:
            names["b0"] = front
        for pair in pairs.split():
            word, head = (names.get(name, -1) for name in pair.split("<"))
            if word > 0 and heads[word - 1] == head:
                is_complete = all(child < front and child not in stack for child in children(heads, word))
                if is_complete and can_finish(tuple(other for other in stack if other != word), front):
                    return True
        return front <= n and can_finish((*stack, front), front + 1)

    return can_finish((0,), 1)


_FIRST = "s0<s1 s0<s2 s1<s0 s2<s0 s0<b0 s1<s2 s2<s1"
VARIANTS = {
    1: _FIRST,
    2: f"{_FIRST} s1<b0 s2<b0",
    3: "s0<b0 s0<s1 s0<s2 s1<b0 s1<s0 s1<s2",
}


def can_be_dropped(heads: Heads, d: int) -> bool:
    """Say whether the words can be dropped one at a time, in some order, until the dummy is alone.

    A word can be dropped when all its dependents are, and its head is at most d places away among the words left, the
    dummy being one of them. All orders are tried.
    """

    @cache
    def can_go_on(left: tuple[int, ...]) -> bool:
        return left == (0,) or any(
            can_go_on((*left[:place], *left[place + 1 :]))
            for place, word in enumerate(left)
            if word != 0
            and not any(child in left for child in children(heads, word))
            and abs(left.index(heads[word - 1]) - place) <= d
        )

    return can_go_on(tuple(range(len(heads) + 1)))


def is_attardi_with_words_put_back(heads: Heads, d: int) -> bool:
    """Say whether some sequence of transitions goes from stack [0] and the words as input to stack [0] and no input.

    Those of `is_attardi`, but that a link with the e-th word below the top puts the e - 1 topmost words that are left
    on the stack back into the input. All sequences are tried.
    """

    @cache
    def can_finish(stack: tuple[int, ...], given: tuple[int, ...]) -> bool:
        if stack == (0,) and not given:
            return True
        for e in range(1, min(d, len(stack) - 1) + 1):
            for word, head in ((stack[-1], stack[-1 - e]), (stack[-1 - e], stack[-1])):
                is_complete = not any(child in stack + given for child in children(heads, word))
                if word == 0 or heads[word - 1] != head or not is_complete:
                    continue
                kept = tuple(other for other in stack if other != word)
                cut = len(kept) - (e - 1)
                if can_finish(kept[:cut], kept[cut:] + given):
                    return True
        return bool(given) and can_finish((*stack, given[0]), given[1:])

    return can_finish((0,), tuple(range(1, len(heads) + 1)))


def drop_distance(heads: Heads) -> int:
    """Give the smallest d >= 1 of DD_d."""
    return next(d for d in range(1, len(heads) + 1) if can_be_dropped(heads, d))


def ad(heads: Heads) -> int | None:
    """Give the smallest d >= 1 of AD_d, or None for a tree that no degree can build, as (2, 5, 5, 1, 0)."""
    for d in range(1, len(heads) + 1):
        if is_attardi(heads, d):
            return d
    return None
