"""Side conditions such as ``h2 in [i2, j2] and j < k-1``: read, checked, turned to Python or LaTeX.

A condition is Python's own grammar cut down to comparisons of positions, so that nothing else can be said in it and the
text may come from anywhere. ``x in [a, b]`` asks whether a position lies in the interval.
"""

from __future__ import annotations

import ast
import keyword
import re
from dataclasses import dataclass
from functools import cached_property

from nonproj.schema.errors import SchemaError

GIVEN = frozenset({"n", "first"})
"""Names bound before any antecedent: the number of words, and the first node (0 for the dummy, 1 without it)."""

_COMPARISONS = {
    ast.Lt: "<", ast.LtE: r"\leq", ast.Gt: ">", ast.GtE: r"\geq", ast.Eq: "=", ast.NotEq: r"\neq",
    ast.In: r"\in", ast.NotIn: r"\notin",
}  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """A conjunction of comparisons between positions; the empty text holds always.

    >>> condition = Condition("h in [i, j] and not j < k-1")
    >>> sorted(condition.names), [part.source for part in condition.conjuncts]
    (['h', 'i', 'j', 'k'], ['i <= h <= j', 'not j < k - 1'])
    """

    text: str

    def __post_init__(self) -> None:
        if self.text:
            _check(self._tree, self.text)

    @cached_property
    def _tree(self) -> ast.expr:
        try:
            return ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise SchemaError(f"cannot read the condition {self.text!r}") from None

    @cached_property
    def names(self) -> frozenset[str]:
        """The indices it speaks of."""
        if not self.text:
            return frozenset()
        return frozenset(node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)) - {"cat"}

    @cached_property
    def conjuncts(self) -> list[Condition]:
        """The parts that must all hold, so that each can be asked as soon as its indices are known."""
        if not self.text:
            return []
        tree = self._tree
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
            return [Condition(ast.unparse(part)) for part in tree.values]
        return [self]

    @cached_property
    def source(self) -> str:
        """The same as a Python expression over the indices, `n`, `first` and the function `cat`."""
        return ast.unparse(_Python().visit(ast.parse(self.text.strip(), mode="eval").body))

    @cached_property
    def latex(self) -> str:
        """The same as LaTeX mathematics."""
        return _latex(self._tree) if self.text else ""


def _check(node: ast.AST, text: str) -> None:
    """Refuse whatever is not a comparison of positions."""
    match node:
        case ast.BoolOp(values=values):
            parts: list[ast.AST] = list(values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            parts = [operand]
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            parts = [left]
            for operator, right in zip(ops, comparators, strict=True):
                if type(operator) not in _COMPARISONS:
                    raise SchemaError(f"a condition compares positions; {text!r} does not")
                if isinstance(operator, ast.In | ast.NotIn):
                    if len(ops) > 1 or not isinstance(right, ast.List) or len(right.elts) != 2:
                        raise SchemaError(f"write 'x in [a, b]' for an interval, not {text!r}")
                    parts += right.elts
                else:
                    parts.append(right)
            for part in parts:
                _check_position(part, text)
            return
        case _:
            raise SchemaError(f"a condition compares positions, with and, or, not between; {text!r} does not")
    for part in parts:
        _check(part, text)


def _check_position(node: ast.AST, text: str) -> None:
    match node:
        case ast.Name(id=name) if is_index(name):
            return
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int()):
            return
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            _check_position(left, text)
            _check_position(right, text)
            return
        case ast.Call(func=ast.Name(id="cat"), args=[argument], keywords=[]):
            _check_position(argument, text)
            return
    raise SchemaError(f"a position is an index, a number, a sum of them, or cat(index): see {text!r}")


class _Python(ast.NodeTransformer):
    """Intervals become chained comparisons."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        operator, right = node.ops[0], node.comparators[0]
        if not isinstance(right, ast.List):
            return node
        low, high = right.elts
        inside = ast.Compare(low, [ast.LtE(), ast.LtE()], [node.left, high])
        return inside if isinstance(operator, ast.In) else ast.UnaryOp(ast.Not(), inside)


def _latex(node: ast.AST) -> str:
    match node:
        case ast.BoolOp(op=operator, values=values):
            return (r" \wedge " if isinstance(operator, ast.And) else r" \vee ").join(map(_latex_part, values))
        case ast.UnaryOp(operand=operand):
            return rf"\neg {_latex_part(operand)}"
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            pairs = zip(ops, comparators, strict=True)
            return _latex(left) + "".join(f" {_COMPARISONS[type(op)]} {_latex(right)}" for op, right in pairs)
        case ast.List(elts=[low, high]):
            return f"[{_latex(low)}, {_latex(high)}]"
        case ast.BinOp(left=left, op=operator, right=right):
            return _latex(left) + ("+" if isinstance(operator, ast.Add) else "-") + _latex(right)
        case ast.Call(args=[argument]):
            return rf"\mathrm{{cat}}({_latex(argument)})"
        case ast.Name(id=name):
            return latex_name(name)
    return ast.unparse(node)


def _latex_part(node: ast.AST) -> str:
    return f"({_latex(node)})" if isinstance(node, ast.BoolOp) else _latex(node)


def is_index(name: str) -> bool:
    """Whether a word may name an index: plain letters and digits, no word of Python, and not ``cat``."""
    return bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)) and not keyword.iskeyword(name) and name != "cat"


def latex_name(name: str) -> str:
    """An index as LaTeX: the digits at its end are set below.

    >>> latex_name("h2"), latex_name("first"), latex_name("0")
    ('h_{2}', '\\\\mathrm{first}', '0')
    """
    if name.isdigit():  # the dummy
        return name
    letters = name.rstrip("0123456789")
    shown = letters if len(letters) == 1 else rf"\mathrm{{{letters}}}".replace("_", r"\_")
    return shown + (f"_{{{name[len(letters) :]}}}" if letters != name else "")
