"""What the views answer, without a server: they are functions of the library and a query."""

import io
import itertools
import json
import math
import zipfile
from typing import Any

import numpy as np
import pytest

from nonproj import Tree, decode, example_treebank, k_best, transition_system, tree_classes
from nonproj.decode import search_tree
from nonproj.errors import NonprojError
from nonproj.schema import parsing_schema
from nonproj.transition import SYSTEMS, choices
from nonproj.transition.legal_choices import out_of_reach
from nonproj.web import decode_view
from nonproj.web.decode_view import read_scores, uploaded_scores
from nonproj.web.library import Library
from nonproj.web.query import NotFound, Query
from nonproj.web.views import POSTED, VIEWS

LIBRARY = Library([example_treebank()])
SAMPLE = example_treebank()
HEARING = next(number for number, sentence in enumerate(SAMPLE) if sentence.sent_id == "en-hearing")


def view(name: str, **values: Any) -> Any:
    found = {**VIEWS, **POSTED}[name](LIBRARY, Query({"treebank": "sample", **values}))
    return json.loads(json.dumps(found, allow_nan=False))


def test_coverage_is_that_of_the_command_and_marks_the_best_of_each_cost() -> None:
    found = view("coverage")
    assert found["trees"] == len(SAMPLE)
    for cls in tree_classes("all"):
        assert found["outside"][cls.name] == sum(sentence.tree not in cls for sentence in SAMPLE)
    cost = {cls.name: cls.exponent for cls in tree_classes("all") if cls.exponent}
    for name in cost:
        beaten = [other for other in cost if cost[other] <= cost[name] and found["loss"][other] < found["loss"][name]]
        equal = [other for other in cost if cost[other] < cost[name] and found["loss"][other] == found["loss"][name]]
        assert (name in found["best"]) == (not beaten and not equal)


def test_filters_agree_with_the_trees() -> None:
    def numbers(**values: Any) -> list[int]:
        return [row["number"] for row in view("sentences", size=200, **values)["rows"]]

    trees = [sentence.tree for sentence in SAMPLE]
    one, four = tree_classes("1EC MH4")
    assert numbers(outside="1EC", inside="MH4") == [i for i, t in enumerate(trees) if t not in one and t in four]
    assert numbers(least=8, most=9) == [i for i, t in enumerate(trees) if 8 <= len(t) <= 9]
    for relation in ("nsubj", "obl:unmarked", "none such", "nsub"):
        assert numbers(relation=relation) == [i for i, s in enumerate(SAMPLE) if relation in s.deprels]
    assert numbers(search="hearing") == [HEARING]
    assert numbers(search="") == list(range(len(SAMPLE)))
    lengths = [len(trees[i]) for i in numbers(order="-words")]
    assert lengths == sorted(lengths, reverse=True)


def test_pages_hold_every_sentence_once() -> None:
    pages = [view("sentences", page=page, size=20)["rows"] for page in range(5)]
    assert [row["number"] for page in pages for row in page] == list(range(len(SAMPLE)))
    assert view("sentences", page=10**6)["rows"] == []


def test_a_sentence_is_found_by_number_by_id_and_under_other_heads() -> None:
    by_id, by_number = view("sentence", id="en-hearing"), view("sentence", number=HEARING)
    assert by_id == by_number
    assert {cls["class"] for cls in by_id["classes"] if cls["inside"]} == {
        cls.name for cls in tree_classes("all") if SAMPLE[HEARING].tree in cls
    }
    moved = view("sentence", number=HEARING, heads="2.3.0.3.2.7.5.3.3")
    assert moved["is_changed"]
    assert next(cls for cls in moved["classes"] if cls["class"] == "1EC")["inside"]
    for broken in ("2.3.0", "9.9.9.9.9.9.9.9.9", "2.1.0.3.2.7.5.4.3", "x", "2.3.0.3.2.7.5.4.99"):
        with pytest.raises(NonprojError):
            view("sentence", number=HEARING, heads=broken)
    with pytest.raises(NotFound):
        view("sentence", number=10**6)
    with pytest.raises(NotFound):
        view("sentence", id="no such id")


