"""States: whatever the order and the split, parts add up to what one run over everything finds, byte for byte."""

import itertools
import json
import pathlib
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nonproj as npj
from nonproj import NonprojError, coverage, evaluate, example_treebank
from nonproj.report import Coverage
from nonproj.state import states_in

GOLD = example_treebank()


def loaded(state: str) -> Coverage:
    ((kind, content),) = states_in(state.encode(), "test")
    assert kind == "coverage"
    return Coverage.from_state(content)


cuts = st.lists(st.integers(0, len(GOLD)), max_size=6)


@settings(max_examples=20)
@given(cuts, st.randoms(use_true_random=False), st.sampled_from(["file", "treebank", "total"]))
def test_coverage_of_parts_in_any_order(where: list[int], shuffler: random.Random, by: str) -> None:
    whole = coverage(GOLD, "all", by=by)
    parts = [coverage(GOLD[a:b], "all", by=by) for a, b in itertools.pairwise(sorted({0, len(GOLD), *where}))]
    shuffler.shuffle(parts)
    merged = sum(loaded(part.to_state()) for part in parts)
    assert isinstance(merged, Coverage)
    assert merged.to_state() == whole.to_state()
    assert merged == whole
    assert merged.to_json() == whole.to_json()
    for kind in ("loss", "gaps", "inherit"):
        assert merged.to_csv(kind) == whole.to_csv(kind)


def worse(treebank: npj.Treebank, seed: int) -> npj.Treebank:
    """The same words with some heads and relations wrong."""
    chance = random.Random(seed)
    sentences = []
    for sentence in treebank:
        heads = [h if chance.random() < 0.8 else 0 for h in sentence.heads]
        sentences.append(sentence.with_heads(heads, [r if chance.random() < 0.8 else "dep" for r in sentence.deprels]))
    return npj.Treebank(sentences, name=treebank.name)


SYSTEM = worse(GOLD, 5)


@settings(max_examples=20)
@given(cuts, st.randoms(use_true_random=False))
def test_evaluation_of_parts_in_any_order(where: list[int], shuffler: random.Random) -> None:
    whole = evaluate(GOLD, SYSTEM)
    parts = [evaluate(GOLD[a:b], SYSTEM[a:b]) for a, b in itertools.pairwise(sorted({0, len(GOLD), *where}))]
    assert sum(parts).compare(whole, samples=20)[0].difference == 0  # type: ignore[union-attr]
    shuffler.shuffle(parts)
    merged = sum(
        npj.Evaluation.from_state(content) for p in parts for _, content in states_in(p.to_state().encode(), "t")
    )
    assert isinstance(merged, npj.Evaluation)
    assert merged == whole
    assert merged.to_state() == whole.to_state()
    assert merged.to_dict() == whole.to_dict()
    if len(parts) > 0:
        with pytest.raises(NonprojError, match="comes from a state"):
            merged.compare(whole)


def test_the_empty_coverage_is_neutral() -> None:
    whole = coverage(GOLD, "Pr WG1")
    nothing = coverage(npj.Treebank(name="sample"), "Pr WG1")
    assert whole + nothing == nothing + whole == whole


def test_what_does_not_fit_is_not_added() -> None:
    whole = coverage(GOLD, "Pr WG1")
    for other in (coverage(GOLD, "Pr"), coverage(GOLD, "Pr WG1", by="total"), coverage(GOLD, "Pr WG1", dummy="right")):
        with pytest.raises(NonprojError, match="cannot be added"):
            whole + other
    with pytest.raises(NonprojError, match="cannot be added"):
        evaluate(GOLD, SYSTEM, convention="conllx") + evaluate(GOLD, SYSTEM)
    with pytest.raises(NonprojError, match="cannot be added"):
        evaluate(GOLD, SYSTEM, classes="Pr") + evaluate(GOLD, SYSTEM)
    with pytest.raises(NonprojError, match="no rows by file"):
        coverage(GOLD, "Pr", by="total").regrouped("file")


@given(st.data())
def test_a_damaged_state_is_an_error_or_another_state(data: st.DataObject) -> None:
    state = json.loads(coverage(GOLD[:6], "Pr 1-P", by="file").to_state())
    place: object = state
    while isinstance(place, (dict, list)) and place:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if data.draw(st.booleans()):
            place[key] = data.draw(st.sampled_from([None, -7, 1.5, "x", [], {}, 2**70, [[1]]]))
            break
        place = place[key]
    try:
        for _, content in states_in(json.dumps(state).encode(), "damaged"):
            Coverage.from_state(content).to_csv()
    except NonprojError:
        pass


def run(*arguments: str | pathlib.Path, given: bytes = b"", code: int = 0) -> str:
    command = [sys.executable, "-m", "nonproj", *map(str, arguments)]
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    assert done.returncode == code, done.stderr.decode()
    return done.stdout.decode()


def test_states_from_several_commands_make_the_table_of_one(tmp_path: pathlib.Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    places = {
        "one/xx-train.conllu": slice(0, 30),
        "two/xx-test.conllu.gz": slice(30, 60),
        "two/xx-dev.conllu": slice(60, 75),
    }
    for name, part in places.items():
        GOLD[part].write(tmp_path / name)
        SYSTEM[part].write(tmp_path / f"{name.replace('/', '-')}-parsed.txt")
    (tmp_path / "empty.conllu").write_bytes(b"# nothing\n")
    (tmp_path / "bad.conllu").write_bytes(b"1\tx\t_\t_\t_\t_\t7\troot\t_\t_\n\n")
    files = [tmp_path / name for name in (*places, "empty.conllu", "bad.conllu")]
    for form in ("csv", "json"):
        expected = run("coverage", *sorted(files), "--by", "treebank", "--on-error", "skip", "--format", form)
        for file in files:
            run("coverage", file, "--on-error", "skip", "-o", f"{file}.state", "--by", "treebank")
        states = [f"{file}.state" for file in reversed(files)]
        assert run("merge", *states, "--format", form) == expected
    assert run("merge", *states, "--strict", "--by", "total", code=3).splitlines()[-1]
    whole = run("coverage", *files, "--by", "total", "--on-error", "skip", "--format", "state")
    assert run("merge", *states, "--by", "total", "--format", "state") == whole
    assert run("merge", "-", given=whole.encode(), code=0)

    found = "".join(
        run("evaluate", tmp_path / name, tmp_path / f"{name.replace('/', '-')}-parsed.txt", "--format", "state")
        for name in places
    )
    (tmp_path / "gold").write_bytes(bytes(GOLD))
    (tmp_path / "total").write_bytes(bytes(SYSTEM))
    scores = json.loads(run("evaluate", tmp_path / "gold", tmp_path / "total", "--format", "json"))
    merged = json.loads(run("merge", "--by", "total", "--format", "json", given=found.encode()))
    assert merged == [{**scores[0], "system": "total"}]
    run("merge", given=(found + whole).encode(), code=2)
    run("merge", given=b"no state", code=2)
    run("merge", given=b"\n", code=2)  # a part that was cut off would be missing in silence
