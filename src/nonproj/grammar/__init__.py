"""Dependency grammars: GDG and PP-GDG, parsed by charts, derived by rewriting, read off treebanks."""

from nonproj.grammar.checking import GrammarWarning
from nonproj.grammar.forest import Analysis, Forest
from nonproj.grammar.grammar import Grammar
from nonproj.grammar.parse import Parse
from nonproj.grammar.rules import LPRule, LRule, MRule, SRule

__all__ = ["Analysis", "Forest", "Grammar", "GrammarWarning", "LPRule", "LRule", "MRule", "Parse", "SRule"]