@pytest.mark.parametrize("name", ["sentence", "play", "sentences"])
def test_half_a_character_is_no_fault(name: str) -> None:
    asked = {"sentences": {"search": "\ud800"}}.get(name, {"id": "\ud800", "system": "\ud800", "oracle": "\ud800"})
    if name == "sentences":
        assert view(name, **asked)["total"] == 0
    else:
        with pytest.raises(NonprojError):
            view(name, **asked)


def test_copies_are_what_the_library_writes() -> None:
    assert view("copy", number=HEARING)["text"] == str(SAMPLE[HEARING])
    changed = view("copy", number=HEARING, heads="2.3.0.3.2.7.5.3.3")["text"]
    assert changed.splitlines()[12].split("\t")[6] == "3"
    assert view("copy", number=HEARING, format="svg", boxes="2,4")["text"].startswith("<svg")
    assert r"\deproot{3}" in view("copy", number=HEARING, format="latex")["text"]
    with pytest.raises(NonprojError):
        view("copy", number=HEARING, format="exe")


@pytest.mark.parametrize("kind", SYSTEMS, ids=lambda kind: kind.key)
def test_the_oracle_never_breaks_what_it_builds(kind: Any) -> None:
    """No step of an oracle loses an arc, and what it takes is among the legal choices."""
    system = transition_system(kind.shown(kind.example))
    for sentence in list(SAMPLE)[::3]:
        if not system.covers(sentence.tree):
            continue
        rows = list(system.trace(sentence.tree))
        for before, after in itertools.pairwise(rows):
            assert out_of_reach(after.configuration, sentence.tree) == []
            found = {choice.transition.name: choice for choice in choices(system, before.configuration, sentence.tree)}
            assert found[after.transition.name].breaks == ()  # type: ignore[union-attr]
            if kind.has_cost and found[after.transition.name].cost is not None:  # type: ignore[union-attr]
                assert found[after.transition.name].cost == 0  # type: ignore[union-attr]


def test_what_is_out_of_reach_counts_in_the_cost() -> None:
    """Where the cost is exact and nothing is lost yet, it is at least the number of arcs that are named as lost."""
    rng = np.random.default_rng(3)
    for name in ("arc-hybrid", "arc-eager", "covington"):
        system = transition_system(name)
        for sentence in list(SAMPLE)[::5]:
            if not system.covers(sentence.tree):
                continue
            configuration = system.initial(len(sentence))
            while not system.is_final(configuration):
                found = choices(system, configuration, sentence.tree)
                assert all(choice.cost is None or choice.cost >= len(choice.breaks) for choice in found)
                free = [choice.transition for choice in found if choice.cost == 0]
                configuration = system.apply(configuration, free[rng.integers(len(free))])


@pytest.mark.parametrize("system", ["arc-eager", "sort-parse", "2-planar", "mh4", "covington", "sorting"])
def test_transitions_step_to_the_tree(system: str) -> None:
    number = HEARING if system != "arc-eager" else 14
    found = view("transitions", number=number, system=system)
    assert found["derived"]
    assert found["total"] == len(found["steps"])
    assert all(set(step["parts"]) == set(found["headings"]) for step in found["steps"])
    if system != "sorting":
        assert found["steps"][-1]["heads"] == list(SAMPLE[number].heads)
    whole = [step["transition"] for step in found["steps"][1:]]
    played = view("play", number=number, system=system, done=".".join(whole))
    assert played["is_final"]
    assert played["lost"] == []
    if system != "sorting":
        assert played["right"] == len(SAMPLE[number])


