"""Grammar files: read, written back, mistakes pointed at, warnings."""

import pathlib

import pytest

from nonproj import NonprojError
from nonproj.grammar import Grammar
from nonproj.lifting import NotationError

TEXT = 'start: V\ns v: V -> N\nlp p: V = N #\nword dogs, "a b": N\nword bark: V | N[x:y]\n'


def test_saved_and_loaded_without_loss(tmp_path: pathlib.Path) -> None:
    for grammar in (Grammar.load("beans.gdg"), Grammar.parse_text(TEXT)):
        path = tmp_path / "some.gdg"
        grammar.save(path)
        again = Grammar.load(path)
        assert again == grammar
        assert (again.s_rules, again.m_rules, again.lp_rules) == (grammar.s_rules, grammar.m_rules, grammar.lp_rules)
        assert (again.l_rules, again.lexicon, again.start) == (grammar.l_rules, grammar.lexicon, grammar.start)
    assert Grammar.parse_text(TEXT) != Grammar.load("beans.gdg")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rule x: V -> N", "4:1: a line begins with categories, lifts, start, s, m, lp, l, word, unknown or count"),
        ("s v: V -> N", "4:3: line 2 has a rule 'v' already"),
        ("s w V -> N", "4:5: expected ':' after the name of the rule, found 'V'"),
        ("s w: V N", "4:8: expected '->' after the category of the head, found 'N'"),
        ("s w: V -> N,", "4:13: expected a category, found the end of the line"),
        ("s w: V[trans] -> N", "4:13: expected a value of the feature 'trans'"),
        ("s w: V[trans +, trans -] -> N", "4:17: the feature 'trans' is given twice"),
        ("m w: V -> N, N", "4:12: an m-rule has one dependent"),
        ("lp w: V N", "4:9: expected '=' after the category of the head"),
        ("lp w: V = N", "4:11: a rule of word order has '#', the head, exactly once"),
        ("lp w: V = # N? #*", "4:11: a rule of word order has '#'"),
        ("lp w: V = (N #", "4:11: this parenthesis is never closed"),
        ("l w: N ^ V V*", "4:12: a rule ends with the category of the linear governor"),
        ("m w: V -> N @ much", "4:15: expected a weight, a number"),
        ("m w: V -> N @ nan", "4:15: a weight is a finite number"),
        ("categories: foo", "4:13: categories come from upos, xpos, deprel or lemma"),
        ("lifts: many", "4:8: expected a whole number of words on their way up at a time, found 'many'"),
        ("word x: .", "4:10: a word needs a category of its own"),
        ("word x N", "4:8: expected ':' after the words"),
        ('word "x: N', "4:6: this quote is never closed"),
        ("start: V ]", "4:10: expected the end of the line, found ']'"),
    ],
)
def test_mistakes_are_pointed_at(line: str, message: str) -> None:
    text = "\n".join([*TEXT.splitlines()[:3], line])
    with pytest.raises(NotationError) as caught:
        Grammar.parse_text(text, "my.gdg")
    shown = str(caught.value).splitlines()
    assert shown[0].startswith(f"my.gdg:{message}")
    assert shown[1] == f"    {line}"
    assert shown[2].index("^") == 4 + caught.value.column - 1


def test_a_grammar_needs_a_start() -> None:
    with pytest.raises(NonprojError, match=r"my\.gdg: the grammar has no start category"):
        Grammar.parse_text("word a: N", "my.gdg")


def warned(text: str) -> set[tuple[str, str]]:
    return {(warning.kind, warning.rule) for warning in Grammar.parse_text(text).check()}


def test_warnings_name_the_rule() -> None:
    assert not Grammar.load("beans.gdg").check()
    assert warned(TEXT.replace(" | N[x:y]", "")) == set()
    cyclic = "start: V\ns v: V -> V\nlp p: V = # V\nword go: V"
    assert ("cyclic s-rule", "v") in warned(cyclic)
    assert ("cyclic s-rule", "v") not in warned(cyclic + "\ns w: V ->\nlp q: V = #")
    assert ("unreachable category", "Adv") in warned(TEXT + "word now: Adv")
    assert ("unreachable category", "w") in warned(TEXT + "s w: Adv ->\nword now: Adv")
    assert ("empty LP language", "q") in warned(TEXT + "lp q: N = # Adj+")
    assert ("empty LP language", "q") in warned(TEXT + "s w: N[x:y] -> V\nlp q: N[x:y] = # N")
    assert ("no word", "w") in warned(TEXT + "m w: V -> Adv")
    assert ("ambiguous feature", "w") in warned(TEXT + "m w: V -> N[x:y]")
    assert ("ambiguous feature", "w") in warned(TEXT + "m w: V -> N[x +]\nword cats: N[x +]")
    assert ("ambiguous feature", "p") in warned(TEXT + "lp q: V = N N #")


def test_dead_rules_are_found() -> None:
    text = str(Grammar.load("beans.gdg"))
    obligatory = text.replace("# N[case:obj]? Adv*", "# N[case:obj] Adv*")
    (told,) = (str(warning) for warning in Grammar.parse_text(obligatory).check() if warning.kind == "dead rule")
    assert told.startswith("l1: never lifts: no V may have a N[case:obj, top +] and do without it in its order")
    assert told.endswith("make it optional in p2 and p1")
    nowhere = text.replace("(N[top +] | N[wh +])? Adv? N[case:nom]", "Adv? N[case:nom]")
    assert ("dead rule", "l1") in warned(nowhere)
    assert ("dead rule", "d9") in warned(text + "m d9: Adv -> Adv")


def test_a_rule_fsm_that_becomes_too_large_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonproj.grammar.machine.MAX_WORK", 3)
    with pytest.raises(NonprojError, match=r"rule-FSM of V becomes too large: its 1 s-rules"):
        Grammar.parse_text(TEXT).parse("dogs bark").best  # noqa: B018


def test_features_that_no_word_has_are_an_error() -> None:
    with pytest.raises(
        NonprojError, match=r"rule 'w' asks for N\[deprel:obj\], but the lexicon has no feature 'deprel'"
    ):
        Grammar.parse_text(TEXT + "m w: V -> N[deprel:obj]")


def test_counts_and_weights_are_read_back() -> None:
    text = (
        "categories: xpos+Case\nlifts: 1\nstart: V @ -0.5, N\ns v: V -> N\nlp p: V = N* # N*\n"
        "count V first: # 4, N 3, ^ N 1\ncount V before N: # 2, N 1\ncount V before ^ N: # 1\n"
        "count V head: | 6, N ^ 2\n"
        "word a: N @ -1.5 | V\nunknown: N @ -2.0 | V @ -3.0\n"
    )
    grammar = Grammar.parse_text(text)
    assert str(grammar) == text
    assert (grammar.columns, grammar.max_lifts) == ("xpos+Case", 1)
    assert grammar.parse("a zzz").count == 2
    for line in ("categories: upos", "lifts: 2"):
        with pytest.raises(NotationError, match="given twice"):
            Grammar.parse_text(text + line)
    for line, message in {
        "count V early: N 1": "a phase is one of first, before, head, after, away",
        "count N first: N 0": "a whole number from 1",
        "count V before N: N 1": "the counts of V before N are given twice",
        "count V away N: N 1": "expected ':' after the phase",
        "count V first: N 1": "given twice",
    }.items():
        with pytest.raises(NotationError, match=message):
            Grammar.parse_text(text + line)
