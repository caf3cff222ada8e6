"""Rewards per token: a score of the whole response and a penalty of each token [B,T].

logp, logp_ref, mask [B,T] (nats, of the sampled tokens), score [B], beta a number
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape, policy

BETAS = (0.05, 0.5, 1.0)  # by seed


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """The policy family's log-probabilities; scores of both signs."""
    inputs = policy.sample(shape, seed, regime)
    rng = policy.generator(seed + 9)
    score = torch.randn(shape["B"], generator=rng, dtype=torch.float64)
    score[0] = score[0].abs()
    if shape["B"] > 1:
        score[1] = -score[1].abs()
    beta = torch.tensor(BETAS[seed % len(BETAS)], dtype=torch.float64)
    kept = {name: inputs[name] for name in ("logp", "logp_ref", "mask")}
    return {**kept, "score": score, "beta": beta}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many tokens lie on each side of the reference, scores of each sign, padded tokens."""
    mask, gap = inputs["mask"].bool(), inputs["logp_ref"] - inputs["logp"]
    return {
        "ref above pi": int(((gap > 0) & mask).sum()),
        "ref below pi": int(((gap < 0) & mask).sum()),
        "score > 0": int((inputs["score"] > 0).sum()),
        "score < 0": int((inputs["score"] < 0).sum()),
        "padding": int((~mask).sum()),
        "lengths": int(inputs["mask"].sum(-1).unique().numel()),
    }


FAMILY = Family(
    name="token_reward",
    arguments=(
        Argument("logp", ("BT",), "log-probabilities under the policy that is trained"),
        Argument("logp_ref", ("BT",), "log-probabilities under the reference policy"),
        Argument("score", ("B",), "the score of each response"),
        Argument("mask", ("BT",), "1 for response tokens, 0 for prompt and padding"),
        Argument("beta", ("",), "weight of the penalty"),
    ),
    required=frozenset({"logp", "logp_ref", "score"}),
    differentiated="logp",
    sample=sample,
    coverage=coverage,
    results=("BT",),
    held=True,
    properties=frozenset({"matches_the_specification", "ignores_masked_tokens"}),
)
