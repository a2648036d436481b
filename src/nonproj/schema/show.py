"""A schema printed as in the papers: plain text with lines between antecedents and consequent, or LaTeX."""

from __future__ import annotations

import re

from nonproj.schema.condition import latex_name
from nonproj.schema.judge import complexity
from nonproj.schema.notation import Step
from nonproj.schema.pattern import Pattern
from nonproj.schema.schema import Schema

_WIDTH = 100


def show(schema: Schema) -> str:
    """The schema as text.

    >>> from nonproj.schema import parsing_schema
    >>> print(show(parsing_schema("WG1")).split("\\n\\n")[5])
    Combine Ungapped
      [i, j, h, ⋄, ⋄]   [j+1, k, h, ⋄, ⋄]
      ───────────────────────────────────
      [i, k, h, ⋄, ⋄]
    """
    cost = complexity(schema)
    parts = [f"{schema.name}: {schema.title}\n{schema.reference}.{_derives(schema)}\n{cost}."]
    parts[0] += "".join(f"\n{line}" for line in _arrows(schema))
    forms = [f"  {_diamonds(form.pattern)}  {form.meaning}\n      where {form.where}" for form in schema.items]
    parts.append("Items\n" + "\n".join(forms))
    started = [_diamonds(h.pattern) + (f"  where {h.where}" if h.where else "") for h in schema.hypotheses]
    parts.append("Hypotheses\n" + "\n".join(f"  {line}" for line in started))
    parts += [show_step(step) for step in schema.steps]
    for title, step in (("Final", schema.final), ("Final, single root", schema.single_root_final)):
        if step is not None:
            parts.append(f"{title}\n  {'   '.join(map(_diamonds, step.antecedents))}{_sides(step)}")
    return "\n\n".join([*parts, "\n".join(_legend(schema))]) + "\n"


def _derives(schema: Schema) -> str:
    """What is true of the schema and its class."""
    if not schema.class_name:
        return ""
    if schema.shortfall:
        return f"\nDerives trees of {schema.class_name}, but not all: it misses {schema.shortfall}."
    return f" Derives the class {schema.class_name}."


def _steps(schema: Schema) -> list[Step]:
    return [step for step in (*schema.steps, schema.final, schema.single_root_final) if step is not None]


def _arrows(schema: Schema) -> list[str]:
    """Which way the arrows point, in plain text: papers differ, and a step is shown as its paper has it."""
    lines, steps = [], _steps(schema)
    if any(step.link for step in steps):
        by_category = any(step.linked is not None and step.linked.is_between_categories for step in steps)
        rule = "D -> C" if by_category else "w_d -> w_h"
        lines.append(f"{rule} beside a step is a D-rule, dependent first: the left one may depend on the right one.")
    if any(step.arc for step in steps):
        has_grandparents = any(step.linked is not None and step.linked.grandparent for step in steps)
        more = ", after the head's own head" if has_grandparents else ""
        lines.append(f"An arrow beside a step is the arc that it makes, from head to dependent{more}.")
    return lines


def _legend(schema: Schema) -> list[str]:
    """What the rest of the notation means, in plain text."""
    steps = _steps(schema)
    lines = ["0 is the dummy root; first is 0, or 1 where a single root is asked for."]
    if schema.normalise is not None:
        lines.append(
            "An item is its head h and a set S of words, and S with h and S without h are the same item: nm(...), the\n"
            "normal form, has h in S exactly if h+1 is in S. Every consequent is kept in normal form; where nm(...)\n"
            "stands above the line, any item that has the same normal form will do."
        )
    if any(pattern.is_prediction for step in steps for pattern in step.antecedents):
        lines.append("?[...] must have been derived, but is no part of what is built.")
    return lines


