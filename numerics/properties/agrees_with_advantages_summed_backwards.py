"""Advantages over time equal an oracle that knows where episodes end.

    delta_t = r_t + gamma V(s_{t+1}) [not terminated] - V(s_t)
    A_t = delta_t + gamma lambda A_{t+1} [t does not end an episode and t + 1 is under the mask]

V(s_{t+1}) is the value of the state that the step led to: next_values where the estimator takes it,
else values[t + 1]. The oracle sums forwards from each step, over its own episode only, so it shares
no recursion with what it judges. Advantages that are whitened under the mask are compared with the
oracle's, whitened. Of a pair (advantages, returns) it also asks R = A + V; a single
result may be either, unless the claim "advantages" or "returns" says which.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "agrees_with_advantages_summed_backwards"
THEOREM = "decision_processes.generalised_advantage_telescopes"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare under the mask."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM, allowed=1e-8)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    taken = frozenset(subject.mapped.ours)
    if "truncated" in taken and "next_values" not in taken:
        inputs = {**inputs, "truncated": torch.zeros_like(inputs["truncated"])}
    given = dict(subject.family.complete(inputs, taken))
    for name in ("gamma", "lam"):
        if name in subject.objective.constants:
            given[name] = torch.tensor(float(subject.objective.constants[name]))
        elif not takes(subject, name):
            given[name] = torch.tensor(1.0)
    mask = inputs["mask"] > 0 if takes(subject, "mask") else torch.ones_like(inputs["mask"]) > 0
    wanted, found = oracle(given, mask), value(subject, inputs)
    targets = (wanted + inputs["values"])[mask]
    if found.dim() == 3:
        first = advantages_apart(found[0][mask], wanted[mask])
        second = apart(found[1][mask], targets)
        told = "value targets" if second > first else "advantages"
        return max(first, second), f"{told} differ by {max(first, second):.2g} of the largest"
    said = subject.objective.claims
    if "returns" in said:
        off = apart(found[mask], targets)
        return off, f"value targets differ by {off:.2g} of the largest"
    off = advantages_apart(found[mask], wanted[mask])
    if "advantages" not in said:
        off = min(off, apart(found[mask], targets))
    if off <= 1e-8:
        return off, ""
    step = [int(i) for i in ((found - wanted).abs() * mask).nonzero()[-1]]
    return off, f"advantages differ by {off:.2g} of the largest; last wrong step {step}"


def advantages_apart(found: Tensor, wanted: Tensor) -> float:
    """How far they are apart as they are, or once both are whitened if one of them is."""
    plain = apart(found, wanted)
    white = len(found) > 2 and bool(torch.isfinite(found).all())
    if plain <= 1e-8 or not white or float(found.mean().abs()) > 1e-6:
        return plain
    deviations = float(found.std()), float(found.std(correction=0))
    if min(abs(deviation - 1) for deviation in deviations) > 1e-3:
        return plain
    centred = wanted - wanted.mean()
    return apart(found / found.norm(), centred / centred.norm())


def oracle(x: dict[str, Tensor], mask: Tensor) -> Tensor:
    """sum_l (gamma lambda)^l delta_{t+l} over the episode of t."""
    gamma, lam = float(x["gamma"]), float(x["lam"])
    delta = x["rewards"] + gamma * x["next_values"] * (1 - x["terminated"]) - x["values"]
    ended = (x["terminated"] + x["truncated"]) > 0
    out, powers = torch.zeros_like(delta), (gamma * lam) ** torch.arange(delta.shape[1]).double()
    for row, stops in enumerate(_stops(mask, ended)):
        for start, stop in enumerate(stops):
            out[row, start] = powers[: stop - start] @ delta[row, start:stop]
    return out


def _stops(mask: Tensor, ended: Tensor) -> list[list[int]]:
    """The step after the last one of the episode of each step; the step itself in the padding."""
    found = []
    for inside, ends in zip(mask.tolist(), ended.tolist(), strict=True):
        stops = [len(inside)] * (len(inside) + 1)
        for step in reversed(range(len(inside))):
            after = step + 1 if ends[step] else stops[step + 1]
            stops[step] = after if inside[step] else step
        found.append(stops[:-1])
    return found


PROPERTY = Property(NAME, frozenset({"gae"}), THEOREM, "one forward per sample", judge)
