"""From raw text to trees: sentences, words, tags and lemmas, and the pipeline that does it all."""

from __future__ import annotations

from nonproj.text.pipeline import Pipeline
from nonproj.text.restoring import restored_text
from nonproj.text.tagger import Tagger
from nonproj.text.tokenizer import Tokenizer

__all__ = ["Pipeline", "Tagger", "Tokenizer", "restored_text"]
