"""A return is the discounted sum of the rewards from its own step to the end of its own episode.

G_t = sum_k gamma^k r_{t+k}: rewards before t and behind the end of the episode do not count. The
oracle sums forwards from each step and shares no recursion with what it judges. Returns that are
whitened under the mask are compared with the oracle's, whitened.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting
from numerics.properties.agrees_with_advantages_summed_backwards import advantages_apart, oracle

NAME = "sums_the_rewards_to_come"
THEOREM = "decision_processes.policy_gradient_of_a_finite_horizon"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare under the mask."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    given = dict(subject.family.complete(inputs, frozenset(subject.mapped.ours)))
    if not takes(subject, "gamma"):
        given["gamma"] = torch.tensor(float(subject.objective.constants.get("gamma", 1.0)))
    zero = torch.zeros_like(inputs["rewards"])
    given |= {"values": zero, "next_values": zero, "truncated": zero, "lam": torch.ones(())}
    mask = inputs["mask"] > 0 if takes(subject, "mask") else torch.ones_like(zero) > 0
    wanted, found = oracle(given, mask), value(subject, inputs)
    observed = advantages_apart(found[mask], wanted[mask])
    if observed <= 1e-9:
        return observed, ""
    off = ((found - wanted).abs() * mask).flatten().argmax()
    row, step = (int(i) for i in torch.unravel_index(off, wanted.shape))
    return observed, (
        f"the return at [{row}, {step}] is {float(found[row, step]):.6g}, "
        f"the rewards to come sum to {float(wanted[row, step]):.6g}"
    )


PROPERTY = Property(NAME, frozenset({"returns"}), THEOREM, "one forward", judge)
