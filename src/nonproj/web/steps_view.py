"""The view of steps: how transition systems, schemata, sorting, lifting and grammars come to a tree."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any

from nonproj.draw import scene
from nonproj.draw.double import analysis_svg
from nonproj.errors import NonprojError
from nonproj.grammar import Grammar
from nonproj.lifting import governors, lifted_tree
from nonproj.schema import Forest, catalogue, complexity, parsing_schema, show, show_step
from nonproj.schema.pattern import shape_of
from nonproj.transition import Configuration, Row, TransitionSystem, choices, transition_system
from nonproj.trees import Tree, tree_class
from nonproj.web.library import Library
from nonproj.web.query import Query

WINDOW = 200
"""Steps that are sent at a time."""
_MOST_SWAPS = 400
_MOST_ANALYSES = 20
_MOST_ITEMS = 400
_FEW_FORMS = 40  # of a schema with more forms of items only those that occur are told

GRAMMARS = [
    {
        "name": "beans.gdg",
        "title": "English topics (Kahane, Nasr & Rambow 1998)",
        "words": "beans Fernando thought yesterday Milagro claims Carlos eats slowly",
    },
    {
        "name": "german.gdg",
        "title": "German scrambling",
        "words": "dass ihn heute niemand zu reparieren zu versuchen verspricht",
    },
]

_MEANINGS = {
    "SHIFT": "takes the next word from the buffer",
    "SWAP": "puts two words into the other order: in the order that is sorted into they stand so",
    "REDUCE": "drops the word on top: it has its head and all its dependents",
    "SWITCH": "goes on with the other plane: the next arc crosses one of this plane",
    "NO-ARC": "passes over this pair of words: there is no arc between them",
    "ROOT": "makes the word a root",
    "COMBINE": "joins the last two items, which share a word",
    "STORE": "keeps the word in a register, since arcs across others wait for it",
    "CLOSE": "empties the registers: no arc waits for them any more",
}


# Transition systems


def transitions(library: Library, query: Query) -> dict[str, Any]:
    """The oracle's transitions for a tree: what ``nonproj trace --system --format json`` prints, with more a step.

    ``steps`` are those from ``first`` on, at most 200, of ``total``. Each has ``transition``, ``label``, ``parts``,
    ``marked``, ``arc``, ``heads`` made so far, ``why``, and ``choices``: the legal transitions after it. If the tree is
    not derived, ``derived`` is false and ``why`` says the reason.
    """
    _, _, _, tree = library.asked(query)
    system = _system(query)
    head = {"system": system.name, "oracle": system.oracle_name, "headings": _headings(system, tree)}
    reason = system.explain(tree) if system.kind.has_arcs else None
    if reason is not None:
        return {**head, "derived": False, "why": reason, "total": 0, "first": 0, "steps": []}
    trace = system.trace(tree)
    first = query.number("first", 0)
    window = islice(trace, max(0, first - 1), first + WINDOW)
    rows = list(window)
    before: list[Row | None] = [None, *rows] if first == 0 else [*rows]
    shown = rows if first == 0 else rows[1:]
    steps = [_step(system, tree, previous, row) for previous, row in zip(before, shown, strict=False)]
    return {**head, "derived": True, "why": "", "total": len(trace), "first": first, "steps": steps}


def play(library: Library, query: Query) -> dict[str, Any]:
    """Where the transitions ``done`` lead, with dots between them: a step as in `transitions`, and ``is_final``.

    ``lost`` are the arcs of the tree that can no longer be made, ``right`` how many have been made.
    """
    from nonproj.transition.legal_choices import out_of_reach

    _, _, _, tree = library.asked(query)
    system = _system(query)
    names = [name for name in query.text("done").split(".") if name]
    configuration = system.initial(len(tree))
    row: Row | None = None
    before: Row | None = None
    for name in names:
        before = Row(None, configuration, None)
        configuration = system.apply(configuration, name)
    made = [arc for arc in configuration.arcs if tree.heads[arc.dependent - 1] == arc.head]
    row = Row(None, configuration, None)
    step = _step(system, tree, None, row)
    if before is not None:
        old = set(before.configuration.arcs)
        new = [arc for arc in configuration.arcs if arc not in old]
        step |= {"transition": names[-1], "arc": [new[0].head, None, new[0].dependent] if new else None}
    return {
        "system": system.name,
        "headings": _headings(system, tree),
        "done": names,
        "step": step,
        "is_final": system.is_final(configuration),
        "right": len(made),
        "lost": [list(arc) for arc in out_of_reach(configuration, tree)],
        "illegal": _illegal(system, configuration, tree),
    }


def _illegal(system: TransitionSystem, configuration: Configuration, tree: Tree) -> list[dict[str, Any]]:
    """The other transitions, each with what stands against it; families of hundreds are left out."""
    legal = {transition.name for transition in system.legal(configuration)}
    names = [name for name in system.names(len(tree)) if name not in legal and "@" not in name]
    return [{"transition": name, "text": system.objection(configuration, name)} for name in names[:40]]


def _system(query: Query) -> TransitionSystem:
    return transition_system(query.text("system", "arc-standard"), oracle=query.text("oracle") or None)


def _headings(system: TransitionSystem, tree: Tree) -> list[str]:
    return list(system.initial(len(tree)).parts)


def _step(system: TransitionSystem, tree: Tree, before: Row | None, row: Row) -> dict[str, Any]:
    configuration = row.configuration
    return {
        "transition": None if row.transition is None else row.transition.name,
        "label": None if row.transition is None else row.transition.label,
        "parts": configuration.parts,
        "marked": configuration.marked,
        "arc": None if row.arc is None else list(row.arc),
        "heads": configuration.heads if system.kind.has_arcs else [],
        "why": "" if before is None else _why(system, tree, before, row),
        "choices": [choice.to_dict() for choice in choices(system, configuration, tree)],
    }


def _why(system: TransitionSystem, tree: Tree, before: Row, row: Row) -> str:
    """Why the oracle took this transition: an arc of the tree, or what is wrong with the arcs that could be made."""
    assert row.transition is not None
    found = choices(system, before.configuration, tree)
    taken = next(choice for choice in found if choice.transition.name == row.transition.name)
    if taken.arc is not None:
        left = _waiting(before.configuration, tree, taken.arc.dependent)
        done = " and has all its dependents" if tree.children(taken.arc.dependent) and not left else ""
        word = tree.form(taken.arc.dependent)
        return f"'{word}' depends on '{tree.form(taken.arc.head)}' in the tree{done}"
    told = [_MEANINGS.get(row.transition.name, "")]
    told += [f"{c.transition.name} {c.text}" for c in found if c.arc is not None and (c.breaks or not c.is_right)][:3]
    return "; ".join(filter(None, told))


def _waiting(configuration: Configuration, tree: Tree, word: int) -> list[int]:
    return [child for child in tree.children(word) if configuration.heads[child - 1] is None]


# Schemata


@cache
def schemata() -> list[dict[str, Any]]:
    """The schemata that can be chosen, each with its class, cost and text."""
    return [
        {
            "name": schema.name,
            "title": schema.title,
            "reference": schema.reference,
            "class": schema.class_name,
            "cost": f"O(n^{complexity(schema).exponent})",
        }
        for schema in catalogue()
        if not any(step.linked and step.linked.is_between_categories for step in schema.steps)  # a tree has none
    ]


def schema(library: Library, query: Query) -> dict[str, Any]:
    """The deduction of a tree by a ``schema``: what ``nonproj trace --schema --format json`` prints, with more.

    ``items`` have ``number``, ``item``, ``step``, ``from``, ``arc``, ``words``, ``attached``; those of one derivation
    of the tree are in ``derivation``, in order. ``rules`` has the text of each step by name, ``meanings`` what the
    forms of the items stand for.
    """
    _, _, _, tree = library.asked(query)
    chosen = parsing_schema(query.text("schema", "Eisner"))
    forest = chosen.trace(tree)
    rows = forest.to_dict()
    derivation = _derivation(forest)
    kept = set(derivation)
    if len(forest.items) > _MOST_ITEMS:
        # Items follow from earlier ones: where nothing is derived, the first of them need none that is left out.
        rows["items"] = [
            item
            for item in rows["items"]  # type: ignore[attr-defined]
            if (item["number"] in kept if kept else item["number"] < _MOST_ITEMS)
        ]
    shown = [item["number"] for item in rows["items"]]  # type: ignore[attr-defined]
    shapes = {shape_of(forest.items[number]) for number in shown}
    used = {item["step"] for item in rows["items"]}  # type: ignore[attr-defined]
    return {
        "schema": chosen.name,
        "title": chosen.title,
        "reference": chosen.reference,
        "class": chosen.class_name,
        "count": len(forest.items),
        **rows,
        "derivation": derivation,
        "rules": {step.name: show_step(step) for step in forest.steps if step.name in used},
        "meanings": [
            {"item": form.pattern.text, "text": form.meaning}
            for form in chosen.items
            if form.pattern.shape in shapes or len(chosen.items) <= _FEW_FORMS
        ],
        "why": "" if forest.is_derived else _not_derived(chosen.class_name, tree),
    }


def schema_text(library: Library, query: Query) -> dict[str, Any]:
    """The whole of a ``schema`` as ``text``: what ``nonproj schema`` prints."""
    return {"text": show(parsing_schema(query.text("schema", "Eisner")))}


def _derivation(forest: Forest) -> list[int]:
    """The items of one derivation: from the goal down, by the use of a step that first concluded each."""
    if forest.goal is None:
        return []
    found, pending = set(), [forest.goal]
    while pending:
        number = pending.pop()
        if number in found:
            continue
        found.add(number)
        if number >= forest.hypotheses:
            pending.extend(forest.edges[number][0][1])
    return sorted(found)


def _not_derived(class_name: str, tree: Tree) -> str:
    if not class_name:
        return "no final item is derived"
    why = tree_class(class_name).explain(tree)
    return f"no final item is derived: the schema derives the trees of {class_name}, and {why}"


# Sorting and lifting


def sorting(library: Library, query: Query) -> dict[str, Any]:
    """The words on their way to projective order, one swap of neighbours at a time.

    ``steps`` have ``order``, the words from left to right, ``swapped``, the two that changed places, ``crossings`` and
    the ``scene`` of the tree with its words in that order.
    """
    _, _, found, tree = library.asked(query)
    place = {word: at for at, word in enumerate(tree.projective_order)}
    order = list(range(1, len(tree) + 1))
    tags = found.upos if any(tag != "_" for tag in found.upos) else None
    width = query.width()
    steps = [_sorted_step(tree, order, None, tags, width)]
    for first, second in _swaps(order, place):
        if len(steps) > _MOST_SWAPS:
            break
        order = list(order)
        order[first], order[second] = order[second], order[first]
        steps.append(_sorted_step(tree, order, [order[first], order[second]], tags, width))
    return {"order": tree.projective_order, "steps": steps, "forms": list(tree.forms or ())}


def _swaps(order: list[int], place: dict[int, int]) -> list[tuple[int, int]]:
    """Swaps of neighbours that sort, as many as there are inversions: each word is taken to its place from the left."""
    current, swaps = list(order), []
    for end in range(1, len(current)):
        at = end
        while at and place[current[at - 1]] > place[current[at]]:
            current[at - 1], current[at] = current[at], current[at - 1]
            swaps.append((at - 1, at))
            at -= 1
    return swaps


def _sorted_step(
    tree: Tree, order: list[int], swapped: list[int] | None, tags: list[str] | None, width: int | None
) -> dict[str, Any]:
    new = {word: at for at, word in enumerate(order, 1)} | {0: 0}
    heads = [new[tree.heads[word - 1]] for word in order]
    moved = Tree(
        heads,
        forms=[tree.form(word) for word in order],
        deprels=None if tree.deprels is None else [tree.deprels[word - 1] for word in order],
    )
    drawn = scene(moved, tags=None if tags is None else [tags[word - 1] for word in order], width=width)
    return {"order": order, "swapped": swapped, "crossings": len(moved.crossings), "heads": heads, "scene": drawn}


def lifting(library: Library, query: Query) -> dict[str, Any]:
    """The lifts of a tree one after the other: ``how`` is smallest, structural or iterated.

    Each step has ``word``, ``from``, ``to``, ``path``, the ``rule`` over tags, ``heads`` and ``scene`` after it.
    """
    _, _, found, tree = library.asked(query)
    how = query.text("how", "smallest")
    lifted = lifted_tree(tree, how)  # type: ignore[arg-type]
    tags = found.upos
    shown = tags if any(tag != "_" for tag in tags) else None
    drawn = partial(scene, tags=shown, width=query.width())
    heads = list(tree.heads)
    steps: list[dict[str, Any]] = [
        {"word": None, "heads": list(heads), "scene": drawn(tree), "crossings": len(tree.crossings)}
    ]
    for word in governors(tree, lifted):
        if not word.is_lifted:
            continue
        heads[word.word - 1] = word.linear_governor
        now = Tree(heads, forms=tree.forms, deprels=tree.deprels)
        steps.append(
            {
                "word": word.word,
                "from": word.syntactic_governor,
                "to": word.linear_governor,
                "path": list(word.path),
                "rule": _rule(tags, word),
                "heads": list(heads),
                "scene": drawn(now),
                "crossings": len(now.crossings),
            }
        )
    return {"how": how, "steps": steps, "forms": list(tree.forms or ()), "is_projective": lifted.is_projective}


def _rule(tags: list[str], word: Any) -> str:
    """The lifting rule that does it, over tags: LD ^ SG w LG."""
    named = [tags[node - 1] if node else "ROOT" for node in (word.syntactic_governor, *word.path, word.linear_governor)]
    return f"{tags[word.word - 1]} ^ {' '.join(named)}"


# Grammars


def grammar(library: Library, query: Query) -> dict[str, Any]:
    """A sentence of ``words`` under one of the grammars that come with nonproj.

    ``analyses`` have ``lines``, the derivation a sentential form a line, ``categories``, ``heads``, ``lifted`` and an
    ``svg``; ``chart`` is what ``nonproj grammar forest --format json`` prints. Without an analysis ``why`` says why.
    """
    name = query.text("grammar", "beans.gdg")
    if name not in [known["name"] for known in GRAMMARS]:
        raise NonprojError(f"grammar: expected one of {', '.join(known['name'] for known in GRAMMARS)}")
    words = query.text("words").split()[:40]
    if not words:
        raise NonprojError("words: type a sentence, with spaces between its words")
    loaded = _grammar(name)
    parse = loaded.parse(words)
    if not parse.is_grammatical:
        return {"grammar": name, "words": words, "count": 0, "analyses": [], "chart": None, "why": parse.explain()}
    from nonproj.grammar.derivation import derivation_text

    analyses = [
        {
            "lines": [line.removeprefix("=> ").strip() for line in derivation_text(loaded, analysis).splitlines()],
            "categories": [str(category) for category in analysis.categories],
            "heads": list(analysis.tree.heads),
            "lifted": list(analysis.lifted.heads),
            "svg": [analysis_svg(analysis, dark=dark) for dark in (False, True)],
        }
        for analysis in islice(parse, _MOST_ANALYSES)
    ]
    chart: dict[str, Any] = parse.forest.to_dict()
    items = chart["items"][:_MOST_ITEMS]
    return {
        "grammar": name,
        "words": words,
        "count": parse.count,
        "analyses": analyses,
        "chart": {**chart, "items": items},
        "why": "",
    }


@lru_cache(maxsize=4)
def _grammar(name: str) -> Grammar:
    return Grammar.load(name)
