"""Writes the pages and pictures that come from the code: classes.md, commands.md, api.md and pictures/.

    python docs/generate.py [FOLDER]

The tests run it into a scratch folder and compare, so what is committed is always what the code says.
"""

from __future__ import annotations

import inspect
import pathlib
import sys
from collections.abc import Callable

import click

import nonproj
from nonproj.cli import cli
from nonproj.draw import svg
from nonproj.treebank import Sentence, example_treebank
from nonproj.trees import CATALOGUE, TreeClass

INTRODUCTION = """# The classes of trees

This page is written by `make docs`. Each class is shown with a sentence of the sample treebank inside it, where it can
non-projective, and one outside, with the arcs that break its rule in red.

A tree over words 1..n is given by its heads; 0 is the dummy root, to the left of word 1, and several words may depend
on it. The *yield* of a word is the word with all its descendants. A *gap* of a yield is a run of words that lies
between words of the yield and does not belong to it. Two arcs *cross* when exactly one end of one lies strictly
between the ends of the other.

How the classes lie within one another: MH3 = AD1 = 1-C = Pr; MH4 in MH5 in MH6 ...; WG_k in MG_k; 2-C in 1EC in 2-P;
MH4 in 2-P; M0I in M1I in WG1; M1IS in M1I and in WG1S. Below 10 words MG1 is all trees of gap degree at most 1.

"""


def main(folder: pathlib.Path) -> None:
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    (folder / "classes.md").write_text(classes_page(folder), encoding="utf-8")
    hearing = next(sentence for sentence in example_treebank() if sentence.sent_id == "en-hearing")
    (folder / "pictures" / "readme.svg").write_text(svg(hearing.tree, boxes="gaps"), encoding="utf-8")
    (folder / "commands.md").write_text(commands_page(), encoding="utf-8")
    (folder / "api.md").write_text(api_page(), encoding="utf-8")


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


def commands_page() -> str:
    page = "# Commands\n\nThis page is written by `make docs` from the help texts.\n"
    page += f"\n```\n{help_text(cli, 'nonproj')}\n```\n"
    for name, verb in cli.commands.items():
        page += f"\n## nonproj {name}\n\n```\n{help_text(verb, f'nonproj {name}')}\n```\n"
    return page


def help_text(command: click.Command, name: str) -> str:
    settings = {**cli.context_settings, "terminal_width": 100}
    return command.get_help(click.Context(command, info_name=name, **settings))


def api_page() -> str:
    page = "# Python\n\nThis page is written by `make docs` from the docstrings. `import nonproj as npj` gives:\n"
    for name in sorted(nonproj.__all__, key=str.lower):
        thing = getattr(nonproj, name)
        if name == "__version__":
            continue
        page += f"\n## {name}\n\n"
        if has_signature(thing):
            page += f"```python\n{name}{signature(thing)}\n```\n\n"
        page += documented(thing)
        if inspect.isclass(thing):
            page += "".join(member(thing, part) for part in vars(thing) if not part.startswith("_"))
    return page


def has_signature(thing: object) -> bool:
    """Whether it is called by the reader: errors are caught, and what a decoder found is only looked at."""
    return callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception | nonproj.Decoded))


class Unquoted(str):
    """An annotation that prints as it was written."""

    __repr__ = str.__str__


def signature(thing: Callable[..., object]) -> str:
    whole = inspect.signature(thing)
    parameters = [p.replace(annotation=Unquoted(p.annotation)) for p in whole.parameters.values()]
    return str(whole.replace(parameters=parameters, return_annotation=Unquoted(whole.return_annotation)))


def member(cls: type, name: str) -> str:
    thing = inspect.getattr_static(cls, name)
    text = inspect.getdoc(thing)
    if not text or not (callable(thing) or isinstance(thing, property) or hasattr(thing, "func")):
        return ""
    return f"- `{name}`: {text.split(chr(10) * 2)[0].replace(chr(10), ' ')}\n"


def documented(thing: object) -> str:
    """The docstring, its example as a code block."""
    text, _, example = (inspect.getdoc(thing) or "").partition("\n>>> ")
    return f"{text.strip()}\n\n" + (f"```python\n>>> {example}\n```\n\n" if example else "")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
