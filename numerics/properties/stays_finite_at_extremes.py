"""Value and gradient stay finite, and the value exact, at extreme inputs and in float32.

Scores, margins and logits 120 apart must give what float64 gives, within 1e-3 of it: the logarithm
of a sigmoid or of a softmax that rounded to zero does not. Log-probabilities of responses go
further apart, until a small beta does not hide it. Policy losses and penalties are tried in
float32 and bfloat16 at log-ratios beyond 20. A loss that is huge by design (above 1e6 in float64)
is left out. Some inputs are a caller's affair and tried under a claim only: sentinels of -1e4 in
the padding under "any padding", logits of -inf for words that cannot occur under "any logits", and
tokens so unlikely that their probability rounds to zero under "any token".
"""

import math

import torch
from torch import Tensor

from numerics.check.precision import coarsest
from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, on_policy, takes, try_everywhere, value
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "stays_finite_at_extremes"
ALLOWED = 1e-3
APART, HUGE = 120.0, 1e6
FARTHER, LARGE = 7, 110.0  # doublings of the margin, and the loss at which to stop: e^-110 is 0
UNLIKELY = 150.0
POLICIES = frozenset({"policy", "kl", "actor_critic", "rollout", "rollout_weights"})
OTHERS = frozenset({"reward_model", "preference", "token_scores", "logits", "entropy", "causal"})
PADDING, LOGITS, TOKENS = "any padding", "any logits", "any token"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Extreme rows of the family in the narrow precisions."""
    few = setting.thinned()
    return try_everywhere(NAME, subject, few, _trial, allowed=ALLOWED, regimes=("near", "far"))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    narrow = (
        (torch.float32, torch.bfloat16) if subject.family.name in POLICIES else (torch.float32,)
    )
    worst = (0.0, "")
    for given in _extremes(subject, inputs):
        wide, slope = value(subject, given), gradient(subject, given)
        claimed = {PADDING, LOGITS} & set(subject.objective.claims)
        if not (_finite(wide) and _finite(slope)):
            if claimed:
                return math.inf, "the loss in float64 is not finite at extreme inputs"
            continue
        if float(wide.abs().max()) > HUGE and not claimed:
            continue
        for kind in narrow:
            worst = max(worst, _narrowed(subject, given, wide, kind))
    return worst


def _narrowed(
    subject: Subject, given: dict[str, Tensor], wide: Tensor, kind: torch.dtype
) -> tuple[float, str]:
    cast = {n: x.to(kind) if x.is_floating_point() else x for n, x in given.items()}
    name = str(kind).removeprefix("torch.")
    try:
        found, slope = value(subject, cast), gradient(subject, cast)
    except UnusableInput:
        return 0.0, ""  # a loss that wants one precision says so itself
    for what, number in (("value", found), ("gradient", slope)):
        if not _finite(number):
            return math.inf, f"the {what} in {name} is not finite at extreme inputs"
    if kind == torch.bfloat16:
        return 0.0, ""
    off = float(((wide - found.double()).abs() / wide.abs().clamp(min=1.0)).max())
    if off > ALLOWED and coarsest(lambda: (value(subject, cast),)) > torch.finfo(kind).eps:
        return 0.0, ""  # under autocast float32 becomes half precision
    return off, f"float32 gives {float(found.max()):.6g}, float64 {float(wide.max()):.6g}"


def _finite(number: Tensor) -> bool:
    return bool(torch.isfinite(number).all())


def _extremes(subject: Subject, inputs: dict[str, Tensor]) -> list[dict[str, Tensor]]:
    family, given, claims = subject.family.name, dict(inputs), subject.objective.claims
    if family in POLICIES:
        if PADDING in claims and takes(subject, "mask"):
            return [{**given, "logp": torch.where(given["mask"] == 0, -1e4, given["logp"])}]
        if TOKENS not in claims:
            return [given]
        rare = {n: x - UNLIKELY for n, x in given.items() if n.startswith("logp")}
        return [given, {**given, **rare}]
    if family in ("logits", "entropy", "causal"):
        return _extreme_logits(subject, given)
    if family != "preference":
        return [_wrong_way_round(subject, given, APART)]
    return [_far_enough(subject, given)]


def _far_enough(subject: Subject, given: dict[str, Tensor]) -> dict[str, Tensor]:
    """The rejected response ahead by so much that the loss is large, if it becomes large at all."""
    for doublings in range(FARTHER):
        there = _wrong_way_round(subject, given, APART * 2**doublings)
        found = value(subject, there)
        if not _finite(found) or float(found.max()) > LARGE:
            break
    return there


def _wrong_way_round(subject: Subject, given: dict[str, Tensor], apart: float) -> dict[str, Tensor]:
    family = subject.family.name
    names = {"reward_model": "score_", "preference": "logp_", "token_scores": "scores_"}
    low, high = names[family] + "w", names[family] + "l"
    length = given[low].shape[-1] if given[low].dim() == 2 and family == "preference" else 1
    shift = -1.0 - apart if family == "preference" else -apart / 2
    return {
        **given,
        low: torch.full_like(given[low], shift / length),
        high: torch.full_like(given[high], (shift + apart) / length),
    }


def _extreme_logits(subject: Subject, given: dict[str, Tensor]) -> list[dict[str, Tensor]]:
    """One word far below the others: sampled (or the next token), then merely possible; and the
    sampled one far above.
    """
    labels = given.get("labels", torch.ones(given["logits"].shape[:2], dtype=torch.int64))
    labels = given["input_ids"].roll(-1, 1) if "input_ids" in given else labels
    found = []
    for place in (labels, (labels + 1) % given["logits"].shape[-1]):
        low = given["logits"].scatter(-1, place[..., None], -APART)
        found.append({**given, "logits": low})
    found.append({**given, "logits": given["logits"].scatter(-1, labels[..., None], APART)})
    if LOGITS in subject.objective.claims:
        found.append({**given, "logits": low.where(low > -APART, -math.inf)})
    return [on_policy(subject, x) if "labels" in x else x for x in found]


PROPERTY = Property(NAME, OTHERS | POLICIES, None, "a few backwards in three precisions", judge)