def test_windows_of_steps_join() -> None:
    heads = [0] + 59 * [1]
    text = "".join(f"{i}\tw{i}\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for i, head in enumerate(heads, 1))
    library = Library([])
    library.drop("long.conllu", text.encode())

    def window(first: int) -> Any:
        values = {"treebank": "long.conllu", "system": "covington", "first": first}
        return VIEWS["transitions"](library, Query(values))

    first, second = window(0), window(200)
    assert first["total"] > 400
    assert len(first["steps"]) == 200
    system = transition_system("covington")
    rows = list(system.trace(Tree(heads)))
    steps = first["steps"] + second["steps"]
    assert [step["parts"] for step in steps] == [row.configuration.parts for row in rows[: len(steps)]]


def test_what_cannot_be_derived_says_why() -> None:
    found = view("transitions", number=HEARING, system="arc-standard")
    assert not found["derived"]
    assert "cross" in found["why"]
    found = view("schema", number=HEARING, schema="WG1")
    assert not found["derived"]
    assert "interleave" in found["why"]


@pytest.mark.parametrize("schema", ["Eisner", "1EC", "M0I", "WG1", "MG1", "MH4", "MH5"])
def test_a_derivation_of_a_schema_is_whole(schema: str) -> None:
    for number, sentence in list(enumerate(SAMPLE))[:40:3]:
        if sentence.tree not in tree_classes(parsing_schema(schema).class_name)[0]:
            continue
        found = view("schema", number=number, schema=schema)
        items = {item["number"]: item for item in found["items"]}
        used = [items[place] for place in found["derivation"]]
        assert used[-1]["item"] == "goal"
        assert all(below in found["derivation"] for item in used for below in item["from"])
        assert sorted(item["arc"][1] for item in used if item["arc"]) == list(range(1, len(sentence) + 1))
        assert all(item["step"] in (*found["rules"], "hypothesis") for item in used)


def test_sorting_and_lifting_end_in_projective_trees() -> None:
    for number, sentence in enumerate(SAMPLE):
        steps = view("sorting", number=number)["steps"]
        assert steps[-1]["order"] == sentence.tree.projective_order
        assert steps[-1]["crossings"] == 0
        steps = view("lifting", number=number)["steps"]
        assert Tree(steps[-1]["heads"]).is_projective
        assert steps[0]["heads"] == list(sentence.heads)


def test_grammars_derive_and_explain() -> None:
    words = "beans Fernando thought Carlos eats"
    found = view("grammar", grammar="beans.gdg", words=words)
    assert found["count"] == 1
    assert found["analyses"][0]["lines"][-1] == words
    assert view("grammar", grammar="beans.gdg", words="eats eats")["why"]
    with pytest.raises(NonprojError):
        view("grammar", grammar="../../etc/passwd", words="x")
    with pytest.raises(NonprojError):
        view("grammar", grammar="beans.gdg", words="   ")


def test_decode_gives_what_the_decoders_give() -> None:
    scores = view("scores")["scores"]
    found = view("decode", scores=scores, within="1EC", k=4)
    for result in found["results"]:
        best = decode(scores, within=result["class"])
        assert result["score"] == pytest.approx(best.score)
        assert result["is_optimal"]
    assert [one["score"] for one in found["k_best"]] == pytest.approx(
        [b.score for b in k_best(scores, 4, within="1EC")]
    )
    assert np.sum(found["marginals"], axis=0)[1:] == pytest.approx(1, abs=1e-2)
    assert [node["state"] for node in found["search"]].count("best") == 1
    assert view("decode", scores=scores, within="MH4")["marginals"] is None


def test_decode_gives_the_trees_that_were_proven_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def hurried(scores: Any, k: int, **options: Any) -> Any:
        if k > 4:
            raise NonprojError("only 4 of them could be proven")
        return k_best(scores, k, **options)

    scores = view("scores")["scores"]
    monkeypatch.setattr(decode_view, "k_best", hurried)
    whole = view("decode", scores=scores, within="1EC", k=3)
    assert (len(whole["k_best"]), whole["unproven"]) == (3, "")
    found = view("decode", scores=scores, within="1EC", k=7)
    assert [one["score"] for one in found["k_best"]] == pytest.approx(
        [b.score for b in k_best(scores, 4, within="1EC")]
    )
    assert "only 4 of the 7 best trees" in found["unproven"]
    assert all(result["is_optimal"] for result in found["results"])
    few = view("decode", scores=[[0, 1, 1], [0, 0, 1], [0, 1, 0]], within="1EC", k=4)
    assert (len(few["k_best"]), few["unproven"]) == (3, "")  # there are no more


def test_decode_leaves_out_sums_that_take_long() -> None:
    scores = np.random.default_rng(0).normal(size=(61, 61)).tolist()
    found = view("decode", scores=scores, within="WG1", classes=["Pr"], k=1)
    assert found["marginals"] is None
    assert "for 60 words within WG1" in found["no_marginals"]


def test_decode_says_which_classes_have_no_tree() -> None:
    scores = np.full((5, 5), -math.inf)
    scores[[3, 4, 0, 3], [1, 2, 3, 4]] = 1
    found = view("decode", scores=scores.tolist(), within="Pr")
    results = {result["class"]: result for result in found["results"]}
    assert "no Pr tree" in results["Pr"]["why"]
    assert results["1EC"]["score"] == 4
    assert found["k_best"] == []
    with pytest.raises(NonprojError, match="no possible head"):
        view("decode", scores=np.full((3, 3), -math.inf).tolist())


@pytest.mark.parametrize("name", ["Pr", "1EC", "WG1", "MH4", "2-P"])
def test_the_search_that_is_shown_finds_the_best_tree(name: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(8):
        scores = rng.normal(size=(6, 6))
        nodes = search_tree(scores, within=name, limit=2000)
        (best,) = [node for node in nodes if node.state == "best"]
        assert best.bound == pytest.approx(decode(scores, within=name).score)
        assert best.tree is not None
        assert best.tree in tree_classes(name)[0]
        # Children part what is left of their parent: no two can hold the same tree.
        assert all(node.bound <= nodes[node.parent].bound + 1e-9 for node in nodes if node.parent is not None)


@pytest.mark.parametrize(
    "given",
    [
        *("", "1 2\n3", "[[1, 2], [3]]", "[", "0 a\n0 0", "nan 1\n0 0\n"),
        *([[0, "x"], [0, 0]], [[0]], {"a": 1}, [[0, math.inf], [0, 0]], [[0, 10**400], [0, 0]]),
    ],
)
def test_bad_scores_are_refused_with_a_reason(given: Any) -> None:
    with pytest.raises(NonprojError, match="scores"):
        view("decode", scores=given)


@pytest.fixture(scope="module")
def pipeline() -> Any:
    from nonproj.text import Pipeline

    return Pipeline.train(SAMPLE, epochs=2, threads=1)


def test_typed_text_is_parsed_and_kept_as_a_treebank(pipeline: Any) -> None:
    library = Library([SAMPLE], model=pipeline)
    found = POSTED["parse"](library, Query({"text": "A hearing is scheduled on the issue today ."}))
    kept = library.shelf(found["treebank"]).treebank
    assert found["sentences"] == len(kept)
    words = [form for sentence in kept for form in sentence.forms]
    assert words == ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."]
    assert kept.column("upos")[0] != "_"
    assert [list(sentence.heads) for sentence in kept] == [
        list(sentence.heads) for sentence in pipeline("A hearing is scheduled on the issue today .")
    ]
    told = VIEWS["library"](library, Query({}))["model"]
    assert told["takes_text"]
    assert told["has_scores"]
    for text in ("", "   ", "x" * 20_001):
        with pytest.raises(NonprojError, match="text"):
            POSTED["parse"](library, Query({"text": text}))
    with pytest.raises(NonprojError, match="--model"):
        POSTED["parse"](LIBRARY, Query({"text": "a"}))


def test_the_model_scores_text_and_sentences(pipeline: Any) -> None:
    library = Library([SAMPLE], model=pipeline)
    for values in ({"text": "A hearing is scheduled ."}, {"treebank": "sample", "number": HEARING}):
        found = POSTED["decode"](library, Query({**values, "within": "1EC"}))
        assert found["source"] == "model"
        table = read_scores(found["scores"])[0]
        for result in found["results"]:
            assert result["score"] == pytest.approx(decode(table, within=result["class"]).score)
    with pytest.raises(NonprojError, match="more than"):
        POSTED["decode"](library, Query({"text": "word " * 200}))
    with pytest.raises(NonprojError, match="--model"):
        view("decode", text="a b")


def test_a_model_without_all_steps_says_what_it_lacks(pipeline: Any) -> None:
    from nonproj import Parser
    from nonproj.parser import TransitionOptions
    from nonproj.text import Pipeline

    library = Library([SAMPLE], model=Pipeline(pipeline.tokenizer, pipeline.tagger, None))
    with pytest.raises(NonprojError, match="no parser"):
        POSTED["parse"](library, Query({"text": "a b"}))
    with pytest.raises(NonprojError, match="no parser"):
        POSTED["decode"](library, Query({"text": "a b"}))
    by_words = Library([SAMPLE], model=Pipeline(None, pipeline.tagger, pipeline.parser))
    assert POSTED["parse"](by_words, Query({"text": "Dogs bark\nCats sleep"}))["sentences"] == 2
    moves = Parser.train(SAMPLE, options=TransitionOptions(), epochs=1, threads=1)
    library = Library([SAMPLE], model=Pipeline(pipeline.tokenizer, pipeline.tagger, moves))
    assert POSTED["parse"](library, Query({"text": "Dogs bark"}))["sentences"] == 1
    assert not VIEWS["library"](library, Query({}))["model"]["has_scores"]
    with pytest.raises(NonprojError, match="scores transitions"):
        POSTED["decode"](library, Query({"text": "Dogs bark"}))


def test_tables_of_an_npz_file_and_what_is_none() -> None:
    table = np.arange(16.0).reshape(4, 4)
    table[0, 2] = -math.inf
    file = io.BytesIO()
    np.savez(file, one=table, two=table[:3, :3])
    found = uploaded_scores("s.npz", file.getvalue(), 80)["sentences"]
    assert [one["name"] for one in found] == ["one", "two"]
    assert found[0]["scores"][0][2] is None
    assert read_scores(found[0]["scores"])[0].tolist() == table.tolist()
    broken = [b"", b"PK\x03\x04", b"no archive", file.getvalue()[:100]]
    pickled = io.BytesIO()
    np.savez(pickled, one=np.array([{"a": 1}], object))
    many = io.BytesIO()
    np.savez_compressed(many, bomb=np.zeros(9 << 20))
    flat = io.BytesIO()
    np.savez(flat, one=np.zeros(3))
    twice = io.BytesIO(file.getvalue())
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(twice, "a") as archive:  # as one.npy, by the name one
        archive.writestr("one", whole.read("two.npy"))
    for content in [*broken, pickled.getvalue(), many.getvalue(), flat.getvalue(), twice.getvalue()]:
        with pytest.raises(NonprojError, match=r"s\.npz"):
            uploaded_scores("s.npz", content, 80)


def test_scores_are_read_from_text_and_json() -> None:
    assert read_scores("0,1,2\n0,0,3\n0,4,0")[0].tolist() == [[0, 1, 2], [0, 0, 3], [0, 4, 0]]
    assert read_scores("[[0, null], [0, 0]]")[0][0, 1] == -math.inf
    assert read_scores("0 -inf\n0 0")[0][0, 1] == -math.inf


def test_dropped_treebanks_have_names_of_their_own_and_leave_when_there_are_too_many() -> None:
    from nonproj.web.limits import Limits

    text = str(SAMPLE[0]).encode()
    library = Library([example_treebank()], limits=Limits(kept=3 * len(text)))
    names = [library.drop("../a\\b/x.conllu", text).name for _ in range(5)]
    assert names[:3] == ["x.conllu", "x.conllu (2)", "x.conllu (3)"]
    assert "sample" in library.names
    assert names[-1] in library.names
    assert len(library.names) == 4


def test_broken_files_are_refused_with_a_reason() -> None:
    import gzip

    from nonproj.web.limits import Limits

    library = Library([], limits=Limits(upload=100_000))
    for content in (b"", b"\x00\xff\xfe", b"nothing\there\n", b"PK\x03\x04", b"# only = comments\n"):
        with pytest.raises(NonprojError):
            library.drop("broken.conllu", content)
    with pytest.raises(NonprojError, match="MiB"):
        library.drop("bomb.gz", gzip.compress(bytes(10_000_000)))
    good = str(SAMPLE[0]) + "1\tx\t_\t_\t_\t_\t7\t_\t_\t_\n\n"
    assert len(library.drop("half.conllu", good.encode()).treebank.skipped) == 1


def test_an_export_holds_every_answer(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("starlette", reason="needs the extra web: make test-web")
    from nonproj.web import export, export_site

    monkeypatch.setattr(export, "example_treebank", lambda: SAMPLE[:2])
    site = tmp_path / "site"
    assert export_site(site) == len(list(site.rglob("*.*")))
    assert b'data-static="yes"' in (site / "index.html").read_bytes()
    one = json.loads((site / "data" / "sentence-0.json").read_text(encoding="utf-8"))
    assert one["schema"]["MH4"]["derived"]
    assert one["transitions"]["swap"]["steps"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    with pytest.raises(NonprojError, match="not empty"):
        export_site(tmp_path / "other")
