"""Words taken out of trees: what is left is a tree, its arcs are those of the paths between, and the text follows."""

from hypothesis import given
from hypothesis import strategies as st
from reference.enumeration import trees
from reference.lifts import ancestors

from nonproj.treebank import Treebank, read

TREES = {n: list(trees(n)) for n in range(1, 7)}


def treebank_of(heads: tuple[int, ...], marks: set[int]) -> Treebank:
    rows = [
        f"{w}\tw{w}\t_\t{'PUNCT' if w in marks else 'X'}\t_\t_\t{head}\tr{w}\t{head}:r\t_\n"
        for w, head in enumerate(heads, 1)
    ]
    return read(("# sent_id = a\n" + "".join(rows) + "\n").encode())


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.sampled_from(TREES[n]), st.sets(st.integers(1, n)))))
def test_dependents_go_to_the_next_head_that_stays(case: tuple[tuple[int, ...], set[int]]) -> None:
    heads, marks = case
    (before,) = treebank_of(heads, marks)
    left = treebank_of(heads, marks).without_punctuation()
    kept = [word for word in range(1, len(heads) + 1) if word not in marks]
    if not kept:
        assert len(left) == 0
        return
    (after,) = left
    assert after.forms == [f"w{word}" for word in kept]
    assert (after.sent_id, after.line, after.file) == (before.sent_id, before.line, before.file)
    new_root_of: dict[int, int] = {}
    for word, head, relation in zip(kept, after.heads, after.deprels, strict=True):
        path = [above for above in ancestors(heads, word) if above]
        staying = [above for above in path if above not in marks]
        if staying:
            expected, own = staying[0], word
        elif not path:
            expected, own = 0, word
        elif path[-1] in new_root_of:
            expected, own = new_root_of[path[-1]], word
        else:
            new_root_of[path[-1]] = word
            expected, own = 0, path[-1]
        assert head == (kept.index(expected) + 1 if expected else 0)
        assert relation == f"r{own}"
    assert set(after.deps) == {"_"} if marks else after.deps == before.deps


def test_multiword_tokens_and_empty_nodes() -> None:
    text = (
        "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tel\t_\tDET\t_\t_\t0\troot\t_\t_\n"
        "2.1\tx\t_\t_\t_\t_\t_\t_\t2:dep\t_\n3\t,\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n"
        "4-5\ta.\t_\t_\t_\t_\t_\t_\t_\t_\n4\ta\t_\tX\t_\t_\t3\tdep\t_\t_\n5\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
    )
    (after,) = read(text.encode()).without_punctuation()
    assert [line.split("\t")[0] for line in str(after).splitlines() if line] == ["1-2", "1", "2", "3"]
    assert after.heads == (2, 0, 2)


def test_without_universal_tags_the_characters_tell() -> None:
    text = "1\tU.S.\t_\tN\tN\t_\t0\tROOT\t_\t_\n2\t...\t_\tU\tU\t_\t1\tpnct\t_\t_\n3\t$\t_\tN\tN\t_\t2\tx\t_\t_\n\n"
    tb = read(text.encode())
    assert tb.format == "conllx"
    assert tb.without_punctuation()[0].forms == ["U.S.", "$"]
    assert tb.without_punctuation()[0].heads == (0, 1)
