"""Small grammars and sentences drawn at random."""

import random

from nonproj.grammar import Grammar

NAMES = ("A", "B")
FEATURES = ("", "", "", "[f +]", "[f -]")


def random_grammar(seed: int) -> tuple[Grammar, list[list[str]]]:
    """A grammar over a few words, and sentences of up to five of them."""
    draw = random.Random(seed)

    def pattern() -> str:
        return draw.choice(NAMES) + draw.choice(FEATURES)

    def expression(depth: int = 0) -> str:
        kind = draw.choice(
            ("symbol", "symbol", "star", "maybe", "choice", "sequence") if depth < 2 else ("symbol", "star")
        )
        if kind == "symbol":
            return draw.choice((".", pattern()))
        if kind in ("star", "maybe"):
            return f"({expression(depth + 1)}){'*' if kind == 'star' else '?'}"
        joint = " | " if kind == "choice" else " "
        return f"({joint.join(expression(depth + 1) for _ in range(2))})"

    lines = [f"start: {draw.choice(('.', pattern()))}"]
    for rule in range(draw.randint(1, 4)):
        dependents = ", ".join(pattern() for _ in range(draw.choice((0, 1, 1, 2))))
        lines.append(f"s s{rule}: {pattern()} -> {dependents}")
    if draw.random() < 0.5:
        lines.append("s e: . ->")
    for rule in range(draw.randint(0, 2)):
        lines.append(f"m m{rule}: {pattern()} -> {pattern()}")
    for rule in range(draw.randint(1, 3)):
        order = draw.choice(
            (f"{expression()} # {expression()}", ".* # .*", ".* # .*", f"{expression()}? # .*", "# .*", ".? #")
        )
        lines.append(f"lp p{rule}: {draw.choice(('.', pattern()))} = {order}")
    is_free = draw.random() < 0.5  # half of the grammars lift a lot
    for rule in range(draw.randint(1, 3) if is_free else draw.randint(0, 2)):
        path = draw.choice((".*", ".?") if is_free else ("", ".*", expression()))
        ends = [draw.choice((".", ".", pattern()) if is_free else (".", pattern())) for _ in range(3)]
        lines.append(f"l l{rule}: {ends[0]} ^ {ends[1]} {path} {ends[2]}")
    words = "abcd"
    for word in words:
        known = {draw.choice(NAMES) + draw.choice(FEATURES[2:]) for _ in range(draw.choice((1, 1, 2)))}
        lines.append(f"word {word}: {' | '.join(sorted(known))}")
    lines.append("word e: A[f +]")  # so that the feature is one of the lexicon's
    longest = draw.choice((3, 3, 4) if is_free else (3, 4, 5))
    sentences = [[draw.choice(words) for _ in range(draw.randint(2, longest))] for _ in range(2)]
    return Grammar.parse_text("\n".join(lines)), sentences


def weighted(grammar: Grammar, seed: int) -> Grammar:
    """The same with weights of rules drawn at random."""
    draw = random.Random(seed)
    lines = []
    for line in str(grammar).splitlines():
        is_rule = line.split()[0] in ("s", "m", "l")
        lines.append(f"{line} @ {draw.choice((-1, -0.3, 0.5, 2))}" if is_rule else line)
    return Grammar.parse_text("\n".join(lines))
