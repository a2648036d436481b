"""How many annotation errors `nonproj unusual` finds first, of errors put in by lot.

    python -m experiments.unusual TREEBANK... [--errors 40] [--rounds 3]

In each round one word of so many sentences is attached elsewhere, where its arc crosses another: errors without a
crossing are not looked for. Every line has the average precision of the ranking by surprise, and of the ranking by the
rarest class (`coverage --unusual`), over the rounds. The real crossings of the treebank are taken for right.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

import nonproj as npj
from nonproj import Sentence, Treebank


def average_precision(ranking: Sequence[str], errors: set[str]) -> float:
    """The mean over all errors of the share of errors down to each one; 0 for those that are not listed."""
    found, total = 0, 0.0
    for place, name in enumerate(ranking, 1):
        if name in errors:
            found += 1
            total += found / place
    return total / len(errors)


def with_errors(treebank: Treebank, count: int, chance: random.Random) -> tuple[Treebank, set[str]]:
    """The treebank with so many errors, and the ids of the sentences that have them."""
    heads = [list(sentence.heads) for sentence in treebank]
    wrong: set[str] = set()
    for place in chance.sample(range(len(treebank)), len(treebank)):
        moved = _moved(treebank[place], chance)
        if moved is not None:
            heads[place] = moved
            wrong.add(treebank[place].sent_id)
        if len(wrong) == count:
            break
    return treebank.with_heads([head for own in heads for head in own]), wrong


def _moved(sentence: Sentence, chance: random.Random) -> list[int] | None:
    """The heads with one word elsewhere and a crossing more; None when that was not found in some tries."""
    for _ in range(20):
        heads = list(sentence.heads)
        word, head = (chance.randint(1, len(heads)) for _ in range(2))
        if heads[word - 1] in (0, head) or word in _path(heads, head):
            continue
        heads[word - 1] = head
        if any(word in (a.dependent, b.dependent) for a, b in npj.Tree(heads).crossings):
            return heads
    return None


def _path(heads: list[int], word: int) -> list[int]:
    path = []
    while word:
        path.append(word)
        word = heads[word - 1]
    return path


def main() -> None:
    """Measure each treebank."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--errors", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    for path in given.treebanks:
        treebank = npj.read(path)
        if len({sentence.sent_id for sentence in treebank}) < len(treebank):
            raise SystemExit(f"{path}: sentences share an id")
        ours, theirs = 0.0, 0.0
        for seed in range(given.rounds):
            changed, wrong = with_errors(treebank, given.errors, random.Random(seed))
            surprise = [each.sentence.sent_id for each in npj.unusual(changed, 0).found]
            rarest = [each.sentence.sent_id for each in npj.coverage(changed).unusual(len(changed))]
            ours += average_precision(surprise, wrong) / given.rounds
            theirs += average_precision(rarest, wrong) / given.rounds
        print(
            f"{treebank.name:24} {len(treebank):6} sentences   surprise {ours:.2f}   rarest class {theirs:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
