"""What runs on several threads gives what one thread does; `make sanitize-threads` watches it for races."""

import threading

import numpy as np
import pytest

import nonproj as npj

SAMPLE = npj.example_treebank()
THREADS = 4


@pytest.mark.parametrize("within", ["spanning", "Pr", "1EC", "WG1", "MH4", "2-P", "AD2"])
def test_batches(within: str) -> None:
    rng = np.random.default_rng(5)
    scores = [rng.normal(size=(n + 1, n + 1)) for n in (1, 3, 5, 7, 8, 9) * 4]
    alone = npj.decode_batch(scores, within=within, threads=1)
    together = npj.decode_batch(scores, within=within, threads=THREADS)
    assert [one.tree for one in alone] == [one.tree for one in together]


def test_coverage() -> None:
    alone, together = (npj.coverage([SAMPLE] * 3, threads=threads) for threads in (1, THREADS))
    assert alone.to_dict() == together.to_dict()
    assert npj.coverage(SAMPLE, threads=THREADS).treebanks[0].outside == alone.treebanks[0].outside


@pytest.mark.parametrize(
    "options", [npj.GraphOptions(within="1EC"), npj.TransitionOptions(system="swap")], ids=["graph", "transition"]
)
def test_training_and_parsing(options: npj.GraphOptions | npj.TransitionOptions) -> None:
    parser = npj.Parser.train(SAMPLE, options=options, epochs=1, threads=THREADS)
    assert bytes(parser.parse(SAMPLE, threads=1)) == bytes(parser.parse(SAMPLE, threads=THREADS))


def test_one_object_on_many_threads() -> None:
    """Classes, systems and parsers may be shared: none keeps what a call leaves behind."""
    parser = npj.Parser.train(SAMPLE, epochs=1, threads=1)
    trees = [sentence.tree for sentence in SAMPLE]
    expected = [(tree in npj.MH(5), tree in npj.AD(2)) for tree in trees], bytes(parser.parse(SAMPLE, threads=1))
    found: list[object] = []

    def work() -> None:
        members = [(tree in npj.MH(5), tree in npj.AD(2)) for tree in trees]
        found.append((members, bytes(parser.parse(SAMPLE, threads=2))))

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * THREADS