def show_latex(schema: Schema) -> str:
    r"""The schema as LaTeX: a description list of its items and steps, with amsmath's fractions.

    >>> from nonproj.schema import parsing_schema
    >>> lines = show_latex(parsing_schema("Eisner")).splitlines()
    >>> next(line for line in lines if "Complete Right" in line)
    '\\item[Complete Right] $\\dfrac{\\mathrm{arc\\_right}[i, k] \\quad \\mathrm{right}[k, j]}{\\mathrm{right}[i, j]}$'
    """
    lines = [f"% {schema.name}: {schema.title}; {schema.reference}", r"\begin{description}"]
    for form in schema.items:
        where = f" where ${form.condition.latex}$" if form.where else ""
        lines.append(rf"\item[Items] ${form.pattern.latex}$: {_escaped(form.meaning)}{where}")
    for hypothesis in schema.hypotheses:
        where = f" where ${hypothesis.condition.latex}$" if hypothesis.where else ""
        lines.append(rf"\item[Hypotheses] ${hypothesis.pattern.latex}${where}")
    for step in schema.steps:
        assert step.consequent is not None
        above = r" \quad ".join(map(_latex, step.antecedents))
        line = rf"\item[{_escaped(step.name)}] $\dfrac{{{above}}}{{{step.consequent.latex}}}$"
        lines.append(line + _latex_sides(step))
    for title, final in (("Final", schema.final), ("Final, single root", schema.single_root_final)):
        if final is not None:
            items = r" \quad ".join(map(_latex, final.antecedents))
            lines.append(rf"\item[{title}] ${items}$" + _latex_sides(final))
    legend = " ".join(" ".join([*_legend(schema), *_arrows(schema)]).split()).replace("?[...]", r"$?[\ldots]$")
    legend = legend.replace("nm(...)", r"$\mathrm{nm}(\ldots)$")
    legend = re.sub(r"\bfirst(?= is 0)", r"$\\mathrm{first}$", legend)
    legend = legend.replace("w_d -> w_h", r"$w_d \rightarrow w_h$").replace("D -> C", r"$D \rightarrow C$")
    legend = re.sub(r"(?<![$\w])(h\+1|h|S)\b", r"$\1$", legend)
    return "\n".join([*lines, r"\end{description}", legend, ""])


def show_step(step: Step) -> str:
    """One step as text, with a line between what it needs and what follows; a final step ends in ``goal``.

    >>> from nonproj.schema import parsing_schema
    >>> print(show_step(parsing_schema("MH4").final))
    Final
      [0, n+1]
      ────────
      goal
    """
    if step.consequent is None:
        above = "   ".join(map(_diamonds, step.antecedents))
        return "\n".join([step.name, f"  {above}", f"  {'─' * len(above)}{_sides(step)}", "  goal"])
    above, below = "   ".join(map(_diamonds, step.antecedents)), _diamonds(step.consequent)
    rule = "─" * max(len(above), len(below))
    lines = [step.name, f"  {above}", f"  {rule}{_sides(step)}", f"  {below}"]
    if len(lines[2]) > _WIDTH:
        lines[2] = f"  {rule}{_link(step)}"
        lines.append(f"  such that {step.where}")
    return "\n".join(lines)


def _sides(step: Step) -> str:
    return _link(step) + (f"  such that {step.where}" if step.where else "")


def _link(step: Step) -> str:
    """The arc as the schema's paper writes it."""
    return "" if step.linked is None else f"  {' -> '.join(_arrow(step))}"


def _arrow(step: Step) -> list[str]:
    """What an arrow joins: words or categories, dependent first, in a D-rule; positions, head first, in an arc."""
    assert step.linked is not None
    names = [name for name in (step.linked.dependent, step.linked.head, step.linked.grandparent) if name]
    if step.arc:
        names.reverse()
    before = "w_" if step.link and not step.linked.is_between_categories else ""
    return [before + name for name in names]


def _diamonds(pattern: Pattern) -> str:
    text = re.sub(r"(?<=[\[, ])-(?=[,\]])", "⋄", pattern.text)
    return f"nm({text})" if pattern.up_to_normalisation else f"?{text}" if pattern.is_prediction else text


def _latex(pattern: Pattern) -> str:
    if pattern.up_to_normalisation:
        return rf"\mathrm{{nm}}({pattern.latex})"
    return f"?{pattern.latex}" if pattern.is_prediction else pattern.latex


def _latex_sides(step: Step) -> str:
    link = ""
    if step.linked is not None:
        link = " $" + r" \rightarrow ".join(_latex_arrow(step)) + "$"
    return link + (f" such that ${step.condition.latex}$" if step.where else "")


def _latex_arrow(step: Step) -> list[str]:
    ends = _arrow(step)
    return [f"w_{{{latex_name(end[2:])}}}" if end.startswith("w_") else latex_name(end) for end in ends]


def _escaped(text: str) -> str:
    return re.sub(r"([_{}&%$#])", r"\\\1", text)
