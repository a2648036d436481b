"""Writes what comes from the code: classes.md, commands.md, api.md, pictures/, and the table of decoding.md.

    python docs/generate.py [FOLDER]

The tests run it into a scratch folder and compare, so what is committed is always what the code says.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import functools
import importlib
import inspect
import pathlib
import re
import sys
import typing
from collections.abc import Callable, Iterator
from typing import Any

import click

import nonproj
from nonproj.cli import cli
from nonproj.decode import offers
from nonproj.draw import svg
from nonproj.draw.automaton import fsm_svg
from nonproj.draw.double import analysis_svg
from nonproj.grammar import Grammar
from nonproj.treebank import Sentence, example_treebank
from nonproj.trees import CATALOGUE, TreeClass, tree_class

INTRODUCTION = """# The classes of trees

This page is written by `make docs`. Each class is shown with a sentence of the sample treebank inside it, where it can
non-projective, and one outside, with the arcs that break its rule in red.

A tree over words 1..n is given by its heads; 0 is the dummy root, to the left of word 1, and several words may depend
on it. The *yield* of a word is the word with all its descendants. A *gap* of a yield is a run of words that lies
between words of the yield and does not belong to it. Two arcs *cross* when exactly one end of one lies strictly
between the ends of the other.

How the classes lie within one another: MH3 = AD1 = DD1 = 1-C = Pr; MH4 in MH5 in MH6 ...; WG_k in MG_k; 2-C in 1EC in
2-P; MH4 in 2-P; M0I in M1I in WG1; M1IS in M1I and in WG1S; AD_d and MH_(d+2) in DD_d. Below 10 words MG1 is all trees
of gap degree at most 1.

In Python `tree_class("2-P")` finds every class by its name, with any number where there is one. The families whose
names are letters and then a number are functions too: `WG(1)`, `MG(1)`, `MH(4)`, `AD(2)`, `DD(2)`.

"""


COMMANDS = """# Commands

This page is written by `make docs` from the help texts.

**Output.** Without `-o` it goes to standard output. With `-o FILE` the ending of FILE chooses the format (`.txt`,
`.csv`, `.json`, `.md`, `.tex`, `.conllu`, `.svg`, `.html`, `.png`, `.pdf`; `.gz`, `.bz2` or `.xz` behind it packs it),
unless `--format` does; an ending that the command has no format for is an error. FILE is tried before the work begins,
and appears when all of it is written; after Ctrl-C what was written until then is in `FILE.part`. Files and data are
UTF-8; tables and drawings on a terminal of another encoding show `?` for what it lacks, and stderr says so.

**Exit codes.** 0: done. 1: something could not be derived or parsed (`trace`, `grammar`). 2: bad input or options, with
a line on stderr. 3: sentences were left out, under `--strict`. 130: stopped by Ctrl-C.

**Completion.** The shell completes verbs and options after one of these:

    eval "$(_NONPROJ_COMPLETE=bash_source nonproj)"      # in ~/.bashrc
    eval "$(_NONPROJ_COMPLETE=zsh_source nonproj)"       # in ~/.zshrc
    _NONPROJ_COMPLETE=fish_source nonproj | source       # in ~/.config/fish/completions/nonproj.fish
