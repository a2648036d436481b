"""Pretrained encoders of Hugging Face: a vector of each word in its sentence.

A word's vector is the mean of those of its pieces. The first piece alone is the other usual choice; but where words
have endings, the last pieces hold the case or the person, and the first would have to be taught to gather them. A
sentence with more pieces than the encoder has positions is read in windows that overlap by half, and each piece is
taken from the window whose middle is nearest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from nonproj.errors import NonprojError
from nonproj.neural.alphabets import Numbers

_LONGEST_WINDOW = 512  # what takes more at once takes the square of it
_MOST_PIECES = 24  # of a word; what is longer is no word
_FORGOTTEN = ("_name_or_path", "auto_map", "transformers_version")


@dataclass(frozen=True)
class Description:
    """What a model file keeps of an encoder besides its weights: all in JSON."""

    config: dict[str, Any]
    tokenizer: str
    """The file tokenizer.json."""
    before: list[int]
    after: list[int]
    """The pieces that stand around a sentence."""
    unknown: int
    padding: int
    window: int
    """How many pieces of a sentence are read at once."""

    def __post_init__(self) -> None:
        pieces = [*self.before, *self.after, self.unknown, self.padding]
        if (
            not all(isinstance(piece, int) and piece >= 0 for piece in pieces)
            or not 2 <= self.window <= _LONGEST_WINDOW
        ):
            raise NonprojError("the description of its encoder is damaged")


class Encoder(nn.Module):  # type: ignore[misc]
    """Vectors of words by a pretrained encoder."""

    def __init__(self, model: Any, description: Description) -> None:
        super().__init__()
        _, tokenizers = _libraries()
        self.model, self.description = model, description
        self.width = int(model.config.hidden_size)
        self._tokenizer = tokenizers.Tokenizer.from_str(description.tokenizer)

    @classmethod
    def pretrained(cls, name: str) -> Encoder:
        """The encoder of a name on the Hugging Face Hub, or of a folder; only safetensors, and none of its own code."""
        transformers, _ = _libraries()
        try:
            with _quiet(transformers):
                tokenizer = transformers.AutoTokenizer.from_pretrained(name, trust_remote_code=False)
                model = transformers.AutoModel.from_pretrained(
                    name, trust_remote_code=False, use_safetensors=True, dtype=torch.float32
                )
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            raise NonprojError(
                f"{name}: no encoder can be loaded ({_first_line(error)}): give a name on the Hugging Face Hub, or a "
                "folder with config.json, model.safetensors and tokenizer.json"
            ) from error
        if not getattr(tokenizer, "is_fast", False):
            raise NonprojError(f"{name}: its tokenizer has no tokenizer.json: choose an encoder with a fast tokenizer")
        if getattr(model.config, "is_encoder_decoder", False) or not hasattr(model.config, "hidden_size"):
            raise NonprojError(f"{name}: a {model.config.model_type} model is no encoder of sentences")
        return cls(model, _description(model, tokenizer))

    @classmethod
    def described(cls, header: Any) -> Encoder:
        """One as a model's header describes it, yet without its weights."""
        transformers, _ = _libraries()
        description = Description(**header)
        try:
            config = transformers.AutoConfig.for_model(**description.config)
            model = transformers.AutoModel.from_config(config, trust_remote_code=False, dtype=torch.float32)
            return cls(model, description)
        except Exception as error:  # the libraries raise what they like
            raise NonprojError(f"its encoder cannot be made ({_first_line(error)})") from None

    def header(self) -> dict[str, Any]:
        """The description as a model's header keeps it."""
        return asdict(self.description)

    def forward(self, spelt: Sequence[str], forms: Tensor, lengths: Tensor) -> Tensor:
        """Vectors of shape (sentences, words, width); ``forms`` are places in ``spelt``, the distinct forms."""
        pieces = [np.array(each, np.int64) for each in self.pieces(spelt)]
        rows: list[Numbers] = []
        places, words = [], []
        for sentence, (line, length) in enumerate(zip(forms.cpu().numpy(), lengths.tolist(), strict=True)):
            own = [pieces[form] for form in line[:length]]
            whole = np.concatenate(own)
            row, column = _windows(len(whole), self.description.window)
            places.append(np.stack([len(rows) + row, len(self.description.before) + column]))
            words.append(np.repeat(np.arange(length) + sentence * forms.shape[1], [len(each) for each in own]))
            for begin in _begins(len(whole), self.description.window):
                part = whole[begin : begin + self.description.window]
                rows.append(np.concatenate([self.description.before, part, self.description.after]).astype(np.int64))
        states = self._states(rows, forms.device)
        row, column = torch.from_numpy(np.concatenate(places, 1)).to(forms.device)
        word = torch.from_numpy(np.concatenate(words)).to(forms.device)
        sums = states.new_zeros(forms.numel(), self.width).index_add(0, word, states[row, column])
        counts = torch.bincount(word, minlength=forms.numel()).clamp(min=1)
        return (sums / counts[:, None]).view(*forms.shape, self.width)

    def pieces(self, forms: Sequence[str]) -> list[list[int]]:
        """The pieces of each form, one at least."""
        found = self._tokenizer.encode_batch([[form] for form in forms], is_pretokenized=True, add_special_tokens=False)
        return [each.ids[:_MOST_PIECES] or [self.description.unknown] for each in found]

    def _states(self, rows: list[Numbers], device: torch.device) -> Tensor:
        table = np.full((len(rows), max(len(row) for row in rows)), self.description.padding, np.int64)
        is_there = np.zeros(table.shape, np.int64)
        for number, row in enumerate(rows):
            table[number, : len(row)] = row
            is_there[number, : len(row)] = 1
        mask = torch.from_numpy(is_there).to(device)
        states: Tensor = self.model(input_ids=torch.from_numpy(table).to(device), attention_mask=mask).last_hidden_state
        return states


