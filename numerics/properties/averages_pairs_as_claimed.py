"""A loss of comparisons is the mean over its pairs, or their sum, as it claims.

claims=["pair-mean"]: the loss of a batch is the mean of the losses of its pairs, each by itself,
and a repeated batch leaves it unchanged. claims=["pair-sum"]: the sum, and it doubles. The link of
a mean margin is neither, nor is a loss with statistics of its batch.
claims=["empty pairs do not count"]: nor does a pair without any token under its masks.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "averages_pairs_as_claimed"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Repeat the batch, and take each pair by itself."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    times = {"pair-mean": 1.0, "pair-sum": 2.0}
    if "empty pairs do not count" in subject.objective.claims and takes(subject, "mask_w"):
        return _with_an_empty_pair(subject, inputs)
    claimed = next((c for c in times if c in subject.objective.claims), None)
    once = value(subject, inputs)
    if claimed is None:
        return None
    if once.dim():
        return 1.0, f"it returns one number a pair, which {claimed} does not"
    twice = value(subject, {n: torch.cat([x, x]) for n, x in inputs.items()})
    observed = apart(twice, times[claimed] * once)
    if observed > 1e-9:
        ratio = float(twice / once)
        told = f"a repeated batch multiplies the loss by {ratio:.6g}, not {times[claimed]:g}"
        return observed, told
    rows = range(len(next(iter(inputs.values()))))
    alone = [value(subject, {n: x[[row]] for n, x in inputs.items()}) for row in rows]
    together = torch.stack(alone).mean() if claimed == "pair-mean" else torch.stack(alone).sum()
    told = f"{len(alone)} pairs give {float(once):.6g} together, {float(together):.6g} one by one"
    return apart(once, together), told


def _with_an_empty_pair(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    more = {n: torch.cat([x, x[:1]]) for n, x in inputs.items()}
    for name in ("mask_w", "mask_l"):
        more[name][-1] = 0.0
    observed = apart(value(subject, more), value(subject, inputs))
    return observed, "a pair without any token under its masks changes the mean"


PROPERTY = Property(
    NAME,
    frozenset({"preference", "reward_model", "token_scores"}),
    None,
    "a forward per pair",
    judge,
)