"""


def main(folder: pathlib.Path) -> None:
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    (folder / "classes.md").write_text(classes_page(folder), encoding="utf-8")
    hearing = next(sentence for sentence in example_treebank() if sentence.sent_id == "en-hearing")
    (folder / "pictures" / "readme.svg").write_text(svg(hearing.tree, boxes="gaps"), encoding="utf-8")
    draw_grammars(folder / "pictures")
    (folder / "commands.md").write_text(commands_page(), encoding="utf-8")
    (folder / "api.md").write_text(api_page(), encoding="utf-8")
    (folder / "decoding.md").write_text(decoding_page(), encoding="utf-8")


def draw_grammars(folder: pathlib.Path) -> None:
    """The pictures of the page on grammars."""
    beans, german = Grammar.load("beans.gdg"), Grammar.load("german.gdg")
    pictures = {
        "grammar-beans": analysis_svg(next(iter(beans.parse("beans Fernando thought Milagro claims Carlos eats")))),
        "grammar-german": analysis_svg(
            next(iter(german.parse("dass ihn niemand zu reparieren zu versuchen verspricht")))
        ),
        "grammar-fsm": fsm_svg(german.rule_fsm("V[form:zu, kind:trans]"), "V[form:zu, kind:trans]"),
    }
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


def classes_page(folder: pathlib.Path) -> str:
    sentences = sorted(example_treebank(), key=len)
    page = INTRODUCTION
    page += "| class | trees | exact parser |\n|---|---|---|\n"
    page += "".join(f"| [{cls.name}](#{anchor(cls)}) | {cls.title} | {cls.complexity} |\n" for cls in CATALOGUE)
    for cls in CATALOGUE:
        page += f"\n## {cls.name}\n\n*{cls.title[0].upper()}{cls.title[1:]}.* {cls.definition}\n\n"
        parser = f"Exact parsing takes {cls.complexity}." if cls.exponent else "No exact polynomial parser is known."
        page += f"{parser} {cls.reference}.\n\n"
        page += shown(cls, inside_example(cls, sentences), folder)
        page += shown(cls, outside_example(cls, sentences), folder)
    return page


def anchor(cls: TreeClass) -> str:
    return cls.name.lower()


def inside_example(cls: TreeClass, sentences: list[Sentence]) -> Sentence:
    """A natural sentence if there is one, non-projective unless the class holds no such tree."""
    inside = [s for s in sentences if s.tree in cls]
    return min(inside, key=lambda s: (s.tree.is_projective, s.sent_id.startswith("x-"), len(s)))


def outside_example(cls: TreeClass, sentences: list[Sentence]) -> Sentence:
    outside = [s for s in sentences if s.tree not in cls]
    return min(outside, key=lambda s: (s.sent_id.startswith("x-"), len(s)))


def shown(cls: TreeClass, sentence: Sentence, folder: pathlib.Path) -> str:
    explanation = cls.explain(sentence.tree)
    name = f"{anchor(cls)}-{'inside' if explanation.is_inside else 'outside'}.svg"
    picture = svg(sentence.tree, highlight=explanation.arcs)
    (folder / "pictures" / name).write_text(picture, encoding="utf-8")
    says = "Inside" if explanation.is_inside else f"Outside: {explanation}"
    return f"{says} (`{sentence.sent_id}`):\n\n![{sentence.text}](pictures/{name})\n\n"


def decoding_page() -> str:
    """The page as it is, with its table of classes as the solvers have it."""
    page = (pathlib.Path(__file__).parent / "decoding.md").read_text(encoding="utf-8")
    begin, end = "<!-- What each class offers, by make docs -->\n", "<!-- end -->"
    before, rest = page.split(begin)
    table = "| class | best tree, `k_best` | chart for larger parts | sums | `sample_trees` |\n|---|---|---|---|---|\n"
    for cls in (tree_class("spanning"), *CATALOGUE):
        offer = offers(cls)
        best = f"relax, or chart {cls.complexity}" if offer.chart else "relax"
        row = [best if cls.name != "spanning" else cls.complexity, ", ".join(offer.parts) or "-"]
        row += ["yes" if "log_partition" in offer.questions else "-"]
        row += ["directly" if offer.sampling == "direct" else "by rejection"]
        table += f"| {cls.name} | {' | '.join(row)} |\n"
    return f"{before}{begin}{table}{end}{rest.split(end, 1)[1]}"


def commands_page() -> str:
    page = COMMANDS
    page += f"\n```\n{help_text(cli, 'nonproj')}\n```\n"
    for name, verb in cli.commands.items():
        page += f"\n## nonproj {name}\n\n```\n{help_text(verb, f'nonproj {name}')}\n```\n"
    return page


def help_text(command: click.Command, name: str) -> str:
    settings = {**cli.context_settings, "terminal_width": 100}
    return command.get_help(click.Context(command, info_name=name, **settings))


# The public names by question: first those of nonproj itself, then those of a room, with its name.
GROUPS = [
    (
        "Read and write treebanks",
        "A treebank holds sentences, a sentence its words; nothing is cut into strings before it is asked for.",
        "read stream write example_treebank Treebank Sentence "
        "Filter treebank.Query treebank.Word treebank.MultiwordToken treebank.EmptyNode "
        "treebank.SentenceStream treebank.Skipped treebank.read_many treebank.sources",
    ),
    (
        "Look at a tree",
        "Every structural property is an attribute. In a notebook trees and sentences show themselves as pictures, "
        "treebanks, coverages and evaluations as tables.",
        "Tree trees.Arc",
    ),
    (
        "Classes of trees",
        '`tree_class` finds every class by its name, such as `tree_class("Pr")`, `tree_class("1EC")` or '
        '`tree_class("2-P")`. The families whose names are letters and then a number are functions too: `WG(1)` is '
        '`tree_class("WG1")`, and so are `MG`, `MH`, `AD` and `DD`. [All of them with pictures](classes.md).',
        "tree_class tree_classes define_class TreeClass Explanation WG MG MH AD DD",
    ),
    (
        "Measure a treebank",
        "",
        "coverage Coverage causes Causes report.ClassCauses report.Example chance Chance report.Expected "
        "class_chance report.ClassChance report.Within lengths report.Lengths report.MeanLength "
        "unusual report.Surprises report.Surprise diff report.Difference report.ClassChange report.WordChange "
        "report.Change report_page graphs report.Graphs report.GraphCounts report.measure_graph report.GraphMeasures "
        "census Census "
        "report.TreebankCoverage report.Unusual report.Table report.Column "
        "trees.census_pairs trees.ClassPair trees.profile_trees trees.Profiles "
        "trees.binarise trees.Binarisation trees.BinaryNode trees.braid",
    ),
    ("Draw", "", "draw draw.text draw.svg draw.page draw.image draw.latex draw.scene"),
    (
        "Decode",
        "From the scores of arcs to the best trees of a class. [How it is done](decoding.md).",
        "decode decode_batch k_best Decoded candidate_heads decode.decode_unlexicalised decode.offers decode.Offer "
        "decode.parse_within decode.search_tree decode.SearchNode",
    ),
    (
        "Sums and samples",
        "Over all the trees of a class, each weighed by exp(score).",
        "log_partition marginals entropy count_trees sample_trees decode.Samples",
    ),
    (
        "Transition systems",
        "[All of them with their transitions](transitions.md).",
        "transition_system TransitionSystem transition.Configuration transition.Transition transition.Trace "
        "transition.Row transition.choices transition.Choice transition.Sequences transition.SystemKind "
        "transition.sort_words transition.SortedTree transition.swap_statistics transition.SwapStatistics "
        "transition.sort_treebank transition.unsort_treebank",
    ),
    (
        "Parsing schemata",
        "[How they are written](schemata.md).",
        "parsing_schema schema.schema_for_tree schema.combination_strings schema.Schema schema.catalogue "
        "schema.ItemForm schema.Hypothesis schema.Step schema.Problem "
        "schema.DRules schema.Forest schema.Parse schema.Row schema.Semiring schema.Boolean schema.Counting "
        "schema.KBest schema.TreeSets schema.show schema.show_latex schema.show_step schema.soundness "
        "schema.completeness schema.Verdict schema.check schema.Check schema.complexity schema.Complexity",
    ),
    (
        "Lift and lower",
        "[Lifts, encodings and lifting rules](lifting.md).",
        "lift lower lifting.Encoding lifting.plain_label lifting.projective_lifts lifting.lifted_tree "
        "lifting.LiftedWord lifting.is_lift lifting.is_projective_arc lifting.ancestors lifting.governors "
        "lifting.learn lifting.generalised lifting.RuleSet lifting.LiftingRule lifting.Category lifting.Expression "
        "lifting.Automaton lifting.Reader lifting.RuledLift lifting.Verdict lifting.sentence_categories "
        "lifting.rule_coverage lifting.RuleCoverage",
    ),
    (
        "Grammars",
        "[GDG and PP-GDG](grammar.md).",
        "Grammar grammar.Parse grammar.Analysis grammar.Forest grammar.SRule grammar.MRule grammar.LPRule "
        "grammar.LRule grammar.GrammarWarning",
    ),
    (
        "Train, parse and evaluate",
        "[Trained parsers](parsers.md).",
        "Pipeline restored_text text.Tokenizer text.Tagger "
        "Parser GraphOptions TransitionOptions NeuralOptions parser.Epoch evaluate "
        "Evaluation "
        "parser.Scores parser.Ratio parser.ClassScores parser.evaluate_columns parser.ColumnScores parser.Difference "
        "parser.SearchReport parser.paper_recipe",
    ),
    (
        "Past one machine",
        "The same over any executor, with the same answers. [How](scale.md).",
        "distributed.coverage distributed.classify distributed.parse distributed.evaluate distributed.Written "
        "distributed.Model distributed.LeftOut",
    ),
    ("Errors", "", "NonprojError FormatError TreeError treebank.QueryError schema.SchemaError lifting.NotationError"),
]


def api_page() -> str:
    heading_of: dict[str, str] = {}  # each anchor is given once, a second heading of that name gets a number
    contents, body = "", ""
    for title, introduction, names in GROUPS:
        link(title, heading_of)
        links = []
        body += f"## {title}\n\n" + (f"{introduction}\n\n" if introduction else "")
        for name in names.split():
            full = f"nonproj.{name}" if "." in name else name
            links.append(f"[{full.rpartition('.')[2]}](#{link(full, heading_of)})")
            body += f"### {full}\n\n{entry(public(name)).rstrip()}\n\n"
        contents += f"- {title}: {', '.join(links)}\n"
    opening = (
        "# Python\n\nThis page is written by `make docs` from the docstrings. `import nonproj as npj` gives the names "
        "that stand alone; those with a room before them are imported from it.\n\n"
    )
    return f"{opening}{contents}\n{body.rstrip()}\n"


def link(heading: str, heading_of: dict[str, str]) -> str:
    """The anchor that GitHub gives a heading."""
    plain = "".join(c for c in heading.lower().replace(" ", "-") if c.isalnum() or c in "-_")
    anchor, number = plain, 0
    while anchor in heading_of:
        number += 1
        anchor = f"{plain}-{number}"
    heading_of[anchor] = heading
    return anchor


def public(name: str) -> Any:
    """What a name of `GROUPS` stands for."""
    room, _, own = name.rpartition(".")
    return getattr(importlib.import_module(f"nonproj.{room}" if room else "nonproj"), own)


def entry(thing: Any) -> str:
    text = ""
    if has_signature(thing):
        text += f"```python\n{thing.__name__}{signature(thing)}\n```\n\n"
    text += documented(thing)
    if inspect.isclass(thing):
        fields = not has_signature(thing)
        shown = "".join(described(member, fields) for member in members(thing))
        text += f"{shown}\n" if shown else ""
    return text


def has_signature(thing: Any) -> bool:
    """Whether the reader calls it: not errors, nor classes that are made from what no room exports."""
    if not inspect.isclass(thing):
        return True
    if issubclass(thing, Exception | nonproj.Decoded):
        return False
    needed = [p.annotation for p in inspect.signature(thing).parameters.values()]
    return not any(is_internal(kind) for a in needed for kind in own_types(a, thing.__module__))


class Unquoted(str):
    """An annotation or a default that prints as it was written."""

    __repr__ = str.__str__


def signature(thing: Callable[..., object]) -> str:
    whole = inspect.signature(thing)
    parameters = [plain_default(p.replace(annotation=plain(p.annotation))) for p in whole.parameters.values()]
    result = whole.empty if inspect.isclass(thing) else plain(whole.return_annotation)
    return str(whole.replace(parameters=parameters, return_annotation=result))


def plain(annotation: Any) -> Any:
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    return Unquoted(annotation) if isinstance(annotation, str) else annotation


def plain_default(parameter: inspect.Parameter) -> inspect.Parameter:
    """A function as a default has no notation of its own."""
    return parameter.replace(default=Unquoted("...")) if inspect.isfunction(parameter.default) else parameter


class Member(typing.NamedTuple):
    """A method or property of a class, or a field; and the class that defines it."""

    name: str
    thing: Any
    annotation: Any
    owner: type


def members(cls: type) -> Iterator[Member]:
    """What a class offers, without what holds types that no room exports: that is how it works inside."""
    for member in all_members(cls):
        if not any(is_internal(kind) for kind in own_types(member.annotation, member.owner.__module__)):
            yield member


def all_members(cls: type) -> Iterator[Member]:
    seen = set()
    for owner in cls.__mro__:
        if not owner.__module__.startswith("nonproj"):
            continue
        parts = dict.fromkeys(vars(owner).get("__annotations__", {})) | dict(vars(owner))
        for name in parts:
            if name in seen or (name.startswith("_") and name not in ("__iter__", "__getitem__")):
                continue
            seen.add(name)
            thing = inspect.getattr_static(owner, name, None)
            function = function_of(thing)
            annotation = getattr(function, "__annotations__", {}).get("return")
            if function is None:
                annotation = vars(owner).get("__annotations__", {}).get(name)
            yield Member(name, thing, annotation, owner)


def function_of(thing: Any) -> Any:
    """The function behind a method or a property of any kind."""
    for name in ("fget", "func", "__func__"):
        thing = getattr(thing, name, None) or thing
    return inspect.unwrap(thing) if callable(thing) and not inspect.isclass(thing) else None


def described(member: Member, fields: bool) -> str:
    """A line about a method or a property; fields stand in the signature of their class, if that is shown."""
    text, function = inspect.getdoc(member.thing), function_of(member.thing)
    is_property = isinstance(member.thing, property) or hasattr(member.thing, "func")
    written, result = member.name, plain(member.annotation)
    if function is None and not is_property:
        return f"- `{written}: {result}`\n" if fields and result else ""
    if not text:
        return ""
    if is_property:
        written += f": {result}" if result else ""
    elif inspect.isfunction(function):
        whole = inspect.signature(function)
        first = [] if isinstance(member.thing, staticmethod) else list(whole.parameters)[:1]
        left = [p.replace(annotation=p.empty) for p in whole.parameters.values() if p.name not in first]
        given = [plain_default(p) for p in left]
        written += str(whole.replace(parameters=given, return_annotation=result or whole.empty))
    return f"- `{written}`: {text.split(chr(10) * 2)[0].replace(chr(10), ' ')}\n"


def own_types(annotation: Any, module: str) -> Iterator[type]:
    """The types of nonproj that an annotation names, as it is read in a module."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        for first, *rest in (name.split(".") for name in re.findall(r"[A-Za-z_][\w.]*", annotation)):
            yield from own_types(functools.reduce(getattr, rest, named(first, module)), module)
    elif typing.get_args(annotation):
        for part in typing.get_args(annotation):
            yield from own_types(part, module)
    elif inspect.isclass(annotation) and annotation.__module__.startswith("nonproj."):
        yield annotation


def named(name: str, module: str) -> Any:
    """What a module means by a name, also one that it imports for annotations alone."""
    if name in vars(sys.modules[module]):
        return vars(sys.modules[module])[name]
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("nonproj"):
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return getattr(importlib.import_module(node.module), alias.name)
    return getattr(builtins, name, None)


def is_internal(kind: type) -> bool:
    """Whether no room exports a type of nonproj."""
    if kind.__module__.startswith("nonproj._core"):
        return True
    room = importlib.import_module(".".join(kind.__module__.split(".")[:2]))
    return kind.__name__ not in getattr(room, "__all__", vars(room))


def documented(thing: object) -> str:
    """The docstring: its parameters as a list, its example as a code block."""
    text, _, example = (inspect.getdoc(thing) or "").partition("\n>>> ")
    text = re.sub(r"\n(Parameters|Examples)\n-+(?=\n|$)", "", text)
    text = re.sub(r"(?m)^(\w+)((?:\n {4}.*)+)", lambda found: f"- `{found[1]}`: {' '.join(found[2].split())}", text)
    return f"{text.strip()}\n\n" + (f"```python\n>>> {example}\n```\n\n" if example else "")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument(
        "folder", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent, help="default: this one"
    )
    main(arguments.parse_args().folder)
