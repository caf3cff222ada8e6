"""Policy losses: log-probabilities of the sampled tokens, advantages and a mask give a scalar to
minimise.

logp, logp_old, logp_ref [B,T] (nats, of the sampled tokens), adv [B,T] or [B], mask [B,T] (1 =
response token)
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape

# (log-ratio, sign of the advantage) put on the first response tokens: both sides of the clip with
# both signs, and
# beyond a dual clip at 3 (log 3 = 1.1) with a negative advantage.
BRANCHES = ((0.7, 1), (-0.7, -1), (1.6, -1), (-0.7, 1), (0.05, -1), (0.5, -1), (0.05, 1))
FAR = (22.5, -22.5, 6.0, -6.0)  # beyond a clamp of the log-ratio at 20, and where k3 exceeds 10
SPREAD = {"near": 0.05, "moderate": 0.5, "far": 0.5}


def generator(seed: int) -> torch.Generator:
    """A fresh generator; every draw of a sample comes from one of its own."""
    return torch.Generator().manual_seed(seed)


def response_mask(rows: int, length: int, seed: int) -> Tensor:
    """[B,T]: one full row, then shorter ones, padded on the right; at least one token a row."""
    lengths = torch.randint(1, length + 1, (rows,), generator=generator(seed))
    lengths[0] = length
    if rows > 1:
        lengths[1] = max(1, length // 2)
    return (torch.arange(length) < lengths[:, None]).double()


def token_draws(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """log_ratio = logp - logp_old, ref_ratio = logp_ref - logp, adv and mask, all [B,T]."""
    rows, length = shape["B"], shape["T"]
    rng = generator(seed + 1)
    mask = response_mask(rows, length, seed)
    normal = [torch.randn(rows, length, generator=rng, dtype=torch.float64) for _ in range(3)]
    log_ratio, ref_ratio, adv = SPREAD[regime] * normal[0], SPREAD[regime] * normal[1], normal[2]
    valid = mask.flatten().nonzero().flatten()
    if regime != "near":
        for place, (ratio, sign) in zip(valid.tolist(), BRANCHES, strict=False):
            log_ratio.view(-1)[place] = ratio
            adv.view(-1)[place] = sign * (0.5 + adv.view(-1)[place].abs())
    if regime == "far":
        for place, ratio in zip(valid.flip(0).tolist(), FAR, strict=False):
            log_ratio.view(-1)[place], ref_ratio.view(-1)[place] = ratio, -ratio
    return {"log_ratio": log_ratio, "ref_ratio": ref_ratio, "adv": adv, "mask": mask}


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Float64 inputs; all three log-probabilities are negative, also in the padding."""
    draws = token_draws(shape, seed, regime)
    base = torch.rand(shape["B"], shape["T"], generator=generator(seed + 2), dtype=torch.float64)
    lowest = torch.maximum(-draws["log_ratio"], draws["ref_ratio"]).clamp(min=0.0)
    logp = -(0.1 + 2.0 * base + lowest)
    return {
        "logp": logp,
        "logp_old": logp - draws["log_ratio"],
        "logp_ref": logp + draws["ref_ratio"],
        "adv": draws["adv"],
        "mask": draws["mask"],
    }


def ratio_coverage(log_ratio: Tensor, inputs: Inputs) -> dict[str, int]:
    """How many response tokens reached each side of a clip (0.2), a dual clip (3), a clamp (20)."""
    mask, adv = inputs["mask"].bool(), inputs["adv"]
    adv = adv if adv.dim() == mask.dim() else adv[:, None].expand(mask.shape)
    ratio, lengths = log_ratio.exp(), inputs["mask"].sum(-1)
    regions = {
        "ratio above 1.2, A > 0": (ratio > 1.2) & (adv > 0),
        "ratio above 1.2, A < 0": (ratio > 1.2) & (adv < 0),
        "ratio below 0.8, A > 0": (ratio < 0.8) & (adv > 0),
        "ratio below 0.8, A < 0": (ratio < 0.8) & (adv < 0),
        "ratio above 3, A < 0": (ratio > 3.0) & (adv < 0),
        "inside the clip": (ratio > 0.8) & (ratio < 1.2),
        "|log-ratio| above 20": log_ratio.abs() > 20,
    }
    counts = {name: int((region & mask).sum()) for name, region in regions.items()}
    return counts | {"padding": int((~mask).sum()), "lengths": int(lengths.unique().numel())}


def coverage(inputs: Inputs) -> dict[str, int]:
    """Counts of response tokens in each region of (ratio, sign of A)."""
    return ratio_coverage(inputs["logp"] - inputs["logp_old"], inputs)


FAMILY = Family(
    name="policy",
    arguments=(
        Argument("logp", ("BT",), "log-probabilities under the policy that is trained"),
        Argument("logp_old", ("BT",), "log-probabilities under the policy that sampled"),
        Argument("logp_ref", ("BT",), "log-probabilities under the reference policy"),
        Argument("adv", ("BT", "B"), "advantages"),
        Argument("mask", ("BT",), "1 for response tokens, 0 for prompt and padding"),
    ),
    required=frozenset({"logp", "adv"}),
    differentiated="logp",
    sample=sample,
    coverage=coverage,
)
