"""Pictures of rule-FSMs and of analyses: well formed, with every step and every governor."""

from xml.etree import ElementTree

from nonproj.draw.automaton import edges_of, fsm_dot, fsm_svg, in_order
from nonproj.draw.double import analysis_svg, analysis_text
from nonproj.grammar import Grammar

BEANS = "beans Fernando thought yesterday Milagro claims Carlos eats slowly"


def test_rule_fsms() -> None:
    grammar = Grammar.load("beans.gdg")
    for category in grammar.machine.categories:
        fsm = grammar.rule_fsm(category)
        assert sorted(in_order(fsm)) == list(range(len(fsm)))
        picture = ElementTree.fromstring(fsm_svg(fsm, str(category), dark=False))
        shown = [element.text for element in picture.iter() if element.tag.endswith("text")]
        letters = [letter for listed in edges_of(fsm).values() for letter in listed]
        assert sorted(shown) == sorted([str(category), *map(str, range(len(fsm))), *letters])  # type: ignore[type-var]
        assert fsm_dot(fsm).count("->") == len(edges_of(fsm))


def test_double_structure() -> None:
    best = Grammar.load("beans.gdg").parse(BEANS).best
    assert best is not None
    picture = analysis_svg(best, title="<beans>")
    ElementTree.fromstring(picture)
    assert picture.count('class="arc') == picture.count('class="below ') == 9
    drawn = analysis_text(best, width=100)
    assert drawn.index("syntactic governors") < drawn.index("linear governors")
    assert "'beans' (1) is lifted from 'eats' to 'thought'" in drawn
