"""The scores of columns by alignment, against cases worked by hand and a plain reference on all small texts."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonproj as npj
from nonproj.parser import evaluate_columns
from nonproj.parser.aligned import NAMES

Token = str | tuple[str, tuple[str, ...]]  # a word, or a multiword token and its words


def conllu(*sentences: list[Token], tags: str = "X", heads: list[int] | None = None) -> bytes:
    """Sentences in which every word hangs from the one before it, or from ``heads``."""
    lines: list[str] = []
    for sentence in sentences:
        number = 0
        for token in sentence:
            form, words = token if isinstance(token, tuple) else (token, (token,))
            if isinstance(token, tuple):
                lines.append(f"{number + 1}-{number + len(words)}\t{form}" + "\t_" * 8)
            for word in words:
                head = heads[number] if heads else number
                number += 1
                relation = "root" if head == 0 else "dep"
                lines.append(f"{number}\t{word}\t{word.lower()}\t{tags}\t{tags}\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


def counts(gold: bytes, system: bytes, name: str) -> tuple[int, int, int]:
    ratio = evaluate_columns(gold, system)[name]
    return ratio.right, ratio.gold, ratio.system


def test_a_file_is_all_right_against_itself() -> None:
    scores = evaluate_columns(npj.example_treebank(), npj.example_treebank())
    assert list(scores.ratios) == list(NAMES)
    assert all(ratio.f1 == 100 for ratio in scores.ratios.values())


def test_tokens_and_sentences_by_hand() -> None:
    gold = conllu(["can", "not"], ["go", "."])
    system = conllu(["cannot", "go"], ["."])
    assert counts(gold, system, "Tokens") == (2, 4, 3)  # go and the full stop
    assert counts(gold, system, "Words") == (2, 4, 3)
    assert counts(gold, system, "Sentences") == (0, 2, 2)


def test_a_multiword_token_against_its_parts_by_hand() -> None:
    gold = conllu(["Falo", ("do", ("de", "o")), "mar"])
    # One side has no multiword token: "do" is aligned with neither "de" nor "o".
    assert counts(gold, conllu(["Falo", "do", "mar"]), "Words") == (2, 4, 3)
    assert counts(gold, conllu(["Falo", "do", "mar"]), "Tokens") == (3, 3, 3)
    # Other words inside: the longest common subsequence is "o", capitals do not count.
    assert counts(gold, conllu(["Falo", ("do", ("di", "O")), "mar"]), "Words") == (3, 4, 4)
    # A multiword token of the system that covers more.
    assert counts(gold, conllu(["Falo", ("domar", ("de", "mar"))]), "Words") == (3, 4, 3)


def test_heads_count_when_their_words_are_aligned() -> None:
    gold, system = conllu(["a", "bc", "d"]), conllu(["a", "b", "c", "d"])
    assert counts(gold, system, "UAS") == (1, 3, 4)  # a is the root of both; d hangs from bc, and from c
    assert counts(gold, conllu(["a", "bc", "d"], heads=[0, 1, 1]), "UAS") == (2, 3, 3)


def row(number: int, form: str, lemma: str, upos: str, feats: str, head: int, deprel: str) -> str:
    return f"{number}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t{head}\t{deprel}\t_\t_\n"


def test_mlas_blex_and_features_by_hand() -> None:
    gold = row(1, "the", "the", "DET", "Definite=Def|Foo=Bar", 2, "det")
    gold += row(2, "dogs", "dog", "NOUN", "Number=Plur", 3, "nsubj:pass") + row(3, "bark", "_", "VERB", "_", 0, "root")
    system = row(1, "the", "a", "PRON", "Definite=Def", 2, "det")
    system += row(2, "dogs", "dog", "NOUN", "Number=Plur", 3, "nsubj") + row(3, "bark", "b", "VERB", "_", 0, "root")
    scores = evaluate_columns((gold + "\n").encode(), (system + "\n").encode())
    assert scores["UFeats"].f1 == 100  # Foo is no universal feature
    assert scores["LAS"].f1 == 100  # subtypes do not count
    assert scores["CLAS"].right == 2
    assert scores["MLAS"].right == 1  # the function word of "dogs" has another tag
    assert scores["Lemmas"].right == 2  # where the gold lemma is open, any is right
    assert scores["BLEX"].right == 2
    assert (scores["MLAS"].gold, scores["MLAS"].system) == (2, 2)


def test_other_texts_are_an_error_that_shows_the_place() -> None:
    with pytest.raises(npj.NonprojError, match="after 'ab' comes 'c'"):
        evaluate_columns(conllu(["abc"]), conllu(["abd"]))


def cuts(text: str) -> list[list[str]]:
    """Every way to cut a text into tokens."""
    result = []
    for marks in itertools.product((False, True), repeat=len(text) - 1):
        tokens = [text[0]]
        for letter, is_cut in zip(text[1:], marks, strict=True):
            if is_cut:
                tokens.append(letter)
            else:
                tokens[-1] += letter
        result.append(tokens)
    return result


def spans(tokens: list[str]) -> set[tuple[int, int]]:
    ends = list(itertools.accumulate(map(len, tokens)))
    return {(end - len(token), end) for token, end in zip(tokens, ends, strict=True)}


def test_without_multiword_tokens_words_are_spans() -> None:
    for ours, theirs in itertools.product(cuts("abcde"), repeat=2):
        right = len(spans(ours) & spans(theirs))
        assert counts(conllu(list(ours)), conllu(list(theirs)), "Words") == (right, len(ours), len(theirs))


tokens = st.lists(
    st.one_of(st.sampled_from("ab"), st.tuples(st.just("ab"), st.sampled_from([("a", "b"), ("x", "b"), ("b", "a")]))),
    min_size=1,
    max_size=6,
)


@given(tokens)
def test_words_of_the_same_tokens_are_aligned_token_by_token(gold: list[Token]) -> None:
    """With the gold standard's multiword tokens, each expanded in another way, parts align inside them alone."""
    system: list[Token] = [token if isinstance(token, str) else (token[0], ("x", "b")) for token in gold]
    expected = sum(1 if isinstance(token, str) else common(token[1], ("x", "b")) for token in gold)
    assert counts(conllu(gold), conllu(system), "Words")[0] == expected


def common(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """The length of the longest common subsequence, by trying all."""

    def subsequences(words: tuple[str, ...]) -> set[tuple[str, ...]]:
        return {chosen for size in range(len(words) + 1) for chosen in itertools.combinations(words, size)}

    return max(len(chosen) for chosen in subsequences(first) & subsequences(second))


def test_the_verb_shows_columns_where_words_differ(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_bytes(conllu(["can", "not", "go"]))
    system.write_bytes(conllu(["cannot", "go"]))
    command = [sys.executable, "-m", "nonproj", "evaluate", str(gold), str(system)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Lemmas" in shown
    assert "40.00" in shown
    refused = subprocess.run([*command, "--table", "classes"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "--table columns" in refused.stderr