def _begins(pieces: int, window: int) -> list[int]:
    """Where windows begin, each half a window after the one before, but for the last.

    >>> _begins(4, 4), _begins(9, 4)
    ([0], [0, 2, 4, 5])
    """
    last = max(0, pieces - window)
    return [*range(0, last, max(1, window // 2)), last]


def _windows(pieces: int, window: int) -> tuple[Numbers, Numbers]:
    """Of each piece the window that it is taken from, and its place there.

    >>> [each.tolist() for each in _windows(6, 4)]
    [[0, 0, 0, 1, 1, 1], [0, 1, 2, 1, 2, 3]]
    """
    begins = np.array(_begins(pieces, window), np.int64)
    numbers = np.arange(pieces)
    row = np.abs(begins[:, None] + (window - 1) / 2 - numbers).argmin(0)
    return row, numbers - begins[row]


def _description(model: Any, tokenizer: Any) -> Description:
    config = {key: value for key, value in json.loads(model.config.to_json_string()).items() if key not in _FORGOTTEN}
    around = tokenizer("a").input_ids
    inside = tokenizer("a", add_special_tokens=False).input_ids
    begin = next(k for k in range(len(around)) if around[k : k + len(inside)] == inside)
    before, after = around[:begin], around[begin + len(inside) :]
    unknown = tokenizer.unk_token_id
    window = min(_positions(model), tokenizer.model_max_length) - len(before) - len(after)
    if window < 2:
        raise NonprojError(f"the encoder has no room for more than {max(0, window)} pieces of a sentence")
    return Description(
        config,
        _for_single_words(tokenizer.backend_tokenizer.to_str()),
        before,
        after,
        inside[0] if unknown is None else unknown,
        model.config.pad_token_id or 0,
        window,
    )


def _positions(model: Any) -> int:
    """How many pieces an encoder has positions for; those that count positions from behind the padding have fewer."""
    found = [_LONGEST_WINDOW, getattr(model.config, "max_position_embeddings", None) or _LONGEST_WINDOW]
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            found.append(module.num_embeddings - (0 if module.padding_idx is None else module.padding_idx + 1))
    return min(found)


def _for_single_words(tokenizer: str) -> str:
    """A tokenizer that takes each word as one after a space, and neither pads nor cuts."""
    given = json.loads(tokenizer)
    given["padding"] = given["truncation"] = None
    steps = given.get("pre_tokenizer") or {}
    for step in (steps, *steps.get("pretokenizers", ())):
        if step.get("type") == "ByteLevel":
            step["add_prefix_space"] = True
    return json.dumps(given, ensure_ascii=False)


def _libraries() -> tuple[Any, Any]:
    try:
        import tokenizers
        import transformers
    except ImportError as error:
        raise NonprojError("a pretrained encoder needs transformers: pip install 'nonproj[neural]'") from error
    return transformers, tokenizers


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Without bars, and without a list of the weights that only other uses of a model need."""
    logging = transformers.utils.logging
    level, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if has_bars:
            logging.enable_progress_bar()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
