"""Learning: Adam with a rate that rises and falls over the epochs, and averaged weights to parse with."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from nonproj.decode import Within
from nonproj.neural.alphabets import Coded, Numbers, batches
from nonproj.neural.network import Batch, Network, Roles, outside
from nonproj.torch import TreeDistribution

_BETAS = (0.9, 0.95)
_CLIP = 5.0
_WARM_STEPS = 100


@dataclass(frozen=True)
class Pace:
    """How fast a network learns: words in a batch, the highest rates, over how many epochs they fall, the averaging."""

    epochs: int
    words: int = 600
    rate: float = 2e-3
    encoder_rate: float = 5e-5
    """Of a pretrained encoder, which has little left to learn and much to forget."""
    last: float = 0.05
    averaging: float = 0.995


@dataclass(frozen=True)
class Loss:
    """Of heads: each word's own choice (local), or that of a tree of a class (crf); and of relations."""

    name: str = "local"
    within: Within = "spanning"
    single_root: bool = True

    def __call__(self, network: Network, roles: Roles, batch: Batch) -> Tensor:
        """The sum over the words of a batch."""
        scores = network.arc_scores(roles)
        whole = self._of_heads(scores, batch)
        if len(network.relations):
            whole = whole + _of_choices(network.relation_scores(roles, batch.heads), batch.relations)
        if network.tagging is not None:
            tags, rules = network.tagging(roles.words)
            whole = whole + _of_choices(tags, batch.tags) + _of_choices(rules, batch.rules)
        return whole

    def _of_heads(self, scores: Tensor, batch: Batch) -> Tensor:
        if self.name == "crf":
            trees = TreeDistribution(
                scores, batch.lengths, within=self.within, single_root=self.single_root, validate_args=False
            )
            return -trees.log_prob(batch.heads).sum()
        allowed = scores.masked_fill(outside(batch), -torch.inf).mT[:, 1:].flatten(0, 1)
        gold = batch.heads.flatten()
        known = gold >= 0
        return nn.functional.cross_entropy(allowed[known], gold[known], reduction="sum")


def _of_choices(scores: Tensor, gold: Tensor) -> Tensor:
    """The loss of choices in which -1 is not known."""
    if scores.shape[-1] == 0:
        return scores.new_zeros(())
    return nn.functional.cross_entropy(scores.flatten(0, 1), gold.flatten(), ignore_index=-1, reduction="sum")


class Learning:
    """A network in training."""

    def __init__(self, network: Network, loss: Loss, pace: Pace, seed: int, device: torch.device) -> None:
        self.network, self.loss, self.pace, self.seed, self.device = network, loss, pace, seed, device
        self.average = copy.deepcopy(network).eval()
        self.steps = 0
        encoder = [] if network.words.encoder is None else list(network.words.encoder.parameters())
        pretrained = {id(parameter) for parameter in encoder}
        others = [parameter for parameter in network.parameters() if id(parameter) not in pretrained]
        groups = [{"params": others, "highest": pace.rate}, {"params": encoder, "highest": pace.encoder_rate}]
        self._optimizer = torch.optim.Adam([group for group in groups if group["params"]], pace.rate, _BETAS, eps=1e-9)

    def epoch(self, corpus: Coded, order: Numbers, number: int, progress: Callable[[int], None]) -> float:
        """Learn from all sentences once; the loss a word. What is random depends on seed and epoch alone."""
        found = batches(corpus.lengths, self.pace.words, order)
        turns = np.random.Generator(np.random.PCG64([self.seed, number])).permutation(len(found))
        whole, done = 0.0, 0
        self.network.train()
        with torch.random.fork_rng():
            torch.manual_seed(self.seed * 100_003 + number)
            for turn, place in enumerate(turns.tolist()):
                self._set_rate(number + turn / len(found))
                whole += self._step(Batch.of(corpus, found[place], self.device))
                done += len(found[place])
                progress(done)
        return whole / max(1, len(corpus.heads))

    def _step(self, batch: Batch) -> float:
        loss = self.loss(self.network, self.network(batch), batch)
        self._optimizer.zero_grad()
        (loss / batch.lengths.sum()).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), _CLIP)
        self._optimizer.step()
        self.steps += 1
        # The first weights are far off, and soon forgotten.
        share = 1 - min(self.pace.averaging, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.parameters()), list(self.network.parameters()), share)
        return float(loss.item())

    def _set_rate(self, epoch: float) -> None:
        fall = 0.5 * (1 + math.cos(math.pi * min(1.0, epoch / self.pace.epochs)))
        share = (self.pace.last + (1 - self.pace.last) * fall) * min(1.0, (1 + self.steps) / _WARM_STEPS)
        for group in self._optimizer.param_groups:
            group["lr"] = group["highest"] * share

    def state(self) -> dict[str, Tensor]:
        """All that `resume` needs, by name."""
        found = {f"network.{name}": value.detach() for name, value in self.network.state_dict().items()}
        found |= {f"average.{name}": value.detach() for name, value in self.average.state_dict().items()}
        for name, parameter in self.network.named_parameters():
            moments = self._optimizer.state.get(parameter, {})
            found |= {f"adam.{key}.{name}": value for key, value in moments.items()}
        return found

    def resume(self, state: dict[str, Tensor], steps: int) -> None:
        """Go on from a state."""

        def part(name: str) -> dict[str, Any]:
            return {key.removeprefix(f"{name}."): value for key, value in state.items() if key.startswith(f"{name}.")}

        self.network.load_state_dict(part("network"))
        self.average.load_state_dict(part("average"))
        moments = {key: part(f"adam.{key}") for key in ("step", "exp_avg", "exp_avg_sq")}
        for name, parameter in self.network.named_parameters():
            if name in moments["step"]:  # what is never used has none
                self._optimizer.state[parameter] = {key: values[name] for key, values in moments.items()}
        self.steps = steps
