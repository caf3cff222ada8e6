"""Losses from logits with a planted mistake in the backward pass, and their correct twins.

The forward is the reference loss in every case: only a check of gradients can tell them apart.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from numerics.families import families
from numerics.families.logits import token_logp
from numerics.objectives.grpo import grpo

SHAPES = ({"B": 2, "T": 4, "V": 8}, {"B": 4, "T": 16, "V": 64}, {"B": 4, "T": 32, "V": 256})
Inputs = Mapping[str, Tensor]
Wrong = Callable[[Tensor, Inputs], Tensor]


def true_loss(logits: Tensor, inputs: Inputs) -> Tensor:
    """GRPO's loss with its log-probabilities gathered from logits."""
    logp = token_logp(logits, inputs["labels"])
    given = (inputs[name] for name in ("logp_old", "logp_ref", "adv", "mask"))
    return grpo(logp, *given, reduce="token-mean")


def _first_token(gradient: Tensor, inputs: Inputs) -> Tensor:
    """(batch, token) of the first response token whose gradient is not zero."""
    return (gradient.abs().amax(-1) > 0).nonzero()[0]


def _drop_a_token(gradient: Tensor, inputs: Inputs) -> Tensor:
    row, token = _first_token(gradient, inputs)
    wrong = gradient.clone()
    wrong[row, token] = 0.0
    return wrong


def _leak_into_padding(gradient: Tensor, inputs: Inputs) -> Tensor:
    row, token = _first_token(gradient, inputs)
    pad = (inputs["mask"] == 0).nonzero()[0]
    wrong = gradient.clone()
    wrong[pad[0], pad[1]] = gradient[row, token]
    return wrong


def _transpose(gradient: Tensor, inputs: Inputs) -> Tensor:
    return gradient.transpose(0, 1).reshape(gradient.shape)


MISTAKES: Mapping[str, Wrong] = {
    "zero": lambda g, x: 0.0 * g,
    "times 2": lambda g, x: 2.0 * g,
    "times 1.01": lambda g, x: 1.01 * g,
    "T/(T-1)": lambda g, x: g * g.shape[1] / (g.shape[1] - 1),
    "a dropped token": _drop_a_token,
    "a padding leak": _leak_into_padding,
    "a sign flip": lambda g, x: -g,
    "a transposed index": _transpose,
}


def twin(gradient: Tensor, inputs: Inputs) -> Tensor:
    """No mistake."""
    return gradient


def planted(wrong: Wrong, inputs: Inputs) -> Callable[[Tensor], Tensor]:
    """The loss of logits whose backward returns `wrong` of the true gradient."""

    class Planted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, logits: Tensor) -> Tensor:
            ctx.save_for_backward(logits)
            return true_loss(logits, inputs)

        @staticmethod
        def backward(ctx, *upstream: Tensor) -> Tensor:
            (logits,) = ctx.saved_tensors
            with torch.enable_grad():
                leaf = logits.detach().requires_grad_()
                gradient = torch.autograd.grad(true_loss(leaf, inputs), leaf)[0]
            return upstream[0] * wrong(gradient, inputs)

    return Planted.apply


def logits_sample(shape: Mapping[str, int], seed: int) -> dict[str, Tensor]:
    """A sample of the logits family."""
    return families()["logits"].sample(shape, seed, "moderate")
