"""Trained parsers and their evaluation."""

from __future__ import annotations

from nonproj.parser.options import GraphOptions
from nonproj.parser.parser import Parser, as_conllu, raw_text
from nonproj.parser.training import Epoch

__all__ = ["Epoch", "GraphOptions", "Parser", "as_conllu", "raw_text"]
