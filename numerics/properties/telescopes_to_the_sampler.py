"""All ratios together lead from the policy that is trained to the engine that sampled, once.

For one token the weight -(d loss / d logp) / A is (pi/pi_old)(pi_old/pi_rollout) = pi/pi_rollout
inside clip and truncation (or pi_old/pi_rollout where the loss has no ratio of its own). So moving
one log-probability by a little moves the logarithm of the weight by (1, 0, -1) or (0, 1, -1) for
(logp, logp_old, logp_rollout). A loss that only rejects tokens far from the engine has (1, -1, 0)
or (0, 0, 0) near it, and has no weight at all where the two are far apart on one side at least.
"""

import math

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, on_policy, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "telescopes_to_the_sampler"
THEOREM = "decision_processes.importance_weights_correct_the_actions"
NAMES = ("logp", "logp_old", "logp_rollout")
CORRECTED = ((1, 0, -1), (0, 1, -1))
REJECTED = ((1, -1, 0), (0, 0, 0))
STEP = 1e-3


def judge(subject: Subject, setting: Setting) -> Finding:
    """One token, each log-probability moved in turn."""
    one = Setting(({"B": 1, "T": 1, "V": 3},), setting.seeds, ("near",))
    return try_everywhere(NAME, subject, one, _trial, theorem=THEOREM, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "logp", "logp_rollout", "adv"):
        return None
    at = on_policy(subject, inputs)
    at["adv"] = torch.ones_like(inputs["adv"])
    base = _weight(subject, at)
    if not base:
        return None  # advantages are normalised over a batch of one
    powers = []
    for name in NAMES:
        moved = _weight(subject, {**at, name: at[name] + STEP})
        powers.append(math.log(moved / base) / STEP if moved / base > 0 else math.nan)
    told = "the weight goes with logp^{:.3g} logp_old^{:.3g} logp_rollout^{:.3g}".format(*powers)
    told = told.replace("logp", "pi")
    if any(_near(powers, wanted) for wanted in CORRECTED):
        return 0.0, ""
    if not any(_near(powers, wanted) for wanted in REJECTED):
        return 1.0, told
    if any(_rejected(subject, at, gap) for gap in (-12.0, 12.0)):
        return 0.0, ""
    return 1.0, "near the engine its log-probabilities change no gradient, and far no token is left"


def _near(powers: list[float], wanted: tuple[int, ...]) -> bool:
    return all(abs(p - w) < 0.05 for p, w in zip(powers, wanted, strict=True))


def _rejected(subject: Subject, at: dict[str, Tensor], gap: float) -> bool:
    """No gradient at this distance from the engine, whatever the sign of the advantage."""
    there = {**at, "logp_rollout": at["logp"] + gap}
    return not any(_weight(subject, {**there, "adv": sign * at["adv"]}) for sign in (1.0, -1.0))


def _weight(subject: Subject, inputs: dict[str, Tensor]) -> float:
    none = gradient(subject, {**inputs, "adv": 0 * inputs["adv"]})
    return -float((gradient(subject, inputs) - none).sum())


PROPERTY = Property(NAME, frozenset({"rollout"}), THEOREM, "a dozen backwards of one token", judge)
